"""The placement check: what stands as planned passes, planted mistakes are told by their name."""

import re
from dataclasses import dataclass, replace

import numpy as np
import pytest
from measured import Measured

from pactwin.real import Placement, TableCheck, overlay, table_check
from pactwin.real.as_measured import as_measured
from pactwin.real.placement import MIN_INLIER_RATIO, check_placement
from pactwin.real.raycast import Rays, cast, cast_table
from pactwin.real.registration import (
    MIN_RAYS,
    DepthObservation,
    fit_at,
    inlier_ratio,
    seen_around,
)
from pactwin.real.rehearsal.disturbance import (
    Disturbance,
    Mistake,
    disturbed_items,
    pushed,
    with_mistake,
)
from pactwin.sim import Item, Layout
from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.closures import hinged_box
from pactwin.sim.objects.everyday import ball, coaster
from pactwin.sim.scene.pose import Pose, yaw


@dataclass(frozen=True)
class Table:
    """A drawn scene, its twin, and what an operator put down."""

    layout: Layout
    twin: Layout
    measured: Measured
    items: dict[str, Item]

    def check(self, items: dict[str, Item]) -> dict[str, Placement]:
        frames = self.measured.frames(list(items.values()))
        found = check_placement(self.layout, self.twin, self.measured.rig, frames)
        return {placement.name: placement for placement in found}

    def with_mistake(
        self, name: str, mistake: Mistake, other: Item | None = None
    ) -> dict[str, Placement]:
        rng = np.random.default_rng(5)
        return self.check(with_mistake(self.items, name, mistake, other, rng))


@pytest.fixture(scope="module")
def table() -> Table:
    things = (
        _named(cylinder("red", 0.05, 0.10, "plastic"), "red one", 0.12),
        _named(cylinder("green", 0.05, 0.10, "plastic"), "green one", -0.12),
        _named(block("yellow", (0.05, 0.14, 0.04), "wood"), "plank", 0.0),
    )
    layout = Layout(things, "", ("red one",))
    items = disturbed_items(layout, Disturbance(), np.random.default_rng(3))
    return Table(layout, layout, Measured(1), items)


def test_what_stands_as_planned_passes_and_is_measured_within_5_mm(table: Table) -> None:
    found = table.check(table.items)
    assert found.keys() == table.items.keys()
    assert all(placement.ok for placement in found.values()), found
    for name, placement in found.items():
        assert placement.table_from_object is not None
        true = np.array(table.items[name].world_from_object.pos[:2])
        assert 1e3 * np.linalg.norm(placement.table_from_object[:2, 3] - true) < 5.0


def test_mistakes_are_told_by_their_name(table: Table) -> None:
    displaced = table.with_mistake("green one", "moved")["green one"]
    assert displaced.state == "displaced"
    assert displaced.position_mm is not None and 25 < displaced.position_mm < 36
    assert table.with_mistake("green one", "missing")["green one"].state == "missing"
    turned = table.with_mistake("plank", "turned")["plank"]
    assert turned.state == "turned"
    assert turned.yaw_deg is not None and abs(turned.yaw_deg) == pytest.approx(30, abs=8)
    assert turned.detail.endswith(" clockwise" if turned.yaw_deg > 0 else "counterclockwise")
    # Two things of one shape are told apart by their colours.
    found = table.with_mistake("red one", "swapped", table.items["green one"])
    assert found["red one"].state == found["green one"].state == "wrong thing"
    assert found["red one"].detail == "green one stands here"
    assert found["plank"].ok


def test_what_is_displaced_stands_right_once_it_is_pushed_as_told(table: Table) -> None:
    wrong = with_mistake(table.items, "green one", "moved", None, np.random.default_rng(5))
    told = table.check(wrong)["green one"].detail
    number = r"(\d+) mm "
    left = re.search(number + "to the (left|right)", told)
    away = re.search(number + "(away|toward)", told)
    assert left is not None
    assert away is not None
    x = int(away[1]) * (1 if away[2] == "away" else -1)
    y = int(left[1]) * (1 if left[2] == "left" else -1)
    by = {"green one": (x / 1e3, y / 1e3, 0.0)}
    right = pushed(wrong, by, Disturbance(), np.random.default_rng(1))
    found = table.check(right)["green one"]
    assert found.ok
    assert found.position_mm is not None
    assert found.position_mm < 5.0


def test_a_template_that_lies_off_its_place_is_told_with_what_stands_on_it(table, monkeypatch):
    monkeypatch.setattr(table_check, "shows_template", lambda color: True)

    def told(off_m: float) -> TableCheck:
        items = [i.at(i.world_from_object.moved(dy=off_m)) for i in table.layout.items]
        frames = table.measured.frames(items)
        return table_check.check_table(table.layout, table.twin, table.measured.rig, frames)

    off = told(-0.006)
    assert off.template_off_m is not None
    assert off.template_off_m == pytest.approx([0.0, 0.006], abs=0.002)
    assert "mm to the left" in off.wrong[-1]
    assert not off.template_only
    assert told(0.0).template_only


def test_what_a_closed_box_hides_is_not_asked_for_and_goes_with_the_box() -> None:
    box = _named(hinged_box("red", (0.12, 0.10, 0.06), closed=True), "box", 0.1)
    inside = _named(ball("blue", 0.045), "ball", 0.1)
    things = box, inside, _named(cylinder("red", 0.05, 0.10, "plastic"), "can", -0.1)
    layout, measured = Layout(things, "", ("box",)), Measured(1)
    off = [i.at(i.world_from_object.moved(dx=0.007)) for i in things if i is not inside]
    frames = measured.frames(off)
    found = {p.name: p for p in check_placement(layout, layout, measured.rig, frames)}
    assert found["ball"].state == "hidden"
    assert all(placement.ok for placement in found.values())
    poses = {n: p.table_from_object for n, p in found.items() if p.table_from_object is not None}
    there = as_measured(layout, poses, ["ball"])
    box_at, ball_at = (there.item(name).world_from_object.pos for name in ("box", "ball"))
    planned = np.subtract(inside.world_from_object.pos, box.world_from_object.pos)
    assert np.subtract(ball_at, box_at) == pytest.approx(planned, abs=2e-4)
    assert ball_at[0] > 0.303


def test_a_few_rays_before_a_flat_thing_do_not_make_it_missing() -> None:
    coaster, measured = (
        _named(block("red", (0.096, 0.096, 0.006), "wood"), "coaster", 0.3),
        Measured(1),
    )
    near = seen_around(coaster, [], measured.rig, measured.frames([coaster]), fine=True)
    fit = fit_at(coaster, coaster.world_from_object.matrix(), near)
    shadowed = []
    for view in near:
        depth_m = view.measured_m.copy()
        depth_m[np.flatnonzero(_over(view, coaster))[:20]] -= 0.03
        shadowed.append(replace(view, measured_m=depth_m))
    share = inlier_ratio(fit, shadowed, loaded=False)
    assert share is not None
    assert share > MIN_INLIER_RATIO


def _over(view: DepthObservation, item: Item) -> np.ndarray:
    return cast(item, item.world_from_object.matrix(), view.rays).depth_m < np.inf


def test_the_overlay_shows_every_camera(table: Table) -> None:
    frames = table.measured.frames([])
    found = [Placement(i.name, "missing", None, None, 0.0, 99, None) for i in table.layout.items]
    picture = overlay(table.layout, TableCheck(tuple(found)), table.measured.rig, frames)
    assert picture.shape == (2 * 720, 1280, 3)
    plain = np.concatenate([frame.color for frame in frames.values()])
    assert (picture != plain).any(axis=2).sum() > 200


def test_rays_hit_where_geometry_says() -> None:
    item = _named(block("red", (0.1, 0.2, 0.06), "wood"), "block", 0.0)
    eye = np.array([0.3, 0.0, 1.0])
    ways = np.array([[0.0, 0.0, -1.0], [0.06, 0.0, -1.0], [0.0, 0.0, 1.0], [0.3, 0.0, -1.0]])
    rays = Rays(np.zeros((4, 2)), eye, ways)
    hits = cast(item, Pose((0.3, 0.0, 0.03), yaw(0.0)).matrix(), rays)
    assert hits.depth_m[0] == pytest.approx(0.94)
    assert np.allclose(hits.normals[0], (0, 0, 1))
    assert np.isinf(hits.depth_m[1:]).all()
    assert cast_table(rays)[3] == pytest.approx(1.0)


def _named(item: Item, name: str, y_m: float) -> Item:
    at = Pose((0.3, y_m, item.size_m[2] / 2))
    return replace(item, name=name, world_from_object=at)


def test_few_rays_that_tell_a_coaster_from_the_table_do_not_outvote_all_others() -> None:
    """Far from the side camera they did, whose stereo had flattened it: the coaster was missing."""
    flat = coaster("beige", 0.096)
    flat = flat.at(Pose((0.26, 0.30, 0.003)))
    measured = Measured(1)
    seen = seen_around(flat, [], measured.rig, measured.frames([flat]), fine=True)
    fit = fit_at(flat, flat.world_from_object.matrix(), seen)
    flattened, told = [], 0
    for view in seen:
        depth_m = cast(flat, fit.pose, view.rays).depth_m
        tells = depth_m < view.background_depth_m - 0.012
        told += int(tells.sum())
        flattened.append(
            replace(view, measured_m=np.where(tells, depth_m + 0.011, view.measured_m))
        )
    assert told > MIN_RAYS
    share = inlier_ratio(fit, flattened, loaded=False)
    assert share is not None
    assert share > MIN_INLIER_RATIO
