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
from pactwin.sim.scenarios.twins import Items, Pair, Site
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import GAP_M, Disc, bounding_radius_m
from pactwin.suite import Constraint

_UPSIDE_DOWN = partial(resting_at, turn=UPSIDE_DOWN, state="inverted")

FLAT_TOPPED = ("block", "cylinder", "cube puzzle", "can", "tin")
"""Kinds that stand firmly and can carry another object."""

THINGS = (*FLAT_TOPPED, "ball")

# Balls and puzzles come small and large, too; tins (diameter, height) hold spices or biscuits.
_BALLS_M, _PUZZLES_M = (0.038, *BALLS_M, 0.075), (0.036, *PUZZLES_M[1:], 0.07)
_TINS_M = ((0.037, 0.08), (0.043, 0.085), (0.079, 0.06), (0.083, 0.07))
_LEAST_M, _LEAST_LONG_M, _LEAST_WIDE_M = 0.025, 0.045, 0.035
LONG = "long block"
"""A kind that fits through most openings lengthwise only."""


def two_things(
    rng: np.random.Generator, colors: tuple[str, str], kind: str, *, tall: bool = False
) -> tuple[Item, Item]:
    """Two objects of a kind and size that one hand can hold, 25 to 80 mm across."""
    make = _maker(rng, kind, tall=tall)
    return make(colors[0]), make(colors[1])


def _maker(rng: np.random.Generator, kind: str, *, tall: bool = False) -> Callable[[str], Item]:
    material = str(rng.choice(["wood", "plastic"]))
    least = _LEAST_WIDE_M if kind == "cylinder" else _LEAST_M
    side, height = in_steps(rng, least, 0.08, 0.005), in_steps(rng, 0.045, 0.07, 0.005)
    height += 0.035 if tall else 0.0
    match kind:
        case "block":  # a narrow one is long enough to be seen
            return lambda color: block(color, (side, max(side, _LEAST_LONG_M), height), material)
        case "cylinder":
            return lambda color: cylinder(color, side, height, material)
        case "cube puzzle":
            edge = pick(rng, _PUZZLES_M)
            return lambda color: cube_puzzle(color, edge)
        case "ball":
            wide = pick(rng, _BALLS_M)
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
    sites = [alone(thing, turn) for thing, turn in zip(both, turns, strict=True)]
    return Pair(both, Constraint.NONE, lambda first, second: sites)


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
    radius = max(map(bounding_radius_m, (*bad, *good)))

    def site(k: int, violated: bool) -> Site:
        thing = (bad if violated else good)[k]

        def build(x: float, y: float) -> Items:
            turn = turns_rad[k] * (np.sign(y) if outwards else 1.0)
            return (standing_at(thing, x, y, yaw_rad=turn),)

        return Site(((0.0, 0.0, radius),), build)

    return Pair((good[0], good[1]), constraint, lambda a, b: [site(0, a), site(1, b)])


def alone(thing: Item, turn_rad: float) -> Site:
    """An object by itself."""
    covers = ((0.0, 0.0, bounding_radius_m(thing)),)
    return Site(covers, lambda x, y: (standing_at(thing, x, y, yaw_rad=turn_rad),))


def loaded(rng: np.random.Generator, colors: Colors, things: tuple[Item, Item]) -> Pair:
    """A load stands on an object, or so close beside it that some views look alike."""
    wide = min(things[0].size_m[:2])
    make = a_load(rng, wide)
    loads = make(colors.next()), make(colors.next())
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
    radii = bounding_radius_m(both[0]), bounding_radius_m(extras[0])
    apart = apart_m or sum(radii) + GAP_M / 2

    def build(k: int, violated: bool, at: np.ndarray, beside: np.ndarray) -> Items:
        x, y = at.tolist()
        stood: Items = (standing_at(both[k], x, y, yaw_rad=float(turns[k])),)
        if standing is not None:
            stood = standing(k, x, y, float(turns[k]))
        if violated and put is not None:
            return put(stood[0], extras[k])
        there, height = (at, height_m(stood[-1])) if violated else (beside, 0.0)
        x, y = there.tolist()
        return *stood, standing_at(extras[k], x, y, on_z=height, yaw_rad=float(askew[k]))

    named = (extras[0].name,)
    return with_extras(both, constraint, build, ways, apart, (max(radii), radii[1]), named)


def with_extras(
    both: tuple[Item, Item],
    constraint: Constraint,
    build: Callable[[int, bool, np.ndarray, np.ndarray], Items],
    ways_rad: Sequence[float] | np.ndarray,
    apart_m: float,
    radii_m: tuple[float, float],
    decisive: tuple[str, ...],
    *,
    seam: bool = True,
) -> Pair:
    """Each of ``both`` with an extra that may stand ``apart_m`` from it in its way.

    ``build`` takes which of both it is, whether it is faulty, its place (2,), and that beside it.
    """

    def site(k: int, violated: bool) -> Site:
        step = np.array([np.cos(ways_rad[k]), np.sin(ways_rad[k])]) * apart_m / 2

        def built(x: float, y: float) -> Items:
            return build(k, violated, np.array([x, y]) - step, np.array([x, y]) + step)

        return Site(two_discs(step, radii_m), built)

    return Pair(both, constraint, lambda a, b: [site(0, a), site(1, b)], decisive, seam=seam)


def turned_over(
    both: tuple[Item, Item],
    constraint: Constraint,
    turns_rad: Sequence[float],
    over: Callable[..., Item] = _UPSIDE_DOWN,
    radius_m: Callable[[Item], float] = bounding_radius_m,
) -> Pair:
    """Each of ``both`` stands upright, or (faulty) as ``over`` puts it: upside down by default."""

    def site(k: int, violated: bool) -> Site:
        put, covers = over if violated else standing_at, ((0.0, 0.0, radius_m(both[k])),)
        return Site(covers, lambda x, y: (put(both[k], x, y, yaw_rad=turns_rad[k]),))

    return Pair(both, constraint, lambda a, b: [site(0, a), site(1, b)])


def stacked(
    rng: np.random.Generator, colors: Colors, things: tuple[Item, Item], *, load: bool
) -> Pair:
    """Stack the first on the second; a ``load`` stands on the first, or beside both."""
    upper, lower = things
    turns = any_turn(rng) + rng.uniform(-0.25, 0.25, 2)
    extra = a_load(rng, min(upper.size_m[:2]))(colors.next()) if load else None
    out = bounding_radius_m(lower)
    way = float(rng.uniform(-np.pi, np.pi))
    apart = 0.0 if extra is None else out + bounding_radius_m(extra) + GAP_M / 2
    step = np.array([np.cos(way), np.sin(way)]) * apart / 2

    def site(violated: bool) -> Site:
        def build(x: float, y: float) -> Items:
            x, y = x - step[0], y - step[1]
            low = standing_at(lower, x, y, yaw_rad=float(turns[0]))
            high = standing_at(upper, x, y, on_z=top_m(low), yaw_rad=float(turns[1]))
            if extra is None:
                return low, high
            if violated:
                return low, high, standing_at(extra, x, y, on_z=top_m(high), yaw_rad=way)
            return low, high, standing_at(extra, x + 2 * step[0], y + 2 * step[1], yaw_rad=way)

        if extra is None:
            return Site(((0.0, 0.0, out),), build)
        wide = bounding_radius_m(extra)
        return Site(two_discs(step, (max(out, wide), wide)), build)

    constraint = Constraint.NONE if extra is None else Constraint.SUPPORTS_OTHER
    decisive = () if extra is None else (extra.name,)
    return Pair(things, constraint, lambda first, second: [site(first)], decisive, "change")


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


def two_discs(step: np.ndarray, radii_m: tuple[float, float]) -> tuple[Disc, Disc]:
    """Discs covered by two objects at -``step`` and ``step`` from a place."""
    x, y = map(float, step)
    return (-x, -y, radii_m[0]), (x, y, radii_m[1])


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
    wide, large = (round(span * float(s), 3) for s in rng.uniform((1.2, 1.3), (1.6, 1.9)))
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
