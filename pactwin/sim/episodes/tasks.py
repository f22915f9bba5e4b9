"""Steps of each action, and its goal test.

A robot whose model answered "yes" checks no preconditions: it grasps, carries, lowers, releases,
and stops where it is stopped. The goal test measures the final state with the limits of the trials,
but does not run the trials.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import mujoco
import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.actions.handling import Pour, PutInto, Restack, SetOn, Take, TakeOut, Write
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.episodes.manipulation import Manipulator, Stopped
from pactwin.sim.episodes.planning import Goal
from pactwin.sim.episodes.simulation import YIELDING_S
from pactwin.sim.objects.palette import NATURAL
from pactwin.sim.objects.posing import heights_m
from pactwin.sim.objects.trays import handle_of
from pactwin.sim.physics.trials.lifting import SLIP_NM, Grip, add_hands, relative_m
from pactwin.sim.physics.trials.putting import HOVER_M
from pactwin.sim.physics.trials.raycasting import cavity_of
from pactwin.sim.physics.trials.removal import LIMIT_M, LIMIT_RAD, UNDISTURBED
from pactwin.sim.physics.trials.resting import aimed, flush_on, set_down
from pactwin.sim.physics.trials.using import (
    CLEAR_M,
    CONTACT_M,
    HALF,
    LINE_M,
    LINE_STEPS,
    PRESS_M,
    TOUCH_M,
    beads_in,
    fingertips,
    off_the_paper_m,
    outside_m,
    pouring_pose,
    writing_pose,
)
from pactwin.sim.preconditions.going_in import attempt, may_move_with, orientations, ways_in
from pactwin.sim.preconditions.letting_go import letting_go_m
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.preconditions.staying_on import offsets_on
from pactwin.sim.preconditions.surroundings import content_of, on_or_over
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.pose import Pose, axis_angle, quat_angle_rad, vec3

Reached = Callable[[], bool]
"""Test whether the action's goal is reached in the current state."""

_LIFTED_M = 0.05
_INSIDE = 0.6
_SETTLE_S = 1.0
_POUR_STEPS = 30
_POUR_OVER_M = 0.008
# Where fingers wait that are not needed yet: out of everything's way.
_ASIDE = Pose((1.5, 0.0, 0.04))


@dataclass(frozen=True)
class Task:
    """An action ready for execution.

    ``layout`` includes what only the action reveals, such as the contents of a bottle. ``first``
    names the object grasped first; ``expected`` names those that may move. ``prepare`` adds to the
    model before it is compiled; ``beads`` represent a poured liquid.
    """

    layout: Layout
    first: str
    expected: frozenset[str]
    carry_out: Callable[[Manipulator], Reached]
    prepare: Callable[[mujoco.MjSpec], None] = lambda spec: None
    beads: tuple[str, ...] = ()


def task_of(action: Action, situation: SettledScene) -> Task:
    """The task of carrying out ``action`` on the settled layout."""
    layout = situation.at_rest

    def task(
        run: Callable[..., Reached], first: str, *names: str, moved: Collection[str] = ()
    ) -> Task:
        """The objects ``first`` and ``moved``, and what is fixed to them, may move."""
        items, loose = layout.items, {first, *moved}
        expected = {i.name for i in items if {i.name, i.attached_to} & loose} | loose
        return Task(layout, first, frozenset(expected), lambda m: run(m, first, *names))

    match action:
        case Take(thing):
            return task(_take, thing)
        case PutInto(thing, vessel):
            moved = may_move_with(situation, thing, situation.item(vessel))
            return task(_put_into, thing, vessel, moved=moved)
        case SetOn(thing, support):
            return task(_set_on, thing, support)
        case Restack(upper, lower, support):
            return task(_restack, upper, lower, support, moved={lower})
        case Write(tool, pad):
            return task(_write, tool, pad)
        case LiftLevel(thing):
            grip = Grip(*handle_of(layout.item(thing)))
            hands = partial(add_hands, name=thing, grips=[grip], slip_nm=SLIP_NM)
            return replace(task(_lift, thing), prepare=hands)
        case Pour(bottle, cup):
            beads = beads_in(layout.item(bottle))
            layout = replace(layout, items=(*layout.items, *beads))
            names = tuple(bead.name for bead in beads)
            return replace(task(_pour, bottle, cup, *names, moved=names), beads=names)
        case TakeOut(_, box):
            thing = content_of(layout.item(box), layout.items).name
            fingers = replace(fingertips(), rgba=NATURAL["grey"]).at(_ASIDE)
            layout = replace(layout, items=(*layout.items, fingers))
            return task(_take_out, fingers.name, thing, box, moved={thing})
    raise TypeError(f"no way to carry out {type(action).__name__}")


def _take(m: Manipulator, thing: str) -> Reached:
    before = m.item(thing).world_from_object
    m.fetch(thing)
    m.wait(_SETTLE_S)
    return lambda: m.robot.holding and _risen_m(m, thing, before) > _LIFTED_M


def _risen_m(m: Manipulator, thing: str, before: Pose) -> float:
    return m.robot.world.pose(thing).pos[2] - before.pos[2]


def _lift(m: Manipulator, thing: str) -> Reached:
    before, on_it = m.item(thing), sorted(m.robot.world.supported_items(thing))
    apart = relative_m(m.robot.world, thing, on_it)
    m.fetch(thing, handle_at=(before.world_from_object @ Pose(handle_of(before)[0])).pos)
    m.wait(_SETTLE_S)

    def reached() -> bool:
        upright = m.robot.world.pose(thing).matrix()[2, 2]
        level = float(np.arccos(np.clip(upright, -1.0, 1.0))) < LIMIT_RAD
        kept = np.linalg.norm(relative_m(m.robot.world, thing, on_it) - apart, axis=1)
        lifted = _risen_m(m, thing, before.world_from_object) > _LIFTED_M
        return level and lifted and float(kept.max(initial=0.0)) < LIMIT_M

    return reached


def _put_into(m: Manipulator, thing: str, vessel: str) -> Reached:
    there, item, world = m.item(vessel), m.item(thing), m.robot.world
    hollow = cavity_of(world, vessel, there.size_m[2])
    turned = max(orientations(item), key=lambda t: hollow.clearance_m(t.extents_m[:2], t.round))
    goals, good = [], []
    for start, way in ways_in(hollow, turned, _top_m(m, vessel, thing)):
        goals.append(Goal(start, (start.moved(*way),), vessel))
        with m.robot.imagined(thing, YIELDING_S):
            if attempt(world, hollow, item, start, way).kept > _INSIDE:
                good.append(goals[-1])
    m.put(thing, vessel, good or goals)

    def reached() -> bool:
        here = hollow.pose_in(world).inverse() @ world.pose(thing)
        beside = (np.abs(here.pos[:2]) > hollow.half_m).any()
        low = heights_m(item.at(here))[0]
        depth = (hollow.height_m / 2 - low) / hollow.depth_m
        turned = quat_angle_rad(world.pose(vessel).quat, there.world_from_object.quat)
        return bool(not beside and _INSIDE < depth < 1.5 and turned < LIMIT_RAD)

    return reached


def _top_m(m: Manipulator, place: str, held: str) -> float:
    """Height of the highest object at a place, without the held one and liquids, m."""
    names = {place, *on_or_over(m.item(place), m.robot.items())} - m.planner.parts_of(held)
    return max(heights_m(m.item(name))[1] for name in names if not name.startswith("bead"))


def _set_on(m: Manipulator, thing: str, support: str) -> Reached:
    place = _place_on(m, thing, support)
    if place is None:
        raise Stopped("no top", support)
    place = aimed(m.rng, place)
    m.put(thing, support, [Goal(place.moved(dz=HOVER_M), (place,), support)])

    def reached() -> bool:
        now = m.robot.world.pose(thing)
        far = float(np.linalg.norm(np.subtract(now.pos, place.pos)))
        return far < LIMIT_M and float(quat_angle_rad(now.quat, place.quat)) < LIMIT_RAD

    return reached


def _place_on(m: Manipulator, thing: str, support: str) -> Pose | None:
    """The first place on a support where the thing stays, in the robot's simulation.

    If it stays nowhere, the middle; None if the support has no top.
    """
    world, item, there = m.robot.world, m.item(thing), m.item(support)
    found = [flush_on(world, item, there, off) for off in offsets_on(item, there)]
    # It has none where a ray misses the top, or when it was tipped over.
    places = [place for place in found if place is not None and np.isfinite(place.pos).all()]
    for place in places:
        with m.robot.imagined(thing, YIELDING_S):
            if set_down(world, place).displacement <= UNDISTURBED:
                return place
    return places[0] if places else None


def _restack(m: Manipulator, upper: str, lower: str, support: str) -> Reached:
    first = _set_on(m, upper, support)
    second = _set_on(m, lower, upper)
    return lambda: first() and second()


def _write(m: Manipulator, tool: str, pad: str) -> Reached:
    there, pen = m.item(pad), m.item(tool)
    start = writing_pose(there.world_from_object, there, pen)
    down = start.moved(dz=-CLEAR_M - PRESS_M)
    step = there.world_from_object.matrix()[:3, 0] * LINE_M / LINE_STEPS
    m.fetch(tool, [Goal(start, (down,), pad)])
    m.robot.yield_to(YIELDING_S)
    m.robot.hands_pass({*m.planner.parts_of(tool), pad})
    drawn = 0
    with suppress(Stopped):
        for k in range(LINE_STEPS + 1):
            if not m.carry([down.moved(*map(float, k * step))], {pad}):
                break
            drawn += k > 0 and off_the_paper_m(m.robot.world, pen, there) < CONTACT_M
    m.wait(0.2)
    return lambda: drawn / LINE_STEPS > HALF


def _pour(m: Manipulator, bottle: str, cup: str, *beads: str) -> Reached:
    there, full = m.item(cup), m.item(bottle)
    pose = pouring_pose(there, full)
    mouth = Pose((0.0, 0.0, full.size_m[2] / 2))
    angle = float(quat_angle_rad(pose.quat, (1.0, 0.0, 0.0, 0.0)))
    top, poses = _top_m(m, cup, bottle), []
    for tilt in np.linspace(0.0, angle, _POUR_STEPS):
        # Its mouth stays over the cup, and all of it above what is there.
        at = Pose((pose @ mouth).pos, axis_angle((0.0, 1.0, 0.0), float(tilt))) @ mouth.inverse()
        poses.append(at.moved(dz=max(0.0, top + _POUR_OVER_M - heights_m(full.at(at))[0])))
    carrying = m.fetch(bottle, [Goal(poses[0], tuple(poses[1:]), cup)])
    m.robot.hands_pass({*m.planner.parts_of(bottle), cup})
    m.go_on(carrying)
    m.wait(1.5)
    return lambda: bool(np.median(outside_m(m.robot.world, there, beads)) < 0.0)


def _take_out(m: Manipulator, fingers: str, thing: str, box: str) -> Reached:
    world, content = m.robot.world, m.item(thing)
    before = content.world_from_object
    inside = on_or_over(m.item(box), m.robot.items())
    m.go_to(box, letting_go_m(m.item(box), 0.0), inside)
    m.robot.hands_pass({*inside, fingers})
    # The fingers reach on below the hand, which stays where it is: its shape is rigid.
    tip = m.robot.tip(m.arm)
    world.hold(fingers)
    world.place_held(Pose(vec3(tip)).moved(dz=m.item(fingers).size_m[2] / 2))
    m.robot.take(m.arm, fingers, YIELDING_S)
    touch = np.array(before.moved(dz=content.size_m[2] / 2 + TOUCH_M).pos)
    m.reach_on((touch - tip) * (1.0, 1.0, 0.0))
    m.reach_on((touch - tip) * (0.0, 0.0, 1.0))
    m.robot.let_go()
    world.place_held(_ASIDE)
    m.robot.take(m.arm, thing, YIELDING_S)
    rise = _top_m(m, box, thing) + HOVER_M + content.size_m[2] / 2 - before.pos[2]
    # The arm raises it if it gets that high, or else the fingers draw it up.
    if not m.carry([world.pose(thing).moved(dz=rise)], {box}):
        m.reach_on(np.array([0.0, 0.0, rise]))
    m.wait(_SETTLE_S)
    return lambda: m.robot.holding and _risen_m(m, thing, before) > HALF * rise
