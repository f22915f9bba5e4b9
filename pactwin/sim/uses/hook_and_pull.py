"""Hook and pull: draw a block nearer with an object that catches behind it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.pieces import rake
from pactwin.sim.uses.things import placed, side_by_side, size_m, span_y_m
from pactwin.suite import Constraint

_CUBE, _CUBE_M, _PULL_M = "white block", 0.04, 0.07
_WALLS, _WALL_M, _LANE_M = ("left grey wall", "right grey wall"), (0.22, 0.02, 0.05), 0.074
# The hand holds the last so much of it and stays before the walls. How far out a head stands that
# hooks, that does not, and that finds no room; how much of its end is behind the block, and how far
# it passes beside it (m).
_HELD_M, _OUT_M, _FLUSH_M, _BROAD_M = 0.05, 0.028, 0.001, 0.055
_BEHIND_M, _BESIDE_M = 0.02, 0.008


@dataclass(frozen=True)
class HookAndPull(Use):
    """``apart_m`` is the distance of the block's middle from the start of the walls."""

    name = "hook_and_pull"
    version = 3
    causes = (Constraint.NO_HOOK, Constraint.TOO_SHORT, Constraint.TOO_WIDE)
    others = ("soap_bar", "can", "marker", "candle", "glue_stick", "pen")
    affordances = ("pry", "hammer")
    free = (_CUBE,)
    by_end = True
    apart_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["HookAndPull", Things]:
        """A rod with a head across it; alternatives: no head, a short rod, too wide a head."""
        apart = float(rng.uniform(0.12, 0.16))
        long = apart + _CUBE_M / 2 + 0.03 + _HELD_M + float(rng.uniform(0.02, 0.03))
        failing = {
            Constraint.NO_HOOK: lambda: rake(long, _FLUSH_M),
            Constraint.TOO_SHORT: lambda: rake(apart + _HELD_M - 0.05, _OUT_M),
            Constraint.TOO_WIDE: lambda: rake(long, _BROAD_M),
        }[cause]()
        return cls(apart), cls.things(rake(long, _OUT_M), failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The block, and a wall on either side of it."""
        cube = standing_at(block("white", (_CUBE_M,) * 3), self.apart_m, 0.0)
        out = _LANE_M + _WALL_M[1] / 2
        walls = side_by_side(_WALLS, block("grey", _WALL_M), _WALL_M[0] / 2, out)
        return replace(cube, name=_CUBE), *walls

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"draw the {_CUBE} {100 * _PULL_M:.0f} cm nearer with {{thing}}, which lies flat on "
            "the table between the two grey walls, beside and behind the block, and is drawn "
            f"straight back, not pressed on it; the hand holds the last {100 * _HELD_M:.0f} cm of "
            "it and does not get between the walls"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The front end is behind the block, the rest beside it, as far as the rod reaches."""
        far = self.apart_m + _CUBE_M / 2
        front = min(far + _BEHIND_M, float(size_m(thing)[0]) - _HELD_M)
        there = placed(thing, front_x=front, low_z=0.002)
        low, high = span_y_m(there, far - _CUBE_M, far + 0.004)
        if low > high:  # it ends before the block
            yield there
            return
        gap = _CUBE_M / 2 + _BESIDE_M
        for shift in (-gap - high, gap - low):
            yield there.at(there.world_from_object.moved(dy=shift))

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Draw the object back."""
        start = world.at(_CUBE)[0]
        world.lead(x=-_PULL_M - 0.02)
        return of_whole("drawn", start - world.at(_CUBE)[0], _PULL_M)


USE = HookAndPull
