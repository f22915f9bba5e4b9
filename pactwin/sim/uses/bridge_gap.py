"""Bridge a gap: lay something across, so that a block can stand on it over the gap."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.pieces import FLEXIBLE, board
from pactwin.sim.uses.things import bounds_m, placed
from pactwin.suite import Constraint

_CUBE, _CUBE_M, _OFF_M = "white block", 0.04, 0.012
_BANKS, _BANK_M = ("near grey bank", "far grey bank"), (0.08, 0.16, 0.08)
_THICK_M, _WIDE_M, _NARROW_M = 0.006, 0.06, 0.010
_OVER_M, _LIE_S, _STAND_S, _FALLEN_M = 0.003, 0.4, 0.8, 0.02


@dataclass(frozen=True)
class BridgeGap(Use):
    """``gap_m`` is the distance between the banks."""

    name = "bridge_gap"
    version = 3
    causes = (Constraint.TOO_SHORT, Constraint.TOO_NARROW, Constraint.TOO_LIMP)
    others = ("soap_bar", "can", "tin", "coaster", "sponge", "candle", "marker")
    affordances = ("support",)
    free = (_CUBE,)
    gap_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["BridgeGap", Things]:
        """A board that rests on 3 cm of each bank; alternatives: too short, too narrow, limp."""
        gap = float(rng.uniform(0.13, 0.18))
        failing = {
            Constraint.TOO_SHORT: lambda: board(gap - 0.03, _WIDE_M, _THICK_M),
            Constraint.TOO_NARROW: lambda: board(gap + 0.06, _NARROW_M, _THICK_M),
            Constraint.TOO_LIMP: lambda: board(gap + 0.06, _WIDE_M, _THICK_M, FLEXIBLE),
        }[cause]()
        return cls(gap), cls.things(board(gap + 0.06, _WIDE_M, _THICK_M), failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The block on the near bank."""
        off = (self.gap_m + _BANK_M[0]) / 2
        banks = [
            replace(standing_at(block("grey", _BANK_M), side * off, 0.0), name=name)
            for side, name in zip((-1, 1), _BANKS, strict=True)
        ]
        cube = standing_at(block("white", (_CUBE_M,) * 3), self._block_x, 0.0, on_z=_BANK_M[2])
        return replace(cube, name=_CUBE), *banks

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"lay {{thing}} flat across the gap between the two grey banks and set the {_CUBE} on "
            f"it, over the middle of the gap, but {1000 * self.off_m:.0f} mm to one side; it has "
            "to stay up there"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object lies across."""
        yield placed(thing, middle_x=0.0, low_z=_BANK_M[2] + _OVER_M)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Lay the object down; if it does not fall between the banks, set the block on it."""
        world.release()
        lay = world.at(thing.name)[2]
        if world.run_until(lambda: lay - world.at(thing.name)[2] > _FALLEN_M, _LIE_S):
            return of_whole("height_kept", 0.0, _FALLEN_M)
        lies = thing if thing.state == FLEXIBLE else thing.at(world.pose(thing.name))
        _, high = bounds_m(lies)
        on_bank = world.pose(_CUBE)
        set_z = float(high[2]) + _CUBE_M / 2 + 0.0005
        aside = self.off_m - on_bank.pos[1]
        world.put(_CUBE, on_bank.moved(-self._block_x, aside, set_z - on_bank.pos[2]))

        def sunk() -> float:
            return float(set_z - world.at(_CUBE)[2])

        world.run_until(lambda: sunk() > _FALLEN_M, _STAND_S)
        return of_whole("height_kept", _FALLEN_M - sunk(), _FALLEN_M)

    @property
    def off_m(self) -> float:
        """Offset of the block from the middle of its support."""
        return _OFF_M

    @property
    def _block_x(self) -> float:
        """The block's x on the near bank, clear of the bridge."""
        return -self.gap_m / 2 - 0.058


USE = BridgeGap
