"""Scenes in which an object is used: a marker, a bottle, a box with contents."""

from dataclasses import replace

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.actions.handling import Pour, TakeOut, Write
from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.closures import (
    bottle_cap,
    box_lid,
    capped,
    hinged_box,
    on_its_tail,
    screwed_on,
    wide_bottle,
)
from pactwin.sim.objects.everyday import ball, book, marker, marker_cap, notepad
from pactwin.sim.objects.posing import (
    ON_SIDE,
    UPSIDE_DOWN,
    heights_m,
    resting_at,
    standing_at,
)
from pactwin.sim.objects.standard_sizes import BALLS_M, CUPS_M, MARKERS_M, NOTEPAD_M, in_steps, pick
from pactwin.sim.objects.vessels import cup
from pactwin.sim.scenarios import handreach, hard_negatives, things
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors, any_turn
from pactwin.sim.scenarios.twins import Draft, Items, Pair, Twins, each, staged
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
    pads = colors.two(lambda color: notepad(color, *NOTEPAD_M), ("white", "yellow", "pink"))
    tools = colors.two(lambda color: marker(color, thick, long))
    tool = _markers(rng, colors, tools, caps=cause == "capped")
    if cause == "taken":
        place = _books(rng, colors, pads)
    else:
        place = handreach.by_hands(
            rng, colors, robot, pads, cause, over_m=handreach.over_m(tools[0])
        )
    return _staged(rng, colors, Write(tools[0].name, pads[0].name), cause, tool, place)


def pour(rng: np.random.Generator, robot: str, cause: str) -> Twins:
    """Pour from one of two bottles into one of two cups."""
    colors = Colors(rng)
    wide, high, mouth = pick(rng, _BOTTLES_M)
    bottles = colors.two(
        lambda color: replace(wide_bottle(color, wide, high, mouth), state="upright, open"),
        SHOWING_SHAPE,
    )
    cups_m = pick(rng, CUPS_M)
    cups = colors.two(lambda color: cup(color, *cups_m), SHOWING_SHAPE)
    if cause == "capped":
        tool = _bottles(rng, colors, bottles, mouth)
    else:
        tool = handreach.by_hands(rng, colors, robot, bottles, cause if cause in _OF_TOOLS else "")
    if cause == "inverted":
        place = things.turned_over(cups, Constraint.OPENING_DOWN, [any_turn(rng) for _ in cups])
    else:
        at_place = cause if cause not in _OF_TOOLS else ""
        over_m = handreach.over_m(bottles[0])
        place = handreach.by_hands(
            rng, colors, robot, cups, at_place, over_m=over_m, beside_m=_TILTED_M
        )
    return _staged(rng, colors, Pour(bottles[0].name, cups[0].name), cause, tool, place)


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
    contents = colors.two(
        lambda color: block(color, edge) if what == "block" else ball(color, BALLS_M[0])
    )

    def box(k: int, closed: bool = False) -> Item:
        if hinged:
            return hinged_box(names[k], inner, closed=closed)
        plastic = open_box(names[k], inner, material="plastic")
        return replace(plastic, state="upright, closed" if closed else "upright, open")

    def standing(k: int, x: float, y: float, turn: float, closed: bool = False) -> Items:
        made = box(k, closed)
        stood = replace(standing_at(made, x, y, yaw_rad=turn), state=made.state)
        floor = stood.parts[0]
        at = (stood.world_from_object @ floor.pose).pos
        there = at[2] + floor.size_m[2] / 2
        return stood, standing_at(contents[k], *at[:2], on_z=there, yaw_rad=turn)

    both = box(0), box(1)
    match cause:
        case "loaded":
            # "The block" is what bears it.
            loads = colors.two(things.a_load(rng, BALLS_M[0], blocks=False))
            turns, ways = rng.uniform(-np.pi, np.pi, 2), rng.uniform(-np.pi, np.pi, 2)
            angles, constraint = (turns, ways, ways), Constraint.SUPPORTS_OTHER
            pair = things.on_or_beside(both, loads, constraint, angles, standing=standing)
        case "covered":
            lids = [] if hinged else [(colors.next(), item) for item in both]
            pair = _shut(rng, both, standing, lids, rims=rims)
        case _:
            over_m = handreach.over_m() if cause == "place_guarded" else 0.0
            pair = handreach.by_hands(rng, colors, robot, both, cause, standing, over_m=over_m)
    return staged(rng, colors, Draft(TakeOut(what, both[0].name), (pair,)))


_OF_TOOLS = ("capped", "far", "guarded")


def _staged(
    rng: np.random.Generator, colors: Colors, action: Action, cause: str, tool: Pair, place: Pair
) -> Twins:
    pairs = (tool, place) if cause in _OF_TOOLS else (place, tool)
    return staged(rng, colors, Draft(action, pairs[:1], pairs[1:]))


def _markers(
    rng: np.random.Generator, colors: Colors, tools: tuple[Item, Item], *, caps: bool
) -> Pair:
    """Markers that stand nib up, their caps on the nib or beside them, or on the wrong end.

    Hands hardly get their fingers under and around one that lies.
    """
    posted = caps and bool(rng.random() < 0.5)
    lids = colors.two(lambda color: marker_cap(color, tools[0].size_m[0]))
    turns, ways = rng.uniform(-np.pi, np.pi, 4), rng.uniform(-np.pi, np.pi, 2)
    apart = tools[0].size_m[0] / 2 + max(lids[0].size_m) / 2 + GAP_M

    def put(k: int, violated: bool, x: float, y: float) -> Items:
        state, high = "upright, closed" if violated else "upright, open", 0.0
        if posted and not violated:  # it stands on its cap
            tail = lids[k].at(on_its_tail(tools[k], lids[k]))
            high = heights_m(tail)[1] - heights_m(tools[k])[1]
        turn = float(turns[k])
        tool = resting_at(tools[k], x, y, UPSIDE_DOWN, yaw_rad=turn, state=state, on_z=high)
        if violated or posted:
            there = capped(tool, lids[k]) if violated else on_its_tail(tool, lids[k])
            return tool, replace(lids[k].at(there), attached_to=tool.name)
        turn, beside = float(turns[2 + k]), things.off(x, y, apart, ways[k])
        return tool, resting_at(lids[k], *beside, ON_SIDE, yaw_rad=turn, state="on_side")

    constraint = Constraint.COVERED if caps else Constraint.NONE
    decisive = (lids[0].name,) if caps else ()
    return each(tools, constraint, put, decisive, seam=False)


def _books(rng: np.random.Generator, colors: Colors, pads: tuple[Item, Item]) -> Pair:
    """A book lies on each pad (faulty), or close beside it, slightly turned."""
    size = (*hard_negatives.SMALL_BOOK_M, in_steps(rng, 0.015, 0.03, 0.005))
    books = colors.two(lambda color: book(color, *size))
    turns, askew = rng.uniform(-np.pi, np.pi, 2), rng.uniform(-0.3, 0.3, 2)
    ways = turns + rng.choice([-1.0, 1.0], 2) * np.pi / 2
    apart = (pads[0].size_m[1] + books[0].size_m[1]) / 2 + GAP_M
    angles = turns, ways, turns + askew
    return things.on_or_beside(pads, books, Constraint.OCCUPIED, angles, apart_m=apart)


def _bottles(
    rng: np.random.Generator, colors: Colors, bottles: tuple[Item, Item], mouth_m: float
) -> Pair:
    """Bottles, each with a cap screwed on, or beside it."""
    caps = colors.two(lambda color: bottle_cap(color, mouth_m))
    angles = np.zeros(2), rng.uniform(-np.pi, np.pi, 2), np.zeros(2)
    apart = bounding_radius_m(bottles[0]) + bounding_radius_m(caps[0]) + GAP_M

    def screwed(bottle: Item, cap: Item) -> Items:
        shut = replace(bottle, state="upright, closed")
        return shut, replace(cap.at(screwed_on(shut, cap)), attached_to=shut.name)

    return things.on_or_beside(
        bottles, caps, Constraint.COVERED, angles, put=screwed, apart_m=apart
    )


def _shut(
    rng: np.random.Generator,
    both: tuple[Item, Item],
    standing: handreach.PlaceItem,
    loose: list[tuple[str, Item]],
    *,
    rims: bool,
) -> Pair:
    """Boxes that are shut, or open; loose lids lie on them or beside them, or are mere ``rims``.

    ``loose`` are colours of lids with the boxes below; none if they are hinged.
    """
    lids = [[box_lid(*of, holed=holed) for holed in (False, True)] for of in loose]
    # Lids open to the left or right, more or less: no more than one camera sees their backs only.
    turns = rng.choice([0.0, np.pi], 2) + rng.uniform(-0.9, 0.9, 2)
    ways = rng.uniform(-np.pi, np.pi, 2)

    def put(k: int, violated: bool, x: float, y: float) -> Items:
        turn = float(turns[k])
        stood = standing(k, x, y, turn, violated)
        if not lids:
            return stood
        lid = lids[k][rims and not violated]
        if violated or rims:
            high = heights_m(stood[0])[1]
            return *stood, standing_at(lid, x, y, on_z=high, yaw_rad=turn)
        apart = bounding_radius_m(stood[0]) + bounding_radius_m(lid) + GAP_M / 2
        return *stood, standing_at(lid, *things.off(x, y, apart, ways[k]), yaw_rad=float(ways[k]))

    return each(both, Constraint.COVERED, put, tuple(lid.name for lid, _ in lids[:1]))
