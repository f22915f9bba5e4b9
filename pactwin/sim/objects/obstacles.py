"""Obstacles that block a hand: cages, shelves, screens, fences.

Each is built around a free space of size ``inner_m`` or ``under_m``. All stand on the table without
support and leave the guarded objects visible from some sides.
"""

import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.primitives import Parts, Z, box, made_of, mirrored, shifted, turned
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3

_THICK_M = 0.012
# How thick bars are, and how far apart: of a cage, and of a fence.
_BAR_M, _PITCH_M = 0.005, 0.020
_FENCE_BAR_M, _FENCE_PITCH_M = 0.006, 0.022


def cage(color: str, inner_m: Vec3, *, open_near: bool = False) -> Item:
    """A wire cage without a floor, to put over objects.

    Its bars are about 20 mm apart on all four sides and on top: no finger fits through, but
    most of its inside is visible. With ``open_near`` it has no top, and no side towards -x.
    """
    x, y, z = inner_m[0] + 2 * _BAR_M, inner_m[1] + 2 * _BAR_M, inner_m[2] + _BAR_M
    half_x = (x - _BAR_M) / 2
    far = shifted(_grate(y, z, _BAR_M, _BAR_M, _PITCH_M), x=half_x)
    side = turned(_grate(x - 2 * _BAR_M, z, _BAR_M, _BAR_M, _PITCH_M), Z, 90.0)
    parts = [*far, *mirrored(shifted(side, y=(y - _BAR_M) / 2))]
    if not open_near:
        above = np.linspace(-half_x, half_x, max(1, round(x / _PITCH_M)) + 1)[1:-1].tolist()
        parts += shifted(far, x=-2 * half_x)
        parts += [box((_BAR_M, y - 2 * _BAR_M, _BAR_M), (at, 0.0, z - _BAR_M / 2)) for at in above]
    return make_item("cage", color, parts, material="aluminium")


def shelf(
    color: str, size_m: tuple[float, float], under_m: float, *, closed_near: bool = False
) -> Item:
    """A board of ``size_m`` (x, y) on legs, with ``under_m`` below it.

    With ``closed_near`` a panel closes the side towards -x instead of the two legs there.
    """
    leg, (x, y) = 0.014, size_m
    feet = [
        box((leg, leg, under_m), (side_x * (x - leg) / 2, side_y * (y - leg) / 2, under_m / 2))
        for side_x in ((1,) if closed_near else (-1, 1))
        for side_y in (-1, 1)
    ]
    panel = box((_THICK_M, y, under_m), ((_THICK_M - x) / 2, 0.0, under_m / 2))
    parts = (
        *made_of("board", "wood", 1.0, box((x, y, _THICK_M), (0.0, 0.0, under_m + _THICK_M / 2))),
        *made_of("legs", "wood", 0.8, feet),
        *(made_of("panel", "wood", 0.85, panel) if closed_near else ()),
    )
    return make_item("shelf", color, parts)


def screen(color: str, width_m: float, height_m: float) -> Item:
    """A board standing upright on two feet with its faces towards -x and x."""
    board = box((_THICK_M, width_m, height_m), (0.0, 0.0, height_m / 2))
    return make_item("screen", color, (board, *_feet(width_m)), material="wood")


def fence(color: str, width_m: float, height_m: float) -> Item:
    """Upright bars between two rails on two feet: a transparent screen."""
    grate = _grate(width_m, height_m, _FENCE_BAR_M, _THICK_M, _FENCE_PITCH_M)
    return make_item("fence", color, (*grate, *_feet(width_m)), material="aluminium")


def _grate(width: float, height: float, bar: float, rail: float, pitch: float) -> Parts:
    """Upright square bars between two rails across x, from the ground up, about ``pitch`` apart."""
    ends, up = (width - bar) / 2, (height - rail) / 2
    spots = np.linspace(-ends, ends, max(1, round(width / pitch)) + 1).tolist()
    rails = [box((rail, width, rail), (0.0, 0.0, height / 2 + s * up)) for s in (-1, 1)]
    bars = [box((bar, bar, height - 2 * rail), (0.0, at, height / 2)) for at in spots]
    return (*rails, *bars)


def _feet(width_m: float) -> Parts:
    foot = box((0.08, _THICK_M, _THICK_M), (0.0, 0.4 * width_m, _THICK_M / 2))
    return made_of("feet", "", 0.8, mirrored(foot))
