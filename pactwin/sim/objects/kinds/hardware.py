"""Fasteners, weights, building stuff, and the things that the rig's scenes play with."""

from itertools import pairwise, product
from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.drafts import ON_X, STEEL, WOOD, Draft, chance, dyed, shaded
from pactwin.sim.objects.kinds.forms import (
    Parts,
    box,
    disc,
    globe,
    hull,
    lathe,
    made_of,
    mirrored,
    moved,
    painted,
    pipe,
    prism,
    rounded_box,
    turned,
)
from pactwin.sim.objects.kinds.forms import (
    ball as ellipsoid,
)
from pactwin.sim.objects.palette import COLORS
from pactwin.sim.scene.pose import Pose, axis_angle

_Y = (0.0, 1.0, 0.0)
_BLACK = (0.05, 0.05, 0.06, 1.0)


def bolt(rng: np.random.Generator) -> Draft:
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
    return Draft(parts, "silver", "on_side", ON_X)


def nut(rng: np.random.Generator) -> Draft:
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
    return Draft(parts, "silver")


def dumbbell(rng: np.random.Generator) -> Draft:
    """A dumbbell with hexagonal heads."""
    color, rgba = dyed(rng, "black", "blue", "red", "purple")
    tint = rgba if color != "black" else (0.14, 0.14, 0.15, 1.0)
    hexagon = [
        (0.040 / cos(pi / 6) * cos(t), 0.040 / cos(pi / 6) * sin(t)) for t in pi / 3 * np.arange(6)
    ]
    inner = [(0.86 * x, 0.86 * y) for x, y in hexagon]
    heads: Parts = ()
    for low in (-0.1, 0.042):
        heads += (
            hull(
                [
                    *((x, y, low + 0.006) for x, y in hexagon),
                    *((x, y, low + 0.052) for x, y in hexagon),
                    *((x, y, low) for x, y in inner),
                    *((x, y, low + 0.058) for x, y in inner),
                ]
            ),
        )
    grip = lathe([(0.014, -0.043), (0.0165, 0.0), (0.014, 0.043)])
    rings = [disc(0.0335, z, z + 0.0012) for z in np.linspace(-0.03, 0.029, 16).tolist()]
    turn = Pose((0.0, 0.0, 0.0), axis_angle(_Y, pi / 2))

    def lying(upright: Parts) -> Parts:
        return moved(turned(upright, (0, 0, 1), 30.0), turn)

    def at_ends(diameter: float, high: float) -> Parts:
        return painted(disc(diameter, 0.0999, 0.1 + high), disc(diameter, -0.1 - high, -0.0999))

    parts = (
        *made_of("heads", "iron", tint, *lying(heads)),
        *made_of("heads", "iron", (0.9, 0.9, 0.88, 1.0), *lying(at_ends(0.034, 0.0004))),
        *made_of("heads", "iron", tint, *lying(at_ends(0.028, 0.0006))),
        *made_of("grip", "steel", STEEL, *lying(grip)),
        *made_of("grip", "steel", shaded(STEEL, 0.7), *lying(painted(*rings))),
    )
    return Draft(parts, color, "on_side")


def brick(rng: np.random.Generator) -> Draft:
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
    return Draft(parts, "red")


def plank(rng: np.random.Generator) -> Draft:
    """A wooden board with lines of grain and knots."""
    rgba = shaded(WOOD, float(rng.uniform(0.85, 1.2)))
    x, y, z = 0.40, 0.09, 0.018
    lines: Parts = ()
    for at in (np.linspace(-0.42, 0.42, 9) * y).tolist():  # lines of grain
        bends = [
            (px, at + 0.0022 * sin(9.0 * px / x + 40 * at), z)
            for px in np.linspace(-x / 2 + 0.001, x / 2 - 0.001, 11).tolist()
        ]
        lines += tuple(
            hull(
                [
                    (x0, y0 - 0.0006, z),
                    (x0, y0 + 0.0006, z),
                    (x1, y1 - 0.0006, z),
                    (x1, y1 + 0.0006, z),
                    (x0, y0, z + 0.0002),
                ]
            )
            for (x0, y0, _), (x1, y1, _) in pairwise(bends)
        )
    rings = [
        ellipsoid((0.008 - 0.0025 * k, 0.006 - 0.002 * k, 0.0006), (0.083, 0.012, z + 0.0001 * k))
        for k in range(3)
    ]
    years = mirrored(
        *(
            box((0.0004, d, 0.0012), (x / 2, 0.0, z / 2 + 0.006 - 60 * d * d))
            for d in (0.003, 0.006)
        )
    )
    parts = (
        *made_of("body", "wood", rgba, box((x, y, z), (0.0, 0.0, z / 2))),
        *made_of("body", "wood", shaded(rgba, 0.72), *painted(*lines, *years)),
        *made_of("body", "wood", shaded(rgba, 0.5), *painted(*rings)),
    )
    return Draft(parts, "brown")


def ball(rng: np.random.Generator) -> Draft:
    """A plain rubber ball."""
    color, rgba = dyed(rng, "red", "blue", "green", "yellow", "orange", "purple")
    return Draft(made_of("body", "hollow_rubber", rgba, *globe(0.065, 0.065)), color)


def cube_puzzle(rng: np.random.Generator) -> Draft:
    """A 3x3x3 cube with coloured stickers, scrambled or solved."""
    side, small = 0.057, 0.019
    names = ["white", "yellow", "red", "orange", "blue", "green"]
    stickers = [name for name in names for _ in range(9)]
    if chance(rng, 0.5):
        stickers = [str(name) for name in rng.permutation(stickers)]
    parts = list(made_of("body", "hollow_plastic", _BLACK, rounded_box((side, side, side), 0.002)))
    spots = product(range(3), (-1, 1), (-1, 0, 1), (-1, 0, 1))
    for name, (axis, sign, i, j) in zip(stickers, spots, strict=True):
        at, size = [0.0, 0.0, 0.0], [small * 0.86] * 3
        at[axis], size[axis] = sign * side / 2, 0.001
        at[(axis + 1) % 3], at[(axis + 2) % 3] = i * small, j * small
        sticker = box((size[0], size[1], size[2]), (at[0], at[1], at[2]))
        parts += made_of("body", "hollow_plastic", COLORS[name], *painted(sticker))
    return Draft(tuple(parts), "black")


def pyramid_puzzle(rng: np.random.Generator) -> Draft:
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
    return Draft(tuple(parts), "black")
