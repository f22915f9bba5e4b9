"""Quantities that are stepped through their limits while everything else stays the same."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.scenarios.common import Colors
from pactwin.sim.scenarios.twins import Draft, Pair, staged
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint

_DRAWS = 20


@dataclass(frozen=True)
class Stepped:
    """A scene with one quantity left open.

    ``at`` returns the layout in which the quantity is x away from its limit, in its unit.
    ``friction`` is the coefficient on which the limit depends, or None.
    """

    action: Action
    at: Callable[[float], Layout]
    friction: float | None = None


@dataclass(frozen=True)
class Quantity:
    """A physical quantity with its limit; it is feasible for x above 0.

    ``reach`` is the distance of the outermost steps from the limit in ``unit``: about four times
    the difference that a person or model should detect, which is best for fitting curves, and more
    than ``band``, within which trials may disagree. ``constraint`` fails below the limit.
    """

    unit: str
    reach: float
    band: float
    constraint: Constraint
    draw: Callable[[np.random.Generator, str], Stepped]

    def steps(self, count: int) -> tuple[float, ...]:
        """Values of x in ``count`` even steps across the limit."""
        return tuple(round(float(x), 6) + 0.0 for x in np.linspace(-1, 1, count) * self.reach)

    def drawn(self, rng: np.random.Generator, robot: str) -> Stepped:
        """Draw a scene that has room at all steps; raises RejectedLayout."""
        for _ in range(_DRAWS):
            try:
                return self.draw(rng, robot)
            except RejectedLayout as rejected:
                reason = rejected
        raise reason


def laid_out(
    rng: np.random.Generator, colors: Colors, action: Action, decides: Pair, *others: Pair
) -> Layout:
    """A layout of ``decides``, whose first object has the fault, ``others``, and distractors."""
    decides = replace(decides, form="change")
    return staged(rng, colors, Draft(action, (decides,), others)).infeasible
