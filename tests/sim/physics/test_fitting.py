"""Tools at work: the one that serves gets there and turns it, its look-alike does not."""

import numpy as np
import pytest

from pactwin.catalogue import load_procedures
from pactwin.sim.objects.primitives import Parts, box, disc
from pactwin.sim.physics.trials import fitting
from pactwin.sim.physics.trials.fitting import (
    WORKS,
    Fit,
    Work,
    _World,
    try_tool,
)
from pactwin.sim.scene.pose import quat_angle_rad

PLAYED = sorted(
    {(d.work, d.tool, d.instead) for d in (p.decides for p in load_procedures().tasks.values())}
)


@pytest.mark.parametrize(("work", "tool", "instead"), [row for row in PLAYED if row[0]])
def test_a_trial_tells_the_tool_from_its_look_alike(work: str, tool: str, instead: str) -> None:
    served, failed = try_tool(tool, work), try_tool(instead, work)
    assert served.serves and not failed.serves
    assert served.margin > 0.5 and failed.margin < -0.2
    assert served.agreed == served.run > 0 and failed.agreed == failed.run
    assert work in WORKS


def test_what_serves_for_one_work_need_not_for_another() -> None:
    assert try_tool("ring_spanner", "nut in a recess").serves
    assert not try_tool("ring_spanner", "nut on a pipe").serves
    for tool, work in (("slotted_screwdriver", "cross recess"), ("crosshead_screwdriver", "slot")):
        assert try_tool(tool, work).inserted < 0.1, "on top of it no share of the way in is made"


@pytest.mark.parametrize(
    ("inserted", "turned", "serves", "margin"),
    [(0.9, 1.0, True, 0.5), (1.0, 0.75, True, 0.5), (0.4, 1.0, False, -0.5), (0.8, 0.5, True, 0.0)],
)
def test_a_margin_is_the_way_to_the_nearer_limit(inserted, turned, serves, margin):
    fit = Fit(inserted, turned)
    assert fit.serves is serves
    assert fit.margin == pytest.approx(margin)


def solid(work: str, at_mm: np.ndarray) -> np.ndarray:
    """Where a work's boxes are solid of the points (n, 2), 3 mm below its top."""
    points = np.column_stack([at_mm / 1000, np.full(len(at_mm), -0.003)])
    inside = []
    for part in (*WORKS[work].head, *WORKS[work].walls):
        if part.shape == "box":
            own = (points - part.pose.pos) @ part.pose.matrix()[:3, :3]
            inside.append((np.abs(own) < np.array(part.size_m) / 2).all(axis=1))
    return np.any(inside, axis=0)


def solid_at(work: str, x_mm: float, y_mm: float) -> bool:
    return bool(solid(work, np.array([[x_mm, y_mm]]))[0])


@pytest.mark.parametrize(
    ("work", "half_wide_mm", "half_x_mm", "half_y_mm"),
    [("cross recess", 1.0, 4.2, 4.2), ("slot", 0.9, 0.9, 6.0)],
)
def test_a_recess_is_open_as_far_as_its_driver_is_wide_and_closed_all_around(
    work: str, half_wide_mm: float, half_x_mm: float, half_y_mm: float
) -> None:
    for sign in (-1, 1):
        for share, solid in ((0.0, False), (0.95, False), (1.05, True)):
            assert solid_at(work, sign * share * half_x_mm, 0.0) is solid
            assert solid_at(work, 0.0, sign * share * half_y_mm) is solid
        for other in (-1, 1):
            assert solid_at(work, sign * (half_wide_mm + 1), other * (half_wide_mm + 1))
    beside = half_wide_mm + 0.05
    assert solid_at(work, beside, half_y_mm - 0.5) and solid_at(work, -beside, 0.5 - half_y_mm)


GAPS = [name for name, work in WORKS.items() if not work.head]


@pytest.mark.parametrize("work", GAPS)
def test_a_gap_is_as_wide_as_it_is_called_and_closed_all_around(work: str) -> None:
    half_mm = float(work.split()[-2]) / 2
    for sign in (-1, 1):
        assert not solid_at(work, 0.0, sign * 0.97 * half_mm)
        assert solid_at(work, 0.0, sign * 1.03 * half_mm)
    for angle in np.linspace(0.0, 2 * np.pi, 16, endpoint=False):
        way = np.outer(np.arange(0.0, 50.0), (np.cos(angle), np.sin(angle)))
        assert solid(work, way).any(), np.rad2deg(angle)


@pytest.mark.parametrize(
    "work",
    [Work(45, 1, 7), Work(45, 0, 6, flat=True, beside_at_mm=4)],
    ids=["from above", "from the side"],
)
def test_a_tool_that_nothing_stops_gets_to_its_goal_and_no_further(work: Work) -> None:
    world = _World((box((0.008,) * 3),), work, 0.0, 0.0)
    assert not world.overlaps()
    assert at_mm(world) == pytest.approx(way_mm(work, work.start_mm))
    assert world.push() == pytest.approx(1.0, abs=0.01)
    assert at_mm(world) == pytest.approx(way_mm(work, work.goal_mm), abs=0.1)


def at_mm(world: _World) -> np.ndarray:
    """Where the tool's end is; all is ten times as large, and in metres."""
    return world.data.body("tool").xpos * 100


def way_mm(work: Work, at: float) -> tuple[float, float, float]:
    return (0.0, 0.0, at) if work.beside_at_mm is None else (at, 0.0, work.beside_at_mm)


@pytest.mark.parametrize(("top_mm", "share"), [(20, 0.0), (12, 0.0), (6, 0.5), (3, 0.75)])
def test_only_the_way_beyond_the_mouth_counts(top_mm: float, share: float) -> None:
    wall = box((0.04, 0.04, 0.01), (0.0, 0.0, (top_mm - 5) / 1000))
    world = _World((box((0.008,) * 3),), Work(45, 0, 12, walls=(wall,)), 0.0, 0.0)
    assert world.push() == pytest.approx(share, abs=0.05)


def test_a_tool_turns_by_sixty_degrees_and_the_work_not_at_all_where_it_is_not_gripped() -> None:
    nut = WORKS["nut in a well"].head
    world = _World((box((0.008,) * 3),), Work(45, 40, head=nut), 0.0, 0.0)
    before = world.data.body("tool").xquat.copy()
    assert world.turn() == 0.0
    turned = quat_angle_rad(world.data.body("tool").xquat[None], before[None])
    assert turned == pytest.approx(np.pi / 3, abs=0.01)


def test_a_round_tool_slips_on_a_round_head() -> None:
    """Work is turned by shape: pressed against a head and rolled on it, a tool drags it little."""
    touching_mm = (8 + 13) / 2
    work = Work(45, touching_mm - 0.1, head=(disc(0.013, 0.0, 0.008),), flat=True, beside_at_mm=4)
    world = _World((disc(0.008, -0.003, 0.003),), work, 0.0, 0.0)
    assert world.push() == 1.0
    world.turn()
    (turned_rad,) = world.data.joint("head").qpos
    assert -0.1 * np.pi / 3 < turned_rad < 0, "backwards, as wheels that touch"


def test_repetitions_that_come_out_otherwise_do_not_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    def barely(parts: Parts, work: Work, turn_rad: float, off_mm: float = 0.0) -> Fit:
        return Fit(1.0, 1.0 if off_mm <= 0.0 else 0.0)

    monkeypatch.setattr(fitting, "_fit", barely)
    found = try_tool.__wrapped__("pin_punch", "slot")
    assert (found.serves, found.agreed, found.run) == (True, 1, 2)
