"""Trays and long boxes to carry, with a handle at one end, or a bar over the middle.

Sizes are those of serving trays and tool carriers. Handles are thick enough for a hand, and high
enough above the table for fingers. The long axis is x.
"""

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.blocks import open_box
from pactwin.sim.objects.primitives import (
    Parts,
    box,
    collision_only,
    made_of,
    mass_only,
    mirrored,
    shifted,
    visual_only,
    walls,
)
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3

FLOOR_M = 0.004
RIM_M = 0.016
HANDLE_M = 0.10
"""Length of a handle at the end of a tray."""

BAR_M = 0.022
"""Thickness of handles and bars."""

_WALL_M = 0.005
# Height of the middle of a handle: fingers around it stay clear of the table.
_HANDLE_UP_M = 0.022


def handled_tray(color: str, inner_m: tuple[float, float]) -> Item:
    """A tray with a handle at its end towards +x."""
    x, _ = _outer(inner_m)
    at = (x + HANDLE_M) / 2 - 0.005, 0.0, _HANDLE_UP_M
    handle = box((HANDLE_M + 0.01, BAR_M + 0.006, BAR_M), at)
    parts = (*_rimmed(inner_m), *made_of("handle", "wood", 0.6, handle))
    return make_item("handled_tray", color, parts, called="tray")


def carrier(color: str, inner_m: tuple[float, float], bar_height_m: float) -> Item:
    """A tray with a bar across its middle, ``bar_height_m`` above the table, on two posts."""
    parts = (*_rimmed(inner_m), *_bar(0.0, _outer(inner_m)[1], RIM_M, bar_height_m))
    return make_item("carrier", color, parts)


def long_box(color: str, size_m: Vec3, bar_at_m: float, bar_height_m: float) -> Item:
    """A closed cardboard box full of paper, with a bar on top at ``bar_at_m`` along x.

    The bar extends ``bar_height_m`` above the box.
    """
    x, y, z = size_m
    wall = 0.004
    whole = box(size_m, (0.0, 0.0, z / 2))
    flat = [box((x, y, wall), (0.0, 0.0, at)) for at in (wall / 2, z - wall / 2)]
    parts = (
        *made_of("contents", "packed_paper", 1.0, collision_only(whole)),
        *made_of("body", "cardboard", 1.0, visual_only(whole)),
        *made_of("body", "cardboard", 1.0, mass_only(walls(x, y, z, wall), flat)),
        *_bar(bar_at_m, 0.8 * y, z, z + bar_height_m),
    )
    return make_item("long_box", color, parts, state="upright, closed")


def handle_of(item: Item) -> tuple[Vec3, Vec3]:
    """Middle and direction of the handle or bar of an object built here, in its frame.

    The handle is the last of the object's parts and longest in its direction.
    """
    handle = item.parts[-1]
    x, y, _ = handle.size_m
    return handle.pose.pos, (1.0, 0.0, 0.0) if x > y else (0.0, 1.0, 0.0)


def _outer(inner_m: tuple[float, float]) -> tuple[float, float]:
    return inner_m[0] + 2 * _WALL_M, inner_m[1] + 2 * _WALL_M


def _rimmed(inner_m: tuple[float, float]) -> Parts:
    """A floor around the origin, first, and its rim."""
    tray = open_box("brown", (*inner_m, RIM_M - FLOOR_M), _WALL_M, "wood", floor_m=FLOOR_M)
    return shifted(tray.parts, z=RIM_M / 2)


def _bar(x_m: float, y_m: float, from_m: float, to_m: float) -> Parts:
    """Two posts at ``x_m``, and last a bar between their tops at height ``to_m``."""
    post = box((BAR_M, 0.010, to_m - from_m), (0.0, (y_m - 0.010) / 2, (from_m + to_m) / 2))
    bar = box((BAR_M, y_m, BAR_M), (0.0, 0.0, to_m - BAR_M / 2))
    return made_of("handle", "wood", 0.6, shifted((*mirrored(post), bar), x=x_m))
