"""What a domain is: it proposes twin layouts and decides one layout by a trial."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.scene.layout import Layout
from pactwin.suite import Constraint

if TYPE_CHECKING:  # it loads the simulator
    from pactwin.sim.preconditions.handling import Handling


@dataclass(frozen=True)
class Twins:
    """Two layouts that differ as little as possible; the first is meant to be infeasible."""

    infeasible: Layout
    feasible: Layout
    constraint: Constraint


class Domain(Protocol):
    """A family of scenes with one question. Implementations are modules' ``DOMAIN`` instances.

    ``precondition`` is what its trial decides; what hands have to do beside it, ``handling`` says.
    """

    name: str
    precondition: str
    trial_version: int
    min_margin: float

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twin layouts; raises RejectedLayout."""
        ...

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Carry out ``layout.action`` in simulation and measure what happens."""
        ...

    def handling(self, layout: Layout) -> "Handling":
        """What hands take hold of for the action, and where they come with it."""
        ...
