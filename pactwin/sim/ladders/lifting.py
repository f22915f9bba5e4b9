"""Weight at a handle: difference between one hand's limit and the total weight."""

import numpy as np

from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.ladders.base import Quantity, Stepped
from pactwin.sim.objects.household import dumbbell
from pactwin.sim.objects.trays import carrier
from pactwin.sim.physics.trials.lifting import FORCE_N
from pactwin.sim.physics.world import GRAVITY_M_S2
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors
from pactwin.sim.scenarios.lifts import covered_discs, laid_across, on_floor
from pactwin.sim.scenarios.twins import completed
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Constraint

# Two hands have to hold the heaviest, or no cause is known, and one hand the lightest: also where
# what lies in it is 25 % heavier, as in a repetition, and one hand lifts it fast.
_REACH = 0.42
_CARRIER_M, _BAR_M = (0.36, 0.22), 0.17


def _lighter(rng: np.random.Generator, robot: str) -> Stepped:
    """A carrier and, straight below its bar, a dumbbell: weight alone decides."""
    colors = Colors(rng)
    tote = carrier(colors.next(SHOWING_SHAPE), _CARRIER_M, _BAR_M)
    tote = laid_across(rng, tote, float(rng.uniform(0.2, 0.3)))
    color, turn = colors.next(SHOWING_SHAPE), float(rng.uniform(-0.3, 0.3))

    def loaded(x: float) -> tuple[Item, Item]:
        whole_kg = FORCE_N / GRAVITY_M_S2 * float(np.exp(-x))
        return tote, on_floor(_dumbbell(color, whole_kg - tote.mass_kg), tote, 0.0, turn)

    action, items = LiftLevel(tote.name), loaded(0.0)
    layout = completed(
        rng,
        colors,
        action,
        items,
        items,
        critical_objects=(tote.name, items[1].name),
        constraint=Constraint.NEEDS_TWO_HANDS,
        taken=covered_discs(tote),
    ).infeasible

    def at(x: float) -> Layout:
        return layout.replacing(*loaded(x))

    return Stepped(action, at)


def _dumbbell(color: str, mass_kg: float) -> Item:
    """A dumbbell of exactly that mass, in the size of those with about that mass."""
    about_kg = mass_kg
    for _ in range(4):
        about_kg += mass_kg - dumbbell(color, about_kg).mass_kg
    return dumbbell(color, about_kg)


# Weights are judged from sizes to about 10 %; up to 0.38 a repetition fails one hand.
WEIGHT = Quantity("log", _REACH, 0.4, Constraint.NEEDS_TWO_HANDS, _lighter)
