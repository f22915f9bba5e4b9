"""Gutters and conduits: what water and cables run in."""

from itertools import pairwise
from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.palette import INK
from pactwin.sim.objects.primitives import (
    Parts,
    Y,
    disc,
    hull,
    made_of,
    moved,
    rod,
    turned,
    visual_only,
)
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose

_SIDES = 7
"""Of the section of a gutter: of an odd number one is flat below."""


@cached
def gutter(color: str, wide_m: float, long_m: float) -> Item:
    """A length of half-round gutter along x, open above and at its ends."""
    wall, r = 0.0025, wide_m / 2
    angles = np.linspace(pi, 2 * pi, _SIDES + 1).tolist()
    sides = [
        hull(
            (x, radius * cos(t), radius * sin(t))
            for x in (-long_m / 2, long_m / 2)
            for radius in (r, r - wall)
            for t in between
        )
        for between in pairwise(angles)
    ]
    return make_item("gutter", color, made_of("body", "plastic", 1.0, sides))


@cached
def conduit(color: str, wide_m: float, long_m: float) -> Item:
    """A stiff conduit for cables along x, open at its ends."""
    half = long_m / 2
    body = made_of("body", "hollow_plastic", 1.0, rod((-half, 0.0, 0.0), (half, 0.0, 0.0), wide_m))
    turn = turned(disc(wide_m, 0, 1), Y, 90.0)[0].pose.quat
    ends = [open_end(Pose((x, 0.0, 0.0), turn), wide_m) for x in (-half, half)]
    return make_item("conduit", color, (*body, *ends[0], *ends[1]), state="on_side")


def open_end(at: Pose, wide_m: float) -> Parts:
    """The dark opening of a conduit, whose axis is z of ``at``."""
    hole = visual_only(disc(0.8 * wide_m, -0.0005, 0.0005))
    return made_of("print", "print", INK, moved(hole, at))
