"""Vessels that things go into: cups and stands of pens. The first part of each is its floor."""

import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.lathe import cup_shape
from pactwin.sim.objects.palette import COLORS, INK
from pactwin.sim.objects.posing import resting_at
from pactwin.sim.objects.primitives import (
    Parts,
    Y,
    Z,
    disc,
    made_of,
    rod,
    shifted,
    turned,
)
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import axis_angle

_APART_M = 0.0004


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
    return make_item("cup", color, parts, state="upright, empty")


@cached
def pen_stand(
    color: str, inner_diameter_m: float, height_m: float, foot_m: float, pens: int = 0
) -> Item:
    """A printed straight tube on a round foot that is ``foot_m`` wider all around.

    Because of the foot it slopes towards its opening when it lies, see :func:`lying_pen_stand`.
    It holds up to three ``pens``.
    """
    wall, floor, r = 0.004, 0.006, inner_diameter_m / 2
    foot = disc(2 * (r + wall + foot_m), 0.0, floor)
    *shell, surface = cup_shape([(r, floor), (r, height_m)], wall)
    # A little above the foot's underside: two faces in one plane would flicker through each other.
    tube = [*(part for part in shell if part.shape != "cylinder"), *shifted(surface, z=_APART_M)]
    inside: Parts = ()
    for k, hue in enumerate(("blue", "red", "yellow")[:pens]):
        inside += turned(_leaning_pencil(COLORS[hue], height_m), Z, 120.0 * k + 25.0)
    parts = (*made_of("body", "plastic", 1.0, foot, tube), *inside)
    state = "upright, filled" if pens else "upright, empty"
    return make_item("pen_stand", color, parts, state=state)


def lying_pen_stand(
    stand: Item, x: float, y: float, *, raised_rad: float | None = None, yaw_rad: float = 0.0
) -> Item:
    """The stand on its side; its opening faces along x before the turn by ``yaw_rad``.

    It rests on the edge of its foot and on its rim, with its opening at the lower end. With
    ``raised_rad`` its opening is raised by that angle, and a prop carries it (:func:`prop_m`).
    """
    if raised_rad is None:
        wide, thin = _radii_m(stand)
        raised_rad = -float(np.arctan2(wide - thin, stand.size_m[2] - stand.parts[0].size_m[2]))
    turn = axis_angle(Y, np.pi / 2 - raised_rad)
    return resting_at(stand, x, y, turn, yaw_rad=yaw_rad, state="on_side")


def prop_m(stand: Item, raised_rad: float, at_m: float) -> tuple[float, float]:
    """Near edge and height (m) of a prop that carries a lying stand ``at_m`` from its foot.

    The edge is measured from the stand's x, y towards its opening.
    """
    wide, thin = _radii_m(stand)
    sin, cos = float(np.sin(raised_rad)), float(np.cos(raised_rad))
    # From the middle of the foot's underside, which is half a height behind the stand's middle.
    along = at_m * cos + thin * sin - stand.size_m[2] / 2 * cos
    return along, (wide - thin) * cos + at_m * sin


def _radii_m(stand: Item) -> tuple[float, float]:
    """Outer radii of a stand's foot and tube."""
    foot, tube = stand.parts[:2]
    return foot.size_m[0] / 2, tube.pose.pos[0] + tube.size_m[0] / 2


def _leaning_pencil(rgba: tuple[float, float, float, float], height_m: float) -> Parts:
    high = 1.42 * height_m
    foot, neck, tip = (-0.012, 0.010, 0.011), (0.026, 0.012, high), (0.028, 0.012, high + 0.012)
    return (
        *made_of("contents", "wood", rgba, rod(foot, neck, 0.008)),
        *made_of("contents", "wood", INK, rod(neck, tip, 0.004, rounded=True)),
    )
