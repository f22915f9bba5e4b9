"""Steps that actions share: bring an object over a place, lower it, leave."""

from collections.abc import Sequence

import numpy as np

from pactwin.sim.episodes.choosing import Option, Way
from pactwin.sim.episodes.manipulation import Carrying, Manipulator, Stopped
from pactwin.sim.episodes.simulation import YIELDING_S
from pactwin.sim.objects.posing import heights_m
from pactwin.sim.physics.trials.removal import (
    LIFTING,
    LIFTING_OR_DRAWING,
    UNDISTURBED,
    Path,
    carry_off,
)
from pactwin.sim.physics.trials.resting import flush_on
from pactwin.sim.preconditions.handling import grip_width_m
from pactwin.sim.preconditions.letting_go import letting_go_m
from pactwin.sim.preconditions.staying_on import offsets_on
from pactwin.sim.preconditions.surroundings import on_or_over
from pactwin.sim.reach.grips import width_m
from pactwin.sim.reach.starts import reachers
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Vec3, vec3

_CLEAR_OVER_M = 0.025
_CORRIDOR_M = 0.03
_LOWER_M = (0.0, 0.02, 0.04, 0.07, 0.1)
_AS_PLANNED_M = 0.002
_LOWERING_M_S = 0.12
# What lies below the end of something need not be drawn as far as the trials do.
_SHORT_M = 0.08
_SHORT_DRAWS: list[Path] = [
    (vec3(_SHORT_M * np.sign(path[0])), *path[1:])
    for path in LIFTING_OR_DRAWING.values()
    if len(path) > 1
]
_SETTLE_S = 1.0


def grasp(m: Manipulator, name: str) -> None:
    """Close the hand; an object too wide or too heavy for this grasp stays where it is."""
    robot = m.robot.robot
    mass = sum(m.robot.layout.item(part).mass_kg for part in m.parts_of(name))
    there = item_now(m, name)
    (closing,) = reachers(m.name)[m.arm].chain.closings(m.robot.posture(m.arm)[None])
    wrong = {
        "too wide": grip_width_m(there) > robot.span_m,
        "fingers turned wrong": width_m(item_points(there)[0], closing) > robot.span_m,
        "too heavy": mass > robot.payload_kg,
    }
    for what, is_so in wrong.items():
        if is_so:
            m.draw_back({name})
            raise Stopped(what, name)
    m.robot.take(m.arm, name)


def bring(m: Manipulator, name: str, option: Option) -> Carrying:
    """Bring the held object to its goal as planned; returns the plan for the next step."""
    if option.way is None or option.carrying is None:
        raise ValueError("there is no way to go")
    carrying, way = option.carrying, option.way
    if np.linalg.norm(m.robot.tip(m.arm) - option.point) > _AS_PLANNED_M:
        carrying = m.plan(
            m.arm,
            m.robot.posture(m.arm),
            name,
            (*way.drawn, way.lifted, *way.poses),
            onwards=way.onwards,
            ignoring={way.place},
            towards=option.then,
        )
    m.bring(carrying)
    return carrying


def ways_to(
    m: Manipulator,
    name: str,
    to: Pose,
    place: str,
    onwards: Sequence[Pose] = (),
    *,
    into: bool = False,
) -> list[Way]:
    """Paths off, over and down to ``to``: above all obstacles, or as high as the arm gets."""
    found = []
    item = item_now(m, name)
    for drawn in draws(m, name):
        here = drawn[-1] if drawn else m.robot.world.pose(name)
        high = _clear_height_m(m, name, here, to) + _CLEAR_OVER_M
        there = heights_m(item.at(to))[0]
        for lower in _LOWER_M:
            rise = max(0.02, high - lower - heights_m(item.at(here))[0])
            over = to.moved(dz=max(0.0, high - lower - there))
            lifted = here.moved(dz=rise)
            at = over_place(m, name, place, into=into)
            found.append(Way(drawn, lifted, (over, to), tuple(onwards), place, at))
    return found


def ways_up(m: Manipulator, name: str, heights: Sequence[float]) -> list[Way]:
    """Paths off and up to one of the heights, m."""
    return [
        Way(drawn, (drawn[-1] if drawn else m.robot.world.pose(name)).moved(dz=height))
        for drawn in draws(m, name)
        for height in heights
    ]


def draws(m: Manipulator, name: str) -> list[tuple[Pose, ...]]:
    """Direction in which to draw an object out before lifting, if something is on or over it.

    If so, the removal is simulated in each direction. The result is the direction without any
    disturbance, or else the one with the smallest.
    """
    world = m.robot.world
    if not _is_below(m, name):
        return [()]
    now, held = world.snapshot(), world.names[world.held]
    disturbed: dict[Path, float] = {}
    for path in (*LIFTING_OR_DRAWING.values(), *_SHORT_DRAWS):
        world.hold(name)
        disturbed[path] = carry_off(world, path, m.parts_of(name)).ratio
        world.restore(now)
        if path in LIFTING.values() and disturbed[path] <= UNDISTURBED:
            break
    world.hold(held)
    least = max(UNDISTURBED, min(disturbed.values()))
    found = []
    for path in (path for path, moved in disturbed.items() if moved <= least):
        poses = [world.pose(name)]
        for draw in path[:-1]:
            poses.append(poses[-1].moved(*draw))
        found.append(tuple(poses[1:]))
    return found


def _is_below(m: Manipulator, name: str) -> bool:
    """Whether something reaches over a thing, seen from above in a box around each."""
    mine = item_points(item_now(m, name))[0]
    for item in m.robot.items():
        points = item_points(item)[0]
        apart = np.maximum(points.min(axis=0) - mine.max(axis=0), mine.min(axis=0) - points.max(0))
        above = points[:, 2].max() > mine[:, 2].max()
        if item.name not in m.parts_of(name) and above and (apart[:2] < 0.0).all():
            return True
    return False


def _clear_height_m(m: Manipulator, name: str, here: Pose, to: Pose) -> float:
    """Height of the highest object that the held one passes on its path, m."""
    start, end = np.array(here.pos[:2]), np.array(to.pos[:2])
    way = end - start
    radius = float(np.linalg.norm(m.robot.layout.item(name).size_m)) / 2 + _CORRIDOR_M
    top = 0.0
    for item in m.robot.items():
        if item.name in m.parts_of(name) or item.name.startswith("bead"):
            continue
        at = np.array(item.world_from_object.pos[:2])
        share = float(np.clip((at - start) @ way / max(way @ way, 1e-9), 0.0, 1.0))
        wide = float(np.hypot(*item.size_m[:2])) / 2
        if np.linalg.norm(start + share * way - at) < radius + wide:
            top = max(top, heights_m(item)[1])
    return top


def lower(m: Manipulator, carrying: Carrying, name: str, place: str) -> str:
    """Lower the held object until it touches something, and release it; returns what it touched."""
    m.robot.yield_to(YIELDING_S)
    m.robot.hands_pass({*m.parts_of(name), place})
    met = ""
    try:
        m.go_on(carrying, _LOWERING_M_S, gently=True)
    except Stopped as stopped:
        met = stopped.name or stopped.reason
    m.robot.let_go()
    m.wait(0.4)
    return met


def leave(m: Manipulator, name: str, place: str) -> None:
    """Retract the hand from the released object, and wait until everything is at rest."""
    m.draw_back({name, place})
    m.robot.hands_pass(())
    m.wait(_SETTLE_S)


def item_now(m: Manipulator, name: str) -> Item:
    """The item called ``name`` at its current pose."""
    return next(item for item in m.robot.items() if item.name == name)


def at_place(m: Manipulator, place: str, held: str) -> set[str]:
    """The place, and the items on, in or over it."""
    return {place, *on_or_over(item_now(m, place), m.robot.items())} - {held}


def top_at_m(m: Manipulator, place: str, held: str) -> float:
    """Height of the highest object at a place, excluding the held one, m."""
    names = at_place(m, place, held) - m.parts_of(held)
    return max(heights_m(i)[1] for i in m.robot.items() if i.name in names and i.name[:4] != "bead")


def over_place(m: Manipulator, held: str, place: str, *, into: bool = False) -> Vec3:
    """Goal of the hand over a place with the held object, as the precondition defines it."""
    half = item_now(m, held).size_m[2] / 2 if held else 0.0
    return letting_go_m(item_now(m, place), half, into=into)


def free_place(m: Manipulator, thing: str, support: str) -> Pose | None:
    """The first free place on a support; its centre if there is none."""
    world = m.robot.world
    item, there = item_now(m, thing), item_now(m, support)
    first = None
    now = world.snapshot()
    for off in offsets_on(item, there):
        place = flush_on(world, item, there, off)
        if place is None or not np.isfinite(place.pos).all():  # it was tipped over
            continue
        first = first or place
        world.hold(thing)
        world.place_held(place)
        free = world.deepest_contact_m(thing) < 0.001
        world.restore(now)
        if free:
            return place
    return first
