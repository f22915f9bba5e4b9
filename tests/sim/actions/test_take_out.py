"""What is taken out of a box is what lies in it, also where boxes have changed places."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from drawn_scenes import usable

from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.physics.perturbation import Perturbation, undisturbed
from pactwin.sim.preconditions.handling import hand_gets_into
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.preconditions.surroundings import content_of
from pactwin.sim.scenarios.twins import Twins
from pactwin.sim.scenarios.uses import take_out
from pactwin.sim.scene.layout import Layout
from pactwin.suite import Constraint


def drawn(cause: str) -> Iterator[Twins]:
    return usable(lambda seed: take_out(np.random.default_rng(seed), "g1", cause), range(10))


def in_the_box(twins: Twins, layout: Layout) -> str:
    return content_of(layout.item(twins.action.box), layout.items).name  # type: ignore[attr-defined]


def comes_out(twins: Twins, layout: Layout) -> Outcomes:
    first, _ = twins.action.trials()
    return first(SettledScene(layout, Perturbation(), "g1"))


def test_the_open_box_gives_its_ball_and_the_shut_one_does_not() -> None:
    """Some twins exchange the boxes alone: another ball lies in the one that is asked about."""
    of_either = {
        in_the_box(twins, twins.infeasible) != in_the_box(twins, twins.feasible): twins
        for twins in drawn("covered")
    }
    assert len(of_either) == 2
    for twins in of_either.values():
        for layout, gives in ((twins.infeasible, False), (twins.feasible, True)):
            found = comes_out(twins, layout)
            assert all(outcome.feasible for outcome in found.values()) is gives
    inside = in_the_box(twins, twins.feasible)
    kept = tuple(item for item in twins.feasible.items if item.name != inside)
    emptied = comes_out(twins, replace(twins.feasible, items=kept))
    assert [outcome.feasible for outcome in emptied.values()] == [None]


def test_what_is_taken_out_is_grasped_free_of_its_box() -> None:
    """Fingers reach in beside it; into a box as narrow as the second, none do."""
    thing = replace(block("red", (0.045, 0.045, 0.045)), name="red block")
    found = []
    for inner in ((0.16, 0.15, 0.055), (0.082, 0.07, 0.06)):
        box = standing_at(open_box("blue", inner), 0.24, 0.12)
        inside = standing_at(thing, 0.24, 0.12, on_z=0.005)
        layout = Layout((inside, box), "", (inside.name, box.name))
        ((name, outcome),) = hand_gets_into(
            SettledScene(layout, undisturbed(1), "g1"), box.name
        ).items()
        assert name == f"hand_gets_to: {box.name}"
        assert outcome.feasible
        found.append((outcome.grasp is not None, bool(outcome.leaves_open)))
    assert found == [(True, False), (False, True)]


def test_what_carries_something_would_take_that_along() -> None:
    """That is no matter of the box, which is open."""
    twins = next(drawn("loaded"))
    inside = twins.infeasible.item(in_the_box(twins, twins.infeasible))
    load = twins.infeasible.item(twins.infeasible.critical_objects[-1])
    assert inside.category != load.category, "which of them is meant must be plain"
    for layout, works in ((twins.infeasible, False), (twins.feasible, True)):
        found = comes_out(twins, layout)
        moves = found.pop("nothing_else_moves")
        assert all(outcome.feasible for outcome in found.values())
        assert moves.feasible is works
        assert moves.constraint is (Constraint.NONE if works else Constraint.SUPPORTS_OTHER)
