"""Poke through a gap: push out an object behind a narrow gap."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.pieces import FLEXIBLE, straight, tube
from pactwin.sim.uses.things import placed, side_by_side, size_m
from pactwin.suite import Constraint

_CUBE, _CUBE_M, _PUSH_M = "white block", 0.045, 0.04
_WALLS, _WALL_M = ("left grey wall", "right grey wall"), (0.04, 0.09, 0.11)
_BEFORE_M, _BEHIND_M, _HELD_M = 0.015, 0.01, 0.04


@dataclass(frozen=True)
class PokeThroughGap(Use):
    """``gap_m`` is the distance between the walls."""

    name = "poke_through_gap"
    version = 2
    causes = (Constraint.TOO_SHORT, Constraint.TOO_THICK, Constraint.TOO_LIMP)
    others = ("soap_bar", "can", "tin", "book", "notepad", "stapler")
    affordances = ("pierce", "slide", "pry")
    free = (_CUBE,)
    gap_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["PokeThroughGap", Things]:
        """A stiff tube with 8 mm to spare; alternatives: too short, 10 mm too thick, flexible."""
        gap, long = float(rng.uniform(0.024, 0.034)), float(rng.uniform(0.20, 0.24))
        failing = {
            Constraint.TOO_SHORT: lambda: tube(0.085, gap - 0.008),
            Constraint.TOO_THICK: lambda: tube(long, gap + 0.010),
            Constraint.TOO_LIMP: lambda: tube(long, gap - 0.008, FLEXIBLE),
        }[cause]()
        return cls(gap), cls.things(tube(long, gap - 0.008), failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The block behind the gap, and the walls."""
        behind = _WALL_M[0] / 2 + _CUBE_M / 2 + _BEHIND_M
        cube = standing_at(block("white", (_CUBE_M,) * 3), behind, 0.0)
        off = (self.gap_m + _WALL_M[1]) / 2
        walls = side_by_side(_WALLS, block("grey", _WALL_M), 0.0, off)
        return replace(cube, name=_CUBE), *walls

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"push the {_CUBE} {100 * _PUSH_M:.0f} cm away through the gap between the two grey "
            "walls with {thing}, an end of which goes straight through the gap; the hand holds "
            "the other end and stays before the walls, which are screwed down"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object lies before the gap; flexible objects are straightened first."""
        yield placed(straight(thing), front_x=-_WALL_M[0] / 2 - _BEFORE_M, low_z=0.004)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Push the object through as far as the hand reaches."""
        start = world.at(_CUBE)[0]
        way = _BEFORE_M + _WALL_M[0] + _BEHIND_M + _PUSH_M
        world.lead(x=min(way, float(size_m(thing)[0]) - _HELD_M))
        return of_whole("pushed", world.at(_CUBE)[0] - start, _PUSH_M)


USE = PokeThroughGap
