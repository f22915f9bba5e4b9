"""Fasteners, weights, building stuff, and the things that the rig's scenes play with."""

from itertools import product
from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts, chance
from pactwin.sim.objects.lathe import pipe
from pactwin.sim.objects.palette import COLORS, STEEL, shaded
from pactwin.sim.objects.posing import ON_SIDE
from pactwin.sim.objects.primitives import (
    Parts,
    box,
    disc,
    hull,
    made_of,
    painted,
    prism,
    rounded_box,
)
from pactwin.sim.objects.primitives import ball as ellipsoid

_Y = (0.0, 1.0, 0.0)
_BLACK = (0.05, 0.05, 0.06, 1.0)


def bolt(rng: np.random.Generator) -> BuiltParts:
    """A hexagonal bolt with its thread, lying."""
    metal = shaded(STEEL, float(rng.uniform(0.8, 1.05)))
    head = prism([(0.0139 * cos(t), 0.0139 * sin(t)) for t in np.arange(6) * pi / 3], 0.080, 0.090)
    thread = [disc(0.0162, z, z + 0.0011) for z in np.linspace(0.002, 0.042, 21).tolist()]
    parts = (
        *made_of(
            "shank",
            "steel",
            shaded(metal, 0.85),
            disc(0.0145, 0.001, 0.045),
            disc(0.0160, 0.045, 0.081),
        ),
        *made_of("shank", "steel", metal, *painted(*thread)),
        *made_of("head", "steel", metal, head, *painted(disc(0.020, 0.090, 0.0902))),
    )
    return BuiltParts(parts, "silver", "on_side", ON_SIDE)


def nut(rng: np.random.Generator) -> BuiltParts:
    """A hexagonal nut."""
    metal = shaded(STEEL, float(rng.uniform(0.8, 1.05)))
    outer, inner, high = 0.0208, 0.0120, 0.019
    pieces: Parts = ()
    for k in range(24):
        a, b = 2 * pi * k / 24, 2 * pi * (k + 1) / 24
        corners = []
        for t in (a, b):
            r = outer * cos(pi / 6) / cos((t % (pi / 3)) - pi / 6)
            corners += [(inner * cos(t), inner * sin(t)), (r * cos(t), r * sin(t))]
        pieces += (hull((x, y, z) for x, y in corners for z in (0.0, high)),)
    thread = [
        pipe([(inner + 0.0002, z), (inner + 0.0002, z + 0.0012)], 0.0012)[0]
        for z in np.linspace(0.002, high - 0.003, 6).tolist()
    ]
    parts = (
        *made_of("body", "steel", metal, *pieces),
        *made_of("body", "steel", shaded(metal, 0.6), *painted(*thread)),
    )
    return BuiltParts(parts, "silver")


def brick(rng: np.random.Generator) -> BuiltParts:
    """A clay brick, plain or with three holes shown from above."""
    rgba = shaded((0.68, 0.30, 0.20, 1.0), float(rng.uniform(0.85, 1.1)))
    x, y, z = 0.24, 0.115, 0.071
    spots = [
        ellipsoid((float(d), float(d), 0.001), (float(u) * x * 0.47, float(v) * y * 0.45, z))
        for u, v, d in zip(
            rng.uniform(-1, 1, 60),
            rng.uniform(-1, 1, 60),
            rng.uniform(0.001, 0.005, 60),
            strict=True,
        )
    ]
    if chance(rng, 0.5):
        body: Parts = (rounded_box((x, y, z), 0.003, (0.0, 0.0, z / 2)),)
    else:
        side = 0.05
        cross = (x - 3 * side) / 4
        body = tuple(
            box((cross, y, z), (-x / 2 + cross / 2 + k * (cross + side), 0.0, z / 2))
            for k in range(4)
        )
        body += tuple(
            box(
                (side, (y - side) / 2, z),
                (-x / 2 + cross + side / 2 + k * (cross + side), s * (y + side) / 4, z / 2),
            )
            for k in range(3)
            for s in (-1, 1)
        )
        spots = []
    parts = (
        *made_of("body", "clay_brick", rgba, *body),
        *made_of("body", "clay_brick", shaded(rgba, 0.6), *painted(*spots)),
    )
    return BuiltParts(parts, "red")


def pyramid_puzzle(rng: np.random.Generator) -> BuiltParts:
    """A tetrahedral puzzle: nine coloured triangles on each of its four faces."""
    dark = shaded(_BLACK, float(rng.uniform(0.6, 3.0)))
    edge = 0.095
    base = edge / 3**0.5
    high = edge * (2 / 3) ** 0.5
    tops = [
        np.array([base * cos(t), base * sin(t), 0.0])
        for t in (pi / 2, pi / 2 + 2 * pi / 3, pi / 2 + 4 * pi / 3)
    ]
    tops.append(np.array([0.0, 0.0, high]))
    middle = np.mean(tops, axis=0)
    parts = list(made_of("body", "hollow_plastic", dark, hull(tops)))
    for name, left_out in zip(("yellow", "red", "blue", "green"), (3, 0, 1, 2), strict=True):
        a, b, c = (tops[k] for k in range(4) if k != left_out)
        out = (a + b + c) / 3 - middle
        out /= np.linalg.norm(out)
        for i, j in product(range(3), range(3)):
            if i + j < 3:
                triangles = [[(i, j), (i + 1, j), (i, j + 1)]]
                if i + j < 2:
                    triangles.append([(i + 1, j), (i + 1, j + 1), (i, j + 1)])
                for triangle in triangles:
                    corners = [a + (b - a) * u / 3 + (c - a) * v / 3 for u, v in triangle]
                    heart = sum(corners) / 3
                    inner = [heart + 0.86 * (corner - heart) for corner in corners]
                    sticker = hull([*inner, *(corner + 0.0006 * out for corner in inner)])
                    parts += made_of("body", "hollow_plastic", COLORS[name], *painted(sticker))
    return BuiltParts(tuple(parts), "black")
