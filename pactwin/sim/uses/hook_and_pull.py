"""Hook and pull: draw a cube puzzle nearer with an object that catches behind it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import pick
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.pieces import PUZZLE, PUZZLE_M, carton, hex_key, puzzle
from pactwin.sim.uses.things import placed, side_by_side, size_m, span_y_m, uniform
from pactwin.suite import Constraint

_PULL_M = 0.07
_WALLS, _WALL_M, _LANE_M = ("left brown box", "right brown box"), (0.22, 0.04, 0.05), (0.081, 0.085)
# The hand holds the last so much of it and stays before the boxes. How far out a handle stands
# that hooks, that does not, and that finds no room; how much of its end is behind the puzzle, and
# how far it passes beside it (m).
_HELD_M, _OUT_M, _FLUSH_M, _BROAD_M = 0.05, (0.028, 0.032), (0.001, 0.004), (0.054, 0.06)
_LONGER_M, _SHORTER_M = (0.02, 0.05), (0.0, 0.05)
_THICK_M, _THICKER_M = (0.008, 0.010, 0.012), (0.012, 0.014, 0.016)
_BEHIND_M, _BESIDE_M = 0.024, 0.008


@dataclass(frozen=True)
class HookAndPull(Use):
    """``apart_m`` is the distance of the puzzle's middle from the start of the boxes.

    Each box is ``lane_m`` beside it.
    """

    name = "hook_and_pull"
    version = 6
    causes = (Constraint.NO_HOOK, Constraint.TOO_SHORT, Constraint.TOO_WIDE)
    others = ("marker", "candle", "glue_stick", "pen", "toothbrush", "spoon")
    affordances = ("pry", "hammer")
    free = (PUZZLE,)
    by_end = True
    apart_m: float
    lane_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["HookAndPull", Things]:
        """A key with a handle across it; alternatives: no handle, too short, too wide.

        A short one is thicker, so that how much steel there is does not tell.
        """
        apart, lane, longer, shorter, out, flush, broad = uniform(
            rng, (0.10, 0.16), _LANE_M, _LONGER_M, _SHORTER_M, _OUT_M, _FLUSH_M, _BROAD_M
        )
        long = apart + PUZZLE_M / 2 + 0.03 + _HELD_M + longer
        thick, thicker = pick(rng, _THICK_M), pick(rng, _THICKER_M)
        failing = {
            Constraint.NO_HOOK: lambda: hex_key(long, flush, thick),
            Constraint.TOO_SHORT: lambda: hex_key(apart + _HELD_M - shorter, out, thicker),
            Constraint.TOO_WIDE: lambda: hex_key(long, broad, thick),
        }[cause]()
        return cls(apart, lane), cls.things(hex_key(long, out, thick), failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The puzzle, and a box on either side of it."""
        out = self.lane_m + _WALL_M[1] / 2
        walls = side_by_side(_WALLS, carton(_WALL_M), _WALL_M[0] / 2, out)
        return standing_at(puzzle(), self.apart_m, 0.0), *walls

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"draw the {PUZZLE} {100 * _PULL_M:.0f} cm nearer with {{thing}}, which lies flat on "
            "the table between the two brown boxes, beside and behind the puzzle, and is drawn "
            f"straight back, not pressed on it; the hand holds the last {100 * _HELD_M:.0f} cm of "
            "it and does not get between the boxes"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The front end is behind the puzzle, the rest beside it, as far as the key reaches."""
        far = self.apart_m + PUZZLE_M / 2
        front = min(far + _BEHIND_M, float(size_m(thing)[0]) - _HELD_M)
        there = placed(thing, front_x=front, low_z=0.002)
        low, high = span_y_m(there, far - PUZZLE_M, far + 0.004)
        if low > high:  # it ends before the puzzle
            yield there
            return
        gap = PUZZLE_M / 2 + _BESIDE_M
        for shift in (-gap - high, gap - low):
            yield there.at(there.world_from_object.moved(dy=shift))

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Draw the object back."""
        start = world.at(PUZZLE)[0]
        world.lead(x=-_PULL_M - 0.02)
        return of_whole("drawn", start - world.at(PUZZLE)[0], _PULL_M)


USE = HookAndPull
