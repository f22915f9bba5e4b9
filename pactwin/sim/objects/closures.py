"""Objects that open and close: boxes with lids, bottles with screw caps, markers with caps."""

import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.blocks import open_box
from pactwin.sim.objects.lathe import cup_shape
from pactwin.sim.objects.posing import UPSIDE_DOWN
from pactwin.sim.objects.primitives import (
    Parts,
    around,
    box,
    disc,
    made_of,
    moved,
    visual_only,
    walls,
)
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, Vec3, axis_angle

WALL_M = 0.005
"""Thickness of boxes' walls and lids."""

# A lid reaches so far over the walls under it, outwards and, where it is but a rim, inwards.
_OUT_M = 0.003
_OPEN_RAD = float(np.deg2rad(108.0))
_CAP_OVER_M, _NECK_M = 0.004, 0.022
# Up to here a marker is thinner, as a share of its length; how far its tail reaches into the cap.
_SHOULDER, _TAIL_M = 0.3, 0.03


def hinged_box(color: str, inner_m: Vec3, *, closed: bool) -> Item:
    """A printed box around ``inner_m`` with a hinged lid at its +y side.

    An open lid leans back, away from the opening.
    """
    base = open_box(color, inner_m, WALL_M, "plastic")
    x, y, z = base.size_m
    hinge = Pose((0.0, y / 2, z / 2), axis_angle((1.0, 0.0, 0.0), 0.0 if closed else -_OPEN_RAD))
    flap = box((x, y, WALL_M), (0.0, -y / 2, WALL_M / 2))
    tab = box((0.024, 0.008, WALL_M), (0.0, -y - 0.004, WALL_M / 2))
    parts = (
        *base.parts,
        *made_of("lid", "plastic", 0.75, moved(flap, hinge)),
        *made_of("lid", "plastic", 0.6, moved(tab, hinge)),
    )
    return make_item("box", color, parts, state="upright, closed" if closed else "upright, open")


def box_lid(color: str, box_under: Item, *, holed: bool = False) -> Item:
    """A printed loose flat lid with a knob for an open box; if ``holed``, only its rim."""
    x, y = (extent + 2 * _OUT_M for extent in box_under.size_m[:2])
    wide = WALL_M + 2 * _OUT_M
    plates = walls(x, y, WALL_M, wide) if holed else (box((x, y, WALL_M), (0.0, 0.0, WALL_M / 2)),)
    knob = box((wide, 0.022, 0.016), ((x - wide) / 2 if holed else 0.0, 0.0, WALL_M + 0.008))
    return _lid(color, plates, knob)


@cached
def lid(color: str, diameter_m: float) -> Item:
    """A printed flat round lid with a knob."""
    return _lid(color, (disc(diameter_m, 0.0, 0.006),), disc(0.024, 0.006, 0.022))


def _lid(color: str, plates: Parts, knob: Part) -> Item:
    parts = (*made_of("body", "plastic", 1.0, plates), *made_of("body", "plastic", 0.7, knob))
    return make_item("lid", color, parts)


@cached
def wide_bottle(color: str, diameter_m: float, height_m: float, mouth_m: float) -> Item:
    """A hollow wide-mouth bottle (250 ml, as in laboratories) without its cap.

    ``mouth_m`` is the inner diameter of its neck, which is 22 mm high.
    """
    wall, radius, throat = 0.003, diameter_m / 2 - 0.003, mouth_m / 2
    neck = height_m - _NECK_M
    inner = [(radius, 0.004), (radius, neck - 0.018), (throat, neck), (throat, height_m)]
    parts = made_of("body", "plastic", 1.0, cup_shape(inner, wall))
    return make_item("wide_bottle", color, parts, called="bottle", state="upright, open")


@cached
def bottle_cap(color: str, mouth_m: float) -> Item:
    """The ribbed cap of a wide-mouth bottle, top up (+z)."""
    wide, high = mouth_m + 0.014, _NECK_M + _CAP_OVER_M
    ribs = around(30, box((0.001, 0.002, high - 0.006), (wide / 2, 0.0, high / 2 - 0.002)))
    top = disc(0.8 * wide, high - 0.0003, high + 0.0003)
    parts = (
        *made_of("body", "hollow_plastic", 1.0, disc(wide, 0.0, high)),
        *made_of("body", "hollow_plastic", 0.85, visual_only(top, ribs)),
    )
    return make_item("bottle_cap", color, parts, called="cap")


def screwed_on(bottle: Item, cap: Item) -> Pose:
    """Pose of ``cap`` screwed on ``bottle``: ``world_from_object``."""
    top = (bottle.size_m[2] - cap.size_m[2]) / 2 + _CAP_OVER_M
    return bottle.world_from_object @ Pose((0.0, 0.0, top))


def capped(marker_there: Item, cap: Item) -> Pose:
    """Pose of ``cap`` on the tip of ``marker_there``: ``world_from_object``."""
    shoulder = (_SHOULDER - 0.5) * marker_there.size_m[2]
    return marker_there.world_from_object @ Pose((0.0, 0.0, shoulder - cap.size_m[2] / 2))


def on_its_tail(marker_there: Item, cap: Item) -> Pose:
    """Pose of ``cap`` on the tail of the marker: ``world_from_object``."""
    half = marker_there.size_m[2] / 2 + cap.size_m[2] / 2 - _TAIL_M
    return marker_there.world_from_object @ Pose((0.0, 0.0, half), UPSIDE_DOWN)
