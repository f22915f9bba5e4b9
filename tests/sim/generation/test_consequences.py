"""What moves if the target is taken anyway, and which changes help: known answers."""

from dataclasses import replace

import numpy as np
import pytest
from drawn_scenes import scenes_of

from pactwin.sim.actions.handling import Take
from pactwin.sim.generation.pairs import counterfactuals, mirrored
from pactwin.sim.generation.pairs.counterfactuals import (
    edits_again,
    moved_by_taking,
    tried_edits,
    with_counterfactuals,
)
from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.scenarios.twins import Twins
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Constraint, Scene

RED = standing_at(block("red", (0.05, 0.05, 0.05)), 0.25, 0.10)
GREEN = standing_at(block("green", (0.05, 0.05, 0.05)), 0.25, -0.12)
SMALL = block("blue", (0.04, 0.04, 0.03))
TAKE = Take(RED.name)


def on(carrier: Item) -> Item:
    x, y, _ = carrier.world_from_object.pos
    return standing_at(SMALL, x, y, on_z=top_m(carrier), yaw_rad=0.1)


LOADED, FREE = (
    Layout((RED, GREEN, on(carrier)), TAKE.phrase, (RED.name, SMALL.name))
    for carrier in (RED, GREEN)
)


def test_what_rests_on_the_target_moves_and_nothing_else() -> None:
    assert moved_by_taking(LOADED, "g1", 3) == (SMALL.name,)
    assert moved_by_taking(FREE, "g1", 3) == ()


def test_what_hangs_over_the_target_moves_though_nothing_touches_it() -> None:
    posts = [
        standing_at(block(color, (0.03, 0.03, 0.08)), 0.25, y)
        for color, y in (("blue", -0.095), ("pink", 0.095))
    ]
    low = standing_at(block("red", (0.05, 0.05, 0.04)), 0.25, 0.05)
    roof = standing_at(plank("white", (0.05, 0.22, 0.012)), 0.25, 0.0, on_z=top_m(posts[0]))
    layout = Layout((low, *posts, roof), "", (low.name, roof.name))
    assert moved_by_taking(layout, "g1", 3) == (roof.name,)


def test_what_falls_when_a_pillar_goes_is_all_that_it_held() -> None:
    near = standing_at(block("red", (0.05, 0.05, 0.06)), 0.25, 0.0)
    far = standing_at(block("green", (0.12, 0.12, 0.06)), 0.25, 0.16)
    board = standing_at(plank("white", (0.05, 0.21, 0.012)), 0.25, 0.07, on_z=top_m(near))
    ball = standing_at(SMALL, 0.25, 0.01, on_z=top_m(board), yaw_rad=0.1)
    layout = Layout((near, far, board, ball), "", (near.name, board.name))
    assert moved_by_taking(layout, "g1", 3) == tuple(sorted((board.name, ball.name)))


def test_what_noise_changes_is_undecided_and_left_out_of_both_twins(monkeypatch):
    monkeypatch.setattr(
        counterfactuals, "_moved", lambda scene: (SMALL.name,) if scene.nominal else ()
    )
    assert moved_by_taking(LOADED, "g1", 3) is None
    assert moved_by_taking(FREE, "g1", 3) == (), "it stands clear of all else"
    twins = Twins(LOADED, FREE, Constraint.SUPPORTS_OTHER, TAKE)
    one, other = (scene.decided for scene in scenes_of("support", 1, twins))
    rng = np.random.default_rng(1)
    for layouts in ((LOADED, FREE), (FREE, LOADED)):
        found = with_counterfactuals(TAKE, layouts, (one, other), "g1", rng, repairs=False)
        assert [verdict.moved for verdict in found] == [None, None]


@pytest.fixture(scope="module")
def edits() -> dict[str, tuple[bool, bool]]:
    rng = np.random.default_rng(1)
    infeasible, feasible = tried_edits(TAKE, (LOADED, FREE), {Constraint.SUPPORTS_OTHER}, "g1", rng)
    assert [edit.text for edit in infeasible] == [edit.text for edit in feasible]
    return {
        one.text: (one.works, other.works) for one, other in zip(infeasible, feasible, strict=True)
    }


def test_changes_help_where_they_take_the_cause_away(edits: dict[str, tuple[bool, bool]]) -> None:
    assert edits["The blue block is taken away."] == (True, True)
    # Whichever of the two alike blocks stands under the small one cannot be taken.
    trade = "The red block and the green block change places, and what is on or in them stays"
    assert edits[f"{trade} where it is."] == (True, False)
    # Taking away what is no cause changes nothing, unless the small one loses its footing.
    assert edits.get("The green block is taken away.", (False, True))[0] is False


def test_alike_things_with_nothing_on_them_trade_places() -> None:
    far, near = 0.80, 0.25
    twins = tuple(
        Layout(
            (standing_at(RED, x, 0.1), standing_at(GREEN, far + near - x, 0.1)),
            TAKE.phrase,
            (RED.name, GREEN.name),
        )
        for x in (far, near)
    )
    trade = "The red block and the green block change places."

    def found(cause: Constraint) -> dict[str, tuple[bool, bool]]:
        rng = np.random.default_rng(1)
        edits = tried_edits(TAKE, (twins[0], twins[1]), {cause}, "g1", rng)
        return {a.text: (a.works, b.works) for a, b in zip(*edits, strict=True)}

    assert found(Constraint.OUT_OF_REACH)[trade] == (True, False)
    # Where reach is not what the pair is about, no change puts anything out of reach.
    assert trade not in found(Constraint.COVERED)


def test_things_trade_heights_too_and_what_bears_something_fixed_is_not_taken_away() -> None:
    plinth = standing_at(block("white", (0.08, 0.08, 0.04)), 0.25, -0.12)
    raised = standing_at(GREEN, 0.25, -0.12, on_z=top_m(plinth))
    layout = Layout((RED, raised, plinth), TAKE.phrase, (RED.name, GREEN.name))
    trade = "The red block and the green block change places."
    assert (found := edits_again(TAKE, (layout, layout), "g1", [trade]))
    assert [edit.works for (edit,) in found] == [True, True]
    gone = "The green block is taken away."
    assert edits_again(TAKE, (layout, layout), "g1", [gone])
    fixed = replace(on(raised), attached_to=GREEN.name)
    bearing = replace(layout, items=(*layout.items, fixed))
    assert edits_again(TAKE, (bearing, bearing), "g1", [gone]) is None


def test_consequences_are_told_of_other_places_only_if_trials_there_tell_the_same(monkeypatch):
    text = "The blue block is taken away."
    edits = edits_again(TAKE, (LOADED, FREE), "g1", [text])
    assert edits is not None
    assert [one.works for (one,) in edits] == [True, True]
    assert edits_again(TAKE, (LOADED, FREE), "g1", ["The moon is taken away."]) is None
    twins = Twins(LOADED, FREE, Constraint.COVERED, TAKE)
    known: list[Scene] = []
    for scene, moved, tried in zip(
        scenes_of("order", 1, twins), ((SMALL.name,), ()), edits, strict=True
    ):
        verdict = scene.decided.model_copy(update={"moved": moved, "edits": tried})
        known.append(scene.model_copy(update={"verdict": verdict}))
    monkeypatch.setattr(mirrored, "rebuild", lambda scene: (TAKE, None))
    blocked, free = known
    assert mirrored.counterfactuals_agree((free, blocked), (FREE, LOADED)) == (True, True)
    # The small one was measured to stand on neither: taking it away is no help any more.
    assert mirrored.counterfactuals_agree((blocked, free), (FREE, FREE)) == (False, True)
    plain = blocked.model_copy(
        update={"verdict": blocked.decided.model_copy(update={"moved": None, "edits": ()})}
    )
    assert mirrored.counterfactuals_agree((plain, free), (LOADED, FREE)) == (False, False)
