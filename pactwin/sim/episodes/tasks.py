"""Steps of each action, and its goal test.

A robot whose model answered "yes" checks no preconditions: it grasps, carries, lowers, releases,
and stops where it is stopped. The goal test measures the final state with the limits of the trials,
but does not run the trials.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.actions.handling import Pour, PutInto, Restack, SetOn, Take, TakeOut, Write
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.episodes.choosing import Option, Way, pick
from pactwin.sim.episodes.manipulation import SPEED_M_S, Manipulator, Stopped
from pactwin.sim.episodes.simulation import YIELDING_S
from pactwin.sim.episodes.steps import (
    bring,
    free_place,
    grasp,
    item_now,
    leave,
    lower,
    over_place,
    top_at_m,
    ways_to,
    ways_up,
)
from pactwin.sim.objects.palette import NATURAL
from pactwin.sim.objects.posing import heights_m
from pactwin.sim.objects.trays import handle_of
from pactwin.sim.physics.trials.lifting import Grip, add_hands
from pactwin.sim.physics.trials.putting import HOVER_M
from pactwin.sim.physics.trials.raycasting import Cavity, cavity_of
from pactwin.sim.physics.trials.removal import LIMIT_M, LIMIT_RAD
from pactwin.sim.physics.trials.resting import aimed
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
from pactwin.sim.preconditions.going_in import attempt, orientations, ways_in
from pactwin.sim.preconditions.surroundings import content_of, on_or_over
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import (
    Pose,
    axis_angle,
    quat_angle_rad,
    vec3,
)

Goal = Callable[[], bool]
"""Test whether the action's goal is reached in the current state."""

_LIFTS_M, _HIGH_LIFTS_M, _LIFTED_M = (0.12, 0.09, 0.07), (0.16, 0.12, 0.08), 0.05
_LOWERING_M_S = 0.12
_INSIDE = 0.6
_SETTLE_S = 1.0
_POUR_STEPS = 30
_POUR_OVER_M = 0.008
_SLIP_NM = 0.5
# Where fingers wait that are not needed yet: out of everything's way.
_ASIDE = Pose((1.5, 0.0, 0.04))


@dataclass(frozen=True)
class Task:
    """An action ready for execution.

    ``layout`` includes what only the action reveals, such as the contents of a bottle. ``first``
    names the object grasped first; ``expected`` names those that may move. ``handle`` is the
    grasped handle if the hand's force and torque decide; ``beads`` represent a poured liquid.
    """

    layout: Layout
    first: str
    expected: frozenset[str]
    carry_out: Callable[[Manipulator], Goal]
    handle: Grip | None = None
    beads: tuple[str, ...] = ()


def task_of(action: Action, layout: Layout) -> Task:
    """The task of carrying out ``action`` on the settled ``layout``."""

    def moving(*names: str) -> frozenset[str]:
        items = layout.items
        return frozenset(i.name for i in items if {i.name, i.attached_to} & set(names))

    match action:
        case Take(thing):
            return Task(layout, thing, moving(thing), partial(_take, thing=thing))
        case PutInto(thing, vessel):
            run = partial(_put_into, thing=thing, vessel=vessel)
            return Task(layout, thing, moving(thing) | {vessel}, run)
        case SetOn(thing, support):
            return Task(
                layout, thing, moving(thing), partial(_set_on, thing=thing, support=support)
            )
        case Restack(upper, lower, support):
            run = partial(_restack, upper=upper, lower=lower, support=support)
            return Task(layout, upper, moving(upper, lower), run)
        case LiftLevel(thing):
            at, bar = handle_of(layout.item(thing))
            return Task(layout, thing, moving(thing), partial(_lift, thing=thing), Grip(at, bar))
        case Write(tool, pad):
            run = partial(_write, tool=tool, pad=pad)
            return Task(layout, tool, moving(tool), run)
        case Pour(bottle, cup):
            beads = beads_in(layout.item(bottle))
            names = [bead.name for bead in beads]
            filled = replace(layout, items=(*layout.items, *beads))
            run = partial(_pour, bottle=bottle, cup=cup, beads=names)
            expected = moving(bottle) | {*names}
            return Task(filled, bottle, expected, run, beads=tuple(names))
        case TakeOut(_, box):
            thing = content_of(layout.item(box), layout.items).name
            fingers = replace(fingertips(), rgba=NATURAL["grey"]).at(_ASIDE)
            reaching = replace(layout, items=(*layout.items, fingers))
            run = partial(_take_out, thing=thing, box=box, fingers=fingers.name)
            return Task(reaching, fingers.name, moving(thing) | {fingers.name}, run)
    raise TypeError(f"no way to carry out {type(action).__name__}")


def add_handle(task: Task):
    """Add what a task needs to the model before it is compiled."""
    if task.handle is None:
        return lambda spec: None
    return lambda spec: add_hands(spec, task.first, [task.handle], _SLIP_NM)


def _apart(m: Manipulator, name: str, others: Collection[str]) -> np.ndarray:
    """Positions (n, 3) of other objects in the frame of an object."""
    at = m.robot.world.pose(name)
    there = np.array([m.robot.world.pose(other).pos for other in others]).reshape(-1, 3)
    return (there - at.pos) @ at.matrix()[:3, :3]


def _take(m: Manipulator, thing: str) -> Goal:
    before = m.robot.world.pose(thing).pos[2]
    option = pick(m, thing, ways_up(m, thing, _LIFTS_M))
    grasp(m, thing)
    bring(m, thing, option)
    m.wait(_SETTLE_S)
    return lambda: m.robot.holding and m.robot.world.pose(thing).pos[2] - before > _LIFTED_M


def _lift(m: Manipulator, thing: str) -> Goal:
    world = m.robot.world
    before = world.pose(thing)
    at = (before @ Pose(handle_of(item_now(m, thing))[0])).pos
    ways = [Way((), before.moved(dz=height)) for height in _HIGH_LIFTS_M]
    option = pick(m, thing, ways, at)
    m.robot.take_handle(m.arm, thing)
    on_it = sorted(world.supported_items(thing))
    apart = _apart(m, thing, on_it)
    bring(m, thing, option)
    m.wait(_SETTLE_S)

    def done() -> bool:
        pose = world.pose(thing)
        level = float(np.arccos(np.clip(pose.matrix()[2, 2], -1.0, 1.0))) < LIMIT_RAD
        kept = np.linalg.norm(_apart(m, thing, on_it) - apart, axis=1)
        lifted = pose.pos[2] - before.pos[2] > _LIFTED_M
        return level and lifted and float(kept.max(initial=0.0)) < LIMIT_M

    return done


def _put_into(m: Manipulator, thing: str, vessel: str) -> Goal:
    there, item = item_now(m, vessel), item_now(m, thing)
    hollow = cavity_of(m.robot.world, vessel, there.size_m[2])
    turned = max(orientations(item), key=lambda t: hollow.clearance_m(t.extents_m[:2], t.round))
    into = list(ways_in(hollow, turned, top_at_m(m, vessel, thing)))
    ways = []
    for start, way in _going_in(m, item, hollow, into):
        ways += ways_to(m, thing, start, vessel, [start.moved(*way)], into=True)
    option = pick(m, thing, ways)
    grasp(m, thing)
    lower(m, bring(m, thing, option), thing, vessel)
    leave(m, thing, vessel)

    def done() -> bool:
        now = m.robot.world.pose(vessel)
        here = hollow.pose_in(m.robot.world).inverse() @ m.robot.world.pose(thing)
        beside = (np.abs(here.pos[:2]) > hollow.half_m).any()
        low = heights_m(item_now(m, thing).at(here))[0]
        depth = (hollow.height_m / 2 - low) / hollow.depth_m
        stands = quat_angle_rad(now.quat, there.world_from_object.quat) < LIMIT_RAD
        return bool(not beside and _INSIDE < depth < 1.5 and stands)

    return done


def _going_in(
    m: Manipulator, thing: Item, hollow: Cavity, ways: list[tuple[Pose, np.ndarray]]
) -> list[tuple[Pose, np.ndarray]]:
    """Paths into a vessel that succeed in the robot's simulation; all paths if none does."""
    if len(ways) == 1:
        return ways
    world = m.robot.world
    now, held = world.snapshot(), world.names[world.held]
    good = []
    for start, way in ways:
        world.hold(thing.name, YIELDING_S)
        tried = attempt(world, hollow, thing, start, way)
        world.restore(now)
        if tried.kept > _INSIDE:
            good.append((start, way))
    world.hold(held)
    return good or ways


def _set_on(m: Manipulator, thing: str, support: str) -> Goal:
    place = free_place(m, thing, support)
    if place is None:
        raise Stopped("no top", support)
    place = aimed(m.rng, place)
    option = pick(m, thing, ways_to(m, thing, place.moved(dz=HOVER_M), support, [place]))
    grasp(m, thing)
    lower(m, bring(m, thing, option), thing, support)
    leave(m, thing, support)
    return partial(_lies_at, m, thing, support, place)


def _restack(m: Manipulator, upper: str, lower: str, support: str) -> Goal:
    first = _set_on(m, upper, support)
    second = _set_on(m, lower, upper)
    return lambda: first() and second()


def _lies_at(m: Manipulator, thing: str, support: str, place: Pose) -> bool:
    now = m.robot.world.pose(thing)
    far = float(np.linalg.norm(np.subtract(now.pos, place.pos)))
    return far < LIMIT_M and float(quat_angle_rad(now.quat, place.quat)) < LIMIT_RAD


def _write(m: Manipulator, tool: str, pad: str) -> Goal:
    world = m.robot.world
    there, pen = item_now(m, pad), item_now(m, tool)
    start = writing_pose(there.world_from_object, there, pen)
    option = pick(m, tool, ways_to(m, tool, start, pad, [start.moved(dz=-CLEAR_M)]))
    grasp(m, tool)
    bring(m, tool, option)
    m.robot.yield_to(YIELDING_S)
    m.robot.hands_pass({*m.parts_of(tool), pad})
    drawn = [0.0]
    down = start.moved(dz=-CLEAR_M - PRESS_M)
    step = there.world_from_object.matrix()[:3, 0] * LINE_M / LINE_STEPS
    try:
        m.carry([down], ignoring={pad}, speed_m_s=_LOWERING_M_S)
        for k in range(LINE_STEPS):
            to = down.moved(*map(float, (k + 1) * step))
            m.carry([to], ignoring={pad}, speed_m_s=_LOWERING_M_S)
            drawn.append(float(off_the_paper_m(world, pen, there) < CONTACT_M))
    except Stopped:
        pass
    m.wait(0.2)
    share = sum(drawn) / LINE_STEPS
    return lambda: share > HALF


def _pour(m: Manipulator, bottle: str, cup: str, beads: Collection[str]) -> Goal:
    there, full = item_now(m, cup), item_now(m, bottle)
    pose = pouring_pose(there, full)
    mouth = Pose((0.0, 0.0, full.size_m[2] / 2))
    at = (pose @ mouth).pos
    angle = float(quat_angle_rad(pose.quat, (1.0, 0.0, 0.0, 0.0)))
    top = top_at_m(m, cup, bottle)
    poses = []
    for tilt in np.linspace(0.0, angle, _POUR_STEPS):
        # Its mouth stays over the cup, and all of it above what is there.
        tilted = Pose(at, axis_angle((0.0, 1.0, 0.0), float(tilt))) @ mouth.inverse()
        low = heights_m(full.at(tilted))[0]
        poses.append(tilted.moved(dz=max(0.0, top + _POUR_OVER_M - low)))
    option = pick(m, bottle, ways_to(m, bottle, poses[0], cup, poses))
    grasp(m, bottle)
    carrying = bring(m, bottle, option)
    m.robot.hands_pass({*m.parts_of(bottle), cup})
    m.go_on(carrying, SPEED_M_S)
    m.wait(1.5)
    return lambda: bool(np.median(outside_m(m.robot.world, there, list(beads))) < 0.0)


def _take_out(m: Manipulator, thing: str, box: str, fingers: str) -> Goal:
    world = m.robot.world
    content = item_now(m, thing)
    before = content.world_from_object.pos[2]
    over = over_place(m, "", box)
    long = m.robot.layout.item(fingers).size_m[2]
    inside = on_or_over(item_now(m, box), m.robot.items())
    arms = range(len(m.robot.arms))
    options = [Option(arm, m.reaches(arm, None, over, inside), np.array(over)) for arm in arms]
    best = max(options, key=lambda option: option.rank(m))
    m.arm, found = best.arm, best.found
    if found.best is None:
        m.stretch(np.array(over))
        raise Stopped("out of reach", box)
    m.go_to(found, m.way_to(m.arm, found, inside))
    m.last_way(found, best.point)
    m.robot.hands_pass({*inside, fingers})
    # The fingers reach on below the hand, which stays where it is: its shape is rigid.
    tip = m.robot.tip(m.arm)
    world.hold(fingers)
    world.place_held(Pose(vec3(tip)).moved(dz=long / 2))
    m.robot.take(m.arm, fingers, YIELDING_S)
    touch = np.array(content.world_from_object.moved(dz=content.size_m[2] / 2 + TOUCH_M).pos)
    m.reach_on((touch - tip) * (1.0, 1.0, 0.0), _LOWERING_M_S)
    m.reach_on((touch - tip) * (0.0, 0.0, 1.0), _LOWERING_M_S)
    m.robot.let_go()
    world.place_held(_ASIDE)
    m.robot.take(m.arm, thing, YIELDING_S)
    rise = top_at_m(m, box, thing) + HOVER_M + content.size_m[2] / 2 - before
    # The fingers draw it up to the hand; the arm raises it from there, if it gets that high.
    drawn = min(rise, float(m.robot.tip(m.arm)[2]) - before)
    m.reach_on(np.array([0.0, 0.0, drawn]), _LOWERING_M_S)
    above = world.pose(thing).moved(dz=max(rise - drawn, _LIFTED_M))
    raised = m.plan(m.arm, m.robot.posture(m.arm), thing, [above], ignoring={box})
    if raised.share == 1.0:
        m.bring(raised)
    else:
        m.reach_on(np.array([0.0, 0.0, rise - drawn]), _LOWERING_M_S)
    m.wait(_SETTLE_S)
    return lambda: m.robot.holding and world.pose(thing).pos[2] - before > HALF * rise
