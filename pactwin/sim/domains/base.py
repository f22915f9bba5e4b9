"""Domains: families of scenes in which one kind of precondition fails."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scenarios.twins import BY_REACH, Twins
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import InvalidInputError

_DRAWS = 40
# Where reach is no cause, it goes on by so much at least, as drawn for each pair, and less at each
# further try: of 974 searches two in three failed where it went on by less than the least.
_SPARE_M, _LESS = (0.04, 0.12), 0.95


@dataclass(frozen=True)
class Family:
    """An action that fails for given causes; ``weight`` is its share of a domain's scenes."""

    weight: float
    draw: Callable[..., Twins]
    causes: tuple[str | float, ...] = ()


@dataclass(frozen=True)
class Domain:
    """Families of scenes. Each domain is the ``DOMAIN`` of a module.

    A domain only draws layouts; the preconditions of the twins' action decide. ``least_arms`` is
    the minimum number of arms of a robot.
    """

    name: str
    families: tuple[Family, ...]
    least_arms: int = 1

    def family(self, share: float) -> Family:
        """The family at ``share`` (0 to 1) of the domain's scenes."""
        ends = np.cumsum([family.weight for family in self.families])
        return self.families[int(np.searchsorted(ends / ends[-1], share, side="right"))]

    def drawn_family(self, rng: np.random.Generator) -> Family:
        """The family that ``propose`` would choose with the same generator."""
        return self.family(float(rng.random()))

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twin layouts of one family, by the families' weights; raises RejectedLayout.

        InvalidInputError names a robot that has too few arms. A draw without room is repeated in
        the same family; otherwise families with much room would be more frequent.
        """
        if len(robot_named(robot).arms) < self.least_arms:
            raise InvalidInputError(
                f"robot {robot!r} has fewer than {self.least_arms} arms, which domain "
                f"{self.name!r} is about: leave it out with --domains"
            )
        family, spare_m = self.drawn_family(rng), float(rng.uniform(*_SPARE_M))
        for _ in range(_DRAWS):
            try:
                twins = family.draw(rng, robot, *family.causes)
                _check_reach(twins, robot, spare_m)
                return twins
            except RejectedLayout as rejected:
                reason, spare_m = rejected, max(_SPARE_M[0], _LESS * spare_m)
        raise reason


def _check_reach(twins: Twins, robot: str, spare_m: float) -> None:
    """Raise RejectedLayout if a quick estimate says that no hand reaches ``spare_m`` farther."""
    # They load the simulator, which names of domains do not need.
    from pactwin.sim.actions.lift_level import LiftLevel
    from pactwin.sim.scenarios.handreach import one_arm_reaches

    if twins.action.kind == LiftLevel.kind:
        return
    named = vars(twins.action).values()
    by_reach = twins.constraint in BY_REACH
    for layout in (twins.feasible,) if by_reach else (twins.infeasible, twins.feasible):
        things = [item for item in layout.items if item.name in named]
        if not one_arm_reaches(robot, things, spare_m):
            raise RejectedLayout("too far away, or too near")
