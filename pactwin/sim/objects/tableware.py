"""Tableware: cups, bowls, mugs, and a lid.

The first part of each is its floor; its opening is at the top (+z) of its frame. By default,
diameters of openings are inner ones.
"""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.lathe import cup_shape
from pactwin.sim.objects.primitives import (
    arc,
    disc,
    made_of,
    shifted,
    tube,
)
from pactwin.sim.scene.layout import Item

PLATE_FLOOR_M = 0.005
"""Thickness of the floor of a plate, which is 0.62 of its diameter."""

_EMPTY = "upright, empty"


@cached
def cup(
    color: str,
    mouth_m: float,
    bottom_m: float,
    height_m: float,
    *,
    wall_m: float = 0.0035,
    floor_m: float = 0.006,
) -> Item:
    """A plastic cup that widens from ``bottom_m`` to ``mouth_m``."""
    inner = [(bottom_m / 2, floor_m), (mouth_m / 2, height_m)]
    parts = made_of("body", "plastic", 1.0, cup_shape(inner, wall_m))
    return make_item("cup", color, parts, state=_EMPTY)


@cached
def bowl(color: str, mouth_m: float, bottom_m: float, height_m: float) -> Item:
    """A round ceramic bowl that widens from ``bottom_m`` to ``mouth_m``."""
    floor, wide = 0.006, (mouth_m - bottom_m) / 2
    turns = np.linspace(0.0, 0.85 * pi / 2, 4).tolist()
    whole = sin(turns[-1]), 1 - cos(turns[-1])
    inner = [
        (
            bottom_m / 2 + wide * sin(t) / whole[0],
            floor + (height_m - floor) * (1 - cos(t)) / whole[1],
        )
        for t in turns
    ]
    parts = made_of("body", "ceramic", 1.0, cup_shape(inner, 0.005, sides=20, foot=0.002))
    return make_item("bowl", color, parts, state=_EMPTY)


@cached
def mug(color: str, inner_diameter_m: float, depth_m: float) -> Item:
    """A straight ceramic mug with a round handle on its +x side."""
    wall, r = 0.005, inner_diameter_m / 2
    body = cup_shape([(r, wall), (r, wall + depth_m)], wall)
    tall = 0.27 * depth_m / 0.021
    bow = [(1.15 * x, 0.0, tall * z) for x, _, z in arc(0.021, -90, 90, 8)]
    handle = shifted(tube(bow, 0.0095), x=r + wall - 0.0015, z=0.52 * depth_m)
    parts = (
        *made_of("body", "ceramic", 1.0, body),
        *made_of("handle", "ceramic", 1.0, handle),
    )
    return make_item("mug", color, parts, state=_EMPTY)


@cached
def lid(color: str, diameter_m: float) -> Item:
    """A printed flat round lid with a knob."""
    thick, knob = 0.006, 0.016
    parts = (
        *made_of("body", "plastic", 1.0, disc(diameter_m, 0.0, thick)),
        *made_of("body", "plastic", 0.7, disc(0.024, thick, thick + knob)),
    )
    return make_item("lid", color, parts)
