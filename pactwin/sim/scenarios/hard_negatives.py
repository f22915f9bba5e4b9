"""Hard negatives: both twins show the cue of a cause; only its effect differs.

If a load, an object on the place or an inverted opening always meant failure, a glance at it would
suffice. Here both twins show it, and its effect decides.
"""

import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.blocks import block, cylinder, frame, plank
from pactwin.sim.objects.closures import lid
from pactwin.sim.objects.everyday import book, notepad
from pactwin.sim.objects.posing import UPSIDE_DOWN, resting_at, standing_at, top_m
from pactwin.sim.objects.primitives import box, disc, made_of, moved, ring_wall, shifted
from pactwin.sim.objects.standard_sizes import NOTEPAD_M, in_steps
from pactwin.sim.objects.vessels import lying_pen_stand, prop_m
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors, any_turn, oblique_turn
from pactwin.sim.scenarios.things import off
from pactwin.sim.scenarios.twins import Items, Pair, as_one, each
from pactwin.sim.scenarios.vessels import WALL_M, Vessels, needed_m
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import GAP_M, X_RANGE_M, RejectedLayout, bounding_radius_m
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint

# How far a bridge's middle is outside of what still carries it.
_TIPPING_M = 0.012, 0.030
_INSIDE_M = 0.010
_APART_M, _BOARD_M = 0.010, 0.06
_HIGH_M, _SLENDER_M = 0.08, 0.058
# So far to a side a hand reaches under a board: of 28 draws more than 0.15 m out 6 were taken, of
# 61 others 54.
_BEFORE_M = 0.14
# As things are, one pillar carries a little more: the one that stays.
_PROUD_M = 0.0004
# What fits on a notepad beside another thing.
_BESIDE_M, _ROOM_M = (0.033, 0.045), 0.093
SMALL_BOOK_M = 0.055, 0.078
"""Width and length of a book that covers a notepad and leaves enough of it visible."""
_FLAT_M, _FLAT_SHARE = 0.005, 0.12  # and at most so much of the depth: what stands on it is in
# How much wider a ring's hole is than what goes in, its wall, and its play in a vessel.
_IN_RING_M, _RING_WALL_M, _PLAY_M = (0.009, 0.02), 0.006, 0.004
# A cylinder in place of a ring is about as high as the vessel is deep. It is a little narrower and
# lower than the ring: so much more the ring hides as its hole shows.
_AS_DEEP = 0.9, 1.05
_NARROWER, _HIGHER_M = (0.9, 0.97), (0.010, 0.025)
# How wide a frame is, and how far a rim is under it.
_BORDER_M, _LEDGE_M = 0.018, 0.003
# What closes a foot lies this much below its rim, and reaches so far over its walls.
_SUNK_M, _RIM_M, _PLATE_M = 0.0005, 0.004, 0.005
# How far the opening of a propped pen stand is raised, and how long the block under it is.
_RAISED_DEG, _PROP_M = (14.0, 20.0), 0.02
# Its weight is so far ahead of the edge of its foot: a block moved a little else tips it back.
_AHEAD_M = 0.006


def carries_bridge(thing: Item) -> bool:
    """Return whether falling off it is a clear fall for a board, and hands reach it under one.

    What drags the board along does not: of 38 things of wood or round ones of plastic that hands
    took, 31 were rejected for it, of 33 others 3.
    """
    high, wide = thing.size_m[2], max(thing.size_m[:2])
    slips = thing.category in ("can", "tin") or (thing.category, thing.material) == (
        "block",
        "plastic",
    )
    return high >= _HIGH_M and wide < _SLENDER_M and slips


def bridged(rng: np.random.Generator, colors: Colors, things: tuple[Item, Item]) -> Pair:
    """Both objects carry a board with a block of their height.

    The board falls without an object if its remaining supports are on one side of its middle. The
    position of the block decides whether the first, at the nearer end, may be taken away.
    """
    side = max(things[0].size_m[:2])
    long = in_steps(rng, 0.32, 0.34, 0.02)
    board = plank(colors.next(), (long, _BOARD_M, in_steps(rng, 0.01, 0.012, 0.002)))
    third = block(colors.next(), (side, _BOARD_M, things[0].size_m[2] + _PROUD_M))
    end = long / 2 - side / 2 - 0.004
    low, high = _TIPPING_M
    out = side / 2 + float(rng.uniform(low, min(high, end - 1.5 * side - _APART_M)))
    # Under the middle it carries the board alone: so far inside its edge, on either side.
    inside = float(rng.uniform(_INSIDE_M, side - _INSIDE_M)) - side / 2
    way, turns = oblique_turn(rng), rng.uniform(-0.1, 0.1, 3)
    # A hand takes the first from its end of the board, and hardly reaches the farther one.
    first_end = -float(np.sign(np.cos(way)))
    ahead = end * abs(float(np.cos(way))) + 0.045
    first_y = float(rng.uniform(-_BEFORE_M, _BEFORE_M))
    place = (
        float(rng.uniform(X_RANGE_M[0] + ahead, max(X_RANGE_M[0] + ahead, X_RANGE_M[1] - ahead))),
        first_y - first_end * end * float(np.sin(way)),
    )

    def build(first: bool, second: bool, x: float, y: float) -> Items:
        # Nearer to the end of the one that is not needed; under the middle if none is.
        second &= not first
        along = first_end * (out * (int(second) - int(first)) if first != second else inside)
        stood = [
            standing_at(item, *off(x, y, there, way), yaw_rad=way + float(turn))
            for item, there, turn in zip(
                (*things, third), (first_end * end, -first_end * end, along), turns, strict=True
            )
        ]
        return *stood, standing_at(board, x, y, on_z=top_m(stood[0]), yaw_rad=way)

    named = (board.name, third.name, things[1].name)
    return as_one(things, Constraint.SUPPORTS_OTHER, build, named, at=place)


def roomy(rng: np.random.Generator, colors: Colors, thing: Item) -> Pair:
    """Something lies on a notepad: a book that covers it, or a block that leaves room."""
    both = colors.two(lambda color: notepad(color, *NOTEPAD_M), SHOWING_SHAPE)
    cover = book(colors.next(), *SMALL_BOOK_M, in_steps(rng, 0.015, 0.03, 0.005))
    wide = round(min(_BESIDE_M[1], _ROOM_M - max(thing.size_m[:2])), 3)
    small = block(colors.next(), (0.05, wide, in_steps(rng, 0.03, 0.05)))
    end = float(rng.choice([-1.0, 1.0])) * (NOTEPAD_M[1] - wide) / 2
    return _either(rng, both, (cover, small), NOTEPAD_M[2], aside_m=end)


def leaves_room(thing: Item) -> bool:
    """Return whether a notepad has room for it beside another object."""
    return _ROOM_M - max(thing.size_m[:2]) >= _BESIDE_M[0]


def framed(rng: np.random.Generator, colors: Colors, vessels: Vessels) -> Pair:
    """A lid or a frame lies on a vessel; the frame's hole is slightly wider than the opening."""
    x, y, high = vessels.both[0].size_m
    hole_x, hole_y = (round(side - 2 * (WALL_M - _LEDGE_M), 4) for side in (x, y))
    covers = (
        lid(colors.next(), round(float(np.hypot(x, y)), 3)),
        frame(colors.next(SHOWING_SHAPE), (hole_x, hole_y), _BORDER_M),
    )
    return _either(rng, vessels.both, covers, high, Constraint.COVERED)


def shallow(rng: np.random.Generator, colors: Colors, vessels: Vessels, filler: Item) -> Pair:
    """Something lies in a vessel: an object that fills it, or a thin disc."""
    wide = round(min(filler.size_m[:2]), 3)
    low = min(_FLAT_M, round(_FLAT_SHARE * vessels.depth_m, 4))
    flat = cylinder(colors.next(SHOWING_SHAPE), wide, low)
    return _either(rng, vessels.both, (filler, flat), vessels.floor_m)


def ring_room_m(rng: np.random.Generator, thing: Item) -> float:
    """Width of a vessel in which a ring leaves room for the thing, whichever way it is turned."""
    hole = needed_m(thing, "cup") + float(rng.uniform(*_IN_RING_M))
    return hole + 2 * _RING_WALL_M + _PLAY_M


def ringed(rng: np.random.Generator, colors: Colors, vessels: Vessels) -> Pair:
    """In a vessel as wide as :func:`ring_room_m` says stands a ring, or a cylinder in its middle.

    They hide about as much of the vessel, but only the hole in the ring leaves room.
    """
    wide = round(vessels.needed_m + vessels.clearance_m - _PLAY_M, 4)
    high = round(vessels.depth_m * float(rng.uniform(*_AS_DEEP)), 4)
    hole = wide / 2 - _RING_WALL_M
    tall = high + float(rng.uniform(*_HIGHER_M))
    around = ring_wall((hole, hole), (0.0, tall), _RING_WALL_M)
    narrower = round(wide * float(rng.uniform(*_NARROWER)), 4)
    full = cylinder(colors.next(SHOWING_SHAPE), narrower, high)
    ring = make_item("ring", colors.next(SHOWING_SHAPE), around, material="wood")
    return _either(rng, vessels.both, (full, ring), vessels.floor_m)


def _tips_back_rad(stand: Item) -> float:
    """Angle to which the opening of a lying stand can be raised without tipping it back.

    Its weight is then _AHEAD_M ahead of the edge of its foot.
    """
    matter = [part for part in stand.parts if part.is_matter]
    volumes = [part_volume_m3(part) for part in matter]
    middle = float(np.average([part.pose.pos[2] for part in matter], weights=volumes))
    wide, above_foot = stand.size_m[0] / 2, stand.size_m[2] / 2 + middle
    from_edge = float(np.hypot(wide, above_foot))
    return float(np.arccos(_AHEAD_M / from_edge) - np.arctan2(wide, above_foot))


def propped(rng: np.random.Generator, colors: Colors, vessels: Vessels) -> Pair:
    """A pen stand lies on its side with its opening at the lower end, or raised by a block."""
    both, way = vessels.both, oblique_turn(rng)
    side = float(rng.choice([-1.0, 1.0]))
    least, most = np.deg2rad(_RAISED_DEG)
    if (steepest := _tips_back_rad(both[0])) < least:
        raise RejectedLayout("a stand on its side tips back onto its foot")
    raised = float(rng.uniform(least, min(most, steepest)))
    other_turn = any_turn(rng)
    under = 0.6 * both[0].size_m[2]
    along, height = prop_m(both[0], raised, under)
    prop = block(colors.next(), (_PROP_M, 0.05, round(height, 4)))

    def put(k: int, violated: bool, x: float, y: float) -> Items:
        if k:
            return (standing_at(both[1], x, y, yaw_rad=other_turn),)
        raised_rad = None if violated else raised
        stood = lying_pen_stand(both[0], x, y, raised_rad=raised_rad, yaw_rad=way)
        there = off(x, y, along + _PROP_M / 2, way)
        if violated:
            there = off(x, y, both[0].size_m[0] / 2 + 0.05, way + side * np.pi / 2)
        return stood, standing_at(prop, *there, yaw_rad=way)

    return each(both, Constraint.UNSTABLE_SUPPORT, put, (prop.name,), "change")


def _either(
    rng: np.random.Generator,
    both: tuple[Item, Item],
    extras: tuple[Item, Item],
    height_m: float,
    constraint: Constraint = Constraint.OCCUPIED,
    aside_m: float = 0.0,
) -> Pair:
    """The first of ``extras`` lies on one of ``both`` and the second beside it, or exchanged.

    On it is ``height_m`` above the table; the second is then ``aside_m`` along its y. With the
    other of ``both`` nothing is wrong.
    """
    # Either may come first in what decides: else how high that lies would tell.
    decisive = tuple(extras[k].name for k in rng.permutation(2))
    turn, other_turn, way = map(float, rng.uniform(-np.pi, np.pi, 3))
    apart = bounding_radius_m(both[0]) + max(map(bounding_radius_m, extras)) + GAP_M / 2

    def put(k: int, violated: bool, x: float, y: float) -> Items:
        if k:
            return (standing_at(both[1], x, y, yaw_rad=other_turn),)
        over, beside = extras if violated else extras[::-1]
        here = off(x, y, 0.0 if violated else aside_m, turn + np.pi / 2)
        return (
            standing_at(both[0], x, y, yaw_rad=turn),
            standing_at(over, *here, on_z=height_m, yaw_rad=turn),
            standing_at(beside, *off(x, y, apart, way), yaw_rad=turn),
        )

    return each(both, constraint, put, decisive, "change")


def hollow_foot(rng: np.random.Generator, vessels: Vessels) -> Pair:
    """Vessels stand upside down; the hollow of the foot, now on top, is deep or closed."""
    turns = [any_turn(rng) for _ in vessels.both]
    shallow_m = float(rng.uniform(0.015, 0.03))

    def built(k: int, closed: bool) -> Item:
        color = vessels.both[k].color
        bowl = vessels.build(color, vessels.clearance_m, shallow_m)
        foot = vessels.build(color, vessels.clearance_m)
        low = Pose((0.0, 0.0, -foot.size_m[2] / 2), UPSIDE_DOWN)
        parts = [*shifted(bowl.parts, z=bowl.size_m[2] / 2), *moved(foot.parts, low)]
        if closed:
            x, y, high = foot.size_m
            level = -high + _SUNK_M
            plate = box((x - _RIM_M, y - _RIM_M, _PLATE_M), (0.0, 0.0, level + _PLATE_M / 2))
            if vessels.kind == "cup":
                plate = disc(x - _RIM_M, level, level + _PLATE_M)
            parts += made_of("body", foot.material, 0.9, plate)
        return make_item(vessels.kind, color, parts, state="inverted, empty")

    states = {closed: [built(k, closed) for k in (0, 1)] for closed in (False, True)}

    def put(k: int, violated: bool, x: float, y: float) -> Items:
        item = states[violated][k]
        return (resting_at(item, x, y, UPSIDE_DOWN, yaw_rad=turns[k], state=item.state),)

    return each((states[False][0], states[False][1]), Constraint.OPENING_DOWN, put)
