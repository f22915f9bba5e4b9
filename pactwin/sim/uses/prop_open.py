"""Prop open: stand something under a lid to keep it open."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import mujoco
import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.primitives import box, made_of
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, axis_angle
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, measured, scored
from pactwin.sim.uses.pieces import carton
from pactwin.sim.uses.things import across, placed, size_m, uniform
from pactwin.suite import Constraint

_LID, _LID_M = "white lid", (0.20, 0.19, 0.012)
# The chest is a floor between two walls, so far apart; on these the lid lies.
_CHEST, _CHEST_M, _FLOOR_M, _APART_M = "grey chest", (0.20, 0.19, 0.05), 0.03, (0.09, 0.155)
_FROM_HINGE_M, _CLEAR_M, _FALL_S = 0.16, 0.006, 1.0
_DEEP_M, _BROAD, _LESS_M, _BROADER_M = (0.028, 0.07), 0.5, 0.01, (0.006, 0.04)
# How far a box stands above the walls, and how far the lid opens at most, of what is asked for.
_HIGH, _LOW, _TOO_HIGH, _MAX = 0.9, 0.27, 1.75, 1.8


@dataclass(frozen=True)
class PropOpen(Use):
    """``gap_m`` is the minimum opening at the lid's free edge; the chest is ``apart_m`` wide."""

    name = "prop_open"
    version = 4
    causes = (Constraint.TOO_LOW, Constraint.TOO_THICK, Constraint.TOO_WIDE)
    others = ("ruler", "marker", "notepad", "coaster", "sponge", "fork", "pen")
    affordances = ("support", "stack")
    damping: ClassVar[Mapping[str, float]] = {"hinge": 0.02}
    gap_m: float
    apart_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["PropOpen", Things]:
        """A box 10 % higher than needed; alternatives: too low, too high, too wide."""
        gap, apart, thick, broader = uniform(rng, (0.042, 0.072), _APART_M, _DEEP_M, _BROADER_M)
        broad, deep = float(rng.uniform(_BROAD * apart, apart - _LESS_M)), _CHEST_M[2] - _FLOOR_M
        high, low, too_high = (deep + share * gap for share in (_HIGH, _LOW, _TOO_HIGH))
        size = {
            Constraint.TOO_LOW: (broad, thick, low),
            Constraint.TOO_THICK: (broad, thick, too_high),
            Constraint.TOO_WIDE: (apart + broader, thick, high),
        }[cause]
        serving, failing = (carton(m, "white") for m in ((broad, thick, high), size))
        return cls(gap, apart), cls.things(serving, failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The closed lid, and the chest below it: a floor between two walls."""
        x, y, high = _CHEST_M
        wall = (y - self.apart_m) / 2
        walls = [box((x, wall, high), (0.0, side * (y - wall) / 2, high / 2)) for side in (-1, 1)]
        floor = box((x, self.apart_m, _FLOOR_M), (0.0, 0.0, _FLOOR_M / 2))
        parts = made_of("body", "wood", 1.0, floor, *walls)
        chest = standing_at(make_item("chest", "grey", parts), 0.0, 0.0)
        lid = standing_at(block("white", _LID_M), 0.0, 0.0, on_z=high + 0.0005)
        return replace(lid, name=_LID), replace(chest, name=_CHEST)

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"open the {_LID} of the {_CHEST}, whose free edge comes up by "
            f"{100 * _MAX * self.gap_m:.1f} cm at most, put {{thing}} on the floor of the chest "
            "under the free edge, across, the same side up as now, and let the lid down on it; its "
            f"edge has to stay open by {100 * self.gap_m:.1f} cm"
        )

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Hinge the lid at its far edge."""
        spec.body(_LID).add_joint(
            name="hinge",
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=(0, 1, 0),
            pos=(_LID_M[0] / 2, 0, -_LID_M[2] / 2),
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object lies across on the floor, 4 cm inside the free edge."""
        inside = _LID_M[0] / 2 - _FROM_HINGE_M
        yield placed(across(thing), middle_x=inside, low_z=_FLOOR_M + 0.001)

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """The lid held open just above the object."""
        lid, chest = self.items
        deep, _, high = size_m(thing)
        above = max(0.0, high - (_CHEST_M[2] - _FLOOR_M)) + _CLEAR_M
        opened_rad = float(np.arctan2(above, _FROM_HINGE_M - deep / 2))
        opened_rad = min(opened_rad, float(np.arcsin(_MAX * self.gap_m / _LID_M[0])))
        hinge = Pose((_LID_M[0] / 2, 0.0, lid.world_from_object.pos[2] - _LID_M[2] / 2))
        opened = Pose((0.0, 0.0, 0.0), axis_angle((0.0, 1.0, 0.0), opened_rad))
        return lid.at(hinge @ opened @ hinge.inverse() @ lid.world_from_object), chest

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Release both."""
        world.release()
        world.run(_FALL_S)
        edge = world.pose(_LID) @ Pose((-_LID_M[0] / 2, 0.0, -_LID_M[2] / 2))
        gap = edge.pos[2] - _CHEST_M[2]
        limit = measured(gap, 0.75 * self.gap_m)
        return scored(2.0 * gap / self.gap_m - 1.0, "open", limit, most=1.5)


USE = PropOpen
