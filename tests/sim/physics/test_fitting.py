"""Tools at work: the one that serves gets there and turns it, its look-alike does not."""

import pytest

from pactwin.catalogue import load_procedures
from pactwin.sim.physics.trials.fitting import IN_PLACE, TURNED, WORKS, Fit, try_tool

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
