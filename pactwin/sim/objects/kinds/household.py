"""Things about the house: to wash with, to light, to rest on."""

from itertools import product
from math import cos, pi, radians, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts
from pactwin.sim.objects.lathe import lathe, pipe
from pactwin.sim.objects.palette import INK, STEEL, WHITE, dyed, pale, shaded
from pactwin.sim.objects.primitives import (
    Parts,
    around,
    ball,
    box,
    disc,
    hidden,
    hull,
    made_of,
    painted,
    rod,
    rounded_box,
    shifted,
    surface,
    tube,
    turned,
)
from pactwin.sim.scene.layout import Part
from pactwin.sim.scene.pose import Vec3

_X, _Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
_TISSUE = (0.96, 0.96, 0.95, 1.0)


def candle(rng: np.random.Generator) -> BuiltParts:
    """A pillar candle with a wick, a little melted above."""
    color, rgba = dyed(rng, "red", "cream", "white", "orange", "purple")
    run = [(0.0325, 0.096), (0.031, 0.1), (0.024, 0.097), (0.004, 0.094)]
    solid = lathe([(0.0325, 0.0), (0.0325, 0.092)])
    lip = lathe([(0.0325, 0.092), *run[:2]])
    pool = disc(0.05, 0.092, 0.0965)
    drip = tube([(0.0325, 0.003, 0.096), (0.0330, 0.004, 0.065)], 0.006)
    drop = tube([(0.010, 0.0315, 0.096), (0.011, 0.0318, 0.078)], 0.005)
    parts = (
        *made_of("body", "wax", rgba, *solid, *lip, *painted(*drip, *drop)),
        *made_of("body", "wax", shaded(rgba, 0.85), *painted(disc(0.054, 0.0995, 0.1003), pool)),
        *made_of("wick", "cotton", INK, rod((0.0, 0.0, 0.095), (0.003, 0.0, 0.117), 0.0025)),
    )
    return BuiltParts(parts, color)


def soap_bar(rng: np.random.Generator) -> BuiltParts:
    """A rounded bar of soap with a stamped frame."""
    color, rgba = dyed(rng, "pink", "white", "green", "cream", "blue")
    rgba = pale(rgba)
    frame = (
        *(box((0.05, 0.0022, 0.001), (0.0, y, 0.0281)) for y in (-0.014, 0.014)),
        *(box((0.0022, 0.03, 0.001), (x, 0.0, 0.0281)) for x in (-0.025, 0.025)),
    )
    letters = (
        box((w, 0.004, 0.001), (x, 0.0, 0.0281))
        for x, w in ((-0.012, 0.009), (0.0, 0.009), (0.012, 0.009))
    )
    parts = (
        *made_of(
            "body", "soap", rgba, rounded_box((0.09, 0.058, 0.028), 0.0125, (0.0, 0.0, 0.014))
        ),
        *made_of("body", "soap", shaded(rgba, 0.75), *painted(*frame, *letters)),
    )
    return BuiltParts(parts, color)


def toilet_roll(rng: np.random.Generator) -> BuiltParts:
    """A roll of toilet paper on end, its sheet hanging loose."""
    tissue = shaded(_TISSUE, float(rng.uniform(0.92, 1.0)))
    d, hole, high = 0.105, 0.042, 0.098
    roll = pipe([(d / 2, 0.0), (d / 2, high)], (d - hole) / 2 - 0.001)
    core = pipe([(hole / 2 + 0.001, -0.0002), (hole / 2 + 0.001, high + 0.0002)], 0.001)
    sheet = hull(
        (x, y, z)
        for z in (0.001, high - 0.001)
        for x, y in (
            (d / 2 - 0.001, 0.0),
            (d / 2, 0.0),
            (d / 2 + 0.001, 0.045),
            (d / 2 + 0.002, 0.045),
        )
    )
    rings = [
        pipe([(r, high - 0.0005), (r, high + 0.0003)], 0.0006)[0]
        for r in (0.030, 0.036, 0.042, 0.048)
    ]
    holes = (
        box((0.0006, 0.0025, 0.0015), (d / 2 + 0.0005, 0.02, 0.004 + 0.006 * k)) for k in range(16)
    )
    parts = (
        *made_of("paper", "tissue", tissue, *roll, sheet),
        *made_of("paper", "tissue", shaded(tissue, 0.82), *painted(*rings, *holes)),
        *made_of("core", "cardboard", (0.66, 0.50, 0.33, 1.0), *core),
    )
    return BuiltParts(parts, "white")


def toothbrush(rng: np.random.Generator) -> BuiltParts:
    """A toothbrush, bristles up."""
    color, rgba = dyed(rng, "blue", "red", "green", "purple", "orange")
    handle = [
        (0.0, 0.085, 0.0035),
        (0.0, 0.03, 0.0045),
        (0.0, 0.0, 0.0055),
        (0.0, -0.03, 0.004),
        (0.0, -0.06, 0.0035),
    ]
    widths = (0.011, 0.0135, 0.012, 0.008, 0.0065)
    pieces: Parts = ()
    for k in range(4):
        ends = []
        for (x, y, z), w in ((handle[k], widths[k]), (handle[k + 1], widths[k + 1])):
            ends += [
                (x + 0.5 * w * cos(t), y, z + 0.0035 * sin(t))
                for t in np.linspace(0, 2 * pi, 12, endpoint=False)
            ]
        pieces += (hull(ends),)
    head = rounded_box((0.013, 0.032, 0.0055), 0.0025, (0.0, -0.075, 0.0035))
    tufts: list[tuple[int, Part]] = []
    for row in range(9):
        for column in (-1, 0, 1):
            at = (0.0037 * column, -0.087 + 0.003 * row)
            tufts.append(((row // 3 + column) % 2, disc(0.0028, 0.006, 0.0165, *at)))
    grip = [box((0.0075, 0.004, 0.0010), (0.0, y, 0.0085)) for y in (0.02, 0.028, 0.036, 0.044)]
    parts = (
        *made_of("handle", "plastic", rgba, *pieces, head),
        *made_of("handle", "plastic", WHITE, *painted(*grip)),
        *made_of("bristles", "bristle", WHITE, *(t for k, t in tufts if k)),
        *made_of("bristles", "bristle", shaded(rgba, 1.3), *(t for k, t in tufts if not k)),
    )
    return BuiltParts(parts, color)


def towel(rng: np.random.Generator) -> BuiltParts:
    """A folded towel: rounded folds to the front, a stripe across."""
    color, rgba = dyed(rng, "blue", "white", "pink", "green", "orange", "purple")
    layers, x, y, z = 4, 0.25, 0.18, 0.06
    thick = z / layers
    pieces: Parts = ()
    for k in range(layers):
        low = k * thick
        wide = x - 0.004 * (k % 2)
        body = box((wide, y - thick, thick), (0.0, thick / 2, low + thick / 2))
        fold = rod(
            (-wide / 2, -y / 2 + thick, low + thick / 2),
            (wide / 2, -y / 2 + thick, low + thick / 2),
            thick,
        )
        pieces += (body, fold)
    folds = tuple(
        rod((-x / 2, y / 2, low), (x / 2, y / 2, low), 2 * thick * 0.98)
        for low in (thick, 3 * thick)
    )
    band = (
        box((0.030, y + 0.004, 0.0010), (0.07, 0.002, z - 0.0002)),
        *(
            rod((0.055, py, pz), (0.085, py, pz), d)
            for py, pz, d in (
                (-y / 2 + thick, z - thick / 2, 1.03 * thick),
                (y / 2, 3 * thick, 2.0 * thick),
            )
        ),
    )
    parts = (
        *made_of("body", "cotton", rgba, *pieces, *folds),
        *made_of("body", "cotton", shaded(rgba, 0.65), *painted(*band)),
    )
    return BuiltParts(parts, color)


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
    inside = (hull(point(u, v, s) for u in us for v in steps[::2] for s in (-1, 1)) for us in rows)
    seam = tube([point(u, -1.0, 1) for u in steps], 0.007)
    parts = (
        *made_of("filling", "fibre_filling", rgba, *hidden(*inside)),
        *made_of("cover", "cotton", rgba, surface(points, faces)),
        *made_of("cover", "cotton", shaded(rgba, 0.6), *painted(*around(4, *seam))),
    )
    return BuiltParts(parts, color)


def clock(rng: np.random.Generator) -> BuiltParts:
    """An alarm clock with two bells, its dial to the front (-y)."""
    color, rgba = dyed(rng, "red", "blue", "black", "green", "white")
    d, deep, mid = 0.088, 0.040, 0.056
    hour, minute = float(rng.uniform(0, 360)), float(rng.integers(60)) * 6.0

    def flat(part_z: Parts) -> Parts:
        """Built on the xy plane, seen from +z: put up at the front."""
        return shifted(turned(part_z, _X, 90.0), y=-deep / 2, z=mid)

    case = lathe(
        [(d / 2 - 0.004, -deep), (d / 2, -deep + 0.004), (d / 2, -0.002), (d / 2 - 0.003, 0.001)]
    )
    marks = around(12, box((0.0018, 0.007, 0.0004), (0.0, 0.034, 0.0016)))
    quarters = around(4, box((0.0034, 0.010, 0.0006), (0.0, 0.0325, 0.0017)))
    hands = (
        *turned((box((0.0034, 0.024, 0.0008), (0.0, 0.010, 0.0024)),), (0, 0, 1), -hour),
        *turned((box((0.0024, 0.033, 0.0008), (0.0, 0.0145, 0.0032)),), (0, 0, 1), -minute),
    )
    feet: Parts = ()
    bells: Parts = ()
    for side in (-1, 1):
        for y in (-0.012, 0.012):
            feet += tube([(side * 0.022, y, 0.02), (side * 0.036, y, 0.004)], 0.008)
        dome = pipe(
            [(0.019, 0.0), (0.0185, 0.005), (0.014, 0.012), (0.004, 0.016), (0.0005, 0.0165)], 0.001
        )
        bells += shifted(turned(dome, _Y, side * 35.0), x=side * 0.033, z=mid + 0.036)
    bow = [
        (0.026 * cos(radians(t)), 0.0, mid + 0.046 + 0.016 * sin(radians(t)))
        for t in range(0, 181, 15)
    ]
    hammer = (
        *tube([(0.0, 0.0, mid + 0.04), (0.0, 0.0, mid + 0.053)], 0.003),
        ball((0.009,) * 3, (0.0, 0.0, mid + 0.053)),
    )
    parts = (
        *made_of("case", "hollow_plastic", rgba, *flat(case)),
        *made_of("case", "hollow_plastic", WHITE, *flat(painted(disc(d - 0.010, 0.0005, 0.0013)))),
        *made_of("case", "hollow_plastic", INK, *flat(painted(*marks, *quarters))),
        *made_of("hands", "steel", INK, *flat((*hands, disc(0.006, 0.0013, 0.0040)))),
        *made_of("feet", "steel", STEEL, *feet),
        *made_of("bells", "steel", STEEL, *bells, *tube(bow, 0.0035), *hammer),
    )
    return BuiltParts(parts, color)


def lamp(rng: np.random.Generator) -> BuiltParts:
    """A desk lamp with a cloth shade."""
    color, rgba = dyed(rng, "white", "cream", "red", "blue", "yellow")
    _, metal = dyed(rng, "silver", "gold", "black")
    base = lathe([(0.062, 0.0), (0.062, 0.005), (0.050, 0.0075), (0.014, 0.013), (0.008, 0.022)])
    shade = pipe([(0.078, 0.205), (0.050, 0.345)], 0.002)
    spokes = around(3, rod((0.0, 0.0, 0.335), (0.0505, 0.0, 0.335), 0.002))
    bulb = ball((0.045, 0.045, 0.055), (0.0, 0.0, 0.262))
    trims = (
        pipe([(0.0787, 0.203), (0.0770, 0.211)], 0.002)[0],
        pipe([(0.0517, 0.339), (0.0503, 0.347)], 0.002)[0],
    )
    parts = (
        *made_of("base", "steel", metal, *base),
        *made_of(
            "stem",
            "steel",
            metal,
            disc(0.011, 0.013, 0.235),
            disc(0.026, 0.225, 0.24),
            disc(0.004, 0.28, 0.345),
            *spokes,
        ),
        *made_of("bulb", "glass", (0.98, 0.97, 0.90, 1.0), *painted(bulb)),
        *made_of("shade", "cotton", rgba, *shade),
        *made_of("shade", "cotton", shaded(rgba, 0.7), *painted(*trims)),
    )
    return BuiltParts(parts, color)
