"""Lever up: raise a load with a bar over a ridge, by a push that is too weak by itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import mujoco
import numpy as np

from pactwin.sim.objects.assembly import assembled
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.primitives import box, hull, made_of
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose
from pactwin.sim.uses.base import Played, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.things import bounds_m, placed, size_m, some_of, stretched, thing_of
from pactwin.suite import Constraint

_LOAD, _LOAD_M, _FEET_M = "white load", (0.08, 0.13, 0.06), 0.0685
_FULCRUM, _FULCRUM_M = "grey ridge", (0.04, 0.10, 0.055)
_BARS = ("spirit_level", "ruler", "cold_chisel", "torpedo_level", "plank")
_OTHERS = ("soap_bar", "can", "tin", "marker", "candle", "notepad", "stapler")
# Along x from the ridge: where the bar's front end is, and the load begins.
_FRONT_M, _SHORT_M, _LOAD_KG, _PUSH_S = 0.05, 0.03, 2.5, 0.8
_RAISED_M, _STEP_S = 0.006, 0.04


@dataclass(frozen=True)
class LeverUp(Use):
    """``push_n`` is how hard the hand may press."""

    name: ClassVar[str] = "lever_up"
    constraint: ClassVar[Constraint] = Constraint.TOO_SHORT
    attribute: ClassVar[str] = "length"
    affordances: ClassVar[tuple[str, ...]] = ("pry",)
    damping: ClassVar[Mapping[str, float]] = {"slide": 5.0}
    push_n: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["LeverUp", Things]:
        """A bar whose push is half as large again as it has to be, and one with half of that."""
        push = float(rng.uniform(9.0, 12.0))
        needed = _LOAD_KG * 9.81 * _FRONT_M / push
        kind = str(rng.choice(_BARS))
        bar = thing_of(kind, rng)
        x, y, z = size_m(bar)
        wide, thick = max(1.0, 0.03 / y), 0.012 / z
        longs = [_FRONT_M + 0.01 + arm * needed for arm in (1.6, 0.5)]
        pair = [stretched(bar, (long / x, wide, thick)) for long in longs]
        return cls(push), Things(pair[0], pair[1], some_of(_OTHERS, 2, rng), kind.replace("_", " "))

    @property
    def items(self) -> tuple[Item, ...]:
        """The load on its two feet, and the ridge before it."""
        x, y, z = _LOAD_M
        ends = (-_FULCRUM_M[1] / 2, _FULCRUM_M[1] / 2)
        foot = (x, 0.015, _FEET_M)
        feet = [box(foot, (0.0, side * (y / 2 - 0.0075), _FEET_M / 2)) for side in (-1, 1)]
        parts = made_of("body", "steel", 1.0, box(_LOAD_M, (0.0, 0.0, _FEET_M + z / 2)), *feet)
        load = standing_at(assembled("load", "white", parts), _SHORT_M + x / 2, 0.0)
        ridge = [(side * _FULCRUM_M[0] / 2, y, 0.0) for side in (-1, 1) for y in ends]
        ridge += [(0.0, y, _FULCRUM_M[2]) for y in ends]
        fulcrum = standing_at(
            assembled("ridge", "grey", made_of("body", "wood", 1.0, hull(ridge))), 0.0, 0.0
        )
        return replace(load, name=_LOAD, mass_kg=_LOAD_KG), replace(fulcrum, name=_FULCRUM)

    @property
    def fixed(self) -> frozenset[str]:
        """The load is guided upwards, the ridge stands fast."""
        return frozenset((_LOAD, _FULCRUM))

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"raise the {_LOAD}, of {_LOAD_KG:.1f} kg, by {1000 * _RAISED_M:.0f} mm: push "
            f"{{thing}} {100 * (_FRONT_M - _SHORT_M):.0f} cm under it over the {_FULCRUM}, and "
            f"press on the other end with {self.push_n:.0f} N and no more"
        )

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """The load slides upwards; the bar turns about the ridge."""
        spec.body(_LOAD).add_joint(name="slide", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=(0, 0, 1))
        spec.add_exclude(bodyname1=thing.name, bodyname2=_FULCRUM)
        here = thing.world_from_object.inverse()
        for side in (-0.02, 0.02):
            at = here @ Pose((0.0, side, _low_z(thing)))
            held = spec.add_equality(
                name=f"pivot {side}",
                type=mujoco.mjtEq.mjEQ_CONNECT,
                objtype=mujoco.mjtObj.mjOBJ_BODY,
                name1=thing.name,
                name2=_FULCRUM,
                solref=(0.006, 1.0),
            )
            held.data = [*at.pos, 0, 0, 0, 0, 0, 0, 0, 0]

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies on the ridge, its front end under the load."""
        yield placed(thing, front_x=_FRONT_M, low_z=_FULCRUM_M[2] - 5e-5)

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Press the other end down."""
        world.release()
        world.run(0.1)
        start = world.at(_LOAD)[2]
        arm = float(size_m(thing)[0]) - _FRONT_M - 0.01
        body = world.data.body(thing.name).id
        for _ in range(round(_PUSH_S / _STEP_S)):
            about = arm + float(world.data.xipos[body][0])
            world.data.xfrc_applied[body] = (0, 0, -self.push_n, 0, -self.push_n * about, 0)
            world.run(_STEP_S)
        return of_whole("raised", world.at(_LOAD)[2] - start, _RAISED_M)


def _low_z(thing: Item) -> float:
    return float(bounds_m(thing)[0][2])


USE = LeverUp
