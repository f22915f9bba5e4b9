"""Prop open: stand something under a lid, so that it stays up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import mujoco
import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, axis_angle
from pactwin.sim.uses.base import Played, Things, Use, UseWorld, measured
from pactwin.sim.uses.things import placed, size_m, some_of, stretched, thing_of
from pactwin.suite import Constraint

_LID, _LID_M = "white lid", (0.20, 0.17, 0.012)
_CHEST, _CHEST_M = "grey chest", (0.20, 0.17, 0.05)
_PROPS = ("can", "candle", "brick", "soap_bar", "tin", "book", "torpedo_level")
_OTHERS = ("ruler", "marker", "notepad", "coaster", "sponge", "spatula")
_FROM_HINGE_M, _CLEAR_M, _FALL_S = 0.16, 0.006, 1.0


@dataclass(frozen=True)
class PropOpen(Use):
    """``gap_m`` is how far the free edge of the lid has to stay open."""

    name: ClassVar[str] = "prop_open"
    constraint: ClassVar[Constraint] = Constraint.TOO_LOW
    attribute: ClassVar[str] = "height"
    affordances: ClassVar[tuple[str, ...]] = ("support", "stack")
    damping: ClassVar[Mapping[str, float]] = {"hinge": 0.02}
    gap_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["PropOpen", Things]:
        """A prop that is a tenth higher than it has to be, and one of 40 % of that."""
        gap = float(rng.uniform(0.06, 0.085))
        kind = str(rng.choice(_PROPS))
        prop = thing_of(kind, rng)
        x, y, z = size_m(prop)
        high = 1.12 * gap * _FROM_HINGE_M / _LID_M[0]
        flat = min(1.0, 0.075 / max(x, y)) if max(x, y) > 0.075 else 1.0
        pair = [stretched(prop, (flat, max(flat, 0.04 / y), m / z)) for m in (high, 0.4 * high)]
        return cls(gap), Things(pair[0], pair[1], some_of(_OTHERS, 2, rng), kind.replace("_", " "))

    @property
    def items(self) -> tuple[Item, ...]:
        """The lid, shut, and the chest below it."""
        chest = standing_at(block("grey", _CHEST_M), 0.0, 0.0)
        lid = standing_at(block("white", _LID_M), 0.0, 0.0, on_z=_CHEST_M[2] + 0.0005)
        return replace(lid, name=_LID), replace(chest, name=_CHEST)

    @property
    def fixed(self) -> frozenset[str]:
        """Both: the lid turns about its hinge alone."""
        return frozenset((_LID, _CHEST))

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"open the {_LID} of the {_CHEST}, put {{thing}} under its free edge, as it stands or "
            "lies now, and let the lid down on it; its edge has to stay open by "
            f"{100 * self.gap_m:.1f} cm"
        )

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Hinge the lid at its far edge."""
        spec.body(_LID).add_joint(
            name="hinge",
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=(0, 1, 0),
            pos=(_LID_M[0] / 2, 0, -_LID_M[2] / 2),
        )

    def ways(self, thing: Item) -> Iterator[Item]:
        """It stands on the chest, its front 4 cm inside the free edge."""
        deep = _LID_M[0] / 2 - _FROM_HINGE_M
        yield placed(thing, middle_x=deep, low_z=_CHEST_M[2] + 0.001)

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """The lid held open, just above the thing."""
        lid, chest = self.items
        deep, _, high = size_m(thing)
        opened_rad = float(np.arctan2(high + _CLEAR_M, _FROM_HINGE_M - deep / 2))
        hinge = Pose((_LID_M[0] / 2, 0.0, lid.world_from_object.pos[2] - _LID_M[2] / 2))
        opened = Pose((0.0, 0.0, 0.0), axis_angle((0.0, 1.0, 0.0), opened_rad))
        return lid.at(hinge @ opened @ hinge.inverse() @ lid.world_from_object), chest

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Let go of both."""
        world.release()
        world.run(_FALL_S)
        edge = world.pose(_LID) @ Pose((-_LID_M[0] / 2, 0.0, -_LID_M[2] / 2))
        gap = edge.pos[2] - _CHEST_M[2]
        share = float(np.clip(2.0 * gap / self.gap_m - 1.0, 0.0, 1.5))
        return Played(round(share, 4), {"open": measured(gap, 0.75 * self.gap_m)})


USE = PropOpen
