"""Block a roll: lay something in the way of a ball that comes down a ramp."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import pi
from typing import ClassVar

import mujoco
import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.household import ball
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, axis_angle, quat_multiply, yaw
from pactwin.sim.uses.base import Played, Things, Use, UseWorld, measured
from pactwin.sim.uses.things import along_x, placed, size_m, some_of, stretched, thing_of
from pactwin.suite import Constraint

_BALL, _RAMP = "white ball", "grey ramp"
_RAMP_M, _SLOPE_RAD = (0.16, 0.11, 0.012), 0.30
_AT_M, _PASSED_M, _ROLL_S = 0.17, 0.12, 1.6
_STOPS = ("book", "soap_bar", "brick", "lidded_box", "torpedo_level", "spirit_level", "stapler")
_OTHERS = ("ruler", "fork", "marker")  # a ball gets over a notepad at one time, not at another


@dataclass(frozen=True)
class BlockRoll(Use):
    """``diameter_m`` is that of the ball."""

    name: ClassVar[str] = "block_roll"
    version: ClassVar[int] = 2
    constraint: ClassVar[Constraint] = Constraint.TOO_LOW
    attribute: ClassVar[str] = "height"
    affordances: ClassVar[tuple[str, ...]] = ("stack", "support")
    diameter_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["BlockRoll", Things]:
        """A thing of 60 % of the ball's height, and one of 4 % of it."""
        wide = float(rng.uniform(0.05, 0.065))
        kind = str(rng.choice(_STOPS))
        stop = thing_of(kind, rng)
        x, y, z = size_m(stop)
        long, deep = min(1.0, 0.16 / x), min(1.0, 0.06 / y)
        pair = [stretched(stop, (long, deep, share * wide / z)) for share in (0.6, 0.045)]
        return cls(wide), Things(pair[0], pair[1], some_of(_OTHERS, 2, rng), kind.replace("_", " "))

    @property
    def items(self) -> tuple[Item, ...]:
        """The ball on its ramp."""
        tilt = axis_angle((0.0, 1.0, 0.0), _SLOPE_RAD)
        high = _RAMP_M[0] / 2 * np.sin(_SLOPE_RAD) + _RAMP_M[2] / 2 * np.cos(_SLOPE_RAD)
        ramp = block("grey", _RAMP_M).at(Pose((0.0, 0.0, float(high)), tilt))
        up = ramp.world_from_object @ Pose(
            (-_RAMP_M[0] / 2 + self.diameter_m / 2, 0.0, _RAMP_M[2] / 2 + self.diameter_m / 2)
        )
        return replace(ball("white", self.diameter_m).at(Pose(up.pos)), name=_BALL), replace(
            ramp, name=_RAMP
        )

    @property
    def fixed(self) -> frozenset[str]:
        """The ramp; the ball is held until it is let go."""
        return frozenset((_BALL, _RAMP))

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """The ball is let go."""
        spec.body(_BALL).add_freejoint()

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"lay {{thing}} across in front of the {_RAMP}, as it lies now, and let go of the "
            f"{_BALL}, which is held up there; the ball must not get past it"
        )

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies across, a little before the ramp's foot."""
        yield placed(_across(thing), middle_x=_AT_M, low_z=0.0005)

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Let go of both."""
        world.release()
        world.run(_ROLL_S)
        beyond = float(world.at(_BALL)[0]) - _AT_M
        share = float(np.clip((_PASSED_M - beyond) / _PASSED_M, 0.0, 1.0))
        return Played(round(share, 4), {"past_it": measured(beyond, _PASSED_M / 2)})


def _across(thing: Item) -> Item:
    pose = along_x(thing).world_from_object
    return thing.at(Pose((0.0, 0.0, 0.0), quat_multiply(yaw(pi / 2), pose.quat)))


USE = BlockRoll
