"""Push with a tube: a limp one reaches as far as a stiff one, and pushes nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Things
from pactwin.sim.uses.limp import LIMP, STIFF, tube
from pactwin.sim.uses.reach_with_stick import ReachWithStick, room_beyond_m
from pactwin.sim.uses.things import some_of
from pactwin.suite import Constraint

_OTHERS = ("soap_bar", "sponge", "can", "notepad", "coaster", "marker", "cold_chisel", "tin")
# How a limp tube lies there, and how nearly straight a hand gets it before it pushes.
_LIES_RAD, _STRAIGHTENED_RAD = 0.75, 0.15


@dataclass(frozen=True)
class PushWithTube(ReachWithStick):
    """``long_m`` is the length of both tubes."""

    name: ClassVar[str] = "push_with_tube"
    constraint: ClassVar[Constraint] = Constraint.TOO_LIMP
    attribute: ClassVar[str] = "stiffness, seen in how it lies"
    long_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["PushWithTube", Things]:
        """Two tubes of a length that suffices, a stiff one, and a limp one that lies in bends."""
        long = float(rng.uniform(0.24, 0.30))
        pair = tube(long, STIFF, 0.0), tube(long, LIMP, _LIES_RAD)
        return cls(room_beyond_m(long, rng), long), Things(
            pair[0], pair[1], some_of(_OTHERS, 2, rng), "tube"
        )

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies on the table; a limp one is drawn out first."""
        if thing.state == LIMP:
            drawn_out = tube(self.long_m, LIMP, _STRAIGHTENED_RAD)
            thing = replace(thing, parts=drawn_out.parts, size_m=drawn_out.size_m)
        yield from super().ways(thing)


USE = PushWithTube
