"""Stands of pens, and where markers have their caps."""

from dataclasses import dataclass

import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.lathe import cup_shape
from pactwin.sim.objects.palette import COLORS, INK
from pactwin.sim.objects.posing import UPSIDE_DOWN, resting_at
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
from pactwin.sim.scene.pose import Pose, axis_angle

# Up to here a marker is thinner, as a share of its length; how far its tail reaches into the cap.
_SHOULDER, _TAIL_M = 0.3, 0.03
_APART_M = 0.0004


def capped(marker_there: Item, cap: Item) -> Pose:
    """Pose of ``cap`` on the tip of ``marker_there``: ``world_from_object``."""
    shoulder = (_SHOULDER - 0.5) * marker_there.size_m[2]
    return marker_there.world_from_object @ Pose((0.0, 0.0, shoulder - cap.size_m[2] / 2))


def on_its_tail(marker_there: Item, cap: Item) -> Pose:
    """Pose of ``cap`` on the tail of the marker: ``world_from_object``."""
    half = marker_there.size_m[2] / 2 + cap.size_m[2] / 2 - _TAIL_M
    return marker_there.world_from_object @ Pose((0.0, 0.0, half), UPSIDE_DOWN)


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


def lying_pen_stand(stand: Item, x: float, y: float, *, yaw_rad: float = 0.0) -> Item:
    """The stand on its side; its opening faces along x before the turn by ``yaw_rad``.

    It rests on the edge of its foot and on its rim; its opening is the lower end.
    """
    foot, tube = stand.parts[0], stand.parts[1]
    raised = foot.size_m[0] / 2 - (tube.pose.pos[0] + tube.size_m[0] / 2)
    slope = float(np.arctan2(raised, stand.size_m[2] - foot.size_m[2]))
    turn = axis_angle(Y, np.pi / 2 + slope)
    return resting_at(stand, x, y, turn, yaw_rad=yaw_rad, state="on_side")


@dataclass(frozen=True)
class Propped:
    """A lying pen stand and the object that props it up.

    The object is ``under_m`` high and starts ``along_m`` from the stand's x, y towards its opening.
    """

    stand: Item
    under_m: float
    along_m: float


def propped_pen_stand(
    stand: Item, x: float, y: float, raised_rad: float, at_m: float, *, yaw_rad: float = 0.0
) -> Propped:
    """The stand on its side with its opening raised: it is propped ``at_m`` from its foot.

    It rests on the edge of its foot and, with its wall, on the object below.
    """
    foot, tube = stand.parts[0], stand.parts[1]
    wide, thin = foot.size_m[0] / 2, tube.pose.pos[0] + tube.size_m[0] / 2
    turn = axis_angle(Y, np.pi / 2 - raised_rad)
    lying = resting_at(stand, x, y, turn, yaw_rad=yaw_rad, state="on_side")
    sin, cos = float(np.sin(raised_rad)), float(np.cos(raised_rad))
    # From the middle of the foot's underside, which is half a height behind the stand's middle.
    under = (wide - thin) * cos + at_m * sin
    along = at_m * cos + thin * sin - stand.size_m[2] / 2 * cos
    return Propped(lying, under, along)


def _leaning_pencil(rgba: tuple[float, float, float, float], height_m: float) -> Parts:
    high = 1.42 * height_m
    foot, neck, tip = (-0.012, 0.010, 0.011), (0.026, 0.012, high), (0.028, 0.012, high + 0.012)
    return (
        *made_of("contents", "wood", rgba, rod(foot, neck, 0.008)),
        *made_of("contents", "wood", INK, rod(neck, tip, 0.004, rounded=True)),
    )
