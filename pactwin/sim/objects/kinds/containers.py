"""Containers: boxes, jars, baskets, buckets."""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts, built, chance
from pactwin.sim.objects.lathe import lathe, vessel
from pactwin.sim.objects.palette import CARDBOARD, INK, NATURAL, STEEL, WHITE, dyed, shaded
from pactwin.sim.objects.primitives import (
    Parts,
    X,
    Y,
    Z,
    arc,
    around,
    box,
    disc,
    made_of,
    mirrored,
    moved,
    shifted,
    tube,
    turned,
    visual_only,
    walls,
    xy,
)
from pactwin.sim.scene.pose import Pose, axis_angle

_TAPE = (0.86, 0.74, 0.50, 1.0)


def cardboard_box(rng: np.random.Generator) -> BuiltParts:
    """A parcel with tape over its flaps, or with open flaps."""
    closed = chance(rng, 0.6)
    x, y, z, wall = 0.25, 0.18, 0.136, 0.004
    body = (box((x, y, wall), (0.0, 0.0, wall / 2)), *walls(x, y, z, wall))
    return built(
        "brown",
        made_of("body", "cardboard", CARDBOARD, body),
        _taped(x, y, z, wall) if closed else _flaps_open(x, y, z, wall),
        state="upright, closed, empty" if closed else "upright, open, empty",
    )


def _taped(x: float, y: float, z: float, wall: float) -> Parts:
    flaps = mirrored(box((x, y / 2 - 0.0005, wall), (0.0, y / 4, z + wall / 2)))
    top = z + wall
    seam = box((x, 0.002, 0.0004), (0.0, 0.0, top))
    strip = box((x + 0.001, 0.048, 0.0008), (0.0, 0.0, top + 0.0004))
    ends = mirrored(box((0.0008, 0.048, 0.045), (x / 2 + 0.0004, 0.0, top - 0.0225)))
    label = box((0.075, 0.05, 0.0006), (-0.065, 0.057, top + 0.0003))
    lines = [box((0.045, 0.003, 0.0004), (-0.072, 0.046 + 0.011 * k, top + 0.0008)) for k in (0, 1)]
    return (
        *made_of("flaps", "cardboard", shaded(CARDBOARD, 1.06), flaps),
        *made_of("flaps", "cardboard", shaded(CARDBOARD, 0.4), visual_only(seam)),
        *made_of("print", "print", _TAPE, visual_only(strip, ends)),
        *made_of("print", "print", WHITE, visual_only(label)),
        *made_of("print", "print", INK, visual_only(lines)),
    )


def _flaps_open(x: float, y: float, z: float, wall: float) -> Parts:
    long = box((x, y / 2, wall), (0.0, y / 4, 0.0))
    short = box((y / 2, y - 2 * wall, wall), (y / 4, 0.0, 0.0))
    flaps: Parts = ()
    for half_turn, up in ((0.0, -40.0), (180.0, 20.0)):
        one = shifted(turned(long, X, up), y=y / 2 - wall / 2, z=z)
        other = shifted(turned(short, Y, -up - 5.0), x=x / 2 - wall / 2, z=z)
        flaps += turned((*one, *other), Z, half_turn)
    return made_of("flaps", "cardboard", shaded(CARDBOARD, 1.06), flaps)


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
    hinge = Pose((0.0, y / 2, z), axis_angle(X, float(np.deg2rad(open_by))))
    base = (box((x, y, wall), (0.0, 0.0, wall / 2)), *walls(x, y, z, wall))
    lock = box((0.034, 0.004, 0.016), (0.0, -y / 2 - 0.001, z - 0.03))
    return built(
        color,
        made_of("body", "plastic", rgba, base, visual_only(lock)),
        made_of("lid", "plastic", shaded(rgba, 0.85), moved(lid, hinge)),
        state="upright, closed, empty" if closed else "upright, open, empty",
    )


def jar(rng: np.random.Generator) -> BuiltParts:
    """A glass jar with a screw lid, empty or with jam in it."""
    full = chance(rng, 0.4)
    color, lid = dyed(rng, "red", "gold", "white", "green")
    _, jam = dyed(rng, "red", "orange", "purple")
    glass = vessel(xy("36 0, 40 4, 40 80, 33 92, 33 108"), 0.003, 0.003)
    skirt = vessel(xy("36 96, 36 110"), 0.0015, 0.0)
    ribs = around(30, box((0.001, 0.004, 0.013), (0.0358, 0.0, 0.1035)))
    inside = made_of("contents", "preserve", jam, visual_only(lathe(xy("36.5 3.5, 36.8 72"))))
    return built(
        color,
        inside if full else (),
        made_of("body", "glass", NATURAL["clear"], glass),
        made_of("lid", "steel", lid, disc(0.072, 0.109, 0.111), skirt, visual_only(ribs)),
        state="upright, closed, filled" if full else "upright, closed, empty",
    )


def basket(rng: np.random.Generator) -> BuiltParts:
    """A woven basket with a handle above it."""
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
                weave += turned(mirrored(visual_only(strand)), Z, turn)
    floor = box((0.92 * x, 0.92 * y, wall), (0.0, 0.0, wall / 2))
    bow = [(0.0, py, z - 0.01 + pz) for _, py, pz in arc(0.094, 0, 180, 14, "yz")]
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1), (1, 1))
    edge = [(sx * x / 2, sy * y / 2, z) for sx, sy in corners]
    return built(
        color,
        made_of("body", "wicker", shaded(rgba, 0.7), floor, walls(0.92 * x, 0.92 * y, z, wall)),
        weave,
        made_of("body", "wicker", shaded(rgba, 0.9), tube(edge, 0.012)),
        made_of("handle", "wicker", shaded(rgba, 0.9), tube(bow, 0.011)),
        state="upright, empty",
    )


def bucket(rng: np.random.Generator) -> BuiltParts:
    """A tapered pail with its wire bail hanging to one side."""
    color, rgba = dyed(rng, "blue", "red", "green", "yellow", "grey")
    top = 0.26
    rim = [(0.133, top - 0.02), (0.139, top - 0.018), (0.139, top - 0.003), (0.137, top)]
    body = vessel([*xy("98 0, 100 4"), *rim], 0.0025, 0.003)
    swing = np.linspace(0, pi, 19).tolist()
    bow = [(0.143 * cos(t), 0.148 * sin(t), top - 0.012 - 0.07 * sin(t)) for t in swing]
    lugs = mirrored(box((0.012, 0.022, 0.03), (0.14, 0.0, top - 0.017)))
    return built(
        color,
        made_of("body", "plastic", rgba, body, lugs),
        made_of("bail", "steel", STEEL, tube(bow, 0.0045)),
        made_of("grip", "plastic", WHITE, visual_only(tube(bow[8:11], 0.018))),
        state="upright, empty",
    )
