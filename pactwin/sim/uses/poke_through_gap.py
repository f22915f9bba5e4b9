"""Poke through a gap: push out an object behind a narrow gap."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import pick
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.pieces import FLEXIBLE, PUZZLE, PUZZLE_M, carton, conduit, puzzle, straight
from pactwin.sim.uses.things import placed, side_by_side, size_m, uniform
from pactwin.suite import Constraint

_PUSH_M = 0.04
_WALLS, _WALL_M = ("left brown box", "right brown box"), (0.04, 0.09, 0.11)
_BEFORE_M, _BEHIND_M, _HELD_M, _SPARE_M = 0.015, 0.01, 0.04, (0.004, 0.008)
# Outer diameters in which conduits are sold, each with one that does not go through its gap.
_WIDE_M = ((0.016, 0.025), (0.020, 0.032), (0.025, 0.040), (0.032, 0.050), (0.040, 0.050))
_LONG_M, _SHORT_M = (0.16, 0.28), (0.08, 0.105)


@dataclass(frozen=True)
class PokeThroughGap(Use):
    """``gap_m`` is the distance between the boxes."""

    name = "poke_through_gap"
    version = 4
    causes = (Constraint.TOO_SHORT, Constraint.TOO_THICK, Constraint.TOO_LIMP)
    others = ("soap_bar", "can", "tin", "book", "notepad", "stapler")
    affordances = ("pierce", "slide", "pry")
    free = (PUZZLE,)
    gap_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["PokeThroughGap", Things]:
        """A stiff conduit that fits; alternatives: too short, too thick, flexible."""
        wide, too_wide = pick(rng, _WIDE_M)
        long, short, spare = uniform(rng, _LONG_M, _SHORT_M, _SPARE_M)
        gap = wide + spare
        failing = {
            Constraint.TOO_SHORT: lambda: conduit(short, wide),
            Constraint.TOO_THICK: lambda: conduit(long, too_wide),
            Constraint.TOO_LIMP: lambda: conduit(long, wide, FLEXIBLE),
        }[cause]()
        return cls(gap), cls.things(conduit(long, wide), failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The puzzle behind the gap, and the boxes."""
        behind = _WALL_M[0] / 2 + PUZZLE_M / 2 + _BEHIND_M
        off = (self.gap_m + _WALL_M[1]) / 2
        walls = side_by_side(_WALLS, carton(_WALL_M), 0.0, off)
        return standing_at(puzzle(), behind, 0.0), *walls

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"push the {PUZZLE} {100 * _PUSH_M:.0f} cm away through the gap between the two brown "
            "boxes with {thing}, an end of which goes straight through the gap; the hand holds "
            "the other end and stays before the boxes, which are full and heavy"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object lies before the gap; flexible objects are straightened first."""
        yield placed(straight(thing), front_x=-_WALL_M[0] / 2 - _BEFORE_M, low_z=0.004)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Push the object through as far as the hand reaches."""
        start = world.at(PUZZLE)[0]
        way = _BEFORE_M + _WALL_M[0] + _BEHIND_M + _PUSH_M
        world.lead(x=min(way, float(size_m(thing)[0]) - _HELD_M))
        return of_whole("pushed", world.at(PUZZLE)[0] - start, _PUSH_M)


USE = PokeThroughGap
