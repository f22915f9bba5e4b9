"""What keeps a robot's hands out is drawn for that robot."""

import pytest

from pactwin.sim.domains.reachability import DOMAIN
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.robots.builtin import ROBOTS
from pactwin.sim.scenarios.handreach import guards_against
from pactwin.suite import Constraint


def test_guards_depend_on_the_robot() -> None:
    """An arm of seven joints gets behind a screen, one of five does not; a cage keeps both out."""
    assert "screen" in guards_against("g1")
    assert "screen" not in guards_against("panda")
    assert all("cage" in guards_against(robot) for robot in ROBOTS)


def test_a_robot_that_nothing_keeps_out_gets_scenes_of_the_other_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pactwin.sim.scenarios.handreach.guards_against", lambda robot: ())
    for seed in range(12):
        family = DOMAIN.drawn_family(layout_rng(seed))
        if "guarded" not in " ".join(map(str, family.causes)):
            twins = DOMAIN.propose(layout_rng(seed), "panda")
            assert twins.constraint is Constraint.OUT_OF_REACH
