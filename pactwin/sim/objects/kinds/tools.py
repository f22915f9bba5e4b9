"""Tools to work with by hand."""

import itertools
from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.bars import round_bar
from pactwin.sim.objects.kinds.parts import BuiltParts
from pactwin.sim.objects.lathe import lathe
from pactwin.sim.objects.palette import STEEL, WOOD, dyed, shaded
from pactwin.sim.objects.posing import ON_SIDE
from pactwin.sim.objects.primitives import (
    Parts,
    around,
    ball,
    box,
    disc,
    hull,
    made_of,
    painted,
    prism,
    rod,
    rounded_box,
    shifted,
    slab,
    turned,
    walls,
)

_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_DARK = (0.16, 0.16, 0.17, 1.0)


def hammer(rng: np.random.Generator) -> BuiltParts:
    """A claw hammer lying on its side: head to the left, claw up the page."""
    rgba = shaded(WOOD, float(rng.uniform(0.8, 1.15)))
    iron = (0.42, 0.43, 0.46, 1.0)
    x = -0.13
    face = (
        rod((x, -0.062, 0.0), (x, -0.038, 0.0), 0.028),
        rod((x, -0.04, 0.0), (x, -0.015, 0.0), 0.020),
    )
    eye = rounded_box((0.026, 0.036, 0.028), 0.004, (x, 0.0, 0.0))
    claws: Parts = ()
    for side in (-1, 1):
        line = [
            (0.012, 0.016, 0.014),
            (0.010, 0.035, 0.012),
            (0.004, 0.052, 0.008),
            (-0.010, 0.068, 0.004),
        ]
        for (x0, y0, t0), (x1, y1, t1) in itertools.pairwise(line):
            spread0, spread1 = 0.0035 + 0.05 * (y0 - 0.016), 0.0035 + 0.05 * (y1 - 0.016)
            corners = []
            for px, py, t, spread in ((x0, y0, t0, spread0), (x1, y1, t1, spread1)):
                for dx in (-t / 2, t / 2):
                    corners += [
                        (x - px + 0.006 + dx, py, side * spread),
                        (x - px + 0.006 + dx, py, side * (spread + 0.0085)),
                    ]
            claws += (hull(corners),)
    grip = [
        (-0.145, 0.024),
        (-0.12, 0.022),
        (-0.05, 0.021),
        (0.03, 0.027),
        (0.09, 0.031),
        (0.15, 0.029),
        (0.163, 0.022),
    ]
    handle: Parts = ()
    for (x0, w0), (x1, w1) in itertools.pairwise(grip):
        handle += (
            hull(
                (px, 0.5 * w * cos(t), 0.36 * w * sin(t))
                for px, w in ((x0, w0), (x1, w1))
                for t in np.linspace(0, 2 * pi, 20, endpoint=False)
            ),
        )
    parts = (
        *made_of("head", "steel", iron, *face, eye, *claws),
        *made_of("head", "steel", STEEL, *painted(rod((x, -0.0625, 0.0), (x, -0.060, 0.0), 0.026))),
        *made_of("handle", "wood", rgba, *handle),
    )
    return BuiltParts(parts, "brown", "on_side")


def screwdriver(rng: np.random.Generator) -> BuiltParts:
    """A screwdriver lying, its handle fluted."""
    color, rgba = dyed(rng, "red", "yellow", "blue", "green", "orange")
    blade = hull(
        [
            *((sx * 0.0035, sy * 0.0006, 0.0) for sx in (-1, 1) for sy in (-1, 1)),
            *((sx * 0.0032, sy * 0.0030, 0.016) for sx in (-1, 1) for sy in (-1, 1)),
        ]
    )
    profile = [
        (0.008, 0.118),
        (0.0095, 0.124),
        (0.010, 0.132),
        (0.014, 0.150),
        (0.015, 0.175),
        (0.0145, 0.205),
        (0.011, 0.217),
        (0.005, 0.22),
    ]
    flutes = around(6, rod((0.0150, 0.0, 0.148), (0.0150, 0.0, 0.200), 0.0065, rounded=True))
    parts = (
        *made_of("blade", "steel", STEEL, disc(0.0062, 0.012, 0.125), blade),
        *made_of("blade", "steel", _DARK, *painted(disc(0.0064, 0.012, 0.020))),
        *made_of("handle", "plastic", rgba, *lathe(profile)),
        *made_of("handle", "plastic", _DARK, *painted(*flutes, disc(0.0215, 0.126, 0.130))),
    )
    return BuiltParts(parts, color, "on_side", ON_SIDE)


def wrench(rng: np.random.Generator) -> BuiltParts:
    """A spanner, open at one end, a ring at the other."""
    metal = shaded(STEEL, float(rng.uniform(0.85, 1.05)))
    head = [
        (0.0225 * cos(t), 0.0225 * sin(t)) for t in np.linspace(0.42, 2 * pi - 0.42, 19).tolist()
    ]
    jaw = slab(
        [
            *head,
            (0.021, -0.0085),
            (-0.004, -0.0085),
            (-0.008, 0.0),
            (-0.004, 0.0085),
            (0.021, 0.0085),
        ],
        0.0,
        0.010,
    )
    jaw = shifted(turned(jaw, _Z, 165.0), x=-0.08)
    shank = prism(
        [(-0.062, -0.0095), (0.078, -0.0085), (0.078, 0.0085), (-0.062, 0.0095)], 0.0012, 0.0088
    )
    groove = prism(
        [(-0.045, -0.004), (0.06, -0.0035), (0.06, 0.0035), (-0.045, 0.004)], 0.0009, 0.0091
    )
    ring = around(
        24,
        hull(
            (r * cos(t), r * sin(t), z)
            for z in (0.0, 0.010)
            for r in (0.0095, 0.019)
            for t in (0.0, 2 * pi / 24)
        ),
    )
    parts = (
        *made_of("body", "steel", metal, *jaw, shank, *shifted(ring, x=0.086)),
        *made_of("body", "steel", shaded(metal, 0.7), *painted(groove)),
    )
    return BuiltParts(parts, "silver")


def pliers(rng: np.random.Generator) -> BuiltParts:
    """Pliers with coated grips, a little open."""
    color, rgba = dyed(rng, "red", "blue", "yellow", "orange")
    halves: Parts = ()
    for side in (1, -1):
        jaw = [
            (-0.012, 0.011),
            (-0.030, 0.013),
            (-0.055, 0.008),
            (-0.062, 0.0025),
            (-0.03, 0.0012),
            (-0.012, 0.0),
        ]
        teeth = [
            box((0.0016, 0.002, 0.0142), (-0.055 + 0.004 * k, 0.0022 + 0.00025 * k, 0.0))
            for k in range(7)
        ]
        grip = [
            (0.008, -0.006, 0.0),
            (0.030, -0.017, 0.0),
            (0.060, -0.0215, 0.0),
            (0.095, -0.021, 0.0),
            (0.118, -0.019, 0.0),
        ]
        one = (
            *made_of(
                "jaws",
                "steel",
                shaded(STEEL, 0.85),
                *slab(jaw, -0.007, 0.007),
                box((0.02, 0.018, 0.008), (0.0, 0.0, -0.004 * side)),
            ),
            *made_of("jaws", "steel", shaded(STEEL, 0.4), *painted(*teeth)),
            *made_of(
                "grips",
                "rubber",
                rgba,
                *round_bar(grip, (0.012, 0.015, 0.017, 0.016, 0.012), 0.018),
            ),
        )
        one = turned(one, _Z, -5.0)
        halves += one if side > 0 else turned(one, _X, 180.0)
    pivot = disc(0.014, -0.009, 0.009)
    parts = (
        *halves,
        *made_of("pivot", "steel", shaded(STEEL, 0.7), pivot),
        *made_of("pivot", "steel", STEEL, *painted(disc(0.008, -0.0095, 0.0095))),
    )
    return BuiltParts(parts, color)


def brush(rng: np.random.Generator) -> BuiltParts:
    """A flat paint brush."""
    color, rgba = dyed(rng, "red", "blue", "yellow", "green", "brown")
    hair = (0.80, 0.66, 0.45, 1.0)
    tufts = [
        hull(
            [
                (x, -0.065, 0.008),
                (x + 0.0042, -0.065, 0.008),
                (x, -0.065, -0.008),
                (x + 0.0042, -0.065, -0.008),
                (x * 0.98, -0.11 - dy, 0.002),
                (x * 0.98 + 0.0041, -0.11 - dy, 0.002),
                (x * 0.98, -0.11 - dy, -0.002),
                (x * 0.98 + 0.0041, -0.11 - dy, -0.002),
            ]
        )
        for x, dy in zip(
            np.linspace(-0.024, 0.0198, 11).tolist(),
            rng.uniform(0, 0.005, 11).tolist(),
            strict=True,
        )
    ]
    grip = [
        (0.0, -0.032, 0.0),
        (0.0, 0.0, 0.0),
        (0.0, 0.03, 0.0),
        (0.0, 0.075, 0.0),
        (0.0, 0.104, 0.0),
    ]
    sleeve = shifted(turned(walls(0.05, 0.016, 0.035, 0.0006), _X, 90.0), y=-0.0325)
    nails = [disc(0.004, -0.0083, 0.0083, x, -0.045) for x in (-0.016, 0.016)]
    parts = (
        *made_of("bristles", "bristle", hair, *tufts[::2]),
        *made_of("bristles", "bristle", shaded(hair, 0.85), *tufts[1::2]),
        *made_of(
            "ferrule",
            "steel",
            STEEL,
            *painted(rounded_box((0.050, 0.035, 0.016), 0.003, (0.0, -0.05, 0.0))),
            *sleeve,
        ),
        *made_of("ferrule", "steel", shaded(STEEL, 0.6), *painted(*nails)),
        *made_of(
            "handle", "wood", rgba, *round_bar(grip, (0.042, 0.022, 0.017, 0.024, 0.017), 0.014)
        ),
    )
    return BuiltParts(parts, color)


def saw(rng: np.random.Generator) -> BuiltParts:
    """A hand saw lying flat: a long toothed blade and a wooden grip with a hole."""
    rgba = shaded(WOOD, float(rng.uniform(0.7, 1.1)))
    long, teeth = 0.34, 56
    blade = [(-0.225, 0.012), (0.115, -0.04), (0.115, 0.052), (-0.225, 0.052)]
    toothed: Parts = ()
    step = long / teeth
    for k in range(teeth):
        x0 = -0.225 + k * step
        y0, y1 = 0.012 - 0.052 * k / teeth, 0.012 - 0.052 * (k + 1) / teeth
        toothed += (
            prism([(x0, y0), (x0 + step * 0.85, y1 - 0.0052), (x0 + step, y1)], 0.0117, 0.0133),
        )
    grip_line = [
        (0.118, 0.045, 0.0125),
        (0.150, 0.052, 0.0125),
        (0.190, 0.058, 0.0125),
        (0.212, 0.044, 0.0125),
        (0.205, 0.005, 0.0125),
        (0.208, -0.032, 0.0125),
        (0.192, -0.048, 0.0125),
        (0.155, -0.046, 0.0125),
        (0.118, -0.030, 0.0125),
        (0.126, 0.008, 0.0125),
        (0.118, 0.045, 0.0125),
    ]
    grip = round_bar(
        grip_line,
        (0.026, 0.024, 0.024, 0.026, 0.027, 0.026, 0.024, 0.024, 0.026, 0.03, 0.026),
        0.025,
    )
    screws = [
        disc(0.010, -0.0005, 0.0255, x, y)
        for x, y in ((0.122, 0.030), (0.128, 0.004), (0.124, -0.022))
    ]
    parts = (
        *made_of("blade", "steel", STEEL, prism(blade, 0.0117, 0.0133), *toothed),
        *made_of("handle", "wood", rgba, *grip),
        *made_of("screws", "brass", (0.82, 0.66, 0.32, 1.0), *painted(*screws)),
    )
    return BuiltParts(parts, "brown")


def clamp(rng: np.random.Generator) -> BuiltParts:
    """A G-clamp lying flat: frame, screw, T-bar."""
    color, rgba = dyed(rng, "blue", "red", "green", "orange")
    frame_line = [
        (-0.052, 0.022, 0.0),
        (-0.052, -0.022, 0.0),
        (-0.040, -0.034, 0.0),
        (0.012, -0.034, 0.0),
        (0.022, -0.024, 0.0),
        (0.022, 0.022, 0.0),
    ]
    anvil = rod((-0.050, 0.022, 0.0), (-0.040, 0.022, 0.0), 0.016)
    thread = [disc(0.0098, z, z + 0.0014) for z in np.linspace(-0.012, 0.064, 26).tolist()]
    screw = (disc(0.0085, -0.018, 0.066), disc(0.015, -0.024, -0.018))
    bar = (
        rod((-0.020, 0.0, 0.063), (0.020, 0.0, 0.063), 0.005),
        ball((0.008,) * 3, (-0.020, 0.0, 0.063)),
        ball((0.008,) * 3, (0.020, 0.0, 0.063)),
    )

    def lying(upright: Parts) -> Parts:
        return shifted(turned(upright, _Y, 90.0), y=0.022)

    parts = (
        *made_of(
            "frame",
            "iron",
            rgba,
            *round_bar(frame_line, (0.016, 0.018, 0.018, 0.018, 0.018, 0.020), 0.016),
            anvil,
        ),
        *made_of("screw", "steel", STEEL, *lying(screw), *lying(painted(*thread))),
        *made_of("bar", "steel", shaded(STEEL, 0.8), *lying(turned(bar, _Z, 90.0))),
    )
    return BuiltParts(parts, color)
