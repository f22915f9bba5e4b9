"""What keeps a robot's hands out is drawn for that robot."""

from itertools import product

import numpy as np
import pytest

from pactwin.sim.domains import load_domain
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.generation.pairs.verdicts import LEAST_MARGIN
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.preconditions.reach_outcome import reach_outcome
from pactwin.sim.reach.search import reach
from pactwin.sim.robots.registry import ROBOTS
from pactwin.sim.scenarios.handreach import guards_against, one_arm_reaches
from pactwin.suite import Constraint
from pactwin.suite.checking.margins import fullest_bin


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
        family = load_domain("reachability").drawn_family(layout_rng(seed))
        if "guarded" not in " ".join(map(str, family.causes)):
            twins = load_domain("reachability").propose(layout_rng(seed), "panda")
            assert twins.constraint is Constraint.OUT_OF_REACH


@pytest.mark.parametrize("robot", ROBOTS)
def test_where_the_quick_estimate_lets_a_thing_stand_a_hand_gets_to_it(robot: str) -> None:
    """Neither so far away nor so near, where arms cannot bend, that draws would be in vain."""
    stood = 0
    for high, x, y in product((0.05, 0.12), (0.09, 0.11, 0.15, 0.25, 0.36, 0.4), (-0.2, 0.0)):
        thing = standing_at(block("red", (0.05, 0.05, high)), x, y)
        if one_arm_reaches(robot, [thing], 0.04):
            stood += 1
            found = reach(robot, [thing], thing.name, starts=64)
            assert reach_outcome(found).margin >= LEAST_MARGIN, (high, x, y)
    assert stood >= 8


def test_by_how_much_reach_goes_on_behind_what_an_action_names_is_spread() -> None:
    """Of two that stand anywhere within reach, the farther one would be near its limit mostly."""
    left = []
    for seed in range(160):
        twins = load_domain("opening").propose(layout_rng(seed), "g1")
        named = vars(twins.action).values()
        things = [item for item in twins.feasible.items if item.name in named]
        left.append(
            sum(
                one_arm_reaches("g1", things, least)
                for least in np.arange(0.04, 0.24, 0.005).tolist()
            )
        )
    assert min(left) > 0
    assert fullest_bin(np.array(left)) < 0.25
