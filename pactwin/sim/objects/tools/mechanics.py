"""Spanners, sockets and what grips round things. The middle of the jaw is at the origin."""

from math import asin, cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts, built
from pactwin.sim.objects.primitives import (
    Parts,
    Y,
    Z,
    prism,
    shifted,
    slab,
    turned,
    xy,
)
from pactwin.sim.objects.tools.shapes import (
    bar,
    black,
    block,
    can,
    dye,
    flat,
    grip,
    hex_hole,
    iron,
    knob,
    lying,
    made_of,
    marked,
    pin,
    spun,
    steel,
)
from pactwin.sim.scene.pose import axis_angle

_FLATS_MM = 13.0
_CLEARANCE_MM = 0.3


def _open_jaw(flats: float, thick: float) -> Parts:
    """A jaw for a nut around the origin that goes on from the left."""
    r, half = 1.2 * flats / 1000, (flats + _CLEARANCE_MM) / 2000
    start = pi + asin(half / r)
    turn = np.linspace(start, 4 * pi - start, 18).tolist()
    rim = [(r * cos(t), r * sin(t)) for t in turn]
    deep = 0.6 * flats / 1000
    return slab([*rim, (deep, half), (deep, -half)], -thick / 2000, thick / 2000)


def _open_end(rng: np.random.Generator) -> BuiltParts:
    far = shifted(turned(_open_jaw(15.0, 6.5), Z, 165.0), x=0.150)
    shank = prism(xy("12 -6, 138 -6, 138 6, 12 6"), -0.0022, 0.0022)
    return lying("silver", steel("jaws", _open_jaw(_FLATS_MM, 6.0), far), steel("shank", shank))


def _ring_spanner(rng: np.random.Generator) -> BuiltParts:
    near = hex_hole(23.0, _FLATS_MM + _CLEARANCE_MM, -4.5, 4.5)
    far = shifted(hex_hole(26.5, 15.3, -4.5, 4.5), x=0.156)
    shank = prism(xy("7 -4.5, 148 -4.5, 148 4.5, 7 4.5"), 0.0035, 0.0085)
    return lying("silver", steel("rings", near, far), steel("shank", shank))


def _adjustable(rng: np.random.Generator) -> BuiltParts:
    fixed = flat("-22 9, -20 7, 8 7, 8 -16, 28 -10, 44 -8, 44 10, 22 17, -8 19", 12)
    moving = flat("-21 -7, -19 -14, -4 -22, 7 -20, 7 -7", 11)
    worm = bar("12 -15 0, 24 -15 0", 10)
    shank = flat("40 -9, 185 -12, 205 -9, 205 9, 185 12, 40 9", 8)
    eye = marked(pin(11, -4.2, 4.2, 194))
    return lying(
        "silver",
        steel("jaws", fixed, moving, shade=0.9),
        steel("worm", worm, shade=0.55),
        steel("shank", shank, shade=0.95),
        black("shank", eye, of="steel"),
    )


def _pipe_wrench(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    heel = flat("-4 -34, 14 -34, 22 -8, 2 -8, -12 -10", 22)
    hook = flat("-22 34, -24 10, -12 8, 6 10, 8 8, 16 8, 26 -40, 38 -40, 30 18, 22 36, 4 42", 18)
    teeth = [block("2 3 22.4", f"{-12 + 4 * k} -9.5 0") for k in range(4)]
    teeth += [block("2 3 18.4", f"{-18 + 4 * k} 10 0") for k in range(5)]
    handle = flat("12 -36, 60 -26, 250 -14, 270 -8, 270 12, 250 16, 60 10, 14 -4", 20)
    nut = pin(30, -13, 13, 27, -10)
    return lying(
        color,
        iron("jaws", shifted(hook, y=0.012), shifted(heel, y=-0.004)),
        black("jaws", marked(teeth), of="iron"),
        made_of("handle", "iron", rgba, handle),
        steel("nut", nut, shade=0.8),
    )


def _socket(long: float, deep: float) -> Builder:
    """A socket, its mouth at the origin; it rests on its other end, where the ratchet goes in."""
    outer = 21.0

    def build(rng: np.random.Generator) -> BuiltParts:
        mouth = turned(hex_hole(outer, _FLATS_MM + _CLEARANCE_MM, 0.0, deep), Y, 90.0)
        body = spun(f"{deep} {outer / 2}, {long - 1.5} {outer / 2}, {long} {outer / 2 - 1.5}")
        ground = marked(turned((pin(12.6, deep - 0.2, deep + 0.2),), Y, 90.0))
        knurl = [
            spun(f"{x} {outer / 2 + 0.3}, {x + 1.3} {outer / 2 + 0.3}")
            for x in (long - 13.0, long - 10.0, long - 7.0)
        ]
        dark = black("body", ground, marked(knurl), of="steel")
        return built("silver", steel("body", mouth, body), dark, turn=axis_angle(Y, pi / 2))

    return build


def _ratchet(rng: np.random.Generator) -> BuiltParts:
    head = (pin(42, -10, 8), block("30 26 16", "18 0 -1"))
    square = (block("11 11 15", "0 0 14"),)
    return lying(
        "silver",
        steel("head", head, square),
        black("head", marked(pin(26, 7.9, 8.3), pin(8, -10.5, -9.9)), of="steel"),
        steel("shank", bar("30 0 -1, 120 0 -1", 13)),
        black("grip", grip(110, 105, 15), of="rubber"),
    )


def _locking(rng: np.random.Generator) -> BuiltParts:
    upper = flat("-52 1.5, 0 1.5, 30 8, 30 24, 6 26, -30 20, -52 8", 12)
    lower = flat("-52 -9, -34 -18, 4 -20, 10 -2, -50 -1.5", 11)
    top = flat("28 10, 150 24, 152 36, 120 38, 60 32, 28 24", 13)
    under = flat("0 -18, 40 -22, 110 -24, 160 -34, 162 -26, 110 -12, 20 -4", 9)
    screw = (*bar("150 31 0, 172 33 0", 7), *bar("170 33 0, 180 34 0", 14))
    lever = flat("60 -10, 118 -8, 116 -3, 60 -3", 6)
    return lying(
        "silver",
        steel("jaws", upper, lower, shade=0.8),
        steel("handles", top, under),
        steel("screw", screw, shade=0.65),
        steel("lever", lever, shade=0.7),
    )


def _feeler_gauge(rng: np.random.Generator) -> BuiltParts:
    case = flat("0 -7, 90 -7, 96 0, 90 7, 0 7, -4 0", 9)
    leaf = prism(xy("0 -5.5, -92 -5.5, -96 0, -92 5.5, 0 5.5"), -0.0004, 0.0004)
    leaves = [
        shifted(turned(shifted((leaf,), z=0.0016 * (k - 2)), Z, 24.0 * (k - 2)), x=0.008)
        for k in range(5)
    ]
    return lying(
        "silver", steel("leaves", leaves), black("case", case, of="steel"),
        steel("pin", marked(pin(9, -5, 5, 8)), shade=0.9),
    )  # fmt: skip


def _oil_can(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    spout = (*bar("0 0 88, 45 0 132, 105 0 150", 7), *bar("105 0 150, 122 0 154", 4))
    handle = bar("-40 0 20, -72 0 34, -74 0 86, -20 0 92, 0 0 86", 8, rounded=True)
    return built(
        color,
        can("body", rgba, "42 0, 44 6, 44 48, 30 66, 12 74, 9 80, 9 92"),
        steel("spout", spout, knob(12, 0, 0, 90)),
        steel("handle", handle, shade=0.8),
    )


def _pry_bar(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    stem = flat("30 -8, 290 -8, 330 -16, 352 -16, 352 16, 330 16, 290 8, 30 8", 11)
    neck = bar("34 0 0, 12 6 0, 0 24 0, 4 46 0, 24 60 0", 15, rounded=True)
    claws = [
        flat(f"{20 + 3 * s} {56 + 6 * s}, 44 {60 + 4 * s}, 62 {58 + 11 * s}, 40 {62 + 12 * s}", 12)
        for s in (-1, 1)
    ]
    return lying(
        color, made_of("bar", "steel", rgba, stem), made_of("hook", "steel", rgba, neck, claws)
    )


TOOLS: dict[str, Builder] = {
    "open_end_spanner": _open_end,
    "ring_spanner": _ring_spanner,
    "adjustable_spanner": _adjustable,
    "pipe_wrench": _pipe_wrench,
    "socket": _socket(30.0, 16.0),
    "deep_socket": _socket(68.0, 50.0),
    "ratchet_handle": _ratchet,
    "locking_pliers": _locking,
    "feeler_gauge": _feeler_gauge,
    "oil_can": _oil_can,
    "pry_bar": _pry_bar,
}
