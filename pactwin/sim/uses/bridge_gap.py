"""Bridge a gap: lay something across, so that a cube can stand on it over the gap."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import pick
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.pieces import FLEXIBLE, PUZZLE, PUZZLE_M, carton, puzzle, ruler, straight
from pactwin.sim.uses.things import bounds_m, placed, uniform
from pactwin.suite import Constraint

_OFF_M = 0.012
_BANKS, _BANK_M = ("near brown box", "far brown box"), (0.095, 0.16, 0.08)
# Lengths of rulers of 15, 20 and 30 cm and of the shorter ones that fall into the gaps they span.
_LONG_M = ((0.16, 0.11), (0.21, 0.11), (0.21, 0.16), (0.31, 0.16), (0.31, 0.21))
_LESS_M, _MORE_M = 0.012, (0.034, 0.06)
_THICK_M, _WIDE_M, _NARROW_M = (0.003, 0.006), (0.036, 0.06), (0.010, 0.016)
_OVER_M, _LIE_S, _STAND_S, _FALLEN_M = 0.003, 0.4, 0.8, 0.02


@dataclass(frozen=True)
class BridgeGap(Use):
    """``gap_m`` is the distance between the boxes."""

    name = "bridge_gap"
    version = 5
    causes = (Constraint.TOO_SHORT, Constraint.TOO_NARROW, Constraint.TOO_LIMP)
    others = ("soap_bar", "can", "tin", "coaster", "sponge", "candle", "marker")
    affordances = ("support",)
    free = (PUZZLE,)
    gap_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["BridgeGap", Things]:
        """A ruler that rests on both boxes; alternatives: too short, too narrow, limp."""
        long, short = pick(rng, _LONG_M)
        more, wide, thick, narrow = uniform(rng, _MORE_M, _WIDE_M, _THICK_M, _NARROW_M)
        gap = max(short + _LESS_M, long - more)
        failing = {
            Constraint.TOO_SHORT: lambda: ruler(short, wide, thick),
            Constraint.TOO_NARROW: lambda: ruler(long, narrow, thick),
            Constraint.TOO_LIMP: lambda: ruler(long, wide, thick, FLEXIBLE),
        }[cause]()
        return cls(gap), cls.things(ruler(long, wide, thick), failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The puzzle on the near box."""
        off = (self.gap_m + _BANK_M[0]) / 2
        banks = [
            replace(standing_at(carton(_BANK_M), side * off, 0.0), name=name)
            for side, name in zip((-1, 1), _BANKS, strict=True)
        ]
        return standing_at(puzzle(), self._puzzle_x, 0.0, on_z=_BANK_M[2]), *banks

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"lay {{thing}} flat across the gap between the two brown boxes and set the {PUZZLE} "
            f"on it, over the middle of the gap, but {1000 * self.off_m:.0f} mm to one side; it "
            "has to stay up there"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object lies across; a limp one is drawn out."""
        yield placed(straight(thing), middle_x=0.0, low_z=_BANK_M[2] + _OVER_M)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Lay the object down; if it does not fall between the boxes, set the puzzle on it."""
        world.release()
        lay = world.at(thing.name)[2]
        if world.run_until(lambda: lay - world.at(thing.name)[2] > _FALLEN_M, _LIE_S):
            return of_whole("height_kept", 0.0, _FALLEN_M)
        lies = thing if thing.state == FLEXIBLE else thing.at(world.pose(thing.name))
        _, high = bounds_m(lies)
        on_bank = world.pose(PUZZLE)
        set_z = float(high[2]) + PUZZLE_M / 2 + 0.0005
        aside = self.off_m - on_bank.pos[1]
        world.put(PUZZLE, on_bank.moved(-self._puzzle_x, aside, set_z - on_bank.pos[2]))

        def sunk() -> float:
            return float(set_z - world.at(PUZZLE)[2])

        world.run_until(lambda: sunk() > _FALLEN_M, _STAND_S)
        return of_whole("height_kept", _FALLEN_M - sunk(), _FALLEN_M)

    @property
    def off_m(self) -> float:
        """Offset of the puzzle from the middle of its support."""
        return _OFF_M

    @property
    def _puzzle_x(self) -> float:
        """The puzzle's x on the near box, clear of the bridge."""
        return -self.gap_m / 2 - 0.064


USE = BridgeGap
