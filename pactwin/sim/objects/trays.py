"""Trays and long boxes to carry: with a rim, with a handle at one end, with a bar over the middle.

Sizes are those of serving trays and tool carriers. Handles are thick enough for a hand, and high
enough above the table for fingers. The long axis is x.
"""

from dataclasses import replace

from pactwin.sim.objects.builtin import assembled
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, Vec3

FLOOR_M = 0.004
RIM_M = 0.016
HANDLE_M = 0.10
"""Length of a handle at the end of a tray."""

BAR_M = 0.022
"""Thickness of handles and bars."""

_WALL_M = 0.005
# Trays stand on their floors, not on their rims too: contacts cost time and change nothing.
_CLEAR_M = 0.0005
_PACKED_KG_M3 = 450.0


def tray(color: str, inner_m: tuple[float, float]) -> Item:
    """A wooden tray with a low rim around a floor of ``inner_m`` (x, y). Its first part is it."""
    x, y, _ = size = _outer(inner_m)
    return assembled("tray", color, "painted wood", _rimmed(x, y, 0.0, RIM_M), size)


def floor_m(item: Item) -> Vec3:
    """The floor of a tray without a handle: its extents x and y, and its height in its frame."""
    x, y, z = item.size_m
    return x - 2 * _WALL_M, y - 2 * _WALL_M, FLOOR_M - z / 2


def handled_tray(color: str, inner_m: tuple[float, float]) -> Item:
    """A tray with a handle at its end towards +x."""
    x, y, _ = _outer(inner_m)
    height = RIM_M + BAR_M / 2
    shift = -HANDLE_M / 2
    handle = Part(
        "box",
        (HANDLE_M + 0.01, BAR_M + 0.006, BAR_M),
        Pose((x / 2 - 0.005, 0.0, (height - BAR_M) / 2)),
        shade=0.6,
    )
    parts = (*_rimmed(x, y, shift, height), handle)
    return assembled("tray", color, "painted wood", parts, (x + HANDLE_M, y, height))


def carrier(color: str, inner_m: tuple[float, float], bar_height_m: float) -> Item:
    """A tray with a bar across its middle, ``bar_height_m`` above the table, on two posts."""
    x, y, _ = _outer(inner_m)
    parts = (*_rimmed(x, y, 0.0, bar_height_m), *_bar(0.0, y, RIM_M, bar_height_m))
    return assembled("carrier", color, "painted wood", parts, (x, y, bar_height_m))


def long_box(color: str, size_m: Vec3, bar_at_m: float, bar_height_m: float) -> Item:
    """A closed box with a bar across its top at ``bar_at_m`` along x, ``bar_height_m`` above it.

    Full of paper, so much heavier than its cardboard.
    """
    x, y, z = size_m
    height = z + bar_height_m
    solid = Part("box", size_m, Pose((0.0, 0.0, (z - height) / 2)))
    parts = (solid, *_bar(bar_at_m, 0.8 * y, z, height))
    return replace(
        assembled("long box", color, "cardboard", parts, (x, y, height), state="upright, closed"),
        mass_kg=round(_PACKED_KG_M3 * x * y * z, 3),
    )


def handle_of(item: Item) -> tuple[Vec3, Vec3]:
    """Middle and direction of the handle or bar of a thing built here, in its frame.

    It is the last of the thing's parts, and longest in its direction.
    """
    handle = item.parts[-1]
    x, y, _ = handle.size_m
    return handle.pose.pos, (1.0, 0.0, 0.0) if x > y else (0.0, 1.0, 0.0)


def _outer(inner_m: tuple[float, float]) -> Vec3:
    return inner_m[0] + 2 * _WALL_M, inner_m[1] + 2 * _WALL_M, RIM_M


def _rimmed(x_m: float, y_m: float, at_x_m: float, height_m: float) -> tuple[Part, ...]:
    """A floor of outer size (x, y) with its rim, the bottom of an item ``height_m`` high."""
    bottom = -height_m / 2
    long = (x_m, _WALL_M, RIM_M - _CLEAR_M)
    short = (_WALL_M, y_m - 2 * _WALL_M, RIM_M - _CLEAR_M)
    parts = [
        Part("box", (x_m, y_m, FLOOR_M), Pose((at_x_m, 0.0, bottom + FLOOR_M / 2)), shade=0.85)
    ]
    for side in (-1, 1):
        place = (at_x_m, side * (y_m - _WALL_M) / 2, bottom + (RIM_M + _CLEAR_M) / 2)
        parts.append(Part("box", long, Pose(place)))
        place = (at_x_m + side * (x_m - _WALL_M) / 2, 0.0, bottom + (RIM_M + _CLEAR_M) / 2)
        parts.append(Part("box", short, Pose(place)))
    return tuple(parts)


def _bar(x_m: float, y_m: float, from_m: float, to_m: float) -> tuple[Part, ...]:
    """Two posts at ``x_m`` and a bar between their tops, heights above the item's bottom.

    The bar is the last part, the top of an item ``to_m`` high.
    """
    post = (BAR_M, 0.010, to_m - from_m)
    posts = (
        Part(
            "box",
            post,
            Pose((x_m, side * (y_m - post[1]) / 2, (from_m + to_m) / 2 - to_m / 2)),
            shade=0.6,
        )
        for side in (-1, 1)
    )
    bar = Part("box", (BAR_M, y_m, BAR_M), Pose((x_m, 0.0, (to_m - BAR_M) / 2)), shade=0.6)
    return (*posts, bar)
