"""Reachability: scenes whose answer anybody can tell, and what the twins share."""

from collections import Counter
from dataclasses import replace

import pytest

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.reachability import DOMAIN, guards_against
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.groceries import can
from pactwin.sim.objects.obstacles import cage
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.robots.builtin import ROBOTS
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint

X = block("red", (0.055, 0.055, 0.05))
Y = can("green", 0.066, 0.11)
OVER = cage("blue", (0.13, 0.13, 0.14))
NOISE = Perturbation("noise", pose_noise_m=0.001, pose_noise_rad=0.017, seed=3)
EVERY_ROBOT = pytest.mark.parametrize("robot", sorted(ROBOTS))


def layout(*items: Item) -> Layout:
    return Layout(items, "", (X.name,))


def draws(robot: str, count: int) -> list[Twins]:
    found = []
    for seed in range(100):
        try:
            found.append(DOMAIN.propose(layout_rng(seed), robot))
        except RejectedLayout:
            continue
        if len(found) == count:
            return found
    raise AssertionError("nearly all draws are rejected")


@EVERY_ROBOT
@pytest.mark.parametrize("perturbation", [Perturbation(), NOISE], ids=lambda p: p.name)
def test_known_scenes(robot: str, perturbation: Perturbation) -> None:
    near, other = standing_at(X, 0.25, 0.16), standing_at(Y, 0.25, -0.16)

    def decide(*items: Item) -> tuple[bool | None, Constraint]:
        outcome = DOMAIN.trial(layout(*items), perturbation, robot)
        return outcome.feasible, outcome.constraint

    assert decide(near, other) == (True, Constraint.NONE)
    assert decide(standing_at(X, 0.78, 0.16), other) == (False, Constraint.OUT_OF_REACH)
    over_x, over_y = standing_at(OVER, 0.25, 0.16), standing_at(OVER, 0.25, -0.16)
    assert decide(near, other, over_x) == (False, Constraint.PATH_BLOCKED)
    assert decide(near, other, over_y) == (True, Constraint.NONE)


def test_measurements_decide() -> None:
    """The posture is measured, and said to be no more than a posture."""
    far = DOMAIN.trial(layout(standing_at(X, 0.6, 0.1)), Perturbation(), "g1")
    short = far.measurements["distance_short_of_reach"]
    assert short.limit is not None
    assert short.value > short.limit
    assert far.margin < -1
    near = DOMAIN.trial(layout(standing_at(X, 0.25, 0.16)), Perturbation(), "g1")
    assert near.measurements["best_posture_clearance"].value > 0
    assert near.measurements["distance_short_of_reach"].value == 0
    assert near.margin > 0


def test_a_scene_that_is_not_at_rest_is_not_decided() -> None:
    floating = standing_at(X, 0.25, 0.16, on_z=0.05)
    outcome = DOMAIN.trial(layout(floating), Perturbation(), "g1")
    assert outcome.feasible is None
    assert "rest" in outcome.reason


@EVERY_ROBOT
def test_twins_exchange_two_things_and_leave_the_rest(robot: str) -> None:
    for twins in draws(robot, 12):
        layouts = (twins.infeasible, twins.feasible)
        places = [Counter(i.world_from_object.pos[:2] for i in layout.items) for layout in layouts]
        assert places[0] == places[1]
        moved = [
            item.name for item in twins.infeasible.items if twins.feasible.item(item.name) != item
        ]
        assert len(moved) == 2
        assert twins.infeasible.critical_objects[0] in moved
        for name in moved:
            here, there = (layout.item(name) for layout in layouts)
            assert replace(here, world_from_object=there.world_from_object) == there


@EVERY_ROBOT
def test_proposals_are_decided_as_drawn(robot: str) -> None:
    """Also for the robot that the contract test does not try."""
    meant = 0
    for twins in draws(robot, 8):
        infeasible = DOMAIN.trial(twins.infeasible, NOISE, robot)
        feasible = DOMAIN.trial(twins.feasible, NOISE, robot)
        meant += infeasible.constraint is twins.constraint and feasible.feasible is True
    assert meant >= 7


def test_guards_depend_on_the_robot() -> None:
    """An arm of seven joints gets behind a screen, one of five does not; a cage keeps both out."""
    assert "screen" in guards_against("g1")
    assert "screen" not in guards_against("panda")
    for robot in ROBOTS:
        assert "cage" in guards_against(robot)


def test_a_robot_that_nothing_keeps_out_gets_scenes_of_the_other_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pactwin.sim.domains.reachability.guards_against", lambda robot: ())
    found: Counter[str] = Counter()
    for seed in range(12):
        try:
            found[DOMAIN.propose(layout_rng(seed), "panda").constraint] += 1
        except RejectedLayout as rejected:
            found[str(rejected)] += 1
    assert set(found) >= {Constraint.OUT_OF_REACH, "no obstacle keeps the robot's hands away"}
    assert Constraint.PATH_BLOCKED not in found
