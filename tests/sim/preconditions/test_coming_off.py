"""Scenes whose outcome anybody can tell, tried by the removal trial."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.everyday import can
from pactwin.sim.objects.obstacles import shelf
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.removal import Disturbance
from pactwin.sim.preconditions import coming_off
from pactwin.sim.preconditions.coming_off import comes_off
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Constraint


def tried(items: tuple[Item, ...], target: str, **perturbation) -> TrialOutcome:
    situation = SettledScene(Layout(items, "", (target,)), Perturbation(**perturbation), "g1")
    if situation.settle_error:
        return TrialOutcome.undecided(situation.settle_error)
    (outcome,) = comes_off(situation, target).values()
    return outcome


def tower(*things: Item) -> tuple[Item, ...]:
    placed: list[Item] = []
    for thing in things:
        placed.append(
            standing_at(thing, 0.2, 0.0, on_z=top_m(placed[-1]) if placed else 0.0, yaw_rad=0.3)
        )
    return tuple(placed)


def cube(color: str) -> Item:
    return block(color, (0.05, 0.05, 0.05))


@pytest.mark.parametrize(
    ("target", "feasible"), [("red block", False), ("green block", False), ("blue block", True)]
)
def test_only_the_top_of_a_stack_can_be_taken(target: str, feasible: bool) -> None:
    outcome = tried(tower(cube("red"), cube("green"), cube("blue")), target)
    assert outcome.feasible is feasible
    assert np.sign(outcome.margin) == (1 if feasible else -1)


def test_round_stacks_stand_and_fall_like_square_ones() -> None:
    """What stands beside them and does not touch them does not matter."""
    lower, upper = can("red", 0.06, 0.06), can("blue", 0.06, 0.06)
    stood = (*tower(lower, upper), standing_at(cube("green"), 0.2, 0.1))
    assert tried(stood, lower.name).feasible is False
    assert tried(stood, upper.name).feasible is True


def hung_over() -> tuple[Item, ...]:
    """A low cube, four pillars around it, and a board on them that does not touch it."""
    high = block("green", (0.05, 0.05, 0.052)), plank("blue", (0.12, 0.24, 0.012))
    pillars = [
        replace(standing_at(high[0], x, y), name=f"pillar {x} {y}")
        for x, y in ((0.2, 0.06), (0.2, -0.06), (0.14, 0.0), (0.26, 0.0))
    ]
    return standing_at(cube("red"), 0.2, 0.0), *pillars, standing_at(high[1], 0.2, 0.0, on_z=0.052)


def test_what_hangs_over_a_thing_is_tried_though_it_does_not_touch_it() -> None:
    """Drawn out between the pillars of a board it comes off, hemmed in by more it does not."""
    low, *pillars, board = hung_over()
    assert tried((low, *pillars[:2], board), low.name).feasible is True
    hemmed_in = tried((low, *pillars, board), low.name)
    assert hemmed_in.feasible is False
    assert hemmed_in.constraint is Constraint.WOULD_COLLAPSE
    over = standing_at(shelf("yellow", (0.2, 0.2), 0.06), 0.2, 0.0)
    assert tried((low, over), low.name).feasible is True


def test_what_a_thing_meets_as_it_comes_off_may_move_where_all_else_is_fixed() -> None:
    """Else a board over it could not fall, whatever the hand did."""
    low, *pillars, board = hung_over()
    beside = standing_at(cube("white"), 0.3, 0.0), standing_at(cube("pink"), 0.5, 0.3)
    for hemmed_in, fixed in ((pillars, {"pink block"}), (pillars[:2], {"pink block"})):
        items = low, *hemmed_in, board, *beside
        situation = SettledScene(Layout(items, "", (low.name,)), Perturbation(), "g1")
        around = situation.around((low.name,))
        assert around.fixed == fixed
        (alone,) = comes_off(SettledScene(around, Perturbation(), "g1"), low.name).values()
        assert alone.feasible is (hemmed_in is not pillars)
        assert (
            alone.distance is None
            or alone.distance
            == comes_off(situation, low.name)[f"nothing_else_moves_with: {low.name}"].distance
        )
    lonely = SettledScene(Layout((low, *beside), "", (low.name,)), Perturbation(), "g1")
    assert lonely.around((low.name,)).fixed == {thing.name for thing in beside}


@pytest.mark.parametrize("hemmed_in", [False, True])
def test_what_rests_on_a_thing_and_stays_is_not_what_it_supports(hemmed_in: bool) -> None:
    """One end of a board lies on a cube, which is drawn out and only shifts what stands beside."""
    low, bearer = cube("red"), block("yellow", (0.16, 0.09, 0.05))
    board = standing_at(plank("blue", (0.26, 0.06, 0.012)), 0.33, 0.0, on_z=0.05)
    scene = (standing_at(low, 0.22, 0.0), standing_at(bearer, 0.35, 0.0), board)
    ends = ((0.22 - 0.15, 0.0), (0.22, 0.15), (0.22, -0.15)) if hemmed_in else ()
    beside = [replace(standing_at(cube("green"), x, y), name=f"{x} {y}") for x, y in ends]
    outcome = tried((*scene, *beside), low.name)
    assert outcome.feasible is not hemmed_in
    assert outcome.constraint is (Constraint.WOULD_COLLAPSE if hemmed_in else Constraint.NONE)


@pytest.mark.parametrize(
    ("moved_m", "turned_deg", "feasible"),
    [(0.004, 4.0, True), (0.006, 0.0, None), (0.0, 6.0, None), (0.014, 14.0, None),
     (0.016, 0.0, False), (0.0, 16.0, False)],
)  # fmt: skip
def test_between_a_little_and_plainly_nothing_is_decided(
    moved_m, turned_deg, feasible, monkeypatch
):
    found = Disturbance(moved_m, float(np.deg2rad(turned_deg)), 0.0, frozenset())
    monkeypatch.setattr(coming_off, "carry_off", lambda *_: found)
    assert tried(tower(cube("red"), cube("blue")), "red block").feasible is feasible


def test_a_scene_that_is_not_at_rest_is_undecided() -> None:
    floating = standing_at(cube("red"), 0.2, 0.0, on_z=0.1)
    outcome = tried((floating, standing_at(cube("blue"), 0.3, 0.1)), "blue block")
    assert outcome.feasible is None
    assert "rest" in outcome.reason


def test_the_verdict_does_not_depend_on_where_and_how_the_table_is_turned() -> None:
    """Rotating and moving the whole scene about the vertical changes no verdict."""
    for angle in (1.0, 2.5):
        at = (0.2 + 0.1 * np.cos(angle), 0.1 * np.sin(angle))
        lower = standing_at(cube("red"), *at, yaw_rad=angle)
        upper = standing_at(cube("blue"), *at, on_z=top_m(lower), yaw_rad=angle)
        assert tried((lower, upper), "red block").feasible is False
        assert tried((lower, upper), "blue block").feasible is True


def test_the_same_trial_measures_the_same() -> None:
    items = tower(cube("red"), cube("blue"))
    noise = {"pose_noise_m": 0.001, "pose_noise_rad": 0.01, "seed": 7}
    assert tried(items, "red block", **noise) == tried(items, "red block", **noise)
    other = tried(items, "red block", **(noise | {"seed": 8}))
    assert other.measurements != tried(items, "red block", **noise).measurements
