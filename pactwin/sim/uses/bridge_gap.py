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
_OVER_M, _STAND_S = 0.003, 1.0


@dataclass(frozen=True)
class BridgeGap(Use):
    """``gap_m`` is the room between the banks."""

    name: ClassVar[str] = "bridge_gap"
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
        cube = standing_at(block("white", (_CUBE_M,) * 3), -off, 0.0, on_z=_BANK_M[2])
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

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """The block over the thing, over the gap."""
        _, high = bounds_m(thing)
        cube, *banks = self.items
        return standing_at(cube, 0.0, 0.0, on_z=float(high[2]) + 0.001), *banks

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies across."""
        yield placed(thing, middle_x=0.0, low_z=_BANK_M[2] + _OVER_M)

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Let go of both."""
        world.release()
        world.run(_STAND_S)
        foot, whole = world.at(_CUBE)[2] - _CUBE_M / 2, _BANK_M[2]
        return of_whole("height_kept", foot - 0.4 * whole, 0.6 * whole)


USE = BridgeGap
