"""What a domain is: a family of scenes in which one kind of precondition fails."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.staging.twins import Twins
from pactwin.suite import InvalidInputError

_DRAWS = 20


class Domain(Protocol):
    """A family of scenes. Implementations are modules' ``DOMAIN`` instances.

    It only draws: the twins' action decides, by the trials of its own preconditions.
    """

    name: str

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twin layouts; raises RejectedLayout."""
        ...


@dataclass(frozen=True)
class Family:
    """One action that fails for some causes; of a domain's scenes it has a share of ``weight``."""

    weight: float
    draw: Callable[..., Twins]
    causes: tuple[str, ...]


@dataclass(frozen=True)
class Mixed:
    """A domain that draws from families, by their weights.

    ``least_arms`` is how many arms a robot needs for it.
    """

    name: str
    families: tuple[Family, ...]
    least_arms: int = 1

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins of one family; raises RejectedLayout.

        InvalidInputError names a robot that has too few arms. What finds no room is drawn again in
        the same family: else roomy families would prevail.
        """
        if len(robot_named(robot).arms) < self.least_arms:
            raise InvalidInputError(
                f"robot {robot!r} has fewer than {self.least_arms} arms, which domain "
                f"{self.name!r} is about: leave it out with --domains"
            )
        weights = np.array([family.weight for family in self.families])
        family = self.families[int(rng.choice(len(weights), p=weights / weights.sum()))]
        for _ in range(_DRAWS):
            try:
                return family.draw(rng, robot, *family.causes)
            except RejectedLayout as rejected:
                reason = rejected
        raise reason
