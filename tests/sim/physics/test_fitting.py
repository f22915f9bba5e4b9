"""Tools at work: the one that serves gets there and turns it, its look-alike does not."""

import numpy as np
import pytest

from pactwin.catalogue import load_procedures
from pactwin.sim.objects.posing import span_m
from pactwin.sim.objects.shapes import block
from pactwin.sim.physics.trials.fitting import (
    _DISTURBED,
    IN_PLACE,
    TURNED,
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


def test_every_work_is_played_and_known() -> None:
    assert {work for work, _, _ in PLAYED} - {""} == set(WORKS)
    assert sum(bool(work.head) for work in WORKS.values()) >= 2  # screws and nuts turn
    assert sum(not work.head for work in WORKS.values()) >= 2  # gaps are reached into


def test_a_ring_takes_the_nut_where_no_pipe_runs_through_it() -> None:
    assert try_tool("ring_spanner", "nut in a recess").serves
    assert not try_tool("ring_spanner", "nut on a pipe").serves


@pytest.mark.parametrize(
    ("inserted", "turned", "serves", "margin"),
    [
        (1.0, 1.0, True, 1.0),
        (0.0, 0.0, False, -1.0),
        (0.9, 1.0, True, 0.5),
        (1.0, 0.75, True, 0.5),
        (0.4, 1.0, False, -0.5),
        (1.0, 0.25, False, -0.5),
        (IN_PLACE, TURNED, True, 0.0),
    ],
)
def test_a_margin_is_the_way_to_the_nearer_limit(inserted, turned, serves, margin):
    fit = Fit(inserted, turned)
    assert fit.serves is serves
    assert fit.margin == pytest.approx(margin)


def test_most_of_the_way_in_and_half_of_the_turn_are_needed() -> None:
    """As for other uses: done above 0.8, half at 0.5."""
    assert (IN_PLACE, TURNED) == (0.8, 0.5)


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


@pytest.mark.parametrize("work", [name for name in WORKS if not name.startswith("nut")])
def test_what_is_gone_into_begins_at_its_mouth_and_is_deeper_than_a_tool_goes(work: str) -> None:
    found = WORKS[work]
    low, high = np.transpose([span_m(p.pose, p, 2) for p in (*found.head, *found.walls)])
    assert high.max() == pytest.approx(found.mouth_mm / 1000, abs=1e-9)
    assert low.min() < found.goal_mm / 1000 or work == "hole of 12 mm", "a hole goes through"


def test_a_tool_of_the_wrong_kind_does_not_go_into_a_recess() -> None:
    for tool, work in (("slotted_screwdriver", "cross recess"), ("crosshead_screwdriver", "slot")):
        assert try_tool(tool, work).inserted < 0.1, "on top of it no share of the way in is made"


def test_repetitions_go_to_both_sides_alike() -> None:
    assert np.sum(_DISTURBED, axis=0) == pytest.approx((0.0, 0.0))
    assert np.all(_DISTURBED)


def test_nuts_are_as_high_as_told_and_thirteen_millimetres_wide() -> None:
    nuts = {name: work.head[0] for name, work in WORKS.items() if name.startswith("nut")}
    assert len(nuts) == 5
    for name, nut in nuts.items():
        (low, high), across = (span_m(nut.pose, nut, axis) for axis in (2, 1))
        assert low == pytest.approx(0.0, abs=1e-6), name
        assert 0.006 <= high <= 0.008, name
        assert across[1] - across[0] == pytest.approx(0.013, rel=1e-6), "over its flats"
        if not WORKS[name].flat:
            assert high == pytest.approx(WORKS[name].mouth_mm / 1000), "a socket goes over it"
        for stud in WORKS[name].head[1:]:
            assert stud.size_m[0] == pytest.approx(0.008), "of 8 mm, out of the middle of its nut"
            assert span_m(stud.pose, stud, 2)[0] == pytest.approx(low) and high < stud.size_m[2]


@pytest.mark.parametrize(
    "work",
    [Work(45, 1, 7), Work(45, 0, 6, flat=True, beside_at_mm=4)],
    ids=["from above", "from the side"],
)
def test_a_tool_that_nothing_stops_gets_to_its_goal_and_no_further(work: Work) -> None:
    world = _World((block("8 8 8"),), work, 0.0, 0.0)
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
    wall = block("40 40 10", f"0 0 {top_mm - 5}")
    world = _World((block("8 8 8"),), Work(45, 0, 12, walls=(wall,)), 0.0, 0.0)
    assert world.push() == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize(("start_mm", "overlaps"), [(6, False), (4, True)])
def test_what_has_no_room_where_it_begins_is_not_moved(start_mm: float, overlaps: bool) -> None:
    wall = block("40 40 10")
    world = _World((block("8 8 8"),), Work(start_mm, 0, walls=(wall,)), 0.0, 0.0)
    assert world.overlaps() is overlaps


def test_a_tool_turns_by_sixty_degrees_and_the_work_not_at_all_where_it_is_not_gripped() -> None:
    nut = WORKS["nut in a well"].head
    world = _World((block("8 8 8"),), Work(45, 40, head=nut), 0.0, 0.0)
    before = world.data.body("tool").xquat.copy()
    assert world.turn() == 0.0
    turned = quat_angle_rad(world.data.body("tool").xquat[None], before[None])
    assert turned == pytest.approx(np.pi / 3, abs=0.01)


def test_works_are_on_the_axis_and_ways_lead_through_their_mouths() -> None:
    for name, work in WORKS.items():
        assert work.start_mm > work.mouth_mm > work.goal_mm, name
        round_parts = [part for part in (*work.head, *work.walls) if part.shape == "cylinder"]
        assert all(part.pose.pos[:2] == (0, 0) for part in round_parts), name


@pytest.mark.parametrize("work", ["nut in a well", "nut in a recess"])
def test_a_well_leaves_room_around_its_nut_for_the_tool_that_serves_and_no_other(work: str) -> None:
    walls = WORKS[work].walls
    assert len(walls) == 16
    inner = min(np.hypot(*part.pose.pos[:2]) - part.size_m[0] / 2 for part in walls)
    assert inner > 0.0075, "more than the nut's corners"
    low, high = np.transpose([span_m(part.pose, part, 2) for part in walls])
    assert low.min() == pytest.approx(0.0, abs=1e-6) and high.max() > 0.006
