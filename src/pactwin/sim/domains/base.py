"""What a domain is: it proposes twin layouts and decides one layout by a trial."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pactwin.sim.layout import Layout
from pactwin.suite import Constraint, Measurement


@dataclass(frozen=True)
class Perturbation:
    """One disturbed repetition of a trial. The default disturbs nothing.

    ``pose_noise_m`` and ``pose_noise_rad`` bound uniform noise on every item's position and yaw,
    drawn from ``seed``.
    """

    name: str = "nominal"
    friction_scale: float = 1.0
    mass_scale: float = 1.0
    time_step_scale: float = 1.0
    pose_noise_m: float = 0.0
    pose_noise_rad: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class Outcome:
    """What one trial measured.

    ``feasible`` is None where the measurements fall between the limits: such a scene is rejected,
    with ``reason`` counted. ``margin`` is the signed, normalised distance to the decision limit.
    ``also`` are further constraints, each of which would prevent the action by itself.
    """

    feasible: bool | None
    constraint: Constraint
    measurements: dict[str, Measurement]
    margin: float
    reason: str = ""
    also: tuple[Constraint, ...] = ()

    @classmethod
    def of(
        cls,
        constraint: Constraint,
        measurements: dict[str, Measurement],
        margin: float,
        *,
        works: bool,
        fails: bool,
        between: str,
        also: tuple[Constraint, ...] = (),
    ) -> "Outcome":
        """Feasible if it ``works``, else infeasible with ``constraint`` if it ``fails``.

        If it does neither it is undecided, for the reason ``between``.
        """
        margin = round(margin, 4)
        if works:
            return cls(True, Constraint.NONE, measurements, margin)
        if fails:
            return cls(False, constraint, measurements, margin, also=also)
        return cls(None, constraint, measurements, margin, between)

    @classmethod
    def undecided(cls, reason: str) -> "Outcome":
        """Nothing was measured."""
        return cls(None, Constraint.NONE, {}, 0.0, reason)


@dataclass(frozen=True)
class Twins:
    """Two layouts that differ as little as possible; the first is meant to be infeasible."""

    infeasible: Layout
    feasible: Layout
    constraint: Constraint


class RejectedLayout(Exception):
    """A proposal that cannot be used (no room, objects overlap, ...); the reason is counted."""


class Domain(Protocol):
    """A family of scenes with one question. Implementations are modules' ``DOMAIN`` instances."""

    name: str
    trial_version: int
    min_margin: float

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twin layouts; raises RejectedLayout."""
        ...

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> Outcome:
        """Carry out ``layout.action`` in simulation and measure what happens."""
        ...
