"""Wedge shut: fill the gap between a door and a box, so that the door cannot be pushed open."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import mujoco
import numpy as np

from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, measured, scored
from pactwin.sim.uses.pieces import carton
from pactwin.sim.uses.things import along_x, placed, side_by_side, uniform
from pactwin.suite import Constraint

# A thinner door counts as flat, and from most cameras as seen edge-on.
_DOOR, _DOOR_M, _RAISED_M = "white door", (0.024, 0.17, 0.09), 0.045
_POST, _POST_M = "brown box", (0.04, 0.09, 0.11)
_JAMB, _JAMB_M = "grey jamb", (0.03, 0.03, 0.14)
# Two planks lead from the door to the post, so far apart.
_RAILS, _RAIL_M, _TRACK_M = ("left wooden plank", "right wooden plank"), (0.018, 0.03), 0.075
_AT_Y_M, _OPEN_M, _FORCE_N, _PUSH_S, _STEP_S = -0.04, 0.06, 2.0, 1.0, 0.04
_ROOM_M, _SPARE_M, _SHORTER_M = (0.105, 0.17), 0.008, (0.068, 0.085)
_WIDE_M, _TOO_WIDE_M, _HIGH_M, _LOW_M = (0.035, 0.066), (0.084, 0.12), (0.056, 0.10), (0.02, 0.038)


@dataclass(frozen=True)
class WedgeShut(Use):
    """``room_m`` is how far the box is from the shut door."""

    name = "wedge_shut"
    version = 7
    causes = (Constraint.TOO_THIN, Constraint.TOO_LOW, Constraint.TOO_WIDE)
    # Neither nearly as wide as the room, nor past the hinge.
    others = ("marker", "fork", "spoon", "pen", "toothbrush")
    affordances = ("stack",)
    damping: ClassVar[Mapping[str, float]] = {"hinge": 0.02}
    room_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["WedgeShut", Things]:
        """A box with 8 mm to spare; one that leaves 6 cm or more, one too low, one too wide."""
        room, shorter, wide, too_wide, high, low = uniform(
            rng, _ROOM_M, _SHORTER_M, _WIDE_M, _TOO_WIDE_M, _HIGH_M, _LOW_M
        )
        long = room - _SPARE_M
        size = {
            Constraint.TOO_THIN: (room - shorter, wide, high),
            Constraint.TOO_LOW: (long, wide, low),
            Constraint.TOO_WIDE: (long, too_wide, high),
        }[cause]
        serving, failing = (carton(m, "white") for m in ((long, wide, high), size))
        return cls(room), cls.things(serving, failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The door, shut above the table, the box behind it, the jamb and the planks."""
        door = standing_at(block("white", _DOOR_M), 0.0, 0.0, on_z=_RAISED_M)
        post_x = _DOOR_M[0] / 2 + self.room_m + _POST_M[0] / 2
        post = standing_at(carton(_POST_M), post_x, _AT_Y_M)
        jamb = standing_at(block("grey", _JAMB_M), 0.0, (_DOOR_M[1] + _JAMB_M[1]) / 2 + 0.006)
        wide, high = _RAIL_M
        rail = plank("brown", (self.room_m, wide, high))
        out, middle_x = (_TRACK_M + wide) / 2, (_DOOR_M[0] + self.room_m) / 2
        rails = side_by_side(_RAILS, rail, middle_x, out, _AT_Y_M)
        named = replace(door, name=_DOOR), replace(post, name=_POST), replace(jamb, name=_JAMB)
        return *named, *rails

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Hinge the door at its left edge."""
        spec.body(_DOOR).add_joint(
            name="hinge",
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=(0, 0, 1),
            pos=(0, _DOOR_M[1] / 2, 0),
        )

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"keep the {_DOOR}, which hangs by its left edge {100 * _RAISED_M:.1f} cm above the "
            f"table, from being pushed open towards the {_POST}: lay {{thing}} on the table "
            "between the two wooden planks, the same side up as now, lengthwise; the door must not "
            f"open by {100 * _OPEN_M / 2:.1f} cm"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """It lies between the planks, against the box."""
        front = _DOOR_M[0] / 2 + self.room_m - _SPARE_M / 2
        yield placed(along_x(thing), front_x=front, y=_AT_Y_M, low_z=0.0005)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Release the object, and push the door's free edge."""
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
        return scored(1.0 - opened / _OPEN_M, "opened", measured(opened, _OPEN_M / 2))


USE = WedgeShut
