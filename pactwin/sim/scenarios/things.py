"""Target objects, from one pool for every cause, and faults of one of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.everyday import ball, can, tin
from pactwin.sim.objects.household import cube_puzzle
from pactwin.sim.objects.posing import UPSIDE_DOWN, resting_at, standing_at, top_m
from pactwin.sim.objects.standard_sizes import (
    BALLS_M,
    CAN_M,
    PUZZLES_M,
    SMALL_CAN_M,
    in_steps,
    pick,
)
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scenarios.common import Colors, any_turn
from pactwin.sim.scenarios.twins import Items, Pair, as_one, each
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import GAP_M, bounding_radius_m
from pactwin.suite import Constraint

_UPSIDE_DOWN = partial(resting_at, turn=UPSIDE_DOWN, state="inverted")

FLAT_TOPPED = {"block": 0.36, "cylinder": 0.28, "cube puzzle": 0.15, "tin": 0.12, "can": 0.09}
"""Kinds that stand firmly and can carry another object, with their shares.

Cans come in two sizes: more of them, and hands would hold a third of all things by one width.
"""

THINGS = (*FLAT_TOPPED, "ball")

# Balls and puzzles come small and large, too; tins (diameter, height) hold spices or biscuits.
_BALLS_M, _PUZZLES_M = (0.038, *BALLS_M, 0.075), (0.036, *PUZZLES_M[1:], 0.07)
_TINS_M = ((0.037, 0.08), (0.043, 0.085), (0.073, 0.11), (0.079, 0.06), (0.083, 0.07))
_LEAST_M, _LEAST_LONG_M, _LEAST_WIDE_M = 0.03, 0.045, 0.035
# Most balls and cans are so wide, and so are most things that fit into something: blocks and
# cylinders of these widths are drawn less often.
_MIDDLING_M = (0.042, 0.062)
LONG = "long block"
"""A kind that fits through most openings lengthwise only."""


def two_things(
    rng: np.random.Generator, colors: tuple[str, str], kind: str, *, tall: bool = False
) -> tuple[Item, Item]:
    """Two objects of a kind and size that one hand can hold, 30 to 80 mm across."""
    make = _maker(rng, kind, tall=tall)
    return make(colors[0]), make(colors[1])


def _maker(rng: np.random.Generator, kind: str, *, tall: bool = False) -> Callable[[str], Item]:
    material = str(rng.choice(["wood", "plastic"]))
    least = _LEAST_WIDE_M if kind == "cylinder" else _LEAST_M
    side, height = in_steps(rng, least, 0.08, 0.005), in_steps(rng, 0.045, 0.07, 0.005)
    if _MIDDLING_M[0] < side < _MIDDLING_M[1]:
        side = in_steps(rng, least, 0.08, 0.005)
    height += 0.035 if tall else 0.0
    match kind:
        case "block":  # a narrow one is long enough to be seen
            return lambda color: block(color, (side, max(side, _LEAST_LONG_M), height), material)
        case "cylinder":
            return lambda color: cylinder(color, side, height, material)
        case "cube puzzle":
            edge = pick(rng, _PUZZLES_M)
            return lambda color: cube_puzzle(color, edge)
        case "ball" | "small ball":
            wide = pick(rng, _BALLS_M if kind == "ball" else BALLS_M[:2])
            return lambda color: ball(color, wide)
        case "tin":
            tin_m = pick(rng, _TINS_M)
            return lambda color: tin(color, *tin_m)
        case "long block":
            wide, long = in_steps(rng, 0.025, 0.035, 0.005), in_steps(rng, 0.09, 0.11)
            return lambda color: block(color, (long, wide, wide), material)
    size = pick(rng, (SMALL_CAN_M, CAN_M, CAN_M))  # hands hold small ones more often
    return lambda color: can(color, *size)


def plain(
    rng: np.random.Generator, both: tuple[Item, Item], turns_rad: Sequence[float] = ()
) -> Pair:
    """Neither of two objects has a fault; they are turned anyhow, or as ``turns_rad`` says."""
    turns = turns_rad or [any_turn(rng) for _ in both]
    return either(both, both, Constraint.NONE, turns)


def either(
    bad: Sequence[Item],
    good: Sequence[Item],
    constraint: Constraint,
    turns_rad: Sequence[float],
    *,
    outwards: bool = False,
) -> Pair:
    """Each of two objects stands there as it is in ``bad`` (faulty) or in ``good``.

    With ``outwards`` the turns are those of objects on the left, mirrored on the right.
    """

    def put(k: int, violated: bool, x: float, y: float) -> Items:
        turn = turns_rad[k] * (np.sign(y) if outwards else 1.0)
        return (standing_at((bad if violated else good)[k], x, y, yaw_rad=turn),)

    room_m = max(map(bounding_radius_m, (*bad, *good))) if outwards else 0.0
    return each((good[0], good[1]), constraint, put, room_m=room_m)


def loaded(rng: np.random.Generator, colors: Colors, things: tuple[Item, Item]) -> Pair:
    """A load stands on an object, or so close beside it that some views look alike."""
    wide = min(things[0].size_m[:2])
    loads = colors.two(a_load(rng, wide))
    ways, turns = rng.uniform(-np.pi, np.pi, 2), rng.uniform(-np.pi, np.pi, 2)
    return on_or_beside(things, loads, Constraint.SUPPORTS_OTHER, (turns, ways, ways))


def on_or_beside(
    both: tuple[Item, Item],
    extras: tuple[Item, Item],
    constraint: Constraint,
    angles_rad: Sequence[Sequence[float] | np.ndarray],
    height_m: Callable[[Item], float] = top_m,
    *,
    standing: Callable[[int, float, float, float], Items] | None = None,
    put: Callable[[Item, Item], Items] | None = None,
    apart_m: float = 0.0,
) -> Pair:
    """An extra stands at ``height_m`` over the middle of each of ``both`` (faulty), or beside it.

    ``angles_rad`` are the yaw angles of both, the direction of extras beside them, and the yaw
    angles of the extras. ``standing`` puts the first or second object (0, 1) at x, y and a yaw,
    with everything attached; the last of these carries the extra. Or ``put`` fixes the extra to the
    object. Middles are ``apart_m``, or far enough for any yaw angles.
    """
    turns, ways, askew = angles_rad
    apart = apart_m or bounding_radius_m(both[0]) + bounding_radius_m(extras[0]) + GAP_M / 2

    def built(k: int, violated: bool, x: float, y: float) -> Items:
        stood: Items = (standing_at(both[k], x, y, yaw_rad=float(turns[k])),)
        if standing is not None:
            stood = standing(k, x, y, float(turns[k]))
        if violated and put is not None:
            return put(stood[0], extras[k])
        there, height = (
            ((x, y), height_m(stood[-1])) if violated else (off(x, y, apart, ways[k]), 0.0)
        )
        return *stood, standing_at(extras[k], *there, on_z=height, yaw_rad=float(askew[k]))

    return each(both, constraint, built, (extras[0].name,))


def off(x: float, y: float, by_m: float, way_rad: float) -> tuple[float, float]:
    """The place ``by_m`` from x, y towards ``way_rad``."""
    return x + by_m * float(np.cos(way_rad)), y + by_m * float(np.sin(way_rad))


def turned_over(
    both: tuple[Item, Item],
    constraint: Constraint,
    turns_rad: Sequence[float],
    over: Callable[..., Item] = _UPSIDE_DOWN,
) -> Pair:
    """Each of ``both`` stands upright, or (faulty) as ``over`` puts it: upside down by default."""

    def put(k: int, violated: bool, x: float, y: float) -> Items:
        return ((over if violated else standing_at)(both[k], x, y, yaw_rad=turns_rad[k]),)

    return each(both, constraint, put)


def stacked(
    rng: np.random.Generator, colors: Colors, things: tuple[Item, Item], *, load: bool
) -> Pair:
    """Stack the first on the second; a ``load`` stands on the first, or beside both."""
    upper, lower = things
    turns = any_turn(rng) + rng.uniform(-0.25, 0.25, 2)
    extra = a_load(rng, min(upper.size_m[:2]))(colors.next()) if load else None
    way = any_turn(rng)

    def stack(violated: bool, _: bool, x: float, y: float) -> Items:
        low = standing_at(lower, x, y, yaw_rad=float(turns[0]))
        high = standing_at(upper, x, y, on_z=top_m(low), yaw_rad=float(turns[1]))
        if extra is None:
            return low, high
        apart = bounding_radius_m(lower) + bounding_radius_m(extra) + GAP_M / 2
        there, on_z = ((x, y), top_m(high)) if violated else (off(x, y, apart, way), 0.0)
        return low, high, standing_at(extra, *there, on_z=on_z, yaw_rad=way)

    constraint = Constraint.NONE if extra is None else Constraint.SUPPORTS_OTHER
    decisive = () if extra is None else (extra.name,)
    return as_one(things, constraint, stack, decisive)


def a_load(
    rng: np.random.Generator, wide_m: float, *, blocks: bool = True
) -> Callable[[str], Item]:
    """A load for a support ``wide_m`` across, by its colour; no block if ``blocks`` is False."""
    match rng.integers(4 if blocks else 3):
        case 0:
            return lambda color: can(color, *SMALL_CAN_M)
        case 1:
            edge = pick(rng, PUZZLES_M[:2])
            return lambda color: cube_puzzle(color, edge)
        case 2:
            height = in_steps(rng, 0.03, 0.05)
            return lambda color: cylinder(color, wide_m - 0.005, height)
        case _:
            height = in_steps(rng, 0.025, 0.04, 0.005)
            return lambda color: block(color, (wide_m, wide_m, height))


# Hands get around what is turned outwards from before the robot in half of draws, around what is
# turned inwards in one of twenty.
_ALONG_RAD = tuple(np.deg2rad((-15.0, 55.0)).tolist())


def too_wide(
    rng: np.random.Generator, colors: Colors, robot: str, kind: str, *, thin: bool = False
) -> Pair:
    """One of two blocks or cylinders is wider than a hand's span, by a drawn factor.

    The other is narrower; or, if ``thin``, a block on its edge that is larger but no wider.
    """
    span = robot_named(robot).span_m
    wide, large = (round(span * float(s), 3) for s in rng.uniform((1.2, 1.4), (1.36, 1.8)))
    narrow = round(span * float(rng.uniform(0.45, 0.8)), 3)
    low = in_steps(rng, 0.045, 0.06, 0.005)
    names = colors.next(), colors.next()
    turns = [any_turn(rng) for _ in names]
    if thin:
        turns = [float(rng.uniform(*_ALONG_RAD)) for _ in names]

    def make(color: str, *, too_wide: bool) -> Item:
        width = wide if too_wide else narrow
        if thin and not too_wide:
            return block(color, (large, narrow, wide))
        return (
            cylinder(color, width, low) if kind == "cylinder" else block(color, (width, width, low))
        )

    bad, good = ([make(name, too_wide=w) for name in names] for w in (True, False))
    pair = either(bad, good, Constraint.NEEDS_TWO_HANDS, turns, outwards=thin)
    return replace(pair, things=(bad[0], bad[1]))
