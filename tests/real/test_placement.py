"""The placement check: what stands as planned passes, planted mistakes are told by their name."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from measured import Measured

from pactwin.real import Placement, TableCheck, overlay
from pactwin.real.placement import check_placement
from pactwin.real.raycast import Rays, cast, cast_table
from pactwin.real.rehearsal.disturbance import (
    Disturbance,
    Mistake,
    disturbed_items,
    with_mistake,
)
from pactwin.sim import Item, Layout
from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.scene.pose import Pose, yaw
from pactwin.suite import InvalidInputError


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
    name = "green one"
    displaced = table.with_mistake(name, "moved")[name]
    assert displaced.state == "displaced"
    assert displaced.position_mm is not None
    assert 25 < displaced.position_mm < 36
    assert table.with_mistake(name, "missing")[name].state == "missing"


def test_a_turned_plank_is_told(table: Table) -> None:
    found = table.with_mistake("plank", "turned")["plank"]
    assert found.state == "turned"
    assert found.yaw_deg is not None
    assert abs(found.yaw_deg) == pytest.approx(30, abs=8)


def test_two_things_of_one_shape_that_changed_places_are_told_by_colour(table: Table) -> None:
    found = table.with_mistake("red one", "swapped", table.items["green one"])
    assert found["red one"].state == found["green one"].state == "wrong thing"
    assert found["red one"].detail == "green one stands here"
    assert found["plank"].ok


def test_cameras_have_to_be_calibrated(table: Table) -> None:
    rig = table.measured.rig.model_copy(update={"calibration": None})
    with pytest.raises(InvalidInputError, match="run pactwin calibrate"):
        check_placement(table.layout, table.twin, rig, table.measured.frames([]))


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
