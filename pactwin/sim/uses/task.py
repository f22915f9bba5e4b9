"""Play a declared use: its items where they stand, the hand's motions, and what is measured."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import radians

import mujoco
import numpy as np

from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, axis_angle
from pactwin.sim.uses.base import PlayedTask, Rollout, UseWorld, scored
from pactwin.sim.uses.declared import Arrangement, Held, Placed, Push, Step, Use, metres
from pactwin.sim.uses.formulas import Names, computed, drawn
from pactwin.sim.uses.pieces import roll_freely, straight
from pactwin.sim.uses.things import (
    across,
    along_x,
    bounds_m,
    parts_between,
    placed,
    size_m,
    thing_of,
    turned,
)
from pactwin.suite import Constraint

_BESIDE = 3
_LOOK_S = 0.04
_PAST_M, _BESIDE_M, _WIDER_M = 0.004, 0.008, 0.005
_PIVOTS_M = (0.015, -0.015)
_AXES = {"x": 0, "z": 2}


@dataclass(frozen=True)
class Things:
    """What is asked for, ``{thing}`` being the object used, and objects among which to choose.

    ``serving`` and ``failing`` differ in one attribute, ``others`` in more. The name of ``serving``
    is also true of ``failing``.
    """

    request: str
    serving: Item
    failing: Item
    others: tuple[Item, ...]


def draw(use: Use, rng: np.random.Generator, cause: Constraint) -> "tuple[Task, Things]":
    """Draw a task, a thing that serves, and one that fails for ``cause``; or RejectedLayout."""
    sizes = drawn(use.sizes, rng)
    fault = use.fails[cause]
    options = {k: str(v) for k, v in fault.items() if k in use.thing.options}
    instead = {k: computed(v, sizes) for k, v in fault.items() if k not in options}
    serving, failing = use.thing.made(sizes), use.thing.made({**sizes, **instead}, **options)
    request = use.request.format(thing="{thing}", **sizes)
    kinds = rng.permutation(sorted(use.others))[:_BESIDE].tolist()
    others = tuple(thing_of(kind, rng) for kind in kinds)
    return Task(use, sizes), Things(request, serving, failing, others)


@dataclass(frozen=True)
class Task(PlayedTask):
    """What is declared, with sizes (mm)."""

    use: Arrangement
    sizes: Names

    @property
    def by_end(self) -> bool:
        """Whether it matters which end of a thing is used."""
        return self.use.by_end

    @property
    def items(self) -> tuple[Item, ...]:
        """The items at their places; the target first."""
        return tuple(piece.standing(name, self.sizes) for name, piece in self.use.items.items())

    @property
    def fixed(self) -> frozenset[str]:
        """Names of items that cannot move freely."""
        return frozenset(n for n, piece in self.use.items.items() if piece.moves != "freely")

    def names(self, thing: Item) -> Names:
        """The drawn sizes, and those of the thing as it is held (mm)."""
        low, high = 1000 * np.array(bounds_m(thing))
        x, y, z = (high - low).tolist()
        return {
            **self.sizes,
            "thing_x": x,
            "thing_y": y,
            "thing_z": z,
            "thing_front": float(high[0]),
            "thing_low": float(low[2]),
            "thing_top": float(high[2]),
        }

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The thing where it is held at first, on either side of what it passes."""
        for held in self.use.held:
            there = self._held(thing, held)
            if held.beside:
                yield from _beside(there, self.use.items[held.beside].standing("", self.sizes))
            else:
                yield there

    def _held(self, thing: Item, held: Held) -> Item:
        thing = turned(straight(thing), roll_rad=radians(held.roll), pitch_rad=radians(held.pitch))
        thing = across(thing) if held.across else along_x(thing)
        x = held.middle if held.front is None else held.front
        x_m, y_m, z_m = metres((x, held.y, held.above), self.names(thing))
        where = "middle_x" if held.front is None else "front_x"
        return placed(thing, **{where: x_m}, y=y_m, low_z=z_m)

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """The items where they are when a rollout begins, with the beads."""
        names = self.names(thing)
        items = [
            _opened(piece.standing(name, names, piece.played_at), piece, names)
            for name, piece in self.use.items.items()
        ]
        return *items, *(self.use.beads.items(names) if self.use.beads else ())

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Add the joints of items, and those about which the thing will turn."""
        kinds = {"hinged": mujoco.mjtJoint.mjJNT_HINGE, "sliding": mujoco.mjtJoint.mjJNT_SLIDE}
        for name, piece in self.use.items.items():
            if piece.moves == "when played":
                spec.body(name).add_freejoint()
            elif piece.moves in kinds:
                at = metres(piece.joint, {})
                spec.body(name).add_joint(
                    name=name, type=kinds[piece.moves], axis=piece.axis, pos=at
                )
        if self.use.beads:
            roll_freely(spec, self.use.beads.names)
        for step in self.use.steps:
            for name in step.pivot:
                _prepare_pivot(spec, thing.name, name)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Do the motions and measure what is done: nothing if any but the last is held up."""
        play = _Play(self, world, thing)
        for step in self.use.steps:
            came = play.does(step)
            if not came and step is not self.use.steps[-1]:
                return Rollout(0.0)
        return play.measured()


def _beside(thing: Item, item: Item) -> Iterator[Item]:
    """The thing on either side of an item, past which it reaches; where it is if it does not."""
    low, high = bounds_m(item)
    alongside = parts_between(thing, low[0], high[0] + _PAST_M)
    if not alongside:
        yield thing
        return
    right, left = (limits[1] for limits in bounds_m(replace(thing, parts=alongside)))
    for dy in (low[1] - _BESIDE_M - left, high[1] + _BESIDE_M - right):
        yield thing.at(thing.world_from_object.moved(dy=float(dy)))


def _opened(item: Item, piece: Placed, names: Names) -> Item:
    """The item turned about its hinge, as far as it is open when a rollout begins."""
    turn = axis_angle(piece.axis, radians(computed(piece.opened, names)))
    hinge = Pose(metres(piece.joint, names))
    return item.at(item.world_from_object @ hinge @ Pose((0.0, 0.0, 0.0), turn) @ hinge.inverse())


def _prepare_pivot(spec: mujoco.MjSpec, thing: str, item: str) -> None:
    """Let the thing turn about a line on the item, which it does not touch; not active yet."""
    spec.add_exclude(bodyname1=thing, bodyname2=item)
    for k in range(len(_PIVOTS_M)):
        spec.add_equality(
            name=f"pivot {k}",
            type=mujoco.mjtEq.mjEQ_CONNECT,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1=thing,
            name2=item,
            solref=(0.006, 1.0),
            active=False,
        )


class _Play:
    """One rollout of a task."""

    def __init__(self, task: Task, world: UseWorld, thing: Item) -> None:
        self.measure, self.world, self.thing = task.use.measured, world, thing
        self.names = task.names(thing)
        self.beads = task.use.beads.names if task.use.beads else ()
        self.sizes_m = {item.name: size_m(item) for item in (thing, *task.items)}
        for name, piece in task.use.items.items():
            if piece.damping:  # in the spec newer MuJoCo has a polynomial
                world.model.joint(name).damping[:] = piece.damping
        self.start = self._readings()
        if self.measure.start_at is not None:
            start = computed(self.measure.start_at, self.names) / 1000
            self.start = [start for _ in self.start]

    def does(self, step: Step) -> bool:
        """Do one motion; False if the hand was held up."""
        world = self.world
        if step.lead is not None:
            return world.lead(*metres(step.lead, self.names), speed_m_s=step.speed / 1000)
        if step.release:
            world.release()
        for name, foot in step.put.items():
            self._put(name, Pose(metres(foot, self.names)))
        for name, point in step.pivot.items():
            self._pivot(name, Pose(metres(point, self.names)))
        if step.push is not None:
            self._push(step.push)
        for _ in range(round(step.wait / _LOOK_S)):
            world.run(_LOOK_S)
            if step.watch and self.measured().share == 0.0:
                break
        return True

    def measured(self) -> Rollout:
        """What is done of the task by now, as the worst item says."""
        measure = self.measure
        unit, scale = {"tilt": ("rad", radians(1)), "beads": ("beads", 1.0)}.get(
            measure.what, ("m", 0.001)
        )
        none, whole = (scale * computed(f, self.names) for f in (measure.none, measure.all))
        return min(
            (
                scored(now - start, none, whole, measure.name, unit)
                for now, start in zip(self._readings(), self.start, strict=True)
            ),
            key=lambda rollout: rollout.share,
        )

    def _readings(self) -> list[float]:
        return [self._reading(name) for name in self.measure.of or (self.thing.name,)]

    def _reading(self, name: str) -> float:
        """The current measure of an item: a coordinate (m), its tilt (rad), or beads in it."""
        here = self.world.pose(name)
        if self.measure.what == "tilt":
            return float(np.arccos(np.clip(here.matrix()[2, 2], -1.0, 1.0)))
        if self.measure.what == "beads":
            return self._beads_in(name, here)
        point = here @ Pose(metres(self.measure.point, {}))
        return float(point.pos[_AXES[self.measure.what]])

    def _beads_in(self, name: str, here: Pose) -> float:
        """Number of beads within the outline of an item, above its foot."""
        size = self.sizes_m[name]
        at = np.array([self.world.pose(bead).pos for bead in self.beads]) - here.pos
        inside = np.hypot(*(at[:, :2] / (size[:2] / 2 + _WIDER_M)).T) < 1.0
        high = (at[:, 2] > -size[2] / 2) & (at[:, 2] + here.pos[2] < self.measure.below / 1000)
        return float((inside & high).sum())

    def _put(self, name: str, foot: Pose) -> None:
        """Put an item on its foot somewhere, at rest; its way is measured from there."""
        self.world.hold(name)
        self.world.place_held(foot.moved(dz=float(self.sizes_m[name][2] / 2)))
        self.start = self._readings()

    def _pivot(self, item: str, point: Pose) -> None:
        """From now on the thing turns about the line along y through a point."""
        for k, side in enumerate(_PIVOTS_M):
            equality = self.world.model.equality(f"pivot {k}")
            for body, name in enumerate((self.thing.name, item)):
                own = self.world.pose(name).inverse() @ point.moved(dy=side)
                equality.data[3 * body : 3 * body + 3] = own.pos
            self.world.data.eq_active[equality.id] = 1

    def _push(self, push: Push) -> None:
        """Push an item, at a point that moves along with it."""
        world, name = self.world, push.item or self.thing.name
        force = [computed(newtons, self.names) for newtons in push.force_n]
        point = world.pose(name).inverse() @ Pose(metres(push.at, self.names))
        body = world.data.body(name)
        for _ in range(round(push.for_s / _LOOK_S)):
            arm = np.subtract((world.pose(name) @ point).pos, body.xipos)
            world.data.xfrc_applied[body.id] = (*force, *np.cross(arm, force))
            world.run(_LOOK_S)
