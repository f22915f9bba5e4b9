"""Block a roll: put something in the path of a ball that rolls down a ramp."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from pactwin.sim.objects.blocks import plank
from pactwin.sim.objects.household import ball
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, axis_angle
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, measured, scored
from pactwin.sim.uses.pieces import carton
from pactwin.sim.uses.things import across, placed, side_by_side, uniform
from pactwin.suite import Constraint

_BALLS, _RAMP = ("left white ball", "right white ball"), "wooden ramp"
_RAMP_M, _SLOPE_RAD = (0.16, 0.21, 0.012), 0.30
_AT_M, _PASSED_M, _ROLL_S = 0.17, 0.12, 1.6
_WALLS, _WALL_M = ("left brown box", "right brown box"), (0.16, 0.02, 0.05)
# Diameter of the balls, how far they are from the middle, and what room there is beside them.
_BALL_M, _ASIDE_M, _BESIDE_M = (0.044, 0.054), (0.055, 0.07), (0.012, 0.035)
# How deep planks are, and how high, of the balls; those that are flat or short are deeper, and
# those that are short are higher, too.
_DEEP_M, _DEEPER_M, _HIGH, _HIGHER = (0.026, 0.07), (0.05, 0.09), (0.38, 0.6), (0.5, 0.8)
# How high a flat one is, and how long others are: the shortest that is passed, of the room between
# the balls, and beyond the boxes.
_LOW_M, _SHORT, _BEYOND_M = (0.004, 0.006), (0.6, 0.85), 0.18
_CLEAR_M = 0.01


@dataclass(frozen=True)
class BlockRoll(Use):
    """Balls of ``diameter_m``, each ``aside_m`` from the middle; ``between_m`` is between boxes."""

    name = "block_roll"
    version = 6
    causes = (Constraint.TOO_LOW, Constraint.TOO_SHORT, Constraint.TOO_WIDE)
    # A ball gets over a notepad at one time, and not at another.
    others = ("fork", "marker", "pen", "toothbrush", "spoon")
    affordances = ("stack", "support")
    diameter_m: float
    aside_m: float
    between_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["BlockRoll", Things]:
        """A plank half as high as the balls; alternatives: flat, short and stout, too long.

        How much wood there is does not tell.
        """
        ball_m, aside, beside, deep, deeper = uniform(
            rng, _BALL_M, _ASIDE_M, _BESIDE_M, _DEEP_M, _DEEPER_M
        )
        between, clear = 2 * aside + ball_m + beside, 2 * aside - ball_m
        high, higher = (ball_m * float(rng.uniform(*share)) for share in (_HIGH, _HIGHER))
        long = float(rng.uniform(2 * aside + 0.02, between - _CLEAR_M))
        short = clear * float(rng.uniform(*_SHORT))
        beyond = between + float(rng.uniform(_CLEAR_M, _BEYOND_M))
        size = {
            Constraint.TOO_LOW: (long, deeper, float(rng.uniform(*_LOW_M))),
            Constraint.TOO_SHORT: (short, min(deeper, short), higher),
            Constraint.TOO_WIDE: (beyond, deep, high),
        }[cause]
        serving, failing = (plank("white", m) for m in ((long, deep, high), size))
        return cls(ball_m, aside, between), cls.things(serving, failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The balls on their ramp, and the boxes beside its foot."""
        tilt = axis_angle((0.0, 1.0, 0.0), _SLOPE_RAD)
        high = _RAMP_M[0] / 2 * np.sin(_SLOPE_RAD) + _RAMP_M[2] / 2 * np.cos(_SLOPE_RAD)
        ramp = plank("brown", _RAMP_M).at(Pose((0.0, 0.0, float(high)), tilt))
        half = self.diameter_m / 2
        balls = []
        for name, side in zip(_BALLS, (1, -1), strict=True):
            up = Pose((-_RAMP_M[0] / 2 + half, side * self.aside_m, _RAMP_M[2] / 2 + half))
            at = Pose((ramp.world_from_object @ up).pos)
            balls.append(replace(ball("white", self.diameter_m).at(at), name=name))
        out = (self.between_m + _WALL_M[1]) / 2
        walls = side_by_side(_WALLS, carton(_WALL_M), _AT_M, out)
        return *balls, replace(ramp, name=_RAMP), *walls

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Release the balls."""
        for name in _BALLS:
            spec.body(name).add_freejoint()

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"lay {{thing}} across between the two brown boxes, in front of the middle of the "
            f"{_RAMP}, as it lies now, and let go of the two white balls, which are "
            "held up there; neither must get past it"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object lies across, just before the ramp's foot."""
        yield placed(across(thing), middle_x=_AT_M, low_z=0.0005)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Release everything."""
        world.release()
        world.run(_ROLL_S)
        beyond = max(float(world.at(name)[0]) for name in _BALLS) - _AT_M
        return scored((_PASSED_M - beyond) / _PASSED_M, "past_it", measured(beyond, _PASSED_M / 2))


USE = BlockRoll
