"""Vessels to put things into, and what closes them: pen stand, cup, bowl, lid.

Each vessel's first part is its floor, its opening is at the top (+z) of its frame. Sizes are those
of things from a household shop, or of prints of half a day.
"""

import numpy as np

from pactwin.sim.objects.builtin import assembled
from pactwin.sim.objects.shaping import disc, resting_at, ring_wall
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import axis_angle

_HOLLOW = "upright, open, empty"


def pen_stand(color: str, inner_diameter_m: float, height_m: float, foot_m: float) -> Item:
    """A straight tube on a round foot that is ``foot_m`` wider all around: printed.

    The foot makes it slope towards its opening when it lies, see :func:`lying_pen_stand`.
    """
    wall, floor = 0.004, 0.006
    outer = inner_diameter_m + 2 * wall + 2 * foot_m
    foot = disc(outer, floor, (floor - height_m) / 2, shade=0.8)
    radius = inner_diameter_m / 2
    tube = ring_wall((radius, radius), (floor - height_m / 2, height_m / 2), wall)
    return assembled(
        "pen stand", color, "plastic", (foot, *tube), (outer, outer, height_m), state=_HOLLOW
    )


def lying_pen_stand(stand: Item, x: float, y: float, *, yaw_rad: float = 0.0) -> Item:
    """The stand on its side, its opening along x before it is turned by ``yaw_rad``.

    It rests on the edge of its foot and on its rim, so its opening is the lower end.
    """
    foot, tube = stand.parts[0], stand.parts[1]
    raised = foot.size_m[0] / 2 - (tube.pose.pos[0] + tube.size_m[0] / 2)
    slope = float(np.arctan2(raised, stand.size_m[2] - foot.size_m[2]))
    turn = axis_angle((0.0, 1.0, 0.0), np.pi / 2 + slope)
    return resting_at(stand, x, y, turn, yaw_rad=yaw_rad, state="on_side")


def tumbler(color: str, mouth_m: float, bottom_m: float, height_m: float) -> Item:
    """A plastic cup that widens from ``bottom_m`` to ``mouth_m`` (inner diameters)."""
    return _widening("cup", color, "plastic", mouth_m, bottom_m, height_m, 0.0035)


def bowl(color: str, mouth_m: float, bottom_m: float, height_m: float) -> Item:
    """A ceramic bowl that widens from ``bottom_m`` to ``mouth_m`` (inner diameters)."""
    return _widening("bowl", color, "ceramic", mouth_m, bottom_m, height_m, 0.005)


def lid(color: str, diameter_m: float) -> Item:
    """A flat round lid with a knob: printed."""
    thick, knob = 0.006, 0.016
    height = thick + knob
    parts = (
        disc(diameter_m, thick, (thick - height) / 2),
        disc(0.024, knob, (height - knob) / 2, shade=0.7),
    )
    return assembled("lid", color, "plastic", parts, (diameter_m, diameter_m, height))


def _widening(
    kind: str,
    color: str,
    material: str,
    mouth_m: float,
    bottom_m: float,
    height_m: float,
    wall_m: float,
) -> Item:
    floor = 0.006
    foot = disc(bottom_m + 2 * wall_m, floor, (floor - height_m) / 2, shade=0.8)
    wall = ring_wall(
        (bottom_m / 2, mouth_m / 2), (floor - height_m / 2, height_m / 2), wall_m, sides=20
    )
    outer = mouth_m + 2 * wall_m
    return assembled(kind, color, material, (foot, *wall), (outer, outer, height_m), state=_HOLLOW)
