"""Tools for metal."""

from itertools import pairwise

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts
from pactwin.sim.objects.primitives import (
    Parts,
    X,
    hull,
    prism,
    turned,
)
from pactwin.sim.objects.tools.shapes import (
    bar,
    black,
    block,
    dye,
    flat,
    grip,
    levers,
    lying,
    made_of,
    marked,
    pin,
    spun,
    steel,
    wooden,
)


def _cold_chisel(rng: np.random.Generator) -> BuiltParts:
    edge = hull(
        (x, y, z)
        for x, a, b in ((0, 11, 0.6), (0.028, 9, 7))
        for y in (-a / 1000, a / 1000)
        for z in (-b / 1000, b / 1000)
    )
    body = turned(
        prism(
            [
                (0.009 * float(np.cos(t)), 0.009 * float(np.sin(t)))
                for t in np.arange(8) * np.pi / 4 + np.pi / 8
            ],
            0.026,
            0.160,
        ),
        (0.0, 1.0, 0.0),
        90.0,
    )
    return lying(
        "black",
        steel("edge", edge, shade=0.9),
        black("body", body, of="steel"),
        steel("head", spun("158 8.5, 166 8, 170 6"), shade=0.8),
    )


def _file(blade: str) -> Builder:
    def build(rng: np.random.Generator) -> BuiltParts:
        color, rgba = dye(rng)
        pieces: tuple[Parts, Parts]
        if blade == "flat":
            cuts = [block("1 21 5.3", f"{x} 0 0") for x in range(8, 165, 4)]
            pieces = (flat("0 -11, 170 -11, 180 -4, 180 4, 170 11, 0 11", 5), tuple(cuts))
        elif blade == "round":
            cuts = [
                spun(f"{x} {3.1 + x / 100}, {x + 1.2} {3.1 + x / 100}")[0] for x in range(8, 165, 4)
            ]
            pieces = (spun("0 2.6, 60 3.6, 170 4.6, 180 3"), tuple(cuts))
        else:
            tri = [
                (0.007 * float(np.cos(t)), 0.007 * float(np.sin(t)))
                for t in np.arange(3) * 2 * np.pi / 3 + np.pi / 2
            ]
            body = [
                [(x / 1000, a * s, b * s) for a, b in tri]
                for x, s in ((0, 0.4), (70, 1.0), (172, 1.0))
            ]
            cuts = [
                hull((x + dx, a * 1.03, b * 1.03) for a, b in tri for dx in (0.0, 0.001))
                for x in np.arange(0.075, 0.168, 0.004).tolist()
            ]
            pieces = (tuple(hull([*a, *b]) for a, b in pairwise(body)), tuple(cuts))
        return lying(
            color,
            steel("blade", pieces[0], bar("172 0 0, 196 0 0", 6), shade=0.7),
            steel("blade", marked(pieces[1]), shade=0.42),
            made_of("handle", "plastic", rgba, grip(186, 105, 14)),
        )

    return build


def _hacksaw(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    frame = bar("6 4 0, 6 82 0, 20 92 0, 290 92 0, 304 80 0, 304 4 0", 12, rounded=True)
    teeth = [
        prism([(x, -0.004), (x + 0.002, -0.0085), (x + 0.004, -0.004)], -0.0004, 0.0004)
        for x in np.arange(0.012, 0.296, 0.0045).tolist()
    ]
    blade = (block("310 10 1", "155 1 0"),)
    handle = flat(
        "300 20, 304 -14, 326 -22, 372 -52, 396 -40, 360 22, 352 70, 330 88, 300 92, 300 70, "
        "322 62, 330 20",
        24,
    )
    return lying(
        color,
        made_of("frame", "steel", rgba, frame),
        steel("blade", blade, teeth, shade=0.75),
        black("handle", handle),
    )


def _tin_snips(rng: np.random.Generator) -> BuiltParts:
    """Short blades that cross as those of scissors do, on long levers with a second joint."""
    color, rgba = dye(rng)
    blade = flat("16 -6, 16 6, -4 22, -22 22, -66 5, -70 0, -24 -2, 0 -8", 4)
    edge = marked(flat("-22 6, -62 3.4, -70 0, -24 -2", 4.6))
    line = "34 -16 0, 60 -26 0, 110 -33 0, 160 -32 0, 184 -40 0"
    blades, grips = levers(blade, line, (15, 17, 17, 16, 15), 15, opened_deg=13)
    bright, _ = levers(edge, line, (1,) * 5, 1, opened_deg=13)
    joint = flat("4 -10, 46 -26, 54 -14, 54 14, 46 26, 4 10", 9)
    return lying(
        color,
        steel("blades", blades, joint, shade=0.55),
        steel("blades", bright),
        made_of("grips", "rubber", rgba, grips),
        steel("pivot", pin(15, -8, 8), [pin(9, -6, 6, 44, y) for y in (-18, 18)], shade=0.95),
    )


def _bolt_cutters(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    jaw = flat("16 4, 10 20, -14 24, -44 8, -46 2, -20 0, 0 0", 12)
    jaws, arms = levers(
        jaw,
        "10 -10 0, 40 -20 0, 110 -34 0, 200 -46 0, 250 -50 0",
        (22, 20, 15, 14, 14),
        12,
        opened_deg=3,
    )
    _, grips = levers((), "238 -49 0, 300 -54 0, 350 -57 0", (22, 22, 20), 20, opened_deg=3)
    return lying(
        color,
        steel("jaws", jaws, shade=0.55),
        made_of("arms", "steel", rgba, arms),
        black("grips", grips, of="rubber"),
        steel("bolts", pin(16, -9, 9, 2, 0), pin(12, -9, 9, 34, 14), pin(12, -9, 9, 34, -14)),
    )


def _scriber(rng: np.random.Generator) -> BuiltParts:
    knurl = [spun(f"{x} 4.6, {x + 1.4} 4.6") for x in range(56, 110, 4)]
    return lying(
        "silver",
        steel("point", spun("0 0.2, 20 1.7, 44 1.9, 50 4")),
        steel("body", spun("49 4.1, 52 4.3, 114 4.3, 118 3.5"), shade=0.85),
        black("body", marked(knurl), of="steel"),
        steel("point", bar("116 0 0, 150 0 0, 158 10 0, 158 26 0", 3.4)),
    )


def _twist_drill(rng: np.random.Generator) -> BuiltParts:
    flute = []
    for k in range(26):
        wing = block("3.4 12 4.4", f"{8 + 3 * k} 0 0")
        flute.append(turned((wing,), X, 24.0 * k))
    core = spun("0 0.5, 5 5, 6 3, 88 3, 90 6, 140 6, 142 5")
    return lying("black", black("flutes", flute, of="steel"), steel("core", core, shade=0.55))


def _spade_bit(rng: np.random.Generator) -> BuiltParts:
    blade = flat("0 -1, 12 -4, 14 -15, 46 -13, 56 -4, 56 4, 46 13, 14 15, 12 4, 0 1", 3.4)
    return lying(
        "silver",
        steel("blade", blade),
        steel("shank", bar("54 0 0, 140 0 0", 6), spun("138 4.4, 158 4.4"), shade=0.85),
        black("blade", marked(pin(7, -1.9, 1.9, 42)), of="steel"),
    )


def _wire_brush(rng: np.random.Generator) -> BuiltParts:
    rows = [
        bar(f"{x} {y} 4, {x - 4} {y * 1.15} 34", 3.6)
        for x in range(8, 120, 8)
        for y in (-9, -3, 3, 9)
    ]
    body = flat("0 -14, 125 -14, 160 -9, 270 -13, 285 0, 270 13, 160 9, 125 14, 0 14", 15, -3)
    return lying(
        "brown",
        wooden("handle", body),
        steel("wires", rows, shade=0.8),
        black("handle", marked(pin(9, -10.8, 4.8, 272)), of="wood"),
    )


def _pop_riveter(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    head = (
        *flat("-6 -16, 30 -20, 42 12, 30 34, -2 30", 24),
        *bar("-34 8 0, 0 8 0", 14),
        *bar("-44 8 0, -34 8 0", 8),
    )
    fixed = flat("20 -16, 40 -18, 60 -60, 78 -140, 96 -170, 82 -176, 58 -146, 40 -70", 20)
    lever = flat("26 26, 40 30, 110 -30, 165 -100, 178 -140, 164 -142, 148 -104, 96 -44, 34 4", 18)
    return lying(
        color, steel("head", head, shade=0.7), made_of("grips", "plastic", rgba, fixed, lever)
    )


TOOLS: dict[str, Builder] = {
    "cold_chisel": _cold_chisel,
    "flat_file": _file("flat"),
    "round_file": _file("round"),
    "triangular_file": _file("triangular"),
    "hacksaw": _hacksaw,
    "tin_snips": _tin_snips,
    "bolt_cutters": _bolt_cutters,
    "scriber": _scriber,
    "twist_drill": _twist_drill,
    "spade_bit": _spade_bit,
    "wire_brush": _wire_brush,
    "rivet_gun": _pop_riveter,
}
