"""Reach with a stick: push a block that is further away than the hand may go."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Played, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.things import placed, size_m, some_of, stretched, thing_of
from pactwin.suite import Constraint

_HELD_M, _PUSH_M = 0.05, 0.05
_CUBE_M, _CUBE = 0.05, "white block"
_LINE_M, _LINE = (0.008, 0.22, 0.001), "black line"
_STICKS = ("ruler", "flat_file", "wood_chisel", "spirit_level", "pry_bar", "slotted_screwdriver")
_OTHERS = ("soap_bar", "sponge", "can", "notepad", "coaster", "marker", "cold_chisel", "tin")


@dataclass(frozen=True)
class ReachWithStick(Use):
    """``apart_m`` is how far the block's near side is beyond the line that the hand keeps to."""

    name: ClassVar[str] = "reach_with_stick"
    constraint: ClassVar[Constraint] = Constraint.TOO_SHORT
    attribute: ClassVar[str] = "length"
    affordances: ClassVar[tuple[str, ...]] = ("slide", "pierce", "pry")
    apart_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["ReachWithStick", Things]:
        """A stick that gets 2 to 4 cm further than it has to, and one that does not touch."""
        kind = str(rng.choice(_STICKS))
        stick = thing_of(kind, rng)
        long = float(rng.uniform(0.24, 0.30))
        apart = room_beyond_m(long, rng)
        short = apart + _HELD_M - float(rng.uniform(0.025, 0.045))
        fitting = [stretched(stick, (m / size_m(stick)[0], 1.0, 1.0)) for m in (long, short)]
        return cls(apart), Things(
            fitting[0], fitting[1], some_of(_OTHERS, 2, rng), kind.replace("_", " ")
        )

    @property
    def items(self) -> tuple[Item, ...]:
        """The block, and the line before it."""
        cube = standing_at(block("white", (_CUBE_M,) * 3), self.apart_m + _CUBE_M / 2, 0.0)
        line = standing_at(block("black", _LINE_M, "paper"), 0.0, 0.0)
        flat = tuple(replace(part, collides=False) for part in line.parts)
        return replace(cube, name=_CUBE), replace(line, name=_LINE, parts=flat)

    @property
    def fixed(self) -> frozenset[str]:
        """The line."""
        return frozenset((_LINE,))

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"push the {_CUBE} {100 * _PUSH_M:.0f} cm further away with {{thing}}, its hand, which "
            f"holds the last {100 * _HELD_M:.0f} cm of it, not going beyond the {_LINE}"
        )

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies on the table, its front end still before the block."""
        yield placed(
            thing, front_x=min(self._furthest(thing), self.apart_m - 0.01) - 0.03, low_z=0.001
        )

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Push until the hand is at the line."""
        start = world.at(_CUBE)[0]
        way = min(self._furthest(thing), self.apart_m - 0.01) - 0.03
        world.lead(x=self._furthest(thing) - way)
        return of_whole("pushed", world.at(_CUBE)[0] - start, _PUSH_M)

    def _furthest(self, thing: Item) -> float:
        return float(size_m(thing)[0]) - _HELD_M


def room_beyond_m(long_m: float, rng: np.random.Generator) -> float:
    """How far away the block stands for a stick to get 2 to 4 cm further than it has to."""
    return long_m - _HELD_M - _PUSH_M - float(rng.uniform(0.02, 0.04))


USE = ReachWithStick
