"""Reachability: scenes whose answer anybody can tell, and what the twins share."""

from collections import Counter

import pytest

from pactwin.sim.domains.reachability import DOMAIN
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.groceries import can
from pactwin.sim.objects.obstacles import cage
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.preconditions.handling import hand_gets_to
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.robots.builtin import ROBOTS
from pactwin.sim.scenarios.handreach import guards_against
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Constraint

X = block("red", (0.055, 0.055, 0.05))
Y = can("green", 0.066, 0.11)
OVER = cage("blue", (0.13, 0.13, 0.14))
NOISE = Perturbation("noise", pose_noise_m=0.001, pose_noise_rad=0.017, seed=3)
EVERY_ROBOT = pytest.mark.parametrize("robot", sorted(ROBOTS))


def layout(*items: Item) -> Layout:
    return Layout(items, "", (X.name,))


def picked(items: tuple[Item, ...], perturbation: Perturbation, robot: str) -> TrialOutcome:
    situation = SettledScene(layout(*items), perturbation, robot)
    assert not situation.settle_error
    return hand_gets_to(situation, X.name)[f"hand_gets_to: {X.name}"]


@EVERY_ROBOT
@pytest.mark.parametrize("perturbation", [Perturbation(), NOISE], ids=lambda p: p.name)
def test_known_scenes(robot: str, perturbation: Perturbation) -> None:
    near, other = standing_at(X, 0.25, 0.16), standing_at(Y, 0.25, -0.16)

    def decide(*items: Item) -> tuple[bool | None, Constraint]:
        outcome = picked(items, perturbation, robot)
        return outcome.feasible, outcome.constraint

    assert decide(near, other) == (True, Constraint.NONE)
    assert decide(standing_at(X, 0.78, 0.16), other) == (False, Constraint.OUT_OF_REACH)
    over_x, over_y = standing_at(OVER, 0.25, 0.16), standing_at(OVER, 0.25, -0.16)
    assert decide(near, other, over_x) == (False, Constraint.PATH_BLOCKED)
    assert decide(near, other, over_y) == (True, Constraint.NONE)


def test_measurements_decide() -> None:
    """The posture is measured, and said to be no more than a posture."""
    far = picked((standing_at(X, 0.6, 0.1),), Perturbation(), "g1")
    short = far.measurements["distance_short_of_reach"]
    assert short.limit is not None
    assert short.value > short.limit
    assert far.margin < -1
    near = picked((standing_at(X, 0.25, 0.16),), Perturbation(), "g1")
    assert near.measurements["best_posture_clearance"].value > 0
    assert near.measurements["distance_short_of_reach"].value == 0
    assert near.margin > 0


def test_guards_depend_on_the_robot() -> None:
    """An arm of seven joints gets behind a screen, one of five does not; a cage keeps both out."""
    assert "screen" in guards_against("g1")
    assert "screen" not in guards_against("panda")
    for robot in ROBOTS:
        assert "cage" in guards_against(robot)


def test_a_robot_that_nothing_keeps_out_gets_scenes_of_the_other_kind(monkeypatch):
    monkeypatch.setattr("pactwin.sim.scenarios.handreach.guards_against", lambda robot: ())
    found = Counter(
        DOMAIN.propose(layout_rng(seed), "panda").constraint
        for seed in range(20)
        if "guarded" not in family_of(seed)
    )
    assert set(found) == {Constraint.OUT_OF_REACH}


def family_of(seed: int) -> str:
    """The causes of the family that a seed draws."""
    return " ".join(map(str, DOMAIN.drawn_family(layout_rng(seed)).causes))
