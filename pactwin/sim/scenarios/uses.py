"""Scenes in which an object is used: a marker, a bottle, a box with contents."""

from dataclasses import replace

import numpy as np

from pactwin.sim.actions.handling import Pour, TakeOut, Write
from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.closures import bottle_cap, box_lid, hinged_box, screwed_on, wide_bottle
from pactwin.sim.objects.everyday import book, marker, marker_cap, notepad
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.posing import (
    ON_SIDE,
    UPSIDE_DOWN,
    heights_m,
    resting_at,
    standing_at,
)
from pactwin.sim.objects.standard_sizes import BALLS_M, CUPS_M, MARKERS_M, NOTEPAD_M, in_steps, pick
from pactwin.sim.objects.stationery import capped, on_its_tail
from pactwin.sim.objects.tableware import cup
from pactwin.sim.scenarios import handreach, hard_negatives, things
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors, any_turn
from pactwin.sim.scenarios.twins import Draft, Items, Pair, Site, Twins, staged
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import GAP_M, bounding_radius_m
from pactwin.sim.scene.pose import Vec3
from pactwin.suite import Constraint

# Inner size of boxes, into which a hand gets with open fingers; diameter, height and mouth of
# bottles.
_BOXES_M: tuple[Vec3, ...] = ((0.16, 0.15, 0.055), (0.166, 0.154, 0.057))
# So often a loose lid that lies on a box is no more than a rim, which leaves it open.
_RIMS = 0.5
# So often boxes hold blocks. What carries something is so much lower than a box, to be seen.
_BLOCKS, _LEVEL_M = 0.4, 0.01
# How far a bottle that pours reaches out beside a cup.
_TILTED_M = 0.07
_BOTTLES_M: tuple[Vec3, ...] = ((0.063, 0.128, 0.036), (0.069, 0.142, 0.04))


def write(rng: np.random.Generator, robot: str, cause: str) -> Twins:
    """Write on one of two notepads with one of two markers."""
    colors = Colors(rng)
    thick, long = pick(rng, MARKERS_M)
    pads = tuple(notepad(colors.next(("white", "yellow", "pink")), *NOTEPAD_M) for _ in "ab")
    tools = marker(colors.next(), thick, long), marker(colors.next(), thick, long)
    tool = _markers(rng, colors, tools, caps=cause == "capped")
    place = _pads(rng, colors, robot, (pads[0], pads[1]), tools[0], cause)
    action = Write(tools[0].name, pads[0].name)
    pairs = (tool, place) if cause == "capped" else (place, tool)
    return staged(rng, colors, Draft(action, pairs[:1], pairs[1:]))


def _markers(
    rng: np.random.Generator, colors: Colors, tools: tuple[Item, Item], *, caps: bool
) -> Pair:
    """Markers that stand nib up, their caps on the nib or beside them, or on the wrong end.

    Hands hardly get their fingers under and around one that lies.
    """
    posted = caps and bool(rng.random() < 0.5)
    lids = [marker_cap(colors.next(), tools[0].size_m[0]) for _ in tools]
    turns, ways = rng.uniform(-np.pi, np.pi, 4), rng.uniform(-np.pi, np.pi, 2)
    radii = tools[0].size_m[0] / 2, max(lids[0].size_m) / 2
    apart = sum(radii) + GAP_M

    def site(k: int, violated: bool) -> Site:
        step = np.array([np.cos(ways[k]), np.sin(ways[k])]) * apart / 2

        def build(x: float, y: float) -> Items:
            state = "upright, closed" if violated else "upright, open"
            here = np.zeros(2) if posted else step
            turn, high = float(turns[k]), 0.0
            if posted and not violated:  # it stands on its cap
                tail = lids[k].at(on_its_tail(tools[k], lids[k]))
                high = heights_m(tail)[1] - heights_m(tools[k])[1]
            tool = resting_at(
                tools[k],
                x - here[0],
                y - here[1],
                UPSIDE_DOWN,
                yaw_rad=turn,
                state=state,
                on_z=high,
            )
            if violated or posted:
                there = capped(tool, lids[k]) if violated else on_its_tail(tool, lids[k])
                return tool, replace(lids[k].at(there), attached_to=tool.name)
            x, y, turn = x + step[0], y + step[1], float(turns[2 + k])
            return tool, resting_at(lids[k], x, y, ON_SIDE, yaw_rad=turn, state="on_side")

        return Site(things.two_discs(step, radii), build)

    constraint = Constraint.COVERED if caps else Constraint.NONE
    decisive = (lids[0].name,) if caps else ()
    return Pair(tools, constraint, lambda a, b: [site(0, a), site(1, b)], decisive, seam=False)


def _pads(
    rng: np.random.Generator,
    colors: Colors,
    robot: str,
    pads: tuple[Item, Item],
    tool: Item,
    cause: str,
) -> Pair:
    match cause:
        case "taken":
            size = (*hard_negatives.SMALL_BOOK_M, in_steps(rng, 0.015, 0.03, 0.005))
            books = book(colors.next(), *size), book(colors.next(), *size)
            return over_or_beside(rng, pads, books, Constraint.OCCUPIED)
        case "place_far":
            return handreach.far(rng, robot, pads)
        case "place_guarded":
            return handreach.guarded(rng, colors, robot, pads, over_m=handreach.over_m(tool))
    return things.plain(rng, pads)


def over_or_beside(
    rng: np.random.Generator,
    both: tuple[Item, Item],
    extras: tuple[Item, Item],
    constraint: Constraint,
) -> Pair:
    """An extra lies on each of ``both`` (faulty), or close beside it, slightly turned."""
    turns, askew = rng.uniform(-np.pi, np.pi, 2), rng.uniform(-0.3, 0.3, 2)
    ways = turns + rng.choice([-1.0, 1.0], 2) * np.pi / 2
    apart = (both[0].size_m[1] + extras[0].size_m[1]) / 2 + GAP_M
    angles = turns, ways, turns + askew
    return things.on_or_beside(both, extras, constraint, angles, apart_m=apart)


def pour(rng: np.random.Generator, robot: str, cause: str) -> Twins:
    """Pour from one of two bottles into one of two cups."""
    colors = Colors(rng)
    wide, high, mouth = pick(rng, _BOTTLES_M)
    bottles = tuple(wide_bottle(colors.next(SHOWING_SHAPE), wide, high, mouth) for _ in "ab")
    cups_m = pick(rng, CUPS_M)
    cups = tuple(cup(colors.next(SHOWING_SHAPE), *cups_m) for _ in "ab")
    tool = _bottles(rng, colors, robot, (bottles[0], bottles[1]), mouth, cause)
    place = _cups(rng, colors, robot, (cups[0], cups[1]), bottles[0], cause)
    action = Pour(bottles[0].name, cups[0].name)
    pairs = (tool, place) if cause in ("capped", "far", "guarded") else (place, tool)
    return staged(rng, colors, Draft(action, pairs[:1], pairs[1:]))


def _bottles(
    rng: np.random.Generator,
    colors: Colors,
    robot: str,
    bottles: tuple[Item, Item],
    mouth_m: float,
    cause: str,
) -> Pair:
    """Open bottles; or, each with a cap screwed on, or beside it."""
    opened = tuple(replace(item, state="upright, open") for item in bottles)
    both = opened[0], opened[1]
    if cause == "far":
        return handreach.far(rng, robot, both)
    if cause == "guarded":
        return handreach.guarded(rng, colors, robot, both)
    if cause != "capped":
        return things.plain(rng, both)
    caps = bottle_cap(colors.next(), mouth_m), bottle_cap(colors.next(), mouth_m)
    angles = np.zeros(2), rng.uniform(-np.pi, np.pi, 2), np.zeros(2)
    apart = bounding_radius_m(both[0]) + bounding_radius_m(caps[0]) + GAP_M

    def screwed(bottle: Item, cap: Item) -> Items:
        shut = replace(bottle, state="upright, closed")
        return shut, replace(cap.at(screwed_on(shut, cap)), attached_to=shut.name)

    return things.on_or_beside(both, caps, Constraint.COVERED, angles, put=screwed, apart_m=apart)


def _cups(
    rng: np.random.Generator,
    colors: Colors,
    robot: str,
    cups: tuple[Item, Item],
    bottle: Item,
    cause: str,
) -> Pair:
    """Cups that stand, upright or upside down."""
    if cause == "place_far":
        return handreach.far(rng, robot, cups)
    if cause == "place_guarded":
        return handreach.guarded(
            rng, colors, robot, cups, over_m=handreach.over_m(bottle), beside_m=_TILTED_M
        )
    if cause != "inverted":
        return things.plain(rng, cups)
    turns = [any_turn(rng) for _ in cups]

    return things.turned_over(cups, Constraint.OPENING_DOWN, turns)


def take_out(rng: np.random.Generator, robot: str, cause: str) -> Twins:
    """Take the ball or block out of one of two boxes that hold one each."""
    colors = Colors(rng)
    laden = cause == "loaded"
    hinged = bool(rng.random() < 0.5) and not laden
    rims = cause == "covered" and not hinged and bool(rng.random() < _RIMS)
    what = "block" if laden or rng.random() < _BLOCKS else "ball"
    inner = pick(rng, _BOXES_M)
    if laden:
        inner = (*inner[:2], BALLS_M[0] + _LEVEL_M)
    names = colors.next(SHOWING_SHAPE), colors.next(SHOWING_SHAPE)
    edge = (BALLS_M[0],) * 3
    contents = [
        block(color, edge) if what == "block" else ball(color, BALLS_M[0])
        for color in (colors.next(), colors.next())
    ]

    def box(k: int, closed: bool) -> Item:
        if hinged:
            return hinged_box(names[k], inner, closed=closed)
        plastic = open_box(names[k], inner, material="plastic")
        return replace(plastic, state="upright, closed" if closed else "upright, open")

    def standing(k: int, x: float, y: float, turn: float, closed: bool = False) -> Items:
        stood = replace(standing_at(box(k, closed), x, y, yaw_rad=turn), state=box(k, closed).state)
        floor = stood.parts[0]
        at = (stood.world_from_object @ floor.pose).pos
        there = at[2] + floor.size_m[2] / 2
        return stood, standing_at(contents[k], *at[:2], on_z=there, yaw_rad=turn)

    both = box(0, False), box(1, False)
    match cause:
        case "loaded":
            make = things.a_load(rng, BALLS_M[0], blocks=False)  # "the block" is what bears it
            pair = _laden(rng, both, standing, (make(colors.next()), make(colors.next())))
        case "place_far":
            pair = handreach.far(rng, robot, both, standing)
        case "place_guarded":
            pair = handreach.guarded(rng, colors, robot, both, standing, handreach.over_m())
        case _:
            lids = None
            if not hinged:
                lids = [
                    {holed: box_lid(color, item, holed=holed) for holed in (False, True)}
                    for color, item in zip((colors.next(), colors.next()), both, strict=True)
                ]
            pair = _shut(rng, both, standing, lids, rims=rims)
    return staged(rng, colors, Draft(TakeOut(what, both[0].name), (pair,)))


def _laden(
    rng: np.random.Generator,
    both: tuple[Item, Item],
    standing: handreach.PlaceItem,
    loads: tuple[Item, Item],
) -> Pair:
    """Something stands on what is in a box, or close beside the box."""
    turns, ways = rng.uniform(-np.pi, np.pi, 2), rng.uniform(-np.pi, np.pi, 2)
    angles = turns, ways, ways
    return things.on_or_beside(both, loads, Constraint.SUPPORTS_OTHER, angles, standing=standing)


def _shut(
    rng: np.random.Generator,
    both: tuple[Item, Item],
    standing: handreach.PlaceItem,
    lids: list[dict[bool, Item]] | None,
    *,
    rims: bool,
) -> Pair:
    """Boxes that are shut, or open; loose lids lie on them or beside them, or are mere ``rims``.

    ``lids`` are those of each box, by whether they are holed.
    """
    # Lids open to the left or right, more or less: no more than one camera sees their backs only.
    turns = rng.choice([0.0, np.pi], 2) + rng.uniform(-0.9, 0.9, 2)
    radius = max(map(bounding_radius_m, both))
    wide = bounding_radius_m(lids[0][False]) if lids else 0.0
    apart = radius + wide + GAP_M / 2 if lids and not rims else 0.0
    ways = rng.uniform(-np.pi, np.pi, 2)

    def site(k: int, violated: bool) -> Site:
        step = np.array([np.cos(ways[k]), np.sin(ways[k])]) * apart / 2

        def build(x: float, y: float) -> Items:
            turn = float(turns[k])
            there = float(x - step[0]), float(y - step[1])
            stood = standing(k, *there, turn, violated)
            if lids is None:
                return stood
            lid = lids[k][rims and not violated]
            if violated or rims:
                return *stood, standing_at(lid, *there, on_z=heights_m(stood[0])[1], yaw_rad=turn)
            return *stood, standing_at(lid, x + step[0], y + step[1], yaw_rad=float(ways[k]))

        if lids is None:
            return Site(((0.0, 0.0, radius),), build)
        if rims:
            return Site(((0.0, 0.0, wide),), build)
        return Site(things.two_discs(step, (max(radius, wide), wide)), build)

    decisive = () if lids is None else (lids[0][False].name,)
    return Pair(both, Constraint.COVERED, lambda a, b: [site(0, a), site(1, b)], decisive)
