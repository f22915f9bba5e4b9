"""What other things are kept in: bottles, cans, jars, baskets, buckets."""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts, chance
from pactwin.sim.objects.lathe import lathe, vessel
from pactwin.sim.objects.palette import NATURAL, STEEL, WHITE, dyed, shaded
from pactwin.sim.objects.primitives import (
    Parts,
    arc,
    around,
    box,
    disc,
    made_of,
    mirrored,
    painted,
    tube,
    turned,
    walls,
)

_UP = (0.0, 0.0, 1.0)


def jar(rng: np.random.Generator) -> BuiltParts:
    """A glass jar with a screw lid, empty or with jam in it."""
    full = chance(rng, 0.4)
    color, lid = dyed(rng, "red", "gold", "white", "green")
    _, jam = dyed(rng, "red", "orange", "purple")
    profile = [(0.036, 0.0), (0.040, 0.004), (0.040, 0.080), (0.033, 0.092), (0.033, 0.108)]
    skirt = vessel([(0.036, 0.096), (0.036, 0.11)], 0.0015, 0.0)
    ribs = around(30, box((0.001, 0.004, 0.013), (0.0358, 0.0, 0.1035)))
    inside = painted(*lathe([(0.0365, 0.0035), (0.0368, 0.072)]))
    parts = (
        *(made_of("contents", "preserve", jam, *inside) if full else ()),
        *made_of("body", "glass", NATURAL["clear"], *vessel(profile, 0.003, 0.003)),
        *made_of("lid", "steel", lid, disc(0.072, 0.109, 0.111), *skirt, *painted(*ribs)),
    )
    return BuiltParts(parts, color, "upright, closed, filled" if full else "upright, closed, empty")


def basket(rng: np.random.Generator) -> BuiltParts:
    """A woven basket with a handle over it."""
    color, rgba = dyed(rng, "beige", "brown")
    x, y, z, wall = 0.27, 0.19, 0.12, 0.006
    rows = 9
    weave: Parts = ()
    for row in range(rows):
        spread = 0.86 + 0.14 * (row + 0.5) / rows
        for long, wide, turn in ((x, y, 0.0), (y, x, 90.0)):
            count = round(long / 0.02)
            for k in range(count):
                over = (row + k) % 2 == 0
                at = ((k + 0.5) / count - 0.5) * long * spread
                out = wide * spread / 2 - (0.0015 if over else 0.004)
                size = (long * spread / count, wall, 0.96 * z / rows)
                bit = box(size, (at, out, (row + 0.5) * z / rows))
                strand = made_of("body", "wicker", shaded(rgba, 1.1 if over else 0.78), bit)
                weave += turned(mirrored(*painted(*strand)), _UP, turn)
    inner = (box((0.92 * x, 0.92 * y, wall), (0, 0, wall / 2)), *walls(0.92 * x, 0.92 * y, z, wall))
    bow = [(0.0, py, z - 0.01 + pz) for _, py, pz in arc(0.094, 0, 180, 14, "yz")]
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1), (1, 1))
    edge = [(sx * x / 2, sy * y / 2, z) for sx, sy in corners]
    parts = (
        *made_of("body", "wicker", shaded(rgba, 0.7), *inner),
        *weave,
        *made_of("body", "wicker", shaded(rgba, 0.9), *tube(edge, 0.012)),
        *made_of("handle", "wicker", shaded(rgba, 0.9), *tube(bow, 0.011)),
    )
    return BuiltParts(parts, color, "upright, empty")


def bucket(rng: np.random.Generator) -> BuiltParts:
    """A tapered pail, its wire bail hanging to one side."""
    color, rgba = dyed(rng, "blue", "red", "green", "yellow", "grey")
    top = 0.26
    profile = [
        (0.098, 0.0),
        (0.100, 0.004),
        (0.133, top - 0.02),
        (0.139, top - 0.018),
        (0.139, top - 0.003),
        (0.137, top),
    ]
    swing = np.linspace(0, pi, 19).tolist()
    bow = [(0.143 * cos(t), 0.148 * sin(t), top - 0.012 - 0.07 * sin(t)) for t in swing]
    lugs = mirrored(box((0.012, 0.022, 0.03), (0.14, 0.0, top - 0.017)))
    parts = (
        *made_of("body", "plastic", rgba, *vessel(profile, 0.0025, 0.003), *lugs),
        *made_of("bail", "steel", STEEL, *tube(bow, 0.0045)),
        *made_of("grip", "plastic", WHITE, *painted(*tube(bow[8:11], 0.018))),
    )
    return BuiltParts(parts, color, "upright, empty")
