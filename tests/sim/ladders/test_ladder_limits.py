"""Ladders: trials flip where the analytic limit is, and steps differ in one quantity alone."""

import numpy as np
import pytest

from pactwin.sim.actions.base import outcomes
from pactwin.sim.ladders import load_quantity, quantity_names
from pactwin.sim.ladders.base import Stepped
from pactwin.sim.physics.perturbation import Perturbation, perturbations, undisturbed
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.preconditions.staying_on import stays_on
from pactwin.sim.scene.placement import RejectedLayout


def drawn(name: str, count: int = 1) -> list[Stepped]:
    """The first ``count`` scenes of a quantity that are found, without trials."""
    found = []
    for seed in range(10 * count):
        try:
            found.append(load_quantity(name).drawn(np.random.default_rng(seed), "g1"))
        except RejectedLayout:
            continue
        if len(found) == count:
            return found
    raise AssertionError(f"{name} is hardly ever found")


def fails(stepped: Stepped, x: float, check: str) -> bool:
    """Whether the precondition ``check`` plainly fails at x; no further ones are tried."""
    found = outcomes(stepped.action, SettledScene(stepped.at(x), undisturbed(3), "g1"))
    return next(o.feasible is False for name, o in found if name.startswith(check))


@pytest.mark.parametrize(
    ("name", "check", "within"),
    [
        ("clearance", "it_fits", 0.5),
        ("overhang", "nothing_else_moves_with", 1.0),
        ("reach", "hand_gets_to", 4.0),
        ("tilt", "it_stays_there", 1.0),
        ("weight", "one_hand_holds_it_level", 0.12),
    ],
)
def test_trials_flip_at_the_analytic_limit(name: str, check: str, within: float) -> None:
    """A thing as wide as its opening, a board with its middle over the edge, an arm's length."""
    (stepped,) = drawn(name)
    assert fails(stepped, -within, check) and not fails(stepped, within, check)


def test_a_block_leaves_a_slope_whose_tangent_is_the_friction() -> None:
    (stepped,) = drawn("slope")
    thing, stand = (stepped.at(0.0).item(name) for name in vars(stepped.action).values())
    friction = max(thing.friction, stand.friction)
    assert stepped.friction == friction, "the question tells it"
    assert drawn("tilt")[0].friction is None
    for share in (0.98, 1.02):
        x = float(np.rad2deg(np.arctan(friction) - np.arctan(share * friction)))
        assert fails(stepped, x, "it_stays_there") == (share > 1.0)


def test_what_lies_on_a_slope_lies_as_still_at_a_long_time_step() -> None:
    """At 8 degrees from the limit; on a ramp whose top is a hull it creeps 15 mm at twice."""
    stepped = drawn("slope", 2)[1]
    thing, stand = vars(stepped.action).values()
    for seed in range(4):
        step = Perturbation("twice the time step", time_step_scale=2.0, seed=seed)
        held = stays_on(SettledScene(stepped.at(8.0), step, "g1"), thing, stand)["it_stays_there"]
        assert held.measurements["moved_after_letting_go"].value < 0.4


def test_two_hands_hold_the_heaviest_step_in_every_repetition() -> None:
    """Else it has no cause, and no ladder of weights is ever found."""
    (stepped,) = drawn("weight")
    for perturbation in perturbations(3):
        situation = SettledScene(stepped.at(-load_quantity("weight").reach), perturbation, "g1")
        found = dict(outcomes(stepped.action, situation))["one_hand_holds_it_level"]
        assert found.feasible is False, perturbation.name


@pytest.mark.parametrize("name", quantity_names())
def test_steps_differ_in_what_decides_alone(name: str) -> None:
    quantity, (stepped,) = load_quantity(name), drawn(name)
    layouts = [stepped.at(x) for x in quantity.steps(7)]
    critical = set(layouts[0].critical_objects)
    for layout in layouts[1:]:
        assert layout.critical_objects == layouts[0].critical_objects
        changed = {i.name for i, j in zip(layout.items, layouts[0].items, strict=True) if i != j}
        assert changed and changed <= critical


@pytest.mark.parametrize("name", quantity_names())
def test_a_seed_draws_the_same_scene_whatever_is_asked_first(name: str) -> None:
    one, other = drawn(name)[0], drawn(name)[0]
    reach = load_quantity(name).reach
    assert one.at(reach) != one.at(-reach)
    assert (one.at(-reach), one.at(reach)) == (other.at(-reach), other.at(reach))


@pytest.mark.parametrize("name", quantity_names())
def test_steps_are_even_end_beyond_the_band_on_both_sides(name: str) -> None:
    quantity = load_quantity(name)
    for count in (7, 8, 9, 11):
        steps = quantity.steps(count)
        assert len(steps) == count and np.allclose(np.diff(steps, 2), 0.0, atol=1e-5)
        assert steps[0] == -quantity.reach and steps[-1] == quantity.reach
    assert quantity.band < quantity.reach
