"""Hand tools, fasteners, and a brick."""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.bars import round_bar
from pactwin.sim.objects.kinds.parts import BuiltParts, built, chance
from pactwin.sim.objects.lathe import pipe
from pactwin.sim.objects.palette import STEEL, WOOD, dyed, shaded
from pactwin.sim.objects.primitives import (
    X,
    Z,
    around,
    box,
    disc,
    ellipsoid,
    hull,
    loft,
    made_of,
    prism,
    rod,
    rounded_box,
    shifted,
    slab,
    turned,
    turns,
    visual_only,
    walls,
    xy,
    xyz,
)

_DARK = (0.16, 0.16, 0.17, 1.0)
_IRON = (0.42, 0.43, 0.46, 1.0)
_BRASS = (0.82, 0.66, 0.32, 1.0)
_HAIR = (0.80, 0.66, 0.45, 1.0)


def hammer(rng: np.random.Generator) -> BuiltParts:
    """A claw hammer lying on its side: head to the left, claw in the +y direction."""
    rgba = shaded(WOOD, float(rng.uniform(0.8, 1.15)))
    x = -0.13
    face = (
        rod((x, -0.062, 0.0), (x, -0.038, 0.0), 0.028),
        rod((x, -0.04, 0.0), (x, -0.015, 0.0), 0.020),
    )
    eye = rounded_box((0.026, 0.036, 0.028), 0.004, (x, 0.0, 0.0))
    claws = (
        loft(
            [
                (x - out + 0.006 + dx, y, side * (0.0035 + 0.05 * (y - 0.016) + apart))
                for dx in (-thick / 2, thick / 2)
                for apart in (0.0, 0.0085)
            ]
            for out, y, thick in xyz("12 16 14, 10 35 12, 4 52 8, -10 68 4")
        )
        for side in (-1, 1)
    )
    handle = loft(
        [(along, 0.5 * w * cos(t), 0.36 * w * sin(t)) for t in turns(20)]
        for along, w in xy("-145 24, -120 22, -50 21, 30 27, 90 31, 150 29, 163 22")
    )
    return built(
        "brown",
        made_of("head", "steel", _IRON, face, eye, *claws),
        made_of(
            "head", "steel", STEEL, visual_only(rod((x, -0.0625, 0.0), (x, -0.060, 0.0), 0.026))
        ),
        made_of("handle", "wood", rgba, handle),
        state="on_side",
    )


def wrench(rng: np.random.Generator) -> BuiltParts:
    """A combination spanner: open at one end, a ring at the other."""
    metal = shaded(STEEL, float(rng.uniform(0.85, 1.05)))
    head = [(0.0225 * cos(t), 0.0225 * sin(t)) for t in np.linspace(0.42, 2 * pi - 0.42, 19)]
    jaw = slab([*head, *xy("21 -8.5, -4 -8.5, -8 0, -4 8.5, 21 8.5")], 0.0, 0.010)
    shank = prism(xy("-62 -9.5, 78 -8.5, 78 8.5, -62 9.5"), 0.0012, 0.0088)
    groove = prism(xy("-45 -4, 60 -3.5, 60 3.5, -45 4"), 0.0009, 0.0091)
    segment = hull(
        (r * cos(t), r * sin(t), z)
        for z in (0.0, 0.010)
        for r in (0.0095, 0.019)
        for t in (0.0, 2 * pi / 24)
    )
    jaw, ring = shifted(turned(jaw, Z, 165.0), x=-0.08), shifted(around(24, segment), x=0.086)
    return built(
        "silver",
        made_of("body", "steel", metal, jaw, shank, ring),
        made_of("body", "steel", shaded(metal, 0.7), visual_only(groove)),
    )


def pliers(rng: np.random.Generator) -> BuiltParts:
    """Slightly open pliers with coated grips."""
    color, rgba = dyed(rng, "red", "blue", "yellow", "orange")
    jaw = slab(xy("-12 11, -30 13, -55 8, -62 2.5, -30 1.2, -12 0"), -0.007, 0.007)
    teeth = [
        box((0.0016, 0.002, 0.0142), (-0.055 + 0.004 * k, 0.0022 + 0.00025 * k, 0.0))
        for k in range(7)
    ]
    bar = xyz("8 -6 0, 30 -17 0, 60 -21.5 0, 95 -21 0, 118 -19 0")
    grip = round_bar(bar, (0.012, 0.015, 0.017, 0.016, 0.012), 0.018)
    halves = []
    for side in (1, -1):
        joint = box((0.02, 0.018, 0.008), (0.0, 0.0, -0.004 * side))
        one = (
            *made_of("jaws", "steel", shaded(STEEL, 0.85), jaw, joint),
            *made_of("jaws", "steel", shaded(STEEL, 0.4), visual_only(teeth)),
            *made_of("grips", "rubber", rgba, grip),
        )
        one = turned(one, Z, -5.0)
        halves.append(one if side > 0 else turned(one, X, 180.0))
    return built(
        color,
        *halves,
        made_of("pivot", "steel", shaded(STEEL, 0.7), disc(0.014, -0.009, 0.009)),
        made_of("pivot", "steel", STEEL, visual_only(disc(0.008, -0.0095, 0.0095))),
    )


def brush(rng: np.random.Generator) -> BuiltParts:
    """A flat paint brush."""
    color, rgba = dyed(rng, "red", "blue", "yellow", "green", "brown")
    spread = np.linspace(-0.024, 0.0198, 11).tolist()
    tufts = []
    for x, dy in zip(spread, rng.uniform(0, 0.005, 11).tolist(), strict=True):
        root = [(x + dx, -0.065, z) for z in (0.008, -0.008) for dx in (0.0, 0.0042)]
        tip = [(x * 0.98 + dx, -0.11 - dy, z) for z in (0.002, -0.002) for dx in (0.0, 0.0041)]
        tufts.append(hull([*root, *tip]))
    grip = xyz("0 -32 0, 0 0 0, 0 30 0, 0 75 0, 0 104 0")
    handle = round_bar(grip, (0.042, 0.022, 0.017, 0.024, 0.017), 0.014)
    sleeve = shifted(turned(walls(0.05, 0.016, 0.035, 0.0006), X, 90.0), y=-0.0325)
    filled = visual_only(rounded_box((0.050, 0.035, 0.016), 0.003, (0.0, -0.05, 0.0)))
    nails = [disc(0.004, -0.0083, 0.0083, x, -0.045) for x in (-0.016, 0.016)]
    return built(
        color,
        made_of("bristles", "bristle", _HAIR, tufts[::2]),
        made_of("bristles", "bristle", shaded(_HAIR, 0.85), tufts[1::2]),
        made_of("ferrule", "steel", STEEL, filled, sleeve),
        made_of("ferrule", "steel", shaded(STEEL, 0.6), visual_only(nails)),
        made_of("handle", "wood", rgba, handle),
    )


def saw(rng: np.random.Generator) -> BuiltParts:
    """A hand saw lying flat: a long toothed blade and a wooden grip with a hole."""
    rgba = shaded(WOOD, float(rng.uniform(0.7, 1.1)))
    count = 56
    step = 0.34 / count
    toothed = []
    for k in range(count):
        x = -0.225 + k * step
        y0, y1 = (0.012 - 0.052 * n / count for n in (k, k + 1))
        tooth = [(x, y0), (x + step * 0.85, y1 - 0.0052), (x + step, y1)]
        toothed.append(prism(tooth, 0.0117, 0.0133))
    blade = prism(xy("-225 12, 115 -40, 115 52, -225 52"), 0.0117, 0.0133)
    bow = xy(
        "118 45, 150 52, 190 58, 212 44, 205 5, 208 -32, 192 -48, 155 -46, 118 -30, 126 8, 118 45"
    )
    widths = (0.026, 0.024, 0.024, 0.026, 0.027, 0.026, 0.024, 0.024, 0.026, 0.03, 0.026)
    grip = round_bar([(x, y, 0.0125) for x, y in bow], widths, 0.025)
    screws = [disc(0.010, -0.0005, 0.0255, x, y) for x, y in xy("122 30, 128 4, 124 -22")]
    return built(
        "brown",
        made_of("blade", "steel", STEEL, blade, toothed),
        made_of("handle", "wood", rgba, grip),
        made_of("screws", "brass", _BRASS, visual_only(screws)),
    )


def nut(rng: np.random.Generator) -> BuiltParts:
    """A hexagonal nut."""
    metal = shaded(STEEL, float(rng.uniform(0.8, 1.05)))
    outer, inner, high = 0.0208, 0.0120, 0.019
    edges = []
    for t in (2 * pi * k / 24 for k in range(25)):
        r = outer * cos(pi / 6) / cos((t % (pi / 3)) - pi / 6)
        edges.append([(q * cos(t), q * sin(t), z) for q in (inner, r) for z in (0.0, high)])
    thread = [
        pipe([(inner + 0.0002, z), (inner + 0.0002, z + 0.0012)], 0.0012)[0]
        for z in np.linspace(0.002, high - 0.003, 6).tolist()
    ]
    return built(
        "silver",
        made_of("body", "steel", metal, loft(edges)),
        made_of("body", "steel", shaded(metal, 0.6), visual_only(thread)),
    )


def brick(rng: np.random.Generator) -> BuiltParts:
    """A clay brick, plain or with three holes facing up."""
    rgba = shaded((0.68, 0.30, 0.20, 1.0), float(rng.uniform(0.85, 1.1)))
    x, y, z = 0.24, 0.115, 0.071
    u, v, d = rng.uniform(-1, 1, 60), rng.uniform(-1, 1, 60), rng.uniform(0.001, 0.005, 60)
    spots = [
        ellipsoid((wide, wide, 0.001), (a * x * 0.47, b * y * 0.45, z))
        for a, b, wide in zip(u.tolist(), v.tolist(), d.tolist(), strict=True)
    ]
    if chance(rng, 0.5):
        body = [rounded_box((x, y, z), 0.003, (0.0, 0.0, z / 2))]
    else:
        hole, spots = 0.05, []
        cross = (x - 3 * hole) / 4
        body = [
            box((cross, y, z), (-x / 2 + cross / 2 + k * (cross + hole), 0.0, z / 2))
            for k in range(4)
        ]
        for k in range(3):
            at = -x / 2 + cross + hole / 2 + k * (cross + hole)
            for s in (-1, 1):
                body.append(box((hole, (y - hole) / 2, z), (at, s * (y + hole) / 4, z / 2)))
    return built(
        "red",
        made_of("body", "clay_brick", rgba, body),
        made_of("body", "clay_brick", shaded(rgba, 0.6), visual_only(spots)),
    )
