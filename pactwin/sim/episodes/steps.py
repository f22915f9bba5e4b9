"""Steps that actions share: choose an arm, pick a thing, bring it over a place, lower it, leave.

An arm is chosen by how far it gets, how free its postures and ways are, and how near it is.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.episodes.manipulation import Manipulator, Stopped, grip_point
from pactwin.sim.episodes.motion import CLEAR_M
from pactwin.sim.episodes.simulation import YIELDING_S
from pactwin.sim.objects.posing import heights_m
from pactwin.sim.physics.trials.removal import (
    LIFTING_OR_DRAWING,
    UNDISTURBED,
    Path,
    carry_off,
)
from pactwin.sim.physics.trials.resting import flush_on
from pactwin.sim.preconditions.handling import grip_width_m, on_or_over
from pactwin.sim.preconditions.staying_on import offsets_on
from pactwin.sim.reach.search import Reach, reachers
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import (
    Pose,
    Vec3,
)

_OVER_M = 0.02
_CLEAR_OVER_M = 0.025
_CORRIDOR_M = 0.03
_FREE_M = 0.004
_LOWER_M = (0.0, 0.02, 0.04, 0.07, 0.1)
_NEAR_M = 0.03
_LOWERING_M_S = 0.12
_LIFT_M = 0.03
_SETTLE_S = 1.0


@dataclass(frozen=True)
class Way:
    """Where a thing goes: off by ``lift``, through ``poses`` to the place, then ``onwards``.

    ``over`` (m) is where the hand gets over the place. If it ``swings``, it gets to the last of the
    poses around everything.
    """

    place: str
    over: Vec3
    lift: tuple[Pose, ...]
    poses: tuple[Pose, ...]
    onwards: tuple[Pose, ...]
    swings: bool = False


@dataclass(frozen=True)
class Option:
    """What one arm could do: get to a thing, take it, and bring it a share of its way."""

    arm: int
    found: Reach
    point: np.ndarray
    then: Reach | None = None
    way: Way | None = None
    share: float = 1.0
    clear_m: float = np.inf

    @property
    def good(self) -> bool:
        """Whether no other needs to be looked at."""
        both = [reach.best for reach in (self.found, self.then) if reach is not None]
        near = [0.0 if best is None else best.clearance_m for best in both]
        return self.share == 1.0 and min(self.clear_m, *near, np.inf) >= _FREE_M

    @property
    def serves(self) -> bool:
        """Whether all of it can be done without touching anything."""
        both = [reach.best for reach in (self.found, self.then) if reach is not None]
        free = all(best is not None and best.clearance_m > 0.0 for best in both)
        return free and self.share == 1.0 and self.clear_m > 0.0

    def worth(self, m: Manipulator) -> tuple[int, float, float, float]:
        """The more it can do, the freer and the less it moves, the better."""
        both = [reach.best for reach in (self.found, self.then) if reach is not None]
        there = [best for best in both if best is not None]
        free = min((self.clear_m, *(best.clearance_m for best in there)))
        far = sum(
            float(np.abs(np.array(best.angles_rad) - m.robot.posture(self.arm)).sum())
            for best in there
        )
        reached = min((best.clearance_m for best in there), default=0.0) > 0
        return len(there) - len(both), self.share * reached, min(free, _FREE_M), -far


def pick(m: Manipulator, name: str, ways: Sequence[Way] = (), at: Vec3 | None = None) -> Option:
    """Choose an arm, and the first of the ways that it can go on; bring its hand to the thing."""
    carried = m.robot.world.carried_by(name)
    there = [item_now(m, name).world_from_object.pos, *(way.over for way in ways[:1])]
    options: list[Option] = []
    for arm in sorted(range(len(m.robot.arms)), key=lambda arm: m.far_m(arm, there)):
        options += _options(m, arm, name, ways, at, carried)
        if any(option.good for option in options):
            break
    ranked = sorted(options, key=lambda option: option.worth(m), reverse=True)
    best, way_there = ranked[0], m.way_to(ranked[0].arm, ranked[0].found, carried)
    for option in ranked[1:]:
        # The next best will do if there is no way to where the best begins.
        if way_there is None and option.serves:
            way_there = m.way_to(option.arm, option.found, carried)
            best = best if way_there is None else option
    m.arm = best.arm
    if best.found.best is None:
        m.stretch(np.array(item_now(m, name).world_from_object.pos))
        raise Stopped("out of reach", name)
    if best.way is not None and best.then is not None and best.then.best is None:
        m.stretch(np.array(best.way.over))
        raise Stopped("out of reach", best.way.place)
    # What rests on it is not in the hand's way: how that fares is the question.
    m.robot.hands_pass({*m.parts_of(name), *carried})
    m.go_to(best.found, way_there)
    m.last_way(best.found, best.point)
    if np.linalg.norm(m.robot.tip(m.arm) - best.point) > _NEAR_M:
        raise Stopped("blocked", name)
    return best


def _options(
    m: Manipulator,
    arm: int,
    name: str,
    ways: Sequence[Way],
    at: Vec3 | None,
    carried: Collection[str],
) -> Iterator[Option]:
    """What an arm could do; it ends with the first way that it can go to its end."""
    found = m.reaches(arm, name, at, carried)
    if found.best is None:
        yield Option(arm, found, np.zeros(3))
        return
    chain = reachers(m.name)[arm].chain
    (tip,), (pointing,) = chain.forward(np.array(found.best.angles_rad)[None])
    point = grip_point(item_now(m, name), tip, pointing) if at is None else np.array(at)
    if not ways:
        yield Option(arm, found, point)
        return
    start = m.taking(arm, found, point)[-1]
    around = {name, *at_place(m, ways[0].place, name)}
    then = m.reaches(arm, None, ways[0].over, around)
    if then.best is None:
        yield Option(arm, found, point, then, ways[0], 0.0)
        return
    ignored = around | set(carried)
    for way in ways:
        through = (*way.lift, *way.poses)
        went, stations, clear = m.plan(
            arm, start, name, through, onwards=way.onwards, ignoring=ignored, towards=then
        )
        share = len(went) / len(stations)
        yield Option(arm, found, point, then, way, share, clear)
        if share == 1.0 and clear >= _FREE_M:
            return
    yield from _swung(m, Option(arm, found, point, then, ways[0]), start, name, ignored)


def _swung(
    m: Manipulator, option: Option, start: np.ndarray, name: str, ignoring: Collection[str]
) -> Iterator[Option]:
    """The option of lifting a thing a little, and then taking it around everything."""
    if option.way is None:
        return
    *drawn, _ = option.way.lift
    lift = (*drawn, (drawn[-1] if drawn else m.robot.world.pose(name)).moved(dz=_LIFT_M))
    way = replace(option.way, lift=lift, swings=True)
    went, stations, clear = m.plan(option.arm, start, name, lift, ignoring=ignoring)
    if len(went) < len(stations):
        return
    swung = _swing(m, option.arm, went[-1], name, m.grip(option.arm, start, name), way, option)
    if swung is not None:
        yield replace(option, way=way, clear_m=min(clear, CLEAR_M))


def _swing(
    m: Manipulator,
    arm: int,
    start: np.ndarray,
    name: str,
    at: np.ndarray,
    way: Way,
    option: Option,
) -> np.ndarray | None:
    around = {name, *at_place(m, way.place, name)}
    return m.swing(
        arm,
        start,
        name,
        at,
        way.poses[-1],
        onwards=way.onwards,
        ignoring=around,
        towards=option.then,
    )


def grasp(m: Manipulator, name: str) -> None:
    """Close the hand; what is too wide or too heavy for it stays where it is."""
    robot = m.robot.robot
    mass = sum(m.robot.layout.item(part).mass_kg for part in m.parts_of(name))
    if grip_width_m(item_now(m, name)) > robot.span_m:
        m.draw_back({name})
        raise Stopped("too wide", name)
    if mass > robot.payload_kg:
        m.draw_back({name})
        raise Stopped("too heavy", name)
    m.robot.take(m.arm, name)


def bring(m: Manipulator, name: str, option: Option) -> None:
    """Lift what is held over all that is in between, and bring it to the end of its way."""
    if option.way is None:
        raise ValueError("there is no way to go")
    m.carry(option.way.lift)
    if option.way.swings:
        start = m.robot.posture(m.arm)
        swung = _swing(m, m.arm, start, name, m.grip(m.arm, start, name), option.way, option)
        if swung is not None:
            m.follow_swing(swung, option.way.poses[-1])
            return
    around = at_place(m, option.way.place, name)
    m.carry(option.way.poses, towards=option.then, ignoring=around)


def ways_to(
    m: Manipulator, name: str, to: Pose, place: str, onwards: Sequence[Pose] = ()
) -> list[Way]:
    """Off, over and down to ``to``: clear of all that is on the way, or as high as the arm gets."""
    drawn = taken_off(m, name)
    here = drawn[-1] if drawn else m.robot.world.pose(name)
    item = item_now(m, name).at(here)
    high = _clear_height_m(m, name, here, to) + _CLEAR_OVER_M
    there = heights_m(item.at(to))[0]
    found = []
    for lower in _LOWER_M:
        rise = max(0.02, high - lower - heights_m(item)[0])
        over = to.moved(dz=max(0.0, high - lower - there))
        lift = (*drawn, here.moved(dz=rise))
        found.append(Way(place, over_place(m, name, place), lift, (over, to), tuple(onwards)))
    return found


def taken_off(m: Manipulator, name: str) -> list[Pose]:
    """Where a thing is drawn before it is lifted: nowhere, unless something is on or over it.

    Then the robot imagines every way of taking it off, and goes the one that moves least.
    """
    world = m.robot.world
    if not _is_below(m, name):
        return []
    now, held = world.snapshot(), world.names[world.held]
    disturbed: dict[Path, float] = {}
    for path in LIFTING_OR_DRAWING.values():
        world.hold(name)
        disturbed[path] = carry_off(world, path, m.parts_of(name)).ratio
        world.restore(now)
        if disturbed[path] <= UNDISTURBED:
            break
    world.hold(held)
    *draws, _ = min(disturbed, key=lambda path: disturbed[path])
    poses = [world.pose(name)]
    for draw in draws:
        poses.append(poses[-1].moved(*draw))
    return poses[1:]


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
    """The height of the highest thing that what is held passes on its way, m."""
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


def lower(m: Manipulator, way_m: np.ndarray, name: str, place: str) -> str:
    """Lower what is held until it is there or meets something, and let go; what it met."""
    m.robot.yield_to(YIELDING_S)
    m.robot.hands_pass({*m.parts_of(name), *at_place(m, place, name)})
    met = ""
    try:
        to = m.robot.world.pose(name).moved(*map(float, way_m))
        m.carry([to], ignoring=at_place(m, place, name), speed_m_s=_LOWERING_M_S, gently=True)
    except Stopped as stopped:
        met = stopped.name or stopped.reason
    m.robot.let_go()
    m.wait(0.4)
    return met


def leave(m: Manipulator, name: str, place: str) -> None:
    """Draw the hand back from what it let go of at a place, and see what becomes of it."""
    m.draw_back({name, *at_place(m, place, name)})
    m.robot.hands_pass(())
    m.wait(_SETTLE_S)


def item_now(m: Manipulator, name: str) -> Item:
    """The item called ``name`` where it is now."""
    return next(item for item in m.robot.items() if item.name == name)


def at_place(m: Manipulator, place: str, held: str) -> set[str]:
    """The place, and what stands on, in or over it."""
    return {place, *on_or_over(item_now(m, place), m.robot.items())} - {held}


def top_at_m(m: Manipulator, place: str, held: str) -> float:
    """Height of the highest thing at a place, without what is held, m."""
    names = at_place(m, place, held) - m.parts_of(held)
    return max(heights_m(i)[1] for i in m.robot.items() if i.name in names and i.name[:4] != "bead")


def over_place(m: Manipulator, held: str, place: str) -> Vec3:
    """Where a hand gets over a place with what it holds, as the precondition has it."""
    item = item_now(m, place)
    half = item_now(m, held).size_m[2] / 2 if held else 0.0
    x, y, _ = item.world_from_object.pos
    return (x, y, heights_m(item)[1] + half + _OVER_M)


def free_place(m: Manipulator, thing: str, support: str) -> Pose | None:
    """The first place on a support where nothing else is; its middle if there is none."""
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
