"""Household objects for washing, lighting, resting and playing."""

from itertools import product
from math import cos, pi, radians, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts, built
from pactwin.sim.objects.lathe import lathe, pipe
from pactwin.sim.objects.palette import COLORS, INK, STEEL, WHITE, dyed, shaded
from pactwin.sim.objects.primitives import (
    Parts,
    Pieces,
    X,
    Y,
    Z,
    around,
    box,
    collision_only,
    disc,
    ellipsoid,
    hull,
    loft,
    made_of,
    rod,
    rounded_box,
    shifted,
    surface,
    tube,
    turned,
    turns,
    visual_only,
    xy,
    xyz,
)
from pactwin.sim.scene.layout import Part
from pactwin.sim.scene.pose import Vec3

_TISSUE = (0.96, 0.96, 0.95, 1.0)
_BLACK = (0.05, 0.05, 0.06, 1.0)


def toilet_roll(rng: np.random.Generator) -> BuiltParts:
    """A standing roll of toilet paper with a loose end."""
    tissue = shaded(_TISSUE, float(rng.uniform(0.92, 1.0)))
    d, hole, high = 0.105, 0.042, 0.098
    roll = pipe([(d / 2, 0.0), (d / 2, high)], (d - hole) / 2 - 0.001)
    core = pipe([(hole / 2 + 0.001, -0.0002), (hole / 2 + 0.001, high + 0.0002)], 0.001)
    outline = [(d / 2 + out, along) for out, along in xy("-1 0, 0 0, 1 45, 2 45")]
    sheet = hull((x, y, z) for z in (0.001, high - 0.001) for x, y in outline)
    rings = [
        pipe([(r, high - 0.0005), (r, high + 0.0003)], 0.0006)[0]
        for r in (0.030, 0.036, 0.042, 0.048)
    ]
    holes = [
        box((0.0006, 0.0025, 0.0015), (d / 2 + 0.0005, 0.02, 0.004 + 0.006 * k)) for k in range(16)
    ]
    return built(
        "white",
        made_of("paper", "tissue", tissue, roll, sheet),
        made_of("paper", "tissue", shaded(tissue, 0.82), visual_only(rings, holes)),
        made_of("core", "cardboard", (0.66, 0.50, 0.33, 1.0), core),
    )


def toothbrush(rng: np.random.Generator) -> BuiltParts:
    """A toothbrush, bristles up."""
    color, rgba = dyed(rng, "blue", "red", "green", "purple", "orange")
    handle = loft(
        [(0.5 * w * cos(t), y, z + 0.0035 * sin(t)) for t in turns(12)]
        for y, z, w in xyz("85 3.5 11, 30 4.5 13.5, 0 5.5 12, -30 4 8, -60 3.5 6.5")
    )
    head = rounded_box((0.013, 0.032, 0.0055), 0.0025, (0.0, -0.075, 0.0035))
    tufts: tuple[list[Part], list[Part]] = ([], [])
    for row, column in product(range(9), (-1, 0, 1)):
        tuft = disc(0.0028, 0.006, 0.0165, 0.0037 * column, -0.087 + 0.003 * row)
        tufts[(row // 3 + column) % 2].append(tuft)
    grip = [box((0.0075, 0.004, 0.0010), (0.0, y, 0.0085)) for y in (0.02, 0.028, 0.036, 0.044)]
    return built(
        color,
        made_of("handle", "plastic", rgba, handle, head),
        made_of("handle", "plastic", WHITE, visual_only(grip)),
        made_of("bristles", "bristle", WHITE, tufts[1]),
        made_of("bristles", "bristle", shaded(rgba, 1.3), tufts[0]),
    )


def towel(rng: np.random.Generator) -> BuiltParts:
    """A folded towel with rounded folds in front and a stripe across."""
    color, rgba = dyed(rng, "blue", "white", "pink", "green", "orange", "purple")
    layers, x, y, z = 4, 0.25, 0.18, 0.06
    thick = z / layers

    def across(left: float, right: float, at_y: float, at_z: float, diameter: float) -> Part:
        return rod((left, at_y, at_z), (right, at_y, at_z), diameter)

    pieces = []
    for k in range(layers):
        low = k * thick
        wide = x - 0.004 * (k % 2)
        pieces.append(box((wide, y - thick, thick), (0.0, thick / 2, low + thick / 2)))
        pieces.append(across(-wide / 2, wide / 2, -y / 2 + thick, low + thick / 2, thick))
    folds = [across(-x / 2, x / 2, y / 2, n * thick, 2 * thick * 0.98) for n in (1, 3)]
    band = (
        box((0.030, y + 0.004, 0.0010), (0.07, 0.002, z - 0.0002)),
        across(0.055, 0.085, -y / 2 + thick, z - thick / 2, 1.03 * thick),
        across(0.055, 0.085, y / 2, 3 * thick, 2.0 * thick),
    )
    return built(
        color,
        made_of("body", "cotton", rgba, pieces, folds),
        made_of("body", "cotton", shaded(rgba, 0.65), visual_only(band)),
    )


def cushion(rng: np.random.Generator) -> BuiltParts:
    """A square pillow, thick in the middle, with piping around it."""
    color, rgba = dyed(rng, "red", "blue", "yellow", "green", "orange", "purple", "grey")
    half, high, count = 0.2, 0.065, 13
    steps = np.linspace(-1, 1, count).tolist()

    def point(u: float, v: float, side: int) -> Vec3:
        bulge = high * (max(0.0, 1 - u**4) * max(0.0, 1 - v**4)) ** 0.45
        x, y = half * u * (1 - 0.07 * (1 - v * v)), half * v * (1 - 0.07 * (1 - u * u))
        return x, y, high + side * bulge

    points: list[Vec3] = []
    faces: list[tuple[int, int, int]] = []
    for side in (-1, 1):
        first = len(points)
        points += [point(u, v, side) for u in steps for v in steps]
        for i, j in product(range(count - 1), repeat=2):
            a = first + i * count + j
            b, c, d = a + count, a + count + 1, a + 1
            faces += [(a, b, c), (a, c, d)] if side > 0 else [(a, c, b), (a, d, c)]
    rows = zip(steps[:-2:2], steps[2::2], strict=True)
    inside = [hull(point(u, v, s) for u in us for v in steps[::2] for s in (-1, 1)) for us in rows]
    seam = tube([point(u, -1.0, 1) for u in steps], 0.007)
    return built(
        color,
        made_of("filling", "fibre_filling", rgba, collision_only(inside)),
        made_of("cover", "cotton", rgba, surface(points, faces)),
        made_of("cover", "cotton", shaded(rgba, 0.6), visual_only(around(4, seam))),
    )


def clock(rng: np.random.Generator) -> BuiltParts:
    """An alarm clock with two bells; the dial faces the front (-y)."""
    color, rgba = dyed(rng, "red", "blue", "black", "green", "white")
    d, deep, mid = 0.088, 0.040, 0.056
    hour, minute = float(rng.uniform(0, 360)), float(rng.integers(60)) * 6.0

    def flat(pieces: Pieces) -> Parts:
        """Built on the xy plane, seen from +z: put up at the front."""
        return shifted(turned(pieces, X, 90.0), y=-deep / 2, z=mid)

    case = lathe(
        [(d / 2 - 0.004, -deep), (d / 2, -deep + 0.004), (d / 2, -0.002), (d / 2 - 0.003, 0.001)]
    )
    marks = around(12, box((0.0018, 0.007, 0.0004), (0.0, 0.034, 0.0016)))
    quarters = around(4, box((0.0034, 0.010, 0.0006), (0.0, 0.0325, 0.0017)))
    hands = (
        *turned(box((0.0034, 0.024, 0.0008), (0.0, 0.010, 0.0024)), Z, -hour),
        *turned(box((0.0024, 0.033, 0.0008), (0.0, 0.0145, 0.0032)), Z, -minute),
        disc(0.006, 0.0013, 0.0040),
    )
    feet: Parts = ()
    bells: Parts = ()
    dome = pipe(xy("19 0, 18.5 5, 14 12, 4 16, 0.5 16.5"), 0.001)
    for side in (-1, 1):
        for y in (-0.012, 0.012):
            feet += tube([(side * 0.022, y, 0.02), (side * 0.036, y, 0.004)], 0.008)
        bells += shifted(turned(dome, Y, side * 35.0), x=side * 0.033, z=mid + 0.036)
    bow = [
        (0.026 * cos(radians(t)), 0.0, mid + 0.046 + 0.016 * sin(radians(t)))
        for t in range(0, 181, 15)
    ]
    hammer = (
        *tube([(0.0, 0.0, mid + 0.04), (0.0, 0.0, mid + 0.053)], 0.003),
        ellipsoid((0.009,) * 3, (0.0, 0.0, mid + 0.053)),
    )
    return built(
        color,
        made_of("case", "hollow_plastic", rgba, flat(case)),
        made_of(
            "case", "hollow_plastic", WHITE, flat(visual_only(disc(d - 0.010, 0.0005, 0.0013)))
        ),
        made_of("case", "hollow_plastic", INK, flat(visual_only(marks, quarters))),
        made_of("hands", "steel", INK, flat(hands)),
        made_of("feet", "steel", STEEL, feet),
        made_of("bells", "steel", STEEL, bells, tube(bow, 0.0035), hammer),
    )


def pyramid_puzzle(rng: np.random.Generator) -> BuiltParts:
    """A tetrahedral puzzle: nine coloured triangles on each of its four faces."""
    dark = shaded(_BLACK, float(rng.uniform(0.6, 3.0)))
    edge = 0.095
    base, high = edge / 3**0.5, edge * (2 / 3) ** 0.5
    angles = (pi / 2, pi / 2 + 2 * pi / 3, pi / 2 + 4 * pi / 3)
    tops = [np.array([base * cos(t), base * sin(t), 0.0]) for t in angles]
    tops.append(np.array([0.0, 0.0, high]))
    middle = np.mean(tops, axis=0)
    small = [
        [(i, j), (i + 1, j), (i, j + 1)] if up else [(i + 1, j), (i + 1, j + 1), (i, j + 1)]
        for i, j, up in product(range(3), range(3), (True, False))
        if i + j < (3 if up else 2)
    ]
    stickers: Parts = ()
    for name, left_out in zip(("yellow", "red", "blue", "green"), (3, 0, 1, 2), strict=True):
        a, b, c = (tops[k] for k in range(4) if k != left_out)
        out = (a + b + c) / 3 - middle
        out /= np.linalg.norm(out)
        for triangle in small:
            corners = [a + (b - a) * u / 3 + (c - a) * v / 3 for u, v in triangle]
            heart = sum(corners) / 3
            inner = [heart + 0.86 * (corner - heart) for corner in corners]
            sticker = hull([*inner, *(corner + 0.0006 * out for corner in inner)])
            stickers += made_of("body", "hollow_plastic", COLORS[name], visual_only(sticker))
    return built("black", made_of("body", "hollow_plastic", dark, hull(tops)), stickers)
