"""Kinds that suites of pairs also use, with the same builders and standard sizes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from pactwin.sim.objects import standard_sizes as sizes
from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.blocks import plank
from pactwin.sim.objects.everyday import (
    apple,
    book,
    bottle,
    cake,
    can,
    coaster,
    cupcake,
    marker,
    marker_cap,
    notepad,
    pen,
    plate,
    sponge,
    tin,
)
from pactwin.sim.objects.household import ball, cube_puzzle, dumbbell
from pactwin.sim.objects.palette import RGBA, WOOD, dyed
from pactwin.sim.objects.pipes import conduit, gutter
from pactwin.sim.objects.posing import ON_SIDE, UPRIGHT, UPSIDE_DOWN, resting_at
from pactwin.sim.objects.standard_sizes import pick
from pactwin.sim.objects.stationery import capped, pen_stand
from pactwin.sim.objects.tableware import bowl, cup, mug
from pactwin.sim.objects.trays import tray
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Quat

_FACES = ("white", "yellow", "red", "orange", "blue", "green")
_BRIGHT = ("red", "blue", "green", "orange", "purple")
_EITHER_WAY = (("upright, empty", UPRIGHT), ("inverted, empty", UPSIDE_DOWN))
# What such a thing looks like undyed, or grown.
_LOOKS: dict[tuple[str, str], RGBA] = {
    ("apple", "green"): (0.55, 0.74, 0.18, 1.0),
    ("apple", "yellow"): (0.93, 0.80, 0.25, 1.0),
    ("coaster", "beige"): (0.80, 0.62, 0.42, 1.0),
    ("plank", "brown"): WOOD,
    ("tray", "brown"): WOOD,
}


@dataclass(frozen=True)
class StandardKind:
    """Distribution of a kind's objects: colours, builder and poses.

    ``build`` takes a colour and one of ``sizes`` (one number or several); without sizes, a colour
    and the generator. ``poses`` are states and orientations of unfilled objects, by default as
    built.
    """

    colors: tuple[str, ...]
    build: Callable[..., Item]
    sizes: Sequence[Any] = ()
    poses: tuple[tuple[str, Quat], ...] = ()


def draw_standard(name: str, rng: np.random.Generator) -> Item:
    """One object of a kind in ``STANDARD_KINDS``, at rest at the table's origin."""
    kind = STANDARD_KINDS[name]
    color, rgba = dyed(rng, *kind.colors)
    if kind.sizes:
        size = pick(rng, kind.sizes)
        several = isinstance(size, tuple) and name not in _BY_EXTENTS
        item = kind.build(color, *size) if several else kind.build(color, size)
    else:
        item = kind.build(color, rng)
    item = replace(item, rgba=_LOOKS.get((name, color), rgba))
    poses = () if "filled" in item.state else kind.poses
    as_built = item.state, ON_SIDE if item.state.startswith("on_side") else UPRIGHT
    state, turn = poses[rng.integers(len(poses))] if poses else as_built
    return resting_at(item, 0.0, 0.0, turn, state=state)


def _puzzle(color: str, rng: np.random.Generator) -> Item:
    stickers = [face for face in _FACES for _ in range(9)]
    if rng.random() < 0.5:
        stickers = [str(face) for face in rng.permutation(stickers)]
    return cube_puzzle(color, pick(rng, sizes.PUZZLES_M), tuple(stickers))


def _closed_marker(color: str, diameter_m: float, length_m: float) -> Item:
    bare, cap = marker(color, diameter_m, length_m), marker_cap(color, diameter_m)
    there = capped(bare, cap)
    parts = [
        replace(part, pose=there @ part.pose, role="cap" if part.role == "body" else part.role)
        for part in cap.parts
    ]
    return make_item("marker", color, (*bare.parts, *parts))


def _marker(color: str, rng: np.random.Generator) -> Item:
    size = pick(rng, sizes.MARKERS_M)
    closed = rng.random() < 0.6
    item = (_closed_marker if closed else marker)(color, *size)
    return replace(item, state="on_side, closed" if closed else "on_side, open")


def _pen_stand(color: str, rng: np.random.Generator) -> Item:
    return pen_stand(color, *pick(rng, sizes.PEN_STANDS_M), pens=bool(rng.random() < 0.25))


# Kinds whose size is one argument, an extent along each axis.
_BY_EXTENTS = ("plank", "tray")

STANDARD_KINDS: dict[str, StandardKind] = {
    "apple": StandardKind(("red", "green", "yellow"), apple, sizes.APPLES_M),
    "ball": StandardKind((*_BRIGHT, "yellow"), ball, sizes.BALLS_M),
    "book": StandardKind(("red", "blue", "green", "brown", "black"), book, sizes.BOOKS_M),
    "bottle": StandardKind(_BRIGHT[:4], bottle, sizes.BOTTLES_M),
    "bowl": StandardKind(("white", "blue", "green", "orange", "cream"), bowl, sizes.BOWLS_M),
    "cake": StandardKind(("pink", "white", "brown", "yellow"), cake, sizes.CAKES_M),
    "can": StandardKind((*_BRIGHT, "black"), can, (sizes.CAN_M, sizes.SMALL_CAN_M)),
    "coaster": StandardKind(("beige",), coaster, (sizes.COASTER_M,)),
    "conduit": StandardKind(("white", "grey"), conduit, sizes.CONDUITS_M),
    "cube_puzzle": StandardKind(("black",), _puzzle),
    "cup": StandardKind((*_BRIGHT[:4], "yellow", "pink"), cup, sizes.CUPS_M, _EITHER_WAY),
    "cupcake": StandardKind(("pink", "white", "brown", "yellow"), cupcake, (sizes.CUPCAKE_M,)),
    "dumbbell": StandardKind(
        ("black", "blue", "red", "purple"), dumbbell, sizes.DUMBBELLS_KG, (("on_side", UPRIGHT),)
    ),
    "gutter": StandardKind(("white", "brown", "grey"), gutter, sizes.GUTTERS_M),
    "marker": StandardKind((*_BRIGHT, "black"), _marker),
    "marker_cap": StandardKind(
        _BRIGHT, marker_cap, [thick for thick, _ in sizes.MARKERS_M], _EITHER_WAY[:1]
    ),
    "mug": StandardKind(("white", "blue", "red", "yellow", "green", "black"), mug, sizes.MUGS_M),
    "notepad": StandardKind(("white", "yellow", "pink"), notepad, (sizes.NOTEPAD_M,)),
    "pen": StandardKind(
        ("blue", "red", "black", "green"), pen, (sizes.PEN_M,), (("on_side", ON_SIDE),)
    ),
    "pen_stand": StandardKind(
        ("blue", "red", "green", "white", "orange"),
        _pen_stand,
        poses=(*_EITHER_WAY, ("on_side, empty", ON_SIDE)),
    ),
    "plank": StandardKind(("brown",), plank, (sizes.PLANK_M,)),
    "plate": StandardKind(("white", "cream", "blue", "green"), plate, sizes.PLATES_M),
    "sponge": StandardKind(("yellow", "orange", "pink", "blue"), sponge, (sizes.SPONGE_M,)),
    "tin": StandardKind(("blue", "red", "green", "purple"), tin, sizes.TINS_M),
    "tray": StandardKind(("brown",), partial(tray, grips=True), (sizes.TRAY_M,)),
}
