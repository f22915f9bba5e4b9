"""What is taken out of a box is what lies in it, also where boxes have changed places."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.physics.perturbation import Perturbation, undisturbed
from pactwin.sim.preconditions.handling import hand_gets_into
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.preconditions.surroundings import content_of
from pactwin.sim.scenarios.twins import Twins
from pactwin.sim.scenarios.uses import take_out
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint


def drawn(seed: int) -> Twins | None:
    try:
        return take_out(np.random.default_rng(seed), "g1", "covered")
    except RejectedLayout:
        return None


ALL = [twins for seed in range(8) if (twins := drawn(seed)) is not None]


def in_the_box(twins: Twins, layout: Layout) -> str:
    return content_of(layout.item(twins.action.box), layout.items).name  # type: ignore[attr-defined]


def test_some_twins_exchange_the_boxes_alone() -> None:
    exchanged = {in_the_box(t, t.infeasible) != in_the_box(t, t.feasible) for t in ALL}
    assert exchanged == {True, False}


@pytest.mark.parametrize("twins", ALL, ids=range(len(ALL)))
def test_the_open_box_gives_its_ball_and_the_shut_one_does_not(twins: Twins) -> None:
    for layout, gives in ((twins.infeasible, False), (twins.feasible, True)):
        comes_out, _ = twins.action.trials()
        found = comes_out(SettledScene(layout, Perturbation(), "g1"))
        assert all(outcome.feasible for outcome in found.values()) is gives


def test_what_is_taken_out_is_grasped_free_of_its_box() -> None:
    """Fingers reach in beside it; in the boxes of earlier versions, as narrow as this, none do."""
    thing = replace(block("red", (0.045, 0.045, 0.045)), name="red block")
    found = []
    for inner in ((0.16, 0.15, 0.055), (0.082, 0.07, 0.06)):
        box = standing_at(open_box("blue", inner), 0.24, 0.12)
        inside = standing_at(thing, 0.24, 0.12, on_z=0.005)
        here = SettledScene(
            Layout((inside, box), "", (inside.name, box.name)), undisturbed(1), "g1"
        )
        ((name, outcome),) = hand_gets_into(here, box.name).items()
        assert name == f"hand_gets_to: {box.name}"
        assert outcome.feasible
        found.append((outcome.grasp is not None, bool(outcome.leaves_open)))
    assert found == [(True, False), (False, True)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_carries_something_would_take_that_along(seed: int) -> None:
    """That is no matter of the box, which is open."""
    twins = take_out(np.random.default_rng(seed), "g1", "loaded")
    comes_out, _ = twins.action.trials()
    inside = twins.infeasible.item(in_the_box(twins, twins.infeasible))
    load = twins.infeasible.item(twins.infeasible.critical_objects[-1])
    assert inside.category != load.category, "which of them is meant must be plain"
    for layout, works in ((twins.infeasible, False), (twins.feasible, True)):
        found = comes_out(SettledScene(layout, Perturbation(), "g1"))
        moves = found.pop("nothing_else_moves")
        assert all(outcome.feasible for outcome in found.values())
        assert moves.feasible is works
        assert moves.constraint is (Constraint.NONE if works else Constraint.SUPPORTS_OTHER)


def test_nothing_is_said_of_a_box_that_a_change_has_emptied() -> None:
    twins = ALL[0]
    inside = in_the_box(twins, twins.feasible)
    emptied = replace(
        twins.feasible, items=tuple(i for i in twins.feasible.items if i.name != inside)
    )
    comes_out, _ = twins.action.trials()
    found = comes_out(SettledScene(emptied, Perturbation(), "g1"))
    assert [outcome.feasible for outcome in found.values()] == [None]
