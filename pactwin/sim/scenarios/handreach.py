"""Objects and places out of reach, or blocked by an obstacle."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal

import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.obstacles import cage, fence, screen, shelf
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import pick
from pactwin.sim.reach.search import reach
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scenarios.common import Colors, any_turn
from pactwin.sim.scenarios.things import plain
from pactwin.sim.scenarios.twins import Items, Pair, Site
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import Disc, RejectedLayout, bounding_radius_m, footprint, moved
from pactwin.suite import Constraint

# How far beyond the limit of reach a far thing stands, and how far within it a near one.
_BEYOND_M, _LEAST_BEYOND_M = (0.06, 0.12), 0.05
_WITHIN_M = (0.05, 0.13)
# Near things stand where arms have room to bend and cameras see them.
_NEAREST_X_M, _FARTHEST_X_M = 0.16, 0.38
# A hand lets go above a place.
_OVER_M = 0.03
# What is no higher is no obstacle: a hand comes over it.
_LOW_M = 0.045
# Where the shallowest table has just room for a thing.
_TABLE_END_M = 0.64
# Where reach is no cause, things are not so near that arms cannot bend, the less so the higher they
# are (m per m): of 974 searches half failed before this limit.
_TOO_NEAR_M, _HIGHER = 0.12, 0.3
# A place that is out of reach for every robot: the shortfall there tells the limit of reach.
_PROBE_X_M = 0.75


@lru_cache(maxsize=512)
def _limit_m(robot: str, y_cm: int, height_mm: int, arm: str = "") -> float:
    """Approximate limit of reach from the table's edge for an object of this height at y, m."""
    probe = standing_at(block("red", (0.05, 0.05, height_mm / 1000)), _PROBE_X_M, y_cm / 100)
    arms = (arm,) if arm else None
    return _PROBE_X_M - reach(robot, [probe], probe.name, starts=3, arms=arms).shortfall_m


def reach_limit_m(robot: str, thing: Item, y: float) -> float:
    """Approximate limit of reach from the table's edge for ``thing`` at ``y``, m."""
    return _limit_m(robot, round(y * 100), round(thing.size_m[2] * 100) * 10)


def one_arm_reaches(robot: str, things: Iterable[Item], spare_m: float) -> bool:
    """Return whether one arm reaches ``spare_m`` farther than all of ``things``, approximately."""
    places = [item.world_from_object.pos for item in things]
    return any(
        all(
            _TOO_NEAR_M + _HIGHER * z
            < x
            < _limit_m(robot, _in(4, 100 * y), _in(40, 2000 * z), arm.name) - spare_m
            for x, y, z in places
        )
        for arm in robot_named(robot).arms
    )


def _in(steps: int, value: float) -> int:
    """Rounded to a multiple of ``steps``; a height is one step at least."""
    return steps * max(1 if steps > 10 else -99, round(value / steps))


PlaceItem = Callable[..., Items]
"""Puts the first or second object (0, 1) at x, y and a yaw, with everything attached to it."""


def by_hands(
    rng: np.random.Generator,
    colors: Colors,
    robot: str,
    both: tuple[Item, Item],
    cause: str,
    standing: PlaceItem | None = None,
    *,
    over_m: float = 0.0,
    beside_m: float = 0.0,
    turns_rad: Sequence[float] = (),
) -> Pair:
    """Two objects, one of which is ``far`` or ``guarded`` if that is the cause; else neither is."""
    match cause.removeprefix("place_"):
        case "far":
            return far(rng, robot, both, standing)
        case "guarded":
            return guarded(rng, colors, robot, both, standing, over_m, beside_m)
    return plain(rng, both, turns_rad)


def far(
    rng: np.random.Generator,
    robot: str,
    things: tuple[Item, Item],
    standing: PlaceItem | None = None,
) -> Pair:
    """An object beyond the reach of every arm, or within it."""
    sides = rng.permutation([-1.0, 1.0])
    places = [
        (_far_place(rng, robot, thing, side), _near_place(rng, robot, thing, side))
        for thing, side in zip(things, sides, strict=True)
    ]
    turns = [any_turn(rng) for _ in things]
    put = standing or _by_itself(things)

    def site(k: int, violated: bool) -> Site:
        at = places[k][0 if violated else 1]
        covers = _room_for_a_hand(*at, bounding_radius_m(things[k]))
        return Site(covers, lambda x, y: put(k, x, y, turns[k]), at)

    return Pair(things, Constraint.OUT_OF_REACH, lambda a, b: [site(0, a), site(1, b)])


def _by_itself(things: tuple[Item, Item]) -> PlaceItem:
    return lambda k, x, y, turn: (standing_at(things[k], x, y, yaw_rad=turn),)


def _far_place(
    rng: np.random.Generator, robot: str, thing: Item, side: float
) -> tuple[float, float]:
    # Far ahead where the table is deep enough for that, else to the side.
    for between in ((0.10, 0.28), (0.28, 0.46)):
        y = side * float(rng.uniform(*between))
        limit = reach_limit_m(robot, thing, y)
        x = min(limit + float(rng.uniform(*_BEYOND_M)), _TABLE_END_M)
        if x >= limit + _LEAST_BEYOND_M:
            return x, y
    raise RejectedLayout("out of reach only beyond the table")


def _near_place(
    rng: np.random.Generator, robot: str, thing: Item, side: float
) -> tuple[float, float]:
    y = side * float(rng.uniform(0.10, 0.24))
    limit = reach_limit_m(robot, thing, y) - float(rng.uniform(*_WITHIN_M))
    return float(rng.uniform(_NEAREST_X_M, max(_NEAREST_X_M, min(_FARTHEST_X_M, limit)))), y


def _room_for_a_hand(x: float, y: float, radius_m: float) -> tuple[Disc, ...]:
    """Space around a thing for fingers, and for the forearm on its way to it."""
    return (0.0, 0.0, radius_m + 0.03), (-radius_m - 0.05, 0.1 * y, 0.04)


def over_m(held: Item | None = None) -> float:
    """Height (m) above a place that a hand holding the object needs."""
    return _OVER_M + (0.0 if held is None else held.size_m[2])


def guarded(
    rng: np.random.Generator,
    colors: Colors,
    robot: str,
    things: tuple[Item, Item],
    standing: PlaceItem | None = None,
    over_m: float = 0.0,
    beside_m: float = 0.0,
) -> Pair:
    """Block hands from one of two objects by an obstacle in front of it, over it or around it.

    Hands that bring an object need ``over_m`` of room above the things and ``beside_m`` beside
    them; the obstacle encloses that room.

    If the first object has no fault, the obstacle is at the other, or is harmless at the first: it
    stands behind it, is low, or is open towards the robot.
    """
    guards = guards_against(robot)
    if over_m:
        guards = tuple(kind for kind in guards if kind in _guards_of_places(beside_m))
    if not guards:
        raise RejectedLayout("no obstacle keeps the robot's hands away")
    kind = guards[rng.integers(len(guards))]
    wide = 2 * (beside_m + max(bounding_radius_m(thing) for thing in things))
    high = max(thing.size_m[2] for thing in things) + over_m
    if not over_m and kind in ("shelf", "closed shelf") and high > 0.08:
        kind = "screen"
    color = colors.next()
    sides = rng.permutation([-1.0, 1.0])
    places = [
        _near_place(rng, robot, thing, side) for thing, side in zip(things, sides, strict=True)
    ]
    turns = [any_turn(rng) for _ in things]
    seed = int(rng.integers(2**62))
    put = standing or _by_itself(things)
    benign = _HARMLESS[kind] if kind in _HARMLESS and rng.random() < 0.5 else ()
    like = benign[rng.integers(len(benign))] if benign else None

    def guard(at: tuple[float, float], *, harms: bool = True) -> Item:
        make = _GUARDS[kind] if harms or like is None else like
        return make(np.random.default_rng(seed), color, (wide, high), at)

    def sites(first: bool, second: bool) -> list[Site]:
        guarding = 0 if first or like else 1
        found = []
        for k, thing in enumerate(things):
            radius = bounding_radius_m(thing)
            covers = _room_for_a_hand(*places[k], radius)
            obstacle = guard(places[k], harms=first) if k == guarding else None
            if obstacle is not None:
                covers += moved(footprint([obstacle]), (-places[k][0], -places[k][1]))

            def build(x: float, y: float, k: int = k, with_: Item | None = obstacle) -> Items:
                stood = put(k, x, y, turns[k])
                return stood if with_ is None else (*stood, with_)

            found.append(Site(covers, build, places[k]))
        return found

    named = guard(places[0]).name
    form: Literal["exchange", "change"] = "change" if like else "exchange"
    return Pair(things, Constraint.PATH_BLOCKED, sites, (named,), form)


def _guards_of_places(beside_m: float) -> tuple[str, ...]:
    """Obstacles for places: around a place beside which hands need room, only a cage stands.

    No board on legs: nobody sees how much room above a place a hand needs with what it brings.
    """
    return ("cage",) if beside_m else ("cage", "fence", "screen")


_Room = tuple[float, float]  # how wide and how high what is guarded is, m
_Build = Callable[[np.random.Generator, str, _Room], Item]
_Guard = Callable[[np.random.Generator, str, _Room, tuple[float, float]], Item]


def _stands(build: _Build, side: float = 0.0, turn_rad: float = 0.0) -> _Guard:
    """An obstacle over a place, or on one ``side`` of it: before (-1.0) or behind it (1.0)."""

    def guard(
        rng: np.random.Generator, color: str, room: _Room, place: tuple[float, float]
    ) -> Item:
        obstacle = build(rng, color, room)
        apart = side * (room[0] / 2 + float(rng.uniform(0.03, 0.04))) if side else 0.0
        turn = turn_rad + float(rng.uniform(-0.15, 0.15))
        return standing_at(obstacle, place[0] + apart, place[1], yaw_rad=turn)

    return guard


def _cage(_: np.random.Generator, color: str, room: _Room) -> Item:
    width = round(room[0] + 0.05, 2)
    return cage(color, (width, width, room[1] + 0.03))


def _open_cage(_: np.random.Generator, color: str, room: _Room) -> Item:
    width = round(room[0] + 0.05, 2)
    return cage(color, (width, width, _LOW_M), open_near=True)


def _shelf(rng: np.random.Generator, color: str, room: _Room) -> Item:
    depth, width = (max(pick(rng, (0.15, 0.17)), room[0] + 0.05) for _ in "xy")
    return shelf(color, (depth, width), room[1] + 0.011)


def _closed_shelf(rng: np.random.Generator, color: str, room: _Room) -> Item:
    depth, width = (max(pick(rng, (0.16, 0.19)), room[0] + 0.06) for _ in "xy")
    return shelf(color, (depth, width), room[1] + 0.08, closed_near=True)


def _board(build: Callable[[str, float, float], Item], height_m: float = 0.0) -> _Build:
    return lambda rng, color, _: build(color, 0.30, height_m or pick(rng, (0.26, 0.30)))


_BOARDS = {"screen": screen, "fence": fence}
_GUARDS: dict[str, _Guard] = {
    "cage": _stands(_cage),
    "shelf": _stands(_shelf),
    "closed shelf": _stands(_closed_shelf),
    **{kind: _stands(_board(build), -1.0) for kind, build in _BOARDS.items()},
}
# The like that does no harm: behind a thing, too low, or open towards the robot.
_HARMLESS: dict[str, tuple[_Guard, ...]] = {
    "cage": (_stands(_open_cage),),
    "closed shelf": (_stands(_closed_shelf, turn_rad=np.pi),),
    **{
        kind: (_stands(_board(build), 1.0), _stands(_board(build, _LOW_M), -1.0))
        for kind, build in _BOARDS.items()
    },
}


@lru_cache
def guards_against(robot: str) -> tuple[str, ...]:
    """Obstacles that block this robot's hand, each tried in four places."""
    found = []
    for kind, guard in _GUARDS.items():
        rng = np.random.default_rng(0)
        thing = block("red", (0.055, 0.055, 0.05))
        room = 2 * bounding_radius_m(thing), thing.size_m[2]
        for x, y in product((0.22, 0.30), (-0.16, 0.16)):
            items = [standing_at(thing, x, y), guard(rng, "blue", room, (x, y))]
            if reach(robot, items, thing.name, comfort_m=0.0, reserve=False).found:
                break
        else:
            found.append(kind)
    return tuple(found)
