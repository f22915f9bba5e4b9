"""Tools at work: the one that serves gets there and turns it, its look-alike does not."""

import numpy as np
import pytest

from pactwin.catalogue import load_procedures
from pactwin.sim.objects.posing import span_m
from pactwin.sim.objects.tools.shapes import block
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
def test_a_margin_is_the_way_to_the_nearer_limit(
    inserted: float, turned: float, serves: bool, margin: float
) -> None:
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


@pytest.mark.parametrize("work", ["cross recess", "slot"])
def test_a_recess_has_a_bottom_where_its_walls_end_and_a_driver_stops_short_of_it(
    work: str,
) -> None:
    bottom = next(part for part in WORKS[work].head if part.shape == "cylinder")
    walls = [part for part in WORKS[work].head if part.shape == "box"]
    floor = span_m(bottom.pose, bottom, 2)[1]
    assert {round(span_m(wall.pose, wall, 2)[0], 6) for wall in walls} == {round(floor, 6)}
    assert floor < WORKS[work].goal_mm[2] / 1000 < 0


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


def test_a_tool_of_the_wrong_kind_does_not_go_into_a_recess() -> None:
    assert try_tool("slotted_screwdriver", "cross recess").inserted < 0.5
    assert try_tool("crosshead_screwdriver", "slot").inserted < IN_PLACE


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
        assert across[1] - across[0] == pytest.approx(0.013, rel=0.16), "over flats or corners"


@pytest.mark.parametrize(
    "work",
    [Work((0, 0, 45), (0, 0, 1)), Work((45, 0, 4), (0, 0, 4), flat=True)],
    ids=["from above", "from the side"],
)
def test_a_tool_that_nothing_stops_gets_to_its_goal_and_no_further(work: Work) -> None:
    world = _World((block("8 8 8"),), work, 0.0, 0.0)
    assert not world.overlaps()
    assert world.push() == pytest.approx(1.0, abs=0.01)
    at_mm = world.data.body("tool").xpos * 100  # ten times as large, and in m
    assert at_mm == pytest.approx(np.array(work.goal_mm), abs=0.1)


def test_a_tool_turns_by_sixty_degrees_and_the_work_not_at_all_where_it_is_not_gripped() -> None:
    nut = WORKS["nut in a well"].head
    world = _World((block("8 8 8"),), Work((0, 0, 45), (0, 0, 40), head=nut), 0.0, 0.0)
    before = world.data.body("tool").xquat.copy()
    assert world.turn() == 0.0
    turned = quat_angle_rad(world.data.body("tool").xquat[None], before[None])
    assert turned == pytest.approx(np.pi / 3, abs=0.01)


def test_works_and_the_ways_to_them_are_on_the_axis() -> None:
    for name, work in WORKS.items():
        assert work.goal_mm[:2] == (0, 0), name
        assert work.start_mm[1] == 0, name
        along = np.subtract(work.goal_mm, work.start_mm)
        assert np.count_nonzero(along) == 1, f"{name}: comes along one axis"
        assert along.sum() < 0, f"{name}: and inwards or down"
        round_parts = [part for part in (*work.head, *work.walls) if part.shape == "cylinder"]
        assert all(part.pose.pos[:2] == (0, 0) for part in round_parts), name
