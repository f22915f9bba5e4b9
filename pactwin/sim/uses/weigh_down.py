"""Weigh down: keep a board from tipping when a can is set on its free end."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.blocks import plank
from pactwin.sim.objects.everyday import can, tin
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.primitives import box, made_of
from pactwin.sim.objects.standard_sizes import SMALL_CAN_M, pick
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3
from pactwin.sim.uses.base import HALF, Rollout, Things, Use, UseWorld, measured, scored
from pactwin.sim.uses.pieces import carton
from pactwin.sim.uses.things import across, placed
from pactwin.suite import Constraint

_CAN = "white can"
_BOARD = "wooden board"
_PILLAR, _PILLAR_M = "brown box", (0.15, 0.064, 0.07)
# A gate stands over the end of the board: the width of its posts, its depth, and how much wider and
# higher it is than the tin. A shallower one counts as flat, and from most cameras as seen edge-on.
_GATE, _POST_M, _GATE_M, _WIDER_M, _HIGHER_M = "grey gate", 0.010, 0.032, 0.008, (0.012, 0.022)
# Along x: where the pillar ends, where the board begins, and where the can and the thing stand.
_EDGE_M, _CAN_AT_M, THING_AT_M = 0.0, 0.12, -0.12
_TIPPED_RAD, _STAND_S = 0.3, 1.2
# Diameters and heights of tins (m); the mass of the can, of that of the tin.
_DIAMETERS_M = (0.052, 0.065, 0.073, 0.083, 0.094, 0.108)
_HEIGHTS_M = (0.03, 0.038, 0.05, 0.06, 0.072, 0.085, 0.098, 0.115)
# A light one, under this share, leaves the board room to tip below the gate.
_CAN_SHARE, _LIGHT, _TIPS_M, _CLEAR_M = (0.52, 0.62), 0.34, 0.03, 0.004


@dataclass(frozen=True)
class WeighDown(Use):
    """``can_kg`` is the can's mass on the free end; the gate is ``room_m`` wide and high."""

    name = "weigh_down"
    version = 6
    causes = (Constraint.TOO_LIGHT, Constraint.TOO_THICK, Constraint.TOO_WIDE)
    others = ("sponge", "notepad", "pen", "fork", "spoon", "marker", "toothbrush", "ruler")
    affordances = ("exercise",)
    free = (_CAN, _BOARD)
    board_m: ClassVar[Vec3] = (0.32, 0.06, 0.012)
    can_kg: float
    room_m: tuple[float, float]

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["WeighDown", Things]:
        """A tin nearly twice as heavy as the can; a light one, one too high, one too wide."""
        wide, high = pick(rng, _DIAMETERS_M[1:-1]), pick(rng, _HEIGHTS_M[3:-2])
        share, higher = float(rng.uniform(*_CAN_SHARE)), float(rng.uniform(*_HIGHER_M))
        room = wide + _WIDER_M, high + higher
        light = [
            (d, h)
            for d in _DIAMETERS_M
            for h in (low for low in _HEIGHTS_M if low < room[1] - _TIPS_M)
            if d <= wide and d * d * h < _LIGHT * wide * wide * high
        ]
        size = {
            Constraint.TOO_LIGHT: pick(rng, light[-3:]),
            Constraint.TOO_THICK: (
                wide,
                pick(rng, [h for h in _HEIGHTS_M if h > room[1] + _CLEAR_M]),
            ),
            Constraint.TOO_WIDE: (
                pick(rng, [d for d in _DIAMETERS_M if d > room[0] + _CLEAR_M]),
                high,
            ),
        }[cause]
        serving, failing = (tin("white", *m, variant="full") for m in ((wide, high), size))
        return cls(share * serving.mass_kg, room), cls.things(serving, failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The can on the table, the board on its pillar, its end free, and the gate."""
        free_end = standing_at(can("white", *SMALL_CAN_M), 0.19, 0.07)
        pillar = standing_at(carton(_PILLAR_M), _EDGE_M - _PILLAR_M[0] / 2, 0.0)
        board = standing_at(plank("brown", self.board_m), -0.01, 0.0, on_z=_PILLAR_M[2])
        return (
            replace(free_end, name=_CAN, mass_kg=round(self.can_kg, 3)),
            replace(board, name=_BOARD),
            replace(pillar, name=_PILLAR),
            self._gate,
        )

    @property
    def _gate(self) -> Item:
        """Two posts on the table with a beam over the end of the board."""
        wide, high = self.room_m
        top, out = _top() + high, (wide + _POST_M) / 2
        posts = [box((_GATE_M, _POST_M, top), (0.0, side * out, top / 2)) for side in (-1, 1)]
        beam = box((_GATE_M, wide + 2 * _POST_M, _POST_M), (0.0, 0.0, top + _POST_M / 2))
        gate = make_item("gate", "grey", made_of("body", "wood", 1.0, *posts, beam))
        return replace(standing_at(gate, THING_AT_M, 0.0), name=_GATE)

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"put {{thing}} through the {_GATE}, across and the same side up as now, on the end of "
            f"the {_BOARD} that lies over the {_PILLAR}, then set the {_CAN}, "
            f"of {1000 * self.can_kg:.0f} g, on its free end; the board must not tip"
        )

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """The can on the free end."""
        there, *rest = self.items
        return standing_at(there, _CAN_AT_M, 0.0, on_z=_top() + 0.001), *rest

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object lies across on the other end."""
        yield placed(across(thing), middle_x=THING_AT_M, low_z=_top() + 0.0005)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Release everything, and check whether the board tips."""
        world.release()
        world.run_until(lambda: world.tilt_rad(_BOARD) > _TIPPED_RAD, _STAND_S)
        tilt = world.tilt_rad(_BOARD)
        return scored(1.0 - tilt / _TIPPED_RAD, "tilt", measured(tilt, HALF * _TIPPED_RAD, "rad"))


def _top() -> float:
    return _PILLAR_M[2] + WeighDown.board_m[2]


USE = WeighDown
