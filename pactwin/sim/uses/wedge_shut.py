"""Wedge shut: fill the room between a door and a post, so that it cannot be pushed open."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import pi
from typing import ClassVar

import mujoco
import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, quat_multiply, yaw
from pactwin.sim.uses.base import Played, Things, Use, UseWorld, measured
from pactwin.sim.uses.things import placed, size_m, some_of, stretched, thing_of
from pactwin.suite import Constraint

_DOOR, _DOOR_M = "white door", (0.014, 0.17, 0.11)
_POST, _POST_M = "grey post", (0.04, 0.09, 0.11)
# Boxes: what is round looks crushed once it is made longer alone.
_THINGS = ("soap_bar", "book", "lidded_box", "brick", "sponge")
_OTHERS = ("marker", "fork", "spoon")  # neither nearly as wide as the room, nor past the hinge
_AT_Y_M, _OPEN_M, _FORCE_N, _PUSH_S, _STEP_S = -0.04, 0.04, 2.0, 1.0, 0.04


@dataclass(frozen=True)
class WedgeShut(Use):
    """``room_m`` is how far the post is from the shut door."""

    name: ClassVar[str] = "wedge_shut"
    version: ClassVar[int] = 3
    constraint: ClassVar[Constraint] = Constraint.TOO_THIN
    attribute: ClassVar[str] = "width"
    affordances: ClassVar[tuple[str, ...]] = ("stack",)
    damping: ClassVar[Mapping[str, float]] = {"hinge": 0.02}
    room_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["WedgeShut", Things]:
        """A thing with 4 mm to spare, and one that leaves 7.5 cm."""
        room = float(rng.uniform(0.10, 0.13))
        kind = str(rng.choice(_THINGS))
        thing = thing_of(kind, rng)
        x, y, z = size_m(thing)
        side = min(1.0, 0.07 / y)
        pair = [
            stretched(thing, (wide / x, side, min(1.0, 0.07 / z)))
            for wide in (room - 0.004, room - 0.075)
        ]
        return cls(room), Things(pair[0], pair[1], some_of(_OTHERS, 2, rng), kind.replace("_", " "))

    @property
    def items(self) -> tuple[Item, ...]:
        """The door, shut, and the post behind it."""
        door = standing_at(block("white", _DOOR_M), 0.0, 0.0)
        post_x = _DOOR_M[0] / 2 + self.room_m + _POST_M[0] / 2
        post = standing_at(block("grey", _POST_M), post_x, _AT_Y_M)
        return replace(door, name=_DOOR), replace(post, name=_POST)

    @property
    def fixed(self) -> frozenset[str]:
        """Both: the door turns about its hinge alone."""
        return frozenset((_DOOR, _POST))

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Hinge the door at its left edge, and lift it off the table."""
        spec.body(_DOOR).add_joint(
            name="hinge",
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=(0, 0, 1),
            pos=(0, _DOOR_M[1] / 2, 0),
        )

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """The door just clear of the table."""
        door, post = self.items
        return door.at(door.world_from_object.moved(dz=0.002)), post

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"keep the {_DOOR}, whose hinge is at its left, from being pushed open towards the "
            f"{_POST}: lay {{thing}} between the door and the post, whichever way round fits best; "
            f"the door must not open by {100 * _OPEN_M / 2:.1f} cm"
        )

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies between them, along or across, against the post."""
        for turn in (0.0, pi / 2):
            pose = thing.world_from_object
            there = thing.at(Pose(pose.pos, quat_multiply(yaw(turn), pose.quat)))
            front = _DOOR_M[0] / 2 + self.room_m - 0.0015
            yield placed(there, front_x=front, y=_AT_Y_M, low_z=0.0005)

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Let go of the thing, and push the door's free edge."""
        world.release()
        world.run(0.2)
        door = world.data.body(_DOOR)
        start = world.pose(_DOOR) @ Pose((0.0, _AT_Y_M, 0.0))
        torque = _FORCE_N * _DOOR_M[1]
        for _ in range(round(_PUSH_S / _STEP_S)):
            world.data.xfrc_applied[door.id, 5] = torque
            world.run(_STEP_S)
        now = world.pose(_DOOR) @ Pose((0.0, _AT_Y_M, 0.0))
        opened = float(now.pos[0] - start.pos[0])
        share = float(np.clip(1.0 - opened / _OPEN_M, 0.0, 1.0))
        return Played(round(share, 4), {"opened": measured(opened, _OPEN_M / 2)})


USE = WedgeShut
