"""Tools that measure and mark."""

import itertools

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts
from pactwin.sim.objects.palette import PAPER
from pactwin.sim.objects.primitives import (
    Parts,
    Z,
    arc,
    rounded_box,
    shifted,
    tube,
    turned,
)
from pactwin.sim.objects.tools.shapes import (
    BRASS,
    bar,
    black,
    block,
    dye,
    flat,
    hull,
    lying,
    made_of,
    marked,
    pin,
    ring,
    spun,
    steel,
    wooden,
)

_YELLOW = (0.95, 0.80, 0.12, 1.0)
_LIQUID = (0.70, 0.92, 0.25, 1.0)


def _ticks(start: int, end: int, step: int, long: float, y: float, z: float) -> Parts:
    """Short lines across x, every fifth longer."""
    return marked(
        block(f"0.7 {long * (1.6 if k % 5 == 0 else 1.0)} 0.3", f"{x} {y} {z}")
        for k, x in enumerate(range(start, end, step))
    )


def _tape_measure(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    body = rounded_box((0.074, 0.066, 0.036), 0.008, (0.0, 0.0, 0.018))
    corner = block("36 30 36", "-19 -18 18")
    tape = (block("95 1 19", "-82 -30 16"),)
    return lying(
        color,
        made_of("case", "plastic", rgba, body, corner),
        black("case", marked(pin(46, 35.6, 36.4), pin(46, -0.4, 0.4))),
        made_of("case", "plastic", _YELLOW, marked(pin(34, 36.3, 36.8))),
        made_of("tape", "steel", _YELLOW, tape, block("14 14 1", "-42 -26 16")),
        steel("hook", block("2 10 22", "-130 -28 16")),
        black(
            "tape",
            marked(block("0.8 1.4 9", f"{x} -30 20") for x in range(-124, -40, 8)),
            of="steel",
        ),
    )


def _level(long: float, *, pointed: bool = False) -> Builder:
    def build(rng: np.random.Generator) -> BuiltParts:
        color, rgba = dye(rng)
        body = rounded_box((long / 1000, 0.048, 0.022), 0.003)
        half = long / 2
        boat = flat(
            f"{-half} -12, {40 - half} -24, {half - 40} -24, {half} -12, {half} 24, {-half} 24", 20
        )
        vial = (block("62 16 22.6", "0 12 0"),)
        tubes = [*bar("-24 12 11.6, 24 12 11.6", 10), *bar("-24 12 -11.6, 24 12 -11.6", 10)]
        marks = [block("1.2 11 24", f"{x} 12 0") for x in (-7, 7)]
        ends = [pin(26, -11.5, 11.5, s * (long / 2 - 42)) for s in (-1, 1)]
        return lying(
            color,
            made_of("body", "aluminium", rgba, boat if pointed else body),
            made_of("vial", "plastic", (0.95, 0.95, 0.9, 1.0), marked(vial)),
            made_of("vial", "plastic", _LIQUID, marked(tubes, ends)),
            black("vial", marked(marks)),
            black(
                "ends", [block("9 50 24", f"{s * half} 0 0") for s in (() if pointed else (-1, 1))]
            ),
        )

    return build


def _vernier(rng: np.random.Generator) -> BuiltParts:
    beam = (block("190 16 4", "95 0 0"),)
    fixed = flat("-4 -8, 8 -8, 8 8, 6 24, 0 26, -4 8", 4)
    long_jaw = flat("-6 -8, -6 -30, -2 -54, 1 -54, 1 -8", 4)
    slide = flat("16 -8, 16 -54, 19 -54, 26 -30, 60 -14, 60 10, 20 10, 18 26, 12 24, 16 8", 7)
    return lying(
        "silver",
        steel("beam", beam),
        steel("jaws", fixed, long_jaw, slide, shade=0.88),
        black(
            "beam", _ticks(66, 184, 3, 4.0, 3.0, 2.1), _ticks(20, 58, 3, 4.0, -4.0, 3.7), of="steel"
        ),
        steel("screw", bar("44 10 0, 44 16 0", 9), block("3 4 2", "192 0 0"), shade=0.7),
    )


def _micrometer(rng: np.random.Generator) -> BuiltParts:
    bow = list(arc(0.034, 180.0, 360.0, 8, "xy"))
    frame = tube(bow, 0.011)
    anvil = bar("-34 0 0, -14 0 0", 7)
    sleeve = (*bar("-2 0 0, 34 0 0", 7), *spun("34 8, 62 8"))
    thimble = spun("60 8.5, 64 10, 92 10, 94 7, 110 7")
    return lying(
        "silver",
        black("frame", frame, of="iron"),
        steel("spindle", anvil, sleeve),
        steel("thimble", thimble, shade=0.75),
        black(
            "thimble",
            marked([spun(f"{x} 10.2, {x + 0.8} 10.2") for x in (66, 82, 85, 88)]),
            of="steel",
        ),
    )


def _folding_rule(rng: np.random.Generator) -> BuiltParts:
    legs: list[Parts] = []
    points = [(0, 0), (150, 8), (20, 46), (170, 60)]
    marks: list[Parts] = []
    for k, ((ax, ay), (bx, by)) in enumerate(itertools.pairwise(points)):
        angle = float(np.rad2deg(np.arctan2(by - ay, bx - ax)))
        long = float(np.hypot(bx - ax, by - ay))
        z = 3.2 * k
        leg = (block(f"{long + 14} 16 3", f"{long / 2} 0 {z}"),)
        tick = _ticks(4, int(long), 6, 5.0, 4.5, z + 1.6)
        legs.append(shifted(turned(leg, Z, angle), x=ax / 1000, y=ay / 1000))
        marks.append(shifted(turned(tick, Z, angle), x=ax / 1000, y=ay / 1000))
    pins = [pin(9, -1.6, 8.4, x, y) for x, y in points[1:3]]
    return lying(
        "yellow",
        made_of("legs", "wood", _YELLOW, *legs),
        black("legs", *marks, of="wood"),
        made_of("joints", "brass", BRASS, pins),
    )


def _try_square(rng: np.random.Generator) -> BuiltParts:
    stock = (block("24 120 18", "12 -48 0"),)
    blade = (block("190 32 2", "110 -4 0"),)
    edge = marked(block("2 120 18.4", "25 -48 0"))
    return lying(
        "brown",
        wooden("stock", stock, shade=0.62),
        made_of("stock", "wood", BRASS, edge),
        steel("blade", blade),
        made_of("rivets", "brass", BRASS, marked([pin(6, -9.4, 9.4, 12, y) for y in (-8, 0)])),
    )


def _sliding_bevel(rng: np.random.Generator) -> BuiltParts:
    stock = (block("130 22 16", "65 0 0"),)
    blade = shifted(turned((block("190 20 2", "55 0 0"),), Z, 118.0), x=0.012)
    return lying(
        "brown",
        wooden("stock", stock, shade=0.62),
        steel("blade", blade),
        made_of("screw", "brass", BRASS, pin(14, -11, 11, 12), block("26 7 3", "16 0 11.5")),
    )


def _plumb_bob(rng: np.random.Generator) -> BuiltParts:
    bob = spun("0 0.3, 34 13, 62 15, 74 12, 78 6, 88 6")
    cord = tube(
        [
            (x / 1000, y / 1000, -0.010)
            for x, y in (
                (88, 0),
                (110, 6),
                (140, 34),
                (120, 62),
                (80, 66),
                (56, 48),
                (70, 34),
                (104, 44),
            )
        ],
        0.003,
    )
    return lying(
        "gold", made_of("bob", "brass", BRASS, bob), made_of("cord", "cotton", PAPER, cord)
    )


def _dividers(rng: np.random.Generator) -> BuiltParts:
    leg = shifted(spun("0 0.3, 24 2.2, 120 4, 150 4.6"), x=-0.150)
    pair = [shifted(turned(leg, Z, s * 11.0), x=0.150) for s in (-1, 1)]
    bow = ring(24, 15, 6, x=152)
    arc_bar = bar("88 -15 0, 88 15 0", 3)
    return lying(
        "silver",
        steel("legs", pair),
        steel("bow", bow, shade=0.8),
        made_of(
            "screw", "brass", BRASS, arc_bar, bar("88 15 0, 88 22 0", 9), bar("160 0 0, 182 0 0", 8)
        ),
    )


def _outside_calipers(rng: np.random.Generator) -> BuiltParts:
    line = ((0, 6), (4, 24), (24, 44), (64, 48), (110, 30), (150, 4))
    legs = [tube([(x / 1000, s * y / 1000, 0.0) for x, y in line], 0.008) for s in (-1, 1)]
    return lying(
        "silver",
        steel("legs", legs),
        steel("bow", ring(26, 16, 6, x=154), shade=0.8),
        made_of(
            "screw",
            "brass",
            BRASS,
            bar("100 -34 0, 100 34 0", 3),
            bar("100 34 0, 100 44 0", 9),
            bar("164 0 0, 184 0 0", 8),
        ),
    )


def _chalk_line(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    case = flat("0 -6, 22 -30, 74 -34, 104 -18, 104 18, 74 34, 22 30, 0 6", 34)
    crank = (*flat("52 -5, 96 -5, 96 5, 52 5", 4, 20), pin(13, 20, 36, 90))
    line = bar("0 0 0, -30 4 -8, -52 -6 -14", 2.4)
    hook = bar("-52 -6 -14, -66 -6 -14, -66 4 -14", 3.4)
    return lying(
        color,
        made_of("case", "plastic", rgba, case),
        steel("crank", crank),
        made_of("line", "cotton", (0.3, 0.45, 0.85, 1.0), line),
        steel("hook", hook, shade=0.8),
    )


def _protractor(rng: np.random.Generator) -> BuiltParts:
    turn = [np.deg2rad(a) for a in range(0, 181, 12)]
    ring_parts = [
        hull(
            (r * np.cos(t) / 1000, r * np.sin(t) / 1000, z)
            for r in (40, 66)
            for t in (a, b)
            for z in (-0.001, 0.001)
        )
        for a, b in itertools.pairwise(turn)
    ]
    base = (block("132 16 2", "0 -2 0"),)
    arm = turned((block("168 14 2", "50 0 2"),), Z, 52.0)
    marks = [turned(marked(block("6 0.7 0.4", "62 0 1.1")), Z, float(a)) for a in range(6, 178, 6)]
    return lying(
        "silver",
        steel("scale", ring_parts, base),
        black("scale", *marks, of="steel"),
        steel("arm", arm, shade=0.75),
        made_of("screw", "brass", BRASS, pin(13, -2, 8)),
    )


TOOLS: dict[str, Builder] = {
    "tape_measure": _tape_measure,
    "spirit_level": _level(300.0),
    "torpedo_level": _level(190.0, pointed=True),
    "vernier_caliper": _vernier,
    "micrometer": _micrometer,
    "folding_rule": _folding_rule,
    "try_square": _try_square,
    "sliding_bevel": _sliding_bevel,
    "plumb_bob": _plumb_bob,
    "dividers": _dividers,
    "outside_caliper": _outside_calipers,
    "chalk_line": _chalk_line,
    "protractor": _protractor,
}
