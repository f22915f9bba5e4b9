"""Simulated uses of pactwin's own tasks, for any object: propping, covering, hooking, bridging.

An object may be placed in every resting pose. Each task sets its own limits.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import pi
from pathlib import Path

import mujoco
import numpy as np

from pactwin.catalogue import read_data
from pactwin.sim.generation.creative.shapes import thing_hook
from pactwin.sim.generation.creative.sides import resting_sides
from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.primitives import ring_wall
from pactwin.sim.physics.trials.raycasting import ray_distance_m
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Quat, axis_angle, quat_multiply, vec3, yaw
from pactwin.sim.uses.base import PlayedTask, Rollout, UseWorld, measured, scored
from pactwin.sim.uses.declared import Arrangement
from pactwin.sim.uses.task import Task
from pactwin.sim.uses.things import bounds_m, placed

_MOST_SIDES = 8
_FALL_S, _REST_S = 1.0, 0.5
_CLEAR_M = 0.001
_SASH, _SASH_M, _SASH_KG = "sash", (0.6, 0.6, 0.02), 2.0
_PIPE, _PIPE_M, _WALL_M, _STAVES = "pipe", 0.06, 0.003, 24
_DROP_M, _DOWN = 0.003, np.array([0.0, 0.0, -1.0])
_BAR, _BAR_LONG_M, _BAR_KG, _LIFT_M, _HIGH_M = "bar", 0.12, 0.1, 0.06, 0.7


@lru_cache(maxsize=512)
def on_its_sides(item: Item, *, steady: bool = False) -> tuple[Item, ...]:
    """The object at the origin in every resting pose, steady ones first."""
    sides = [side for side in resting_sides(item) if side.steady or not steady]
    first = sorted(sides, key=lambda side: not side.steady)[:_MOST_SIDES]
    return tuple(item.at(Pose((0.0, 0.0, 0.0), _turning_down(side.down))) for side in first)


def _turning_down(way: np.ndarray) -> Quat:
    """The rotation that turns a unit vector (3,) straight down by the shortest way."""
    quat = np.empty(4)
    mujoco.mju_quatZ2Vec(quat, -way)
    w, x, y, z = quat.tolist()
    return (w, -x, -y, -z)


def declared(use: str, limits: Mapping[str, float]) -> Task:
    """The task that is declared for a use, with its limits (mm, g)."""
    return Task(_arrangements()[use], limits)


@cache
def _arrangements() -> dict[str, Arrangement]:
    return read_data(Path(__file__).with_name("played.yaml"), dict[str, Arrangement])


@dataclass(frozen=True)
class Prop(PlayedTask):
    """Objects that hold a sash open by ``gap_m`` to ``most_m``, on any side they rest on."""

    gap_m: float
    most_m: float

    @property
    def items(self) -> tuple[Item, ...]:
        """The closed sash."""
        sash = standing_at(block("white", _SASH_M), 0.0, 0.0)
        return (replace(sash, name=_SASH, mass_kg=_SASH_KG),)

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Give the sash its sliding joint."""
        joint = mujoco.mjtJoint.mjJNT_SLIDE
        spec.body(_SASH).add_joint(name="slide", type=joint, axis=(0, 0, 1))

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object standing on the sill."""
        for lying in on_its_sides(thing.at(Pose((0.0, 0.0, 0.0)))):
            yield placed(lying, middle_x=0.0, low_z=_CLEAR_M)

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """Items with the sash just above the object."""
        _, high = bounds_m(thing)
        (sash,) = self.items
        return (standing_at(sash, 0.0, 0.0, on_z=float(high[2]) + 2 * _CLEAR_M),)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Release both, and measure how far the sash stays open."""
        world.model.joint("slide").damping[:] = 5.0
        world.release()
        world.run(_FALL_S)
        gap = world.pose(_SASH).pos[2] - _SASH_M[2] / 2
        return Rollout(float(self.gap_m <= gap <= self.most_m), {"open": measured(gap, self.gap_m)})


@dataclass(frozen=True)
class Cover(PlayedTask):
    """Objects that cover a pipe ``mouth_m`` wide against drops, resting on any side."""

    mouth_m: float

    @property
    def items(self) -> tuple[Item, ...]:
        """The upright pipe, made of staves."""
        radius = self.mouth_m / 2
        staves = ring_wall((radius, radius), (0.0, _PIPE_M), _WALL_M, _STAVES)
        pipe = make_item("pipe", "grey", staves, material="steel")
        return (replace(standing_at(pipe, 0.0, 0.0), name=_PIPE),)

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object on the mouth, centred on its middle or on its centre of mass."""
        for lying in on_its_sides(thing.at(Pose((0.0, 0.0, 0.0))), steady=True):
            yield placed(lying, middle_x=0.0, low_z=_PIPE_M + _CLEAR_M)
            low, _ = bounds_m(lying)
            yield lying.at(lying.world_from_object.moved(dz=_PIPE_M + _CLEAR_M - float(low[2])))

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Release the object, then cast rays at the mouth, spaced by the width of a drop."""
        world.release()
        world.run(_REST_S)
        reach = self.mouth_m / 2 - _DROP_M / 2
        grid = np.arange(-reach, reach + _DROP_M / 2, _DROP_M)
        spots = [(x, y) for x in grid.tolist() for y in grid.tolist() if np.hypot(x, y) <= reach]
        rays = (ray_distance_m(world, thing.name, np.array([*at, 2.0]), _DOWN) for at in spots)
        share = float(np.mean([np.isfinite(ray) for ray in rays]))
        return Rollout(float(share == 1.0), {"covered": measured(share, 1.0, "")})


@dataclass(frozen=True)
class HookUp(PlayedTask):
    """Objects that hook and lift a freely swinging bar ``wire_m`` thick."""

    wire_m: float

    @property
    def items(self) -> tuple[Item, ...]:
        """The bar, lying along y."""
        bar = cylinder("white", self.wire_m, _BAR_LONG_M, "steel")
        along_y = axis_angle((1.0, 0.0, 0.0), pi / 2)
        return (replace(bar.at(Pose((0.0, 0.0, _HIGH_M), along_y)), name=_BAR, mass_kg=_BAR_KG),)

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Let the bar move in the plane perpendicular to it."""
        body = spec.body(_BAR)
        inverse = self.items[0].world_from_object.inverse().matrix()[:3, :3]
        for name, axis in (("up", (0.0, 0.0, 1.0)), ("side", (1.0, 0.0, 0.0))):
            own = vec3(inverse @ np.array(axis))
            body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=own)

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object hanging with the bar in its hook."""
        flat = thing.at(Pose((0.0, 0.0, 0.0)))
        hook = thing_hook(flat, 1e3 * self.wire_m)
        if hook is None:
            return
        down = _turning_down(hook.axes[0])
        side = Pose((0.0, 0.0, 0.0), down).matrix()[:3, :3] @ hook.axes[1]
        turn = quat_multiply(yaw(-float(np.arctan2(side[1], side[0]))), down)
        held = flat.at(Pose((0.0, 0.0, 0.0), turn))
        hooked = held.world_from_object.matrix()[:3, :3] @ (1e-3 * hook.at_mm @ hook.axes)
        for lower_m in (0.0, 0.003, 0.006):
            yield held.at(Pose(vec3(np.array([0.0, 0.0, _HIGH_M - lower_m]) - hooked), turn))

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Lift the object."""
        start = world.pose(_BAR).pos[2]
        world.lead(z=_LIFT_M)
        return scored(world.pose(_BAR).pos[2] - start, 0.0, _LIFT_M, "lifted")
