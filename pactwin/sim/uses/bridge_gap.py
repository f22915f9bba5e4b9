"""Bridge a gap: lay something across, so that a block can stand on it over the gap."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Played, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.things import bounds_m, placed, size_m, some_of, stretched, thing_of
from pactwin.suite import Constraint

_CUBE, _CUBE_M = "white block", 0.04
_BANKS, _BANK_M = ("near grey bank", "far grey bank"), (0.08, 0.16, 0.08)
_BOARDS = ("plank", "ruler", "spirit_level", "torpedo_level", "book", "notepad")
_OTHERS = ("soap_bar", "can", "tin", "coaster", "sponge", "candle", "marker")
_OVER_M, _LIE_S, _STAND_S, _FALLEN_M = 0.003, 0.4, 0.8, 0.02


@dataclass(frozen=True)
class BridgeGap(Use):
    """``gap_m`` is the room between the banks."""

    name: ClassVar[str] = "bridge_gap"
    version: ClassVar[int] = 2
    constraint: ClassVar[Constraint] = Constraint.TOO_SHORT
    attribute: ClassVar[str] = "length"
    affordances: ClassVar[tuple[str, ...]] = ("support",)
    gap_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["BridgeGap", Things]:
        """A board that lies 3 cm on either bank, and one that is 3 cm too short."""
        gap = float(rng.uniform(0.13, 0.18))
        kind = str(rng.choice(_BOARDS))
        board = thing_of(kind, rng)
        x, y, _ = size_m(board)
        wide = float(np.clip(0.055 / y, 1.0, 1.6)) if y < 0.055 else min(1.0, 0.09 / y)
        pair = [stretched(board, (m / x, wide, 1.0)) for m in (gap + 0.06, gap - 0.03)]
        return cls(gap), Things(pair[0], pair[1], some_of(_OTHERS, 2, rng), kind.replace("_", " "))

    @property
    def items(self) -> tuple[Item, ...]:
        """The block, on the near bank."""
        off = (self.gap_m + _BANK_M[0]) / 2
        banks = [
            replace(standing_at(block("grey", _BANK_M), side * off, 0.0), name=name)
            for side, name in zip((-1, 1), _BANKS, strict=True)
        ]
        cube = standing_at(block("white", (_CUBE_M,) * 3), self._block_x, 0.0, on_z=_BANK_M[2])
        return replace(cube, name=_CUBE), *banks

    @property
    def fixed(self) -> frozenset[str]:
        """The banks."""
        return frozenset(_BANKS)

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"lay {{thing}} flat across the gap between the two grey banks and set the {_CUBE} on "
            "it, over the middle of the gap; it has to stay up there"
        )

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies across."""
        yield placed(thing, middle_x=0.0, low_z=_BANK_M[2] + _OVER_M)

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Lay it down; on what does not fall in between the banks, set the block."""
        world.release()
        lay = world.at(thing.name)[2]
        if world.run_until(lambda: lay - world.at(thing.name)[2] > _FALLEN_M, _LIE_S):
            return of_whole("height_kept", 0.0, _FALLEN_M)
        _, high = bounds_m(thing.at(world.pose(thing.name)))
        on_bank = world.pose(_CUBE)
        set_z = float(high[2]) + _CUBE_M / 2 + 0.0005
        world.put(_CUBE, on_bank.moved(-self._block_x, 0.0, set_z - on_bank.pos[2]))

        def sunk() -> float:
            return float(set_z - world.at(_CUBE)[2])

        world.run_until(lambda: sunk() > _FALLEN_M, _STAND_S)
        return of_whole("height_kept", _FALLEN_M - sunk(), _FALLEN_M)

    @property
    def _block_x(self) -> float:
        """Where the block stands on the near bank, clear of what is laid there."""
        return -self.gap_m / 2 - 0.058


USE = BridgeGap
