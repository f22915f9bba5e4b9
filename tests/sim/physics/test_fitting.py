"""Tools at work: the one that serves gets there and turns it, its look-alike does not."""

import pytest

from pactwin.catalogue import load_procedures
from pactwin.sim.physics.trials.fitting import WORKS, try_tool

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
