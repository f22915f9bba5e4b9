"""Boxes with lids or flaps, and the pot for pens."""

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts, chance
from pactwin.sim.objects.palette import CARDBOARD, INK, WHITE, dyed, shaded
from pactwin.sim.objects.primitives import (
    Parts,
    box,
    made_of,
    mirrored,
    moved,
    painted,
    shifted,
    turned,
    walls,
)
from pactwin.sim.scene.pose import Pose, axis_angle

_X, _Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
_TAPE = (0.86, 0.74, 0.50, 1.0)


def cardboard_box(rng: np.random.Generator) -> BuiltParts:
    """A parcel with tape over its flaps, or with the flaps open."""
    closed = chance(rng, 0.6)
    x, y, z, wall = 0.25, 0.18, 0.136, 0.004
    body = (box((x, y, wall), (0.0, 0.0, wall / 2)), *walls(x, y, z, wall))
    top = _taped(x, y, z, wall) if closed else _flaps_open(x, y, z, wall)
    parts = (*made_of("body", "cardboard", CARDBOARD, *body), *top)
    return BuiltParts(
        parts, "brown", "upright, closed, empty" if closed else "upright, open, empty"
    )


def _taped(x: float, y: float, z: float, wall: float) -> Parts:
    flaps = mirrored(box((x, y / 2 - 0.0005, wall), (0.0, y / 4, z + wall / 2)))
    top = z + wall
    seam = box((x, 0.002, 0.0004), (0.0, 0.0, top))
    strip = box((x + 0.001, 0.048, 0.0008), (0.0, 0.0, top + 0.0004))
    ends = mirrored(box((0.0008, 0.048, 0.045), (x / 2 + 0.0004, 0.0, top - 0.0225)))
    label = box((0.075, 0.05, 0.0006), (-0.065, 0.057, top + 0.0003))
    lines = (box((0.045, 0.003, 0.0004), (-0.072, 0.046 + 0.011 * k, top + 0.0008)) for k in (0, 1))
    return (
        *made_of("flaps", "cardboard", shaded(CARDBOARD, 1.06), *flaps),
        *made_of("flaps", "cardboard", shaded(CARDBOARD, 0.4), *painted(seam)),
        *made_of("print", "print", _TAPE, *painted(strip, *ends)),
        *made_of("print", "print", WHITE, *painted(label)),
        *made_of("print", "print", INK, *painted(*lines)),
    )


def _flaps_open(x: float, y: float, z: float, wall: float) -> Parts:
    long = box((x, y / 2, wall), (0.0, y / 4, 0.0))
    short = box((y / 2, y - 2 * wall, wall), (y / 4, 0.0, 0.0))
    flaps: Parts = ()
    for half_turn, up in ((0.0, -40.0), (180.0, 20.0)):
        one = shifted(turned((long,), _X, up), y=y / 2 - wall / 2, z=z)
        other = shifted(turned((short,), (0.0, 1.0, 0.0), -up - 5.0), x=x / 2 - wall / 2, z=z)
        flaps += turned((*one, *other), _Z, half_turn)
    return made_of("flaps", "cardboard", shaded(CARDBOARD, 1.06), *flaps)


def lidded_box(rng: np.random.Generator) -> BuiltParts:
    """A storage box with a hinged lid, shut or open."""
    color, rgba = dyed(rng, "blue", "green", "red", "yellow", "purple", "white")
    closed = chance(rng, 0.5)
    x, y, z, wall = 0.18, 0.12, 0.077, 0.003
    lid = (
        box((x + 0.004, y + 0.004, wall), (0.0, -y / 2, wall / 2)),
        box((x + 0.004, 0.002, 0.012), (0.0, -y - 0.003, -0.006)),
        *(box((0.002, y, 0.012), (s * (x / 2 + 0.003), -y / 2, -0.006)) for s in (-1, 1)),
        box((0.03, 0.006, 0.02), (0.0, -y - 0.006, -0.010)),
    )
    open_by = 0.0 if closed else -105.0
    hinge = Pose((0.0, y / 2, z), axis_angle(_X, float(np.deg2rad(open_by))))
    base = (box((x, y, wall), (0.0, 0.0, wall / 2)), *walls(x, y, z, wall))
    lock = box((0.034, 0.004, 0.016), (0.0, -y / 2 - 0.001, z - 0.03))
    parts = (
        *made_of("body", "plastic", rgba, *base, *painted(lock)),
        *made_of("lid", "plastic", shaded(rgba, 0.85), *moved(lid, hinge)),
    )
    return BuiltParts(parts, color, "upright, closed, empty" if closed else "upright, open, empty")
