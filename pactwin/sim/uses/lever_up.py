"""Lever up: push a thing into the seam below a load, and raise the load with a limited force."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import mujoco
import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.primitives import box, made_of
from pactwin.sim.physics.world import GRAVITY_M_S2
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.pieces import carton, spatula
from pactwin.sim.uses.things import placed, size_m, uniform
from pactwin.suite import Constraint

_LOAD, _LOAD_M, _LOAD_KG = "white load", (0.08, 0.11, 0.06), 2.0
_STAND, _STAND_M = "brown box", (0.13, 0.11, 0.06)
# Of a spatula: how wide and thick it is, what is too wide, and how thin the end is that tapers.
_WIDE_M, _THICK_M, _TOO_WIDE_M, _EDGE_M = (0.036, 0.07), (0.0125, 0.017), (0.09, 0.11), 0.002
# The push by which one serves, and the one that is left on one too short, of what has to be.
_SPARE, _SHORT = (1.4, 2.0), (0.25, 0.5)
# Along x from the box's edge, over which it turns: where the load begins, the thing's front end is.
_SHORT_M, _FRONT_M, _APART_M = 0.04, 0.065, 0.015
_PIVOTS = {"left pivot": 0.015, "right pivot": -0.015}
_RAISED_M, _PUSH_S, _STEP_S = 0.006, 0.8, 0.04


@dataclass(frozen=True)
class LeverUp(Use):
    """``push_n`` is the force limit of the hand, ``seam_m`` the height of the seam."""

    name = "lever_up"
    version = 5
    causes = (Constraint.TOO_THICK, Constraint.TOO_SHORT, Constraint.TOO_WIDE)
    others = ("marker", "glue_stick", "candle", "soap_bar", "can")
    affordances = ("pry",)
    by_end = True
    damping: ClassVar[Mapping[str, float]] = {"slide": 5.0}
    push_n: float
    seam_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["LeverUp", Things]:
        """A spatula with an edge and enough leverage; or no edge, too short, too wide."""
        push, spare, less, wide, thick, broad = uniform(
            rng, (8.0, 14.0), _SPARE, _SHORT, _WIDE_M, _THICK_M, _TOO_WIDE_M
        )
        arm = _LOAD_KG * GRAVITY_M_S2 * _FRONT_M / push
        long, short = (_FRONT_M + 0.01 + share * arm for share in (spare, less))
        serving = spatula(long, wide, thick, _EDGE_M)
        failing = {
            Constraint.TOO_THICK: lambda: spatula(long, wide, thick, thick),
            Constraint.TOO_SHORT: lambda: spatula(short, wide, thick, _EDGE_M),
            Constraint.TOO_WIDE: lambda: spatula(long, broad, thick, _EDGE_M),
        }[cause]()
        task = cls(push, float(rng.uniform(0.008, 0.0095)))
        return task, cls.things(serving, failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The load on its two low feet, and the box below it."""
        x, y, z = _LOAD_M
        foot = (x, 0.015, self.seam_m)
        feet = [box(foot, (0.0, side * (y / 2 - 0.0075), self.seam_m / 2)) for side in (-1, 1)]
        parts = made_of("body", "steel", 1.0, box(_LOAD_M, (0.0, 0.0, self.seam_m + z / 2)), *feet)
        load = standing_at(
            make_item("load", "white", parts), _SHORT_M + x / 2, 0.0, on_z=_STAND_M[2]
        )
        stand = standing_at(carton(_STAND_M), _STAND_M[0] / 2, 0.0)
        return replace(load, name=_LOAD, mass_kg=_LOAD_KG), replace(stand, name=_STAND)

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"raise the {_LOAD}, of {_LOAD_KG:.1f} kg, by {1000 * _RAISED_M:.0f} mm: lay {{thing}} "
            f"flat on the edge of the {_STAND}, push an end of it "
            f"{1000 * (_FRONT_M - _SHORT_M):.0f} mm into the seam between them, which is "
            f"{1000 * self.seam_m:.1f} mm high between two feet, and press on the other end with "
            f"{self.push_n:.0f} N and no more"
        )

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Let the load slide upwards, and the thing turn about the box's edge."""
        spec.body(_LOAD).add_joint(name="slide", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=(0, 0, 1))
        spec.add_exclude(bodyname1=thing.name, bodyname2=_STAND)
        for name in _PIVOTS:
            spec.add_equality(
                name=name,
                type=mujoco.mjtEq.mjEQ_CONNECT,
                objtype=mujoco.mjtObj.mjOBJ_BODY,
                name1=thing.name,
                name2=_STAND,
                solref=(0.006, 1.0),
                active=False,
            )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The thing lies on the box with its front end before the seam."""
        yield placed(thing, front_x=_SHORT_M - _APART_M, low_z=_STAND_M[2] - 5e-5)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Push the bar into the seam, and press its other end down."""
        start = world.at(_LOAD)[2]
        if not world.lead(x=_FRONT_M - _SHORT_M + _APART_M):
            return of_whole("raised", 0.0, _RAISED_M)
        world.release()
        _turn_on_edge(world, thing.name)
        arm = float(size_m(thing)[0]) - _FRONT_M - 0.01
        body = world.data.body(thing.name).id
        for _ in range(round(_PUSH_S / _STEP_S)):
            about = arm + float(world.data.xipos[body][0])
            world.data.xfrc_applied[body] = (0, 0, -self.push_n, 0, -self.push_n * about, 0)
            world.run(_STEP_S)
        return of_whole("raised", world.at(_LOAD)[2] - start, _RAISED_M)


def _turn_on_edge(world: UseWorld, name: str) -> None:
    """From now on the item on the box's edge turns about it."""
    for pivot, side in _PIVOTS.items():
        equality = world.model.equality(pivot)
        at = Pose((0.0, side, _STAND_M[2]))
        for k, body in enumerate((name, _STAND)):
            equality.data[3 * k : 3 * k + 3] = (world.pose(body).inverse() @ at).pos
        world.data.eq_active[equality.id] = 1


USE = LeverUp
