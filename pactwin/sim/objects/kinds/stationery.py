"""Stationery."""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts, built
from pactwin.sim.objects.lathe import pipe
from pactwin.sim.objects.palette import INK, STEEL, dyed, shaded
from pactwin.sim.objects.primitives import (
    Parts,
    Y,
    Z,
    box,
    disc,
    hull,
    made_of,
    prism,
    shifted,
    tube,
    turned,
    visual_only,
    xy,
    xyz,
)


def ruler(rng: np.random.Generator) -> BuiltParts:
    """A ruler of 30 cm with marks."""
    color, rgba = dyed(rng, "yellow", "orange", "white", "green")
    thick = 0.003
    marks = []
    for k in range(61):
        length = 0.010 if k % 10 == 0 else 0.0075 if k % 2 == 0 else 0.004
        at = (0.005 * k - 0.15, 0.015 - length / 2 - 0.0003, thick)
        marks.append(box((0.0007, length, 0.0002), at))
    digits = [box((0.0035, 0.0045, 0.0002), (0.01 * k - 0.15, -0.001, thick)) for k in range(31)]
    body = prism(xy("-155 -15, 155 -15, 155 15, -155 15"), 0.0, thick)
    return built(
        color,
        made_of("body", "plastic", rgba, body),
        made_of("body", "plastic", INK, visual_only(marks)),
        made_of("body", "plastic", shaded(rgba, 0.45), visual_only(digits)),
    )


def tape_roll(rng: np.random.Generator) -> BuiltParts:
    """A roll of packing tape lying flat with a lifted end."""
    color, rgba = (("brown", (0.70, 0.50, 0.26, 1.0)), ("clear", (0.88, 0.84, 0.70, 1.0)))[
        int(rng.integers(2))
    ]
    d, hole, high = 0.105, 0.076, 0.048
    roll = pipe([(d / 2, 0.0), (d / 2, high)], (d - hole) / 2 - 0.003)
    core = pipe([(hole / 2 + 0.003, -0.0003), (hole / 2 + 0.003, high + 0.0003)], 0.003)
    outline = [(d / 2 + out, along) for out, along in xy("-0.6 0, 0 0, 4 22, 4.4 22")]
    lifted = hull((x, y, z) for z in (0.0005, high - 0.0005) for x, y in outline)
    rings = [
        pipe([(r, high - 0.0005), (r, high + 0.0002)], 0.0005)[0] for r in (0.0435, 0.046, 0.0485)
    ]
    return built(
        color,
        made_of("tape", "adhesive_tape", rgba, roll, lifted),
        made_of("tape", "adhesive_tape", shaded(rgba, 0.7), visual_only(rings)),
        made_of("core", "cardboard", (0.86, 0.74, 0.56, 1.0), core),
    )


def scissors(rng: np.random.Generator) -> BuiltParts:
    """Slightly open scissors lying flat."""
    color, rgba = dyed(rng, "red", "blue", "orange", "green", "black")
    blade = prism(xy("6 -98, 8 -30, 9 12, -6 12, -5 -20"), 0.004, 0.006)
    angles = np.linspace(-pi, pi, 19).tolist()
    loop = [(0.019 + 0.016 * cos(t), 0.067 + 0.027 * sin(t), 0.006) for t in angles]
    neck = tube(xyz("1 4 6, 5 30 6, 12 47 6"), 0.011)
    handle = made_of("handles", "plastic", rgba, neck, tube(loop, 0.0095))

    def half(shade: float) -> Parts:
        return (*made_of("blades", "steel", shaded(STEEL, shade), blade), *handle)

    other = turned(turned(half(0.92), Y, 180.0), Z, -7.0)
    pin = made_of("blades", "steel", shaded(STEEL, 0.6), disc(0.008, 0.002, 0.0105))
    one = turned(half(1.05), Z, 7.0)
    return built(color, one, shifted(other, z=0.012), pin, state="upright, closed")
