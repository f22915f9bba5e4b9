"""What other things are kept in: bottles, cans, jars, baskets, buckets."""

from math import cos, degrees, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.drafts import NATURAL, STEEL, WHITE, Draft, chance, dyed, shaded
from pactwin.sim.objects.kinds.forms import (
    Parts,
    arc,
    around,
    box,
    disc,
    lathe,
    made_of,
    mirrored,
    painted,
    pipe,
    tube,
    turned,
    unseen,
    vessel,
    walls,
)

_UP = (0.0, 0.0, 1.0)


def bottle(rng: np.random.Generator) -> Draft:
    """A drinks bottle with a label and a ribbed cap."""
    color, rgba = dyed(rng, "green", "blue", "red", "orange")
    _, label = dyed(rng, "white", "yellow")
    profile = [
        (0.029, 0.0),
        (0.0325, 0.005),
        (0.0325, 0.125),
        (0.030, 0.150),
        (0.022, 0.172),
        (0.014, 0.184),
        (0.0125, 0.190),
        (0.0125, 0.206),
    ]
    ribs = around(18, box((0.0012, 0.003, 0.015), (0.0155, 0.0, 0.2105)))
    parts = (
        *made_of("body", "thin_plastic", rgba, *vessel(profile, 0.001, 0.0015)),
        *made_of("print", "print", label, *painted(disc(0.0656, 0.045, 0.105))),
        *made_of("print", "print", shaded(rgba, 0.6), *painted(disc(0.0658, 0.068, 0.084))),
        *made_of("cap", "plastic", WHITE, disc(0.031, 0.203, 0.218), *painted(*ribs)),
        *made_of("contents", "water", rgba, *unseen(disc(0.063, 0.0015, 0.150))),
    )
    return Draft(parts, color, "upright, closed, filled")


def can(rng: np.random.Generator) -> Draft:
    """A drinks can: printed, with silver ends and a ring to pull."""
    color, rgba = dyed(rng, "red", "blue", "green", "orange", "black", "purple")
    _, stripe = dyed(rng, "white", "yellow")
    d = 0.066
    profile = [
        (0.024, 0.0),
        (0.027, 0.001),
        (d / 2, 0.011),
        (d / 2, 0.103),
        (0.0275, 0.112),
        (0.0278, 0.115),
    ]
    wave: Parts = ()
    for t in np.linspace(0, 2 * pi, 28, endpoint=False).tolist():
        bit = box((0.001, 0.011, 0.014), (d / 2, 0.0, 0.057 + 0.018 * sin(t)))
        wave += turned((bit,), _UP, degrees(t))
    ring = [(0.007 + 1.1 * x, 0.8 * y, 0.1152) for x, y, _ in arc(0.008, 0, 360, 12, "xy")]
    top = [(0.0273, 0.1125), (0.0273, 0.1132)]
    hole = disc(0.016, 0.1132, 0.1134, -0.014)
    parts = (
        *made_of("body", "aluminium", STEEL, *vessel(profile, 0.0004, 0.0006)),
        *made_of("body", "aluminium", shaded(STEEL, 0.9), *pipe(top, 0.0172)),
        *made_of("tab", "aluminium", shaded(STEEL, 0.9), disc(0.0205, 0.1125, 0.1132)),
        *made_of("tab", "aluminium", shaded(STEEL, 0.45), *painted(hole)),
        *made_of("print", "print", rgba, *painted(disc(d + 0.0006, 0.011, 0.103))),
        *made_of("print", "print", stripe, *painted(*wave)),
        *made_of("tab", "aluminium", shaded(STEEL, 1.1), *tube(ring, 0.0018)),
        *made_of("contents", "drink", rgba, *unseen(disc(0.065, 0.008, 0.106))),
    )
    return Draft(parts, color, "upright, closed, filled")


def tin(rng: np.random.Generator) -> Draft:
    """A flat round biscuit tin with a silver lid and golden patterns."""
    color, rgba = dyed(rng, "blue", "red", "green", "purple")
    gold = NATURAL["gold"]
    body = vessel([(0.058, 0.0), (0.059, 0.001), (0.059, 0.052)], 0.0005, 0.0005)
    lid = (*vessel([(0.0601, 0.038), (0.0601, 0.055)], 0.0005, 0.0), disc(0.1205, 0.0545, 0.055))
    parts = (
        *made_of("body", "steel", rgba, *body),
        *made_of("paint", "coating", rgba, *painted(disc(0.1184, 0.002, 0.037))),
        *made_of("paint", "coating", gold, *painted(disc(0.1188, 0.014, 0.026))),
        *made_of("lid", "steel", STEEL, *lid),
        *made_of("paint", "coating", gold, *painted(disc(0.070, 0.055, 0.0553))),
        *made_of("paint", "coating", gold, *painted(*around(14, disc(0.01, 0.055, 0.0552, 0.042)))),
        *made_of("paint", "coating", rgba, *painted(disc(0.058, 0.055, 0.0556))),
    )
    return Draft(parts, color, "upright, closed, empty")


def jar(rng: np.random.Generator) -> Draft:
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
    return Draft(parts, color, "upright, closed, filled" if full else "upright, closed, empty")


def basket(rng: np.random.Generator) -> Draft:
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
    return Draft(parts, color, "upright, empty")


def bucket(rng: np.random.Generator) -> Draft:
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
    return Draft(parts, color, "upright, empty")
