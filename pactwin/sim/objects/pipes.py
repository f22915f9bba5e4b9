"""Gutters and conduits: what water and cables run in."""

import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.palette import INK
from pactwin.sim.objects.primitives import (
    Parts,
    Y,
    disc,
    made_of,
    moved,
    ring_wall,
    rod,
    turned,
    visual_only,
)
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, axis_angle

# Of the pipe of which a gutter is half: seven remain, one of them flat below.
_AROUND = 14


@cached
def gutter(color: str, wide_m: float, long_m: float) -> Item:
    """A length of half-round gutter along x, open above and at its ends."""
    wall = 0.0025
    inner = wide_m / 2 * float(np.cos(np.pi / _AROUND)) - wall
    tube = ring_wall((inner, inner), (-long_m / 2, long_m / 2), wall, _AROUND)
    below = [part for part in turned(tube, Y, 90.0) if part.pose.pos[2] < 0]
    return make_item("gutter", color, made_of("body", "plastic", 1.0, below))


@cached
def conduit(color: str, wide_m: float, long_m: float) -> Item:
    """A stiff conduit for cables along x, open at its ends."""
    half = long_m / 2
    body = made_of("body", "hollow_plastic", 1.0, rod((-half, 0.0, 0.0), (half, 0.0, 0.0), wide_m))
    across = axis_angle(Y, float(np.pi / 2))
    ends = [open_end(Pose((x, 0.0, 0.0), across), wide_m) for x in (-half, half)]
    return make_item("conduit", color, (*body, *ends[0], *ends[1]), state="on_side")


def open_end(at: Pose, wide_m: float) -> Parts:
    """The dark opening of a conduit, whose axis is z of ``at``."""
    hole = visual_only(disc(0.8 * wide_m, -0.0005, 0.0005))
    return made_of("print", "print", INK, moved(hole, at))
