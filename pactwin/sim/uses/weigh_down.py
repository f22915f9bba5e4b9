"""Weigh down: keep a board from tipping when a can is set on its free end."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pactwin.sim.objects.blocks import block, cylinder, plank
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import HALF, Played, Things, Use, UseWorld, measured
from pactwin.sim.uses.things import placed, some_of, stretched, thing_of
from pactwin.suite import Constraint

_CAN, _CAN_M = "white can", (0.05, 0.06)
_BOARD, _BOARD_M = "wooden board", (0.32, 0.09, 0.012)
_PILLAR, _PILLAR_M = "grey block", (0.15, 0.12, 0.07)
# Along x: where the pillar ends, where the board begins, and where the can and the thing stand.
_EDGE_M, _CAN_AT_M, _THING_AT_M = 0.0, 0.12, -0.12
_TIPPED_RAD, _STAND_S = 0.3, 1.2
_WEIGHTS = ("brick", "club_hammer", "dumbbell", "stapler", "book")
_OTHERS = ("sponge", "notepad", "coaster", "tin", "spatula", "marker", "bread_slice", "ruler")


@dataclass(frozen=True)
class WeighDown(Use):
    """``can_kg`` is the mass of what is set on the free end."""

    name: ClassVar[str] = "weigh_down"
    version: ClassVar[int] = 2
    constraint: ClassVar[Constraint] = Constraint.TOO_LIGHT
    attribute: ClassVar[str] = "mass"
    affordances: ClassVar[tuple[str, ...]] = ("exercise",)
    can_kg: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["WeighDown", Things]:
        """A thing of nearly twice the can's mass, and one a third as heavy as it has to be."""
        can = float(rng.uniform(0.30, 0.50))
        kind = str(rng.choice(_WEIGHTS))
        thing = thing_of(kind, rng)
        pair = []
        for mass in (1.9 * can, 0.25 * can):
            by = float((mass / thing.mass_kg) ** (1 / 3))
            pair.append(stretched(thing, (by, by, by)))
        return cls(can), Things(pair[0], pair[1], some_of(_OTHERS, 2, rng), kind.replace("_", " "))

    @property
    def items(self) -> tuple[Item, ...]:
        """The can on the table, the board on its pillar, its end free."""
        can = standing_at(cylinder("white", *_CAN_M, "steel"), 0.19, 0.07)
        pillar = standing_at(block("grey", _PILLAR_M), _EDGE_M - _PILLAR_M[0] / 2, 0.0)
        board = standing_at(plank("brown", _BOARD_M), -0.01, 0.0, on_z=_PILLAR_M[2])
        return (
            replace(can, name=_CAN, mass_kg=round(self.can_kg, 3)),
            replace(board, name=_BOARD),
            replace(pillar, name=_PILLAR),
        )

    @property
    def fixed(self) -> frozenset[str]:
        """The pillar."""
        return frozenset((_PILLAR,))

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"put {{thing}} on the end of the {_BOARD} that lies over the {_PILLAR}, then set the "
            f"{_CAN}, of {1000 * self.can_kg:.0f} g, on its free end; the board must not tip"
        )

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """The can on the free end."""
        can, board, pillar = self.items
        return standing_at(can, _CAN_AT_M, 0.0, on_z=_top() + 0.001), board, pillar

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies on the other end."""
        yield placed(thing, middle_x=_THING_AT_M, low_z=_top() + 0.0005)

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Let go, and see whether the board tips."""
        world.release()
        world.run_until(lambda: world.tilt_rad(_BOARD) > _TIPPED_RAD, _STAND_S)
        tilt = world.tilt_rad(_BOARD)
        share = float(np.clip(1.0 - tilt / _TIPPED_RAD, 0.0, 1.0))
        return Played(round(share, 4), {"tilt": measured(tilt, HALF * _TIPPED_RAD, "rad")})


def _top() -> float:
    return _PILLAR_M[2] + _BOARD_M[2]


USE = WeighDown
