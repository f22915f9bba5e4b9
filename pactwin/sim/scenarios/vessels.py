"""Vessels, and faults of one of two like vessels."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pactwin.sim.objects.blocks import block, cylinder, open_box
from pactwin.sim.objects.closures import lid
from pactwin.sim.objects.everyday import ball, book
from pactwin.sim.objects.posing import top_m
from pactwin.sim.objects.standard_sizes import BALLS_M, in_steps
from pactwin.sim.objects.vessels import cup, lying_pen_stand, pen_stand
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors, any_turn, oblique_turn
from pactwin.sim.scenarios.things import either, on_or_beside, turned_over
from pactwin.sim.scenarios.twins import Pair
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint

VESSELS = ("box", "cup", "pen_stand")
# How much wider or narrower an opening is than what goes in: by this share of that, and this much,
# at least, so that a picture shows it; up to so much more is drawn, as long as an opening remains.
_SHOWN_SHARE, _SHOWN_M, _MORE_M, _LEAST_OPEN_M = 0.12, 0.005, 0.028, 0.010
# Narrow ones are no more than this narrower.
_NARROWEST_M = 0.024

WALL_M, _FLOOR_M, _FOOT_M = 0.005, 0.006, 0.015
_DEPTHS_M, _WIDEST_M, _SEEN_TO = (0.025, 0.145), 0.095, 0.6
# A cup or pen stand is so deep at least, as a share of its mouth: shallower ones look like dishes.
_DEEP = {"box": 0.0, "cup": 0.65, "pen_stand": 0.75}
LYING_M = 0.065
"""Greatest depth of vessels that lie: what rolls out is as much farther from being in."""

# How a narrow vessel looks: smaller than a wide one, as large outside, or longer, with a slot.
# Few are smaller, or their size would tell the label.
_NARROW = {"box": (0.1, 0.55, 0.35), "cup": (0.1, 0.9, 0.0), "pen_stand": (0.2, 0.8, 0.0)}
_SLOT_M = (0.045, 0.07)
# So often one of two is no deeper than this, whether it is wide enough or not.
_SHALLOW, _SHALLOW_M = 0.3, (0.014, 0.02)


@dataclass(frozen=True)
class Vessels:
    """Vessels of one kind for objects like one, two of them in ``colors``.

    ``clearance_m`` is the clearance around the object, whose width is ``needed_m``, and ``least_m``
    where it is narrowest; ``depth_m`` is the vessels' inner depth; boxes are ``longer_m`` than
    wide; long objects go in ``upright``.
    """

    kind: str
    colors: tuple[str, str]
    clearance_m: float
    needed_m: float
    least_m: float
    depth_m: float
    longer_m: float
    upright: bool

    @cached_property
    def both(self) -> tuple[Item, Item]:
        """The two vessels."""
        one, other = (self.build(color, self.clearance_m) for color in self.colors)
        return one, other

    @property
    def floor_m(self) -> float:
        """Height of the vessels' floor above the table, m."""
        return _FLOOR_M if self.kind == "pen_stand" else WALL_M

    def build(
        self,
        color: str,
        clear_m: float,
        depth_m: float | None = None,
        *,
        like_m: float | None = None,
        slot_m: float = 0.0,
        more_m: float = 0.0,
    ) -> Item:
        """A vessel ``clear_m`` wider than the object to put in, ``depth_m`` deep or as the others.

        Thicker walls, or a wider foot, make it as large outside as a vessel that is ``like_m``
        wider. A box that is ``slot_m`` longer is only as wide as the object is thick. Openings are
        whole millimetres wide, plus ``more_m``.
        """
        deep = depth_m or self.depth_m
        mouth = round(self.needed_m + clear_m, 3) + more_m
        thicker = 0.0 if like_m is None else (like_m - clear_m) / 2
        if self.kind == "pen_stand":
            return pen_stand(color, mouth, deep + _FLOOR_M, round(_FOOT_M + thicker, 4))
        wall = round(WALL_M + thicker, 4)
        if self.kind == "cup":
            return cup(color, mouth, mouth, deep + WALL_M, wall_m=wall, floor_m=WALL_M)
        inner = mouth, mouth + self.longer_m
        if slot_m:
            inner = round(self.least_m + clear_m, 3) + more_m, round(self.needed_m + slot_m, 3)
        return open_box(color, (*inner, deep), wall, floor_m=WALL_M)


def two_vessels(
    rng: np.random.Generator,
    colors: Colors,
    kind: str,
    thing: Item,
    clearance_m: float = 0.0,
    *,
    deepest_m: float = _DEPTHS_M[1],
    showing_floor: bool = False,
) -> Vessels:
    """Two vessels with ``clearance_m`` around the object; drawn by default.

    They are no deeper than ``deepest_m``, and with ``showing_floor`` shallow enough for cameras to
    see the floor.
    """
    wide = needed_m(thing, kind)
    if wide > _WIDEST_M:
        raise RejectedLayout("no vessel is wide enough")
    clearance = clearance_m or _clearance_m(rng, wide)
    least, middle, most = sorted(thing.size_m)
    upright = most > 2 * middle
    high = 0.6 * most if upright else least
    shallowest = max(_DEPTHS_M[0], 0.7 * high if upright else 0.0, _DEEP[kind] * (wide + clearance))
    if showing_floor:
        deepest_m = _SEEN_TO * wide
    # Many cannot be shallow: of the others a little more are deep, so that depths are even.
    depth = shallowest + max(0.0, deepest_m - shallowest) * float(rng.random()) ** 0.9
    longer = in_steps(rng, 0.0, 0.02)
    names = colors.next(SHOWING_SHAPE), colors.next(SHOWING_SHAPE)
    return Vessels(kind, names, clearance, wide, least, depth, longer, upright)


def _clearance_m(rng: np.random.Generator, wide_m: float, most_m: float = np.inf) -> float:
    """How much wider or narrower an opening is than what goes in, which is ``wide_m`` wide."""
    least = max(_SHOWN_SHARE * wide_m, _SHOWN_M)
    return least + float(rng.uniform(0.0, max(0.0, min(_MORE_M, most_m - least))))


def needed_m(thing: Item, kind: str) -> float:
    """Smallest opening through which the object fits: a square for boxes, else round."""
    x, y, z = sorted(thing.size_m)
    shapes = {part.shape for part in thing.parts if part.collides}
    if kind == "box" or shapes == {"sphere"}:
        return y
    if shapes == {"box"}:
        return float(np.hypot(x, y))
    return min(thing.size_m[0], float(np.hypot(thing.size_m[0], z)))


def narrow(rng: np.random.Generator, vessels: Vessels) -> Pair:
    """An opening is too narrow by a similar amount as the other is wide enough.

    The narrow one may be equally large outside, with thicker walls, or larger, with a slot. Either
    may be shallow: an object that sticks out still counts as inside.
    """
    clear = vessels.clearance_m, _clearance_m(rng, vessels.needed_m)
    look = rng.choice(3, p=_NARROW[vessels.kind])
    most = (vessels.least_m if look == 2 else vessels.needed_m) - _LEAST_OPEN_M
    short = [-_clearance_m(rng, vessels.needed_m, min(most, _NARROWEST_M)) for _ in clear]
    slot = float(rng.uniform(*_SLOT_M))
    turns = [any_turn(rng) for _ in clear]
    depths = [_shallow_m(rng, vessels) for _ in clear]
    other = [(vessels.colors[k], depths[k], clear[k] if look == 1 else None) for k in (0, 1)]
    good = [vessels.build(color, clear[k], deep) for k, (color, deep, _) in enumerate(other)]
    bad = [
        vessels.build(color, short[k], deep, like_m=like, slot_m=slot if look == 2 else 0.0)
        for k, (color, deep, like) in enumerate(other)
    ]
    return either(bad, good, Constraint.DOES_NOT_FIT, turns)


def _shallow_m(rng: np.random.Generator, vessels: Vessels) -> float | None:
    """Depth of a shallow box, or None; long objects would tip it over."""
    shallow = rng.random() < _SHALLOW
    depth_m = float(rng.uniform(*_SHALLOW_M))
    return depth_m if shallow and not vessels.upright and vessels.kind == "box" else None


def inverted(rng: np.random.Generator, vessels: Vessels) -> Pair:
    """A vessel stands upside down."""
    turns = [any_turn(rng) for _ in vessels.both]
    return turned_over(vessels.both, Constraint.OPENING_DOWN, turns)


def lying(rng: np.random.Generator, vessels: Vessels) -> Pair:
    """A pen stand lies on its side, its opening lower than its foot, so that contents roll out."""
    turns = [oblique_turn(rng) for _ in vessels.both]
    return turned_over(vessels.both, Constraint.UNSTABLE_SUPPORT, turns, lying_pen_stand)


def covered(rng: np.random.Generator, colors: Colors, vessels: Vessels) -> Pair:
    """A lid or a book lies on a vessel, or close beside it."""
    over = max(vessels.both[0].size_m[:2])
    across = float(np.hypot(*vessels.both[0].size_m[:2])) if vessels.kind == "box" else over
    if rng.random() < 0.5:
        covers = colors.two(lambda color: lid(color, across + 0.006))
    else:
        size = (over + 0.015, over + 0.04, in_steps(rng, 0.015, 0.02, 0.005))
        covers = colors.two(lambda color: book(color, *size))
    return _beside_or(rng, vessels.both, covers, Constraint.COVERED, top_m)


def filled(rng: np.random.Generator, colors: Colors, vessels: Vessels, thing: Item) -> Pair:
    """Something occupies a vessel's room, or lies close beside it."""
    inside = fillers(rng, colors, vessels, thing)
    return _beside_or(
        rng, vessels.both, inside, Constraint.OCCUPIED, lambda vessel: vessels.floor_m
    )


def fillers(
    rng: np.random.Generator, colors: Colors, vessels: Vessels, thing: Item
) -> tuple[Item, Item]:
    """Two like objects, either of which fills a vessel."""
    room = needed_m(thing, vessels.kind) + vessels.clearance_m - 0.006
    high = vessels.depth_m * float(rng.uniform(0.75, 1.1))
    match rng.integers(3):
        case 0 if vessels.kind == "box":
            return colors.two(lambda color: block(color, (room, room, high)))
        case 1 if fitting := [wide for wide in BALLS_M if room - 0.012 < wide <= room]:
            return colors.two(lambda color: ball(color, fitting[-1]))
    return colors.two(lambda color: cylinder(color, room, high))


def _beside_or(
    rng: np.random.Generator,
    both: tuple[Item, Item],
    extras: tuple[Item, Item],
    constraint: Constraint,
    height_m: Callable[[Item], float],
) -> Pair:
    """Each of ``both`` with an extra at ``height_m`` over its middle (faulty), or beside it."""
    turns, ways = rng.uniform(-np.pi, np.pi, 2), rng.uniform(-np.pi, np.pi, 2)
    return on_or_beside(both, extras, constraint, (turns, ways, turns), height_m)
