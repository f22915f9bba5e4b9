"""What hands have to do for an action: out of reach, blocked, too heavy, or in use by others."""

from dataclasses import replace

import pytest

from pactwin.sim.generation.pairs.verdicts import decide
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.obstacles import cage
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.preconditions.handling import Grasp, Handling, check_handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint

NOMINAL = Perturbation()
NEAR, FAR = (0.25, 0.15), (0.70, 0.0)


def cube(color: str, at: tuple[float, float], on_z: float = 0.0) -> Item:
    return standing_at(block(color, (0.05, 0.05, 0.05)), *at, on_z=on_z)


def checks(
    *items: Item, grasps: tuple[str, ...] = (), to: tuple[str, ...] = (), off: tuple[str, ...] = ()
) -> dict[str, Constraint]:
    layout = Layout(items, "", (items[0].name,))
    handling = Handling(tuple(Grasp(name) for name in grasps), to, off)
    found = check_handling(layout, handling, NOMINAL, "g1")
    assert all(outcome.feasible is not None for outcome in found.values())
    return {name: outcome.constraint for name, outcome in found.items()}


def test_what_stands_free_and_near_can_be_taken() -> None:
    red = cube("red", NEAR)
    found = checks(red, cube("blue", (0.25, -0.15)), grasps=(red.name,), off=(red.name,))
    assert len(found) == 3
    assert set(found.values()) == {Constraint.NONE}


def test_each_cause_is_found_by_its_own_check() -> None:
    red = cube("red", NEAR)
    far = cube("red", FAR)
    guard = standing_at(cage("green", (0.14, 0.14, 0.09)), *NEAR)
    heavy = replace(red, mass_kg=5.0)
    load = cube("blue", NEAR, on_z=top_m(red))
    assert checks(far, grasps=(far.name,))[f"hand_gets_to: {far.name}"] is Constraint.OUT_OF_REACH
    caged = checks(red, guard, grasps=(red.name,))
    assert caged[f"hand_gets_to: {red.name}"] is Constraint.PATH_BLOCKED
    borne = checks(heavy, grasps=(heavy.name,))
    assert borne[f"hand_bears: {heavy.name}"] is Constraint.NEEDS_TWO_HANDS
    laden = checks(red, load, off=(red.name,))
    assert laden == {f"nothing_else_moves_with: {red.name}": Constraint.SUPPORTS_OTHER}


def test_what_is_fixed_to_it_comes_along() -> None:
    red = cube("red", NEAR)
    top = replace(cube("blue", NEAR, on_z=top_m(red)), attached_to=red.name)
    found = checks(red, top, cube("green", (0.25, -0.15)), off=(red.name,))
    assert found == {f"nothing_else_moves_with: {red.name}": Constraint.NONE}


def test_the_place_has_to_be_reached_too_but_what_fills_it_is_not_in_the_way() -> None:
    red, near, far = cube("red", NEAR), cube("blue", (0.25, -0.15)), cube("green", FAR)
    on_it = cube("yellow", (0.25, -0.15), on_z=top_m(near))
    to = "hand_gets_to: {}".format
    found = checks(red, near, on_it, far, grasps=(red.name,), to=(near.name, far.name))
    assert found[to(near.name)] is Constraint.NONE
    assert found[to(far.name)] is Constraint.OUT_OF_REACH


class Anything:
    """A domain whose own trial always says the same."""

    name = precondition = "anything"
    trial_version = 1
    min_margin = 0.5

    def __init__(self, constraint: Constraint) -> None:
        self.constraint = constraint

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        feasible = self.constraint is Constraint.NONE
        return TrialOutcome(feasible, self.constraint, {}, 1.0 if feasible else -1.0)

    def handling(self, layout: Layout) -> Handling:
        return Handling((Grasp(layout.critical_objects[0]),))


def layout_at(place: tuple[float, float]) -> Layout:
    return Layout((cube("red", place),), "pick it up", ("red block",))


def test_a_feasible_twin_beyond_reach_is_rejected_and_an_infeasible_one_says_both() -> None:
    with pytest.raises(RejectedLayout, match="hand_gets_to: out_of_reach"):
        decide(Anything(Constraint.NONE), layout_at(FAR), Constraint.NONE, "g1", 0)  # type: ignore[arg-type]
    verdict = decide(Anything(Constraint.COVERED), layout_at(FAR), Constraint.COVERED, "g1", 0)  # type: ignore[arg-type]
    assert verdict.also == (Constraint.OUT_OF_REACH,)
    assert [name for name, check in verdict.checks.items() if not check.holds] == [
        "anything",
        "hand_gets_to: red block",
    ]


def test_a_verdict_lists_every_precondition() -> None:
    verdict = decide(Anything(Constraint.NONE), layout_at(NEAR), Constraint.NONE, "g1", 0)  # type: ignore[arg-type]
    assert list(verdict.checks) == ["anything", "hand_gets_to: red block", "hand_bears: red block"]
    assert all(check.holds and check.margin > 0 for check in verdict.checks.values())
