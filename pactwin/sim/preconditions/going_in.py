"""Put A into B and release it: it fits, the opening faces up and is free, and A stays inside.

A compliant hand lowers A from above, or along B's axis if B does not point up, in every orientation
that aligns A's faces or axis with the opening, and then releases it. A is inside if it comes to
rest deeper than 0.8 of the distance from rim to floor, and outside if less deep than 0.4. Only B
and its contents may move. If A does not end inside, the trial is repeated with possible causes
removed one after the other: other items in or over B, obstacles on the way, and B's orientation.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from pactwin.sim.objects.posing import heights_m
from pactwin.sim.physics.outcome import TrialOutcome, distance, measured
from pactwin.sim.physics.trials.putting import GRIP_TIME_S, HOVER_M, move_to, release_and_settle
from pactwin.sim.physics.trials.raycasting import Cavity, cavity_of
from pactwin.sim.physics.trials.removal import UNDISTURBED, disturbance_since, everything_but
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.preconditions.surroundings import on_or_over
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import (
    Pose,
    Quat,
    axis_angle,
    quat_angle_rad,
    quat_multiply,
    quat_of,
    vec3,
    yaw,
)
from pactwin.suite import Constraint, Measurement

CLEARANCE_UNIT_M = 0.008
"""Clearance per unit of margin: verdicts flip between -3 and +1.5 mm."""

_IN, _LIMIT, _OUT, _FAR_OUT = 0.8, 0.6, 0.4, 0.2
# The hand lets go this far above the vessel's floor.
_ABOVE_FLOOR_M = 0.004
# What dips deeper than this (of the vessel's height) occupies it, what does not covers it.
_OCCUPIES = 0.2
_UP = 0.95
_MOVES_M_S = 0.1
# What goes in freely overlaps others by 0.05 mm at most, what is kept out by 1.5 mm. A light thing
# under a heavy one is pressed farther into a floor, by chance: that is no way in.
_FORCED_M = 0.002
_TIPPED_RAD = np.deg2rad(10.0)

WAY_THERE = "the_way_there_is_free"
"""Precondition that fails if an object elsewhere blocks the path to the place."""

_CHECKS = {
    "it_fits": Constraint.DOES_NOT_FIT,
    "the_opening_is_up": Constraint.OPENING_DOWN,
    "nothing_covers_it": Constraint.COVERED,
    "there_is_room_in_it": Constraint.OCCUPIED,
    "it_stays_in_it": Constraint.UNSTABLE_SUPPORT,
    WAY_THERE: Constraint.PATH_BLOCKED,
}


@dataclass(frozen=True)
class Turned:
    """An orientation of an object: its turn, its extents x, y, z then, and whether it is then
    round."""

    turn: Quat
    extents_m: tuple[float, float, float]
    round: bool


def orientations(thing: Item) -> list[Turned]:
    """Orientations to try: six of a cuboid, two of a cylinder, one of balls and long thin items."""
    x, y, z = thing.size_m
    whole = (1.0, 0.0, 0.0, 0.0)
    shapes = {part.shape for part in thing.parts if part.collides}
    if shapes == {"sphere"}:
        return [Turned(whole, (x, y, z), True)]
    if shapes != {"box"}:
        upright = Turned(whole, (x, y, z), True)
        if z > 2 * max(x, y):
            return [upright]
        flat = axis_angle((1.0, 0.0, 0.0), np.pi / 2)
        return [upright, Turned(flat, (x, z, y), False)]
    ways = []
    for axes in permutations(range(3)):  # which of the thing's axes point along x, y, z
        turn = np.zeros((3, 3))
        turn[range(3), axes] = 1.0
        turn[2] *= np.linalg.det(turn)  # a rotation, not a mirror image
        sizes = tuple(thing.size_m[axis] for axis in axes)
        ways.append(Turned(quat_of(turn), (sizes[0], sizes[1], sizes[2]), False))
    return ways


def goes_in(situation: SettledScene, thing: str, vessel: str) -> Outcomes:
    """Does the object get into the vessel and stay there? If not, what prevents it?"""
    situation = situation.in_hand(thing, vessel)
    whole = _best(situation, thing, vessel)
    depths = whole.measurements()
    if whole.undecided:
        return {"it_stays_in_it": TrialOutcome.undecided(whole.undecided)}
    margin = (whole.kept - _LIMIT) / (1.0 - _LIMIT)
    if whole.kept > _IN:
        free = TrialOutcome(True, Constraint.NONE, depths, round(margin, 4))
        stays = replace(free, distance=whole.deep)  # how far from being covered is not measured
        found = dict.fromkeys(_CHECKS, free) | {"it_stays_in_it": stays}
        fits = min(margin, whole.clearance_m / CLEARANCE_UNIT_M)
        found["it_fits"] = replace(stays, margin=round(fits, 4), distance=whole.clear)
        return found
    if whole.kept > _OUT:
        return {"it_stays_in_it": TrialOutcome.undecided("half way in")}
    causes = _causes(situation, thing, vessel, whole)
    if causes is None:
        return {"it_stays_in_it": TrialOutcome.undecided("half way in, taken by itself")}
    found = {}
    for name, constraint in _CHECKS.items():
        if constraint not in causes:
            found[name] = TrialOutcome(True, Constraint.NONE, {}, 1.0)
            continue
        far, left = margin, whole.deep
        if name == "it_fits":
            far, left = whole.clearance_m / CLEARANCE_UNIT_M, whole.clear
        far = round(min(far, -0.0), 4)
        found[name] = TrialOutcome(False, constraint, depths, far, distance=left)
    return found


def _causes(
    situation: SettledScene, thing: str, vessel: str, whole: "_Try"
) -> set[Constraint] | None:
    """Causes that each keep the object out; None if they cannot be determined."""
    there = situation.item(vessel)
    others = on_or_over(there, situation.items) - {thing}
    guards = whole.stopped_by - others
    # Pressed hard, an object slips off what keeps it out, and nothing stops the hand.
    causes = _met(situation, there, frozenset((whole.stopped_by or others) & others))
    if guards:
        causes.add(Constraint.PATH_BLOCKED)
    others |= guards
    alone = _best(situation.without(others), thing, vessel) if others else whole
    if alone.undecided or _OUT <= alone.kept <= _IN:
        return None
    if alone.kept > _IN:
        return causes or None
    x, y, z = there.world_from_object.pos
    upright = there.at(Pose((x, y, z), yaw(0.0)))
    upright = upright.at(upright.world_from_object.moved(dz=-heights_m(upright)[0]))
    righted = alone
    if alone.up <= _UP:
        righted = _best(situation.without(others, upright), thing, vessel)
    if righted.undecided or _OUT <= righted.kept <= _IN:
        return None
    if righted.kept < _OUT:
        causes.add(
            Constraint.UNSTABLE_SUPPORT if righted.entered > _IN else Constraint.DOES_NOT_FIT
        )
    if righted is not alone:
        down = alone.up < -0.5
        causes.add(Constraint.OPENING_DOWN if down else Constraint.UNSTABLE_SUPPORT)
    return causes


def _met(situation: SettledScene, vessel: Item, names: frozenset[str]) -> set[Constraint]:
    """Obstacles inside the vessel occupy it; those on its rim or above cover it."""
    here = vessel.world_from_object.inverse()
    inside = set()
    for name in names:
        item = situation.item(name)
        low, _ = heights_m(item.at(here @ item.world_from_object))
        deep = vessel.size_m[2] / 2 - low > _OCCUPIES * vessel.size_m[2]
        inside.add(Constraint.OCCUPIED if deep else Constraint.COVERED)
    return inside


@dataclass(frozen=True)
class _Try:
    """Insertion depths, reached and final (of the depth), and the items that stopped the object."""

    entered: float
    kept: float
    clearance_m: float
    up: float
    stopped_by: frozenset[str] = frozenset()
    undecided: str = ""
    depth_m: float = 0.0

    @property
    def reached(self) -> tuple[float, float]:
        """Key to compare tries: final depth, then reached depth."""
        return self.kept, self.entered

    @property
    def deep(self) -> Measurement:
        """How much deeper than the limit it is, m."""
        return distance((self.kept - _LIMIT) * self.depth_m, "m")

    @property
    def clear(self) -> Measurement:
        """How much wider than the thing the opening is, m."""
        return distance(self.clearance_m, "m")

    def measurements(self) -> dict[str, Measurement]:
        return {
            "kept_depth": measured(self.kept, "of the depth", _LIMIT, decimals=3),
            "entered_depth": measured(self.entered, "of the depth", decimals=3),
            "clearance": measured(self.clearance_m, "m", 0.0),
            "opening_upwards": measured(self.up, "of 1", decimals=3),
        }


def _best(situation: SettledScene, thing_name: str, vessel_name: str) -> _Try:
    """The best result over all paths and orientations, naming all that stopped the object."""
    thing, vessel = situation.item(thing_name), situation.item(vessel_name)
    world = situation.world(thing_name, GRIP_TIME_S)
    hollow = cavity_of(world, vessel_name, vessel.size_m[2])
    on_top = on_or_over(vessel, situation.items)
    # Pressed hard, what lies on a vessel falls off with it: that is no way in, if there are others.
    covers = on_top - {thing_name}
    top = max(
        heights_m(item)[1]
        for item in situation.items
        if item.name in {vessel_name, *on_top} - {thing_name}
    )
    turns = sorted(orientations(thing), key=lambda t: -hollow.clearance_m(t.extents_m[:2], t.round))
    clearance = hollow.clearance_m(turns[0].extents_m[:2], turns[0].round)
    ways = {(t.turn, k): way for t in turns for k, way in enumerate(ways_in(hollow, t, top))}
    up = float(hollow.axis[2])
    what = "go in", thing_name, vessel_name, up > _UP
    about = may_move_with(situation, thing_name, vessel)
    tries: dict[tuple[Quat, int], _Try] = {}
    for way in situation.candidates(what, ways):
        start, path = ways[way]
        world = situation.world(thing_name, GRIP_TIME_S)
        tries[way] = attempt(world, hollow, thing, start, path, about)
        if tries[way].kept > _IN and not (covers and tries[way].undecided):
            break
    nearest = max(tries, key=lambda w: (not covers or not tries[w].undecided, *tries[w].reached))
    if on_top <= {thing_name}:  # else all that is met is to be named each time
        plainly = [way for way, t in tries.items() if max(t.entered, t.kept) < _FAR_OUT]
        situation.record_failures(what, plainly, nearest)
    best, found = tries[nearest], tries.values()
    stopped = frozenset[str]().union(*(t.stopped_by for t in found)) - {vessel_name, "table"}
    entered = max(t.entered for t in found)
    return _Try(entered, best.kept, clearance, up, stopped, best.undecided, hollow.depth_m)


def facing(hollow: Cavity, turned: Turned) -> Quat:
    """Orientation of the object over an opening that points up, along its sides."""
    way = float(np.arctan2(*hollow.pose.matrix()[1::-1, 0]))
    return quat_multiply(yaw(way), _in_opening(hollow, turned))


def _in_opening(hollow: Cavity, turned: Turned) -> Quat:
    """The thing's turn in the opening's frame: its longer side goes along the longer one there."""
    x, y, _ = turned.extents_m
    if not hollow.round and (x > y) != (hollow.half_m[0] > hollow.half_m[1]):
        return quat_multiply(yaw(np.pi / 2), turned.turn)
    return turned.turn


def ways_in(hollow: Cavity, turned: Turned, top_m: float) -> Iterator[tuple[Pose, np.ndarray]]:
    """Paths into the vessel, with their lengths: from above, and through the opening."""
    half = turned.extents_m[2] / 2
    x, y, z = hollow.pose.pos
    floor = z - hollow.height_m / 2 + (hollow.height_m - hollow.depth_m) + _ABOVE_FLOOR_M
    above = Pose((x, y, top_m + HOVER_M + half), facing(hollow, turned))
    yield above, np.array((0.0, 0.0, floor - top_m - HOVER_M))
    if hollow.axis[2] < _UP:
        start = np.array(hollow.pose.pos) + hollow.axis * (hollow.height_m / 2 + HOVER_M + half)
        way = -hollow.axis * (HOVER_M + hollow.depth_m - _ABOVE_FLOOR_M)
        yield Pose(vec3(start), quat_multiply(hollow.pose.quat, _in_opening(hollow, turned))), way


def may_move_with(situation: SettledScene, thing: str, vessel: Item) -> set[str]:
    """Names of what may move: the thing, the vessel, what is fixed to them and what is in it."""
    named = {thing, vessel.name}
    fixed = {item.name for item in situation.items if item.attached_to in named}
    inside = on_or_over(vessel, situation.items) - named
    lying = (n for n in inside if _met(situation, vessel, frozenset((n,))) == {Constraint.OCCUPIED})
    return named | fixed | set(lying)


def attempt(
    world: World,
    hollow: Cavity,
    thing: Item,
    start: Pose,
    way_m: np.ndarray,
    about: Collection[str] = (),
) -> _Try:
    """Try one path; if its start is not free, the items there stop the object.

    Undecided if it goes in but moves an item outside ``about``, if ``about`` is not empty.
    """
    others = everything_but(world, about) & bool(about)
    before = world.poses()
    stopped_by = move_to(world, start, way_m)
    if stopped_by is None:
        return _Try(0.0, 0.0, 0.0, 0.0, world.touching(thing.name))
    forced = world.deepest_contact_m() > _FORCED_M
    entered = 0.0 if forced else _depth_of(hollow, thing, world)
    if entered < _OUT:
        return _Try(entered, entered, 0.0, 0.0, stopped_by)
    # A pen that leans in a corner chatters a little, a ball in a bowl rolls on for a while.
    moves = release_and_settle(world) > _MOVES_M_S
    kept = _depth_of(hollow, thing, world)
    undecided = "the thing still moves" if moves and kept > _OUT else ""
    tipped = quat_angle_rad(hollow.pose_in(world).quat, hollow.pose.quat) > _TIPPED_RAD
    if kept > _OUT and tipped:
        undecided = "the vessel tips over"
    elif kept > _OUT and disturbance_since(world, before, others).ratio > UNDISTURBED:
        undecided = "something else moves"
    return _Try(entered, kept, 0.0, 0.0, stopped_by, undecided)


def _depth_of(hollow: Cavity, thing: Item, world: World) -> float:
    """How far the thing's innermost point is from the rim now, of the depth; 0 outside."""
    here = hollow.pose_in(world).inverse() @ world.pose(thing.name)
    lowest, _ = heights_m(thing.at(here))
    beside = np.abs(here.pos[:2]) > hollow.half_m
    if beside.any() or lowest < -hollow.height_m / 2:
        return 0.0
    return float(np.clip((hollow.height_m / 2 - lowest) / hollow.depth_m, 0.0, 1.0))
