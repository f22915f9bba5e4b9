"""Poke through a gap: push out what lies behind a narrow gap."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import pi
from typing import ClassVar

import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Played, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.things import (
    laid_along_x,
    placed,
    size_m,
    some_of,
    stretched,
    thing_of,
    turned,
)
from pactwin.suite import Constraint

_CUBE, _CUBE_M, _PUSH_M = "white block", 0.045, 0.04
_WALLS, _WALL_M = ("left grey wall", "right grey wall"), (0.04, 0.09, 0.11)
_STICKS = ("cold_chisel", "candle", "torpedo_level", "spirit_level", "soap_bar")
_OTHERS = ("soap_bar", "can", "tin", "stapler", "book", "notepad", "wooden_mallet", "spatula")


@dataclass(frozen=True)
class PokeThroughGap(Use):
    """``gap_m`` is the room between the walls."""

    name: ClassVar[str] = "poke_through_gap"
    constraint: ClassVar[Constraint] = Constraint.TOO_THICK
    attribute: ClassVar[str] = "thickness"
    affordances: ClassVar[tuple[str, ...]] = ("pierce", "slide")
    by_end: ClassVar[bool] = True
    gap_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["PokeThroughGap", Things]:
        """A stick with 8 mm to spare, and one that is 10 mm too thick."""
        gap = float(rng.uniform(0.024, 0.034))
        kind = str(rng.choice(_STICKS))
        stick = laid_along_x(thing_of(kind, rng))
        x, y, z = size_m(stick)
        pair = [stretched(stick, (0.18 / x, m / y, m / z)) for m in (gap - 0.008, gap + 0.010)]
        return cls(gap), Things(pair[0], pair[1], some_of(_OTHERS, 2, rng), kind.replace("_", " "))

    @property
    def items(self) -> tuple[Item, ...]:
        """The block behind the gap, and the walls."""
        cube = standing_at(block("white", (_CUBE_M,) * 3), _WALL_M[0] / 2 + _CUBE_M / 2 + 0.01, 0.0)
        off = (self.gap_m + _WALL_M[1]) / 2
        walls = [
            replace(standing_at(block("grey", _WALL_M, "wood"), 0.0, side * off), name=name)
            for side, name in zip((1, -1), _WALLS, strict=True)
        ]
        return replace(cube, name=_CUBE), *walls

    @property
    def fixed(self) -> frozenset[str]:
        """The walls."""
        return frozenset(_WALLS)

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"push the {_CUBE} {100 * _PUSH_M:.0f} cm away through the gap between the two grey "
            "walls with {thing}, an end of which goes straight through the gap; the hand stays "
            "before the walls, which are screwed down"
        )

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies before the gap, as it is or on edge."""
        for roll in (0.0, pi / 2):
            yield placed(turned(thing, roll_rad=roll), front_x=-_WALL_M[0] / 2 - 0.015, low_z=0.004)

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Push it through, as far as the hand gets."""
        start = world.at(_CUBE)[0]
        way = 0.015 + _WALL_M[0] + 0.01 + _PUSH_M
        world.lead(x=min(way, float(size_m(thing)[0]) - 0.04))
        return of_whole("pushed", world.at(_CUBE)[0] - start, _PUSH_M)


USE = PokeThroughGap
