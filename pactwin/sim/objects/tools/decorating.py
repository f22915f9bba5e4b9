"""Tools of painters and paperhangers."""

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts
from pactwin.sim.objects.primitives import Z, hull, shifted, turned
from pactwin.sim.objects.tools.shapes import (
    bar,
    black,
    block,
    dye,
    flat,
    grip,
    lying,
    made_of,
    marked,
    pin,
    spun,
    steel,
    turned_grip,
    wooden,
)

_HAIR = (0.80, 0.66, 0.45, 1.0)
_PLUSH = (0.93, 0.90, 0.80, 1.0)


def _round_brush(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    return lying(
        color,
        made_of("bristles", "bristle", _HAIR, spun("0 6, 10 15, 46 17, 60 15")),
        steel("ferrule", spun("58 15.5, 84 14"), shade=0.9),
        made_of("handle", "wood", rgba, spun("82 13, 96 12, 130 14, 180 9, 232 6, 240 3")),
    )


def _roller(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    frame = bar("0 92 0, 0 104 0, 44 104 0, 70 0 0, 130 0 0", 8, rounded=True)
    return lying(
        color,
        made_of("sleeve", "cotton", _PLUSH, bar("0 -92 0, 0 92 0", 46)),
        black("ends", bar("0 -95 0, 0 -90 0", 40), bar("0 90 0, 0 95 0", 40)),
        steel("frame", frame),
        made_of("grip", "plastic", rgba, grip(120, 118, 15)),
    )


def _wide_brush(rng: np.random.Generator) -> BuiltParts:
    tufts = [
        hull(
            (x, y + dy, z)
            for x, z in ((0.0, 0.002), (0.0, -0.002), (0.070, 0.007), (0.070, -0.007))
            for dy in (-0.0068, 0.0068)
        )
        for y in np.linspace(-0.098, 0.098, 15).tolist()
    ]
    stock = flat("68 -104, 92 -104, 112 -84, 112 84, 92 104, 68 104", 18)
    return lying(
        "brown",
        made_of("bristles", "bristle", (0.35, 0.28, 0.22, 1.0), tufts[::2]),
        made_of("bristles", "bristle", (0.28, 0.22, 0.17, 1.0), tufts[1::2]),
        wooden("stock", stock),
    )


def _taping_knife(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    return lying(
        color,
        steel("blade", flat("0 -100, 56 -100, 56 100, 0 100", 1)),
        steel("back", block("14 190 5", "56 0 0"), shade=0.75),
        made_of("handle", "plastic", rgba, grip(58, 105, 14)),
    )


def _seam_roller(rng: np.random.Generator) -> BuiltParts:
    fork = bar("0 -22 0, 26 -22 0, 44 0 0, 64 0 0", 4.5, rounded=True)
    return lying(
        "brown",
        wooden("roller", bar("0 -18 0, 0 18 0", 30), shade=1.15),
        steel("fork", fork, bar("0 -24 0, 0 24 0", 4), bar("0 22 0, 26 22 0, 44 0 0", 4.5)),
        wooden("handle", turned_grip(58, 105, 14), shade=0.75),
    )


def _utility_knife(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    blade = flat("0 -9, 36 -9, 36 9, 12 9", 1)
    body = flat("24 -11, 60 -15, 160 -18, 172 -8, 168 12, 70 13, 24 11", 19)
    return lying(
        color,
        steel("blade", blade),
        made_of("handle", "aluminium", rgba, body),
        black("slide", block("24 8 5", "80 2 11")),
        steel("screw", marked(pin(9, -10, 10, 120, -4))),
    )


def _snap_knife(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    blade = flat("0 -9, 56 -9, 56 9, 18 9", 0.8)
    lines = marked(turned((block("0.7 20 1", "0 0 0"),), Z, -30.0))
    return lying(
        color,
        steel("blade", blade),
        black("blade", [shifted(lines, x=x / 1000) for x in (22, 34, 46)], of="steel"),
        made_of("handle", "plastic", rgba, block("120 22 13", "112 0 0")),
        steel("rail", marked(block("100 9 13.4", "106 0 0")), shade=0.9),
        black("slide", block("20 12 4", "86 0 8.5")),
    )


def _scalpel(rng: np.random.Generator) -> BuiltParts:
    blade = flat("0 -3, 30 -3.5, 34 3.5, 24 3.5", 0.8)
    return lying(
        "silver",
        steel("blade", blade),
        made_of(
            "handle",
            "aluminium",
            (0.70, 0.71, 0.74, 1.0),
            spun("30 4, 36 5, 60 5, 64 4, 150 4, 152 3"),
        ),
        black(
            "handle",
            marked([spun(f"{x} 5.2, {x + 1.4} 5.2") for x in range(38, 60, 4)]),
            of="aluminium",
        ),
    )


def _glass_cutter(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    head = flat("0 -3, 4 -7, 30 -7, 34 -4, 34 4, 30 7, 6 4, 0 3", 7)
    notches = marked(block("5 4 7.4", f"{x} -6 0") for x in (12, 20, 28))
    return lying(
        color,
        steel("head", head, shade=0.75),
        black("head", notches, of="steel"),
        steel("wheel", pin(7, -1, 1, -1)),
        made_of("handle", "wood", rgba, spun("32 4, 60 4.5, 120 5.5, 126 8, 134 8, 138 5")),
    )


TOOLS: dict[str, Builder] = {
    "round_brush": _round_brush,
    "paint_roller": _roller,
    "paperhanging_brush": _wide_brush,
    "taping_knife": _taping_knife,
    "seam_roller": _seam_roller,
    "utility_knife": _utility_knife,
    "snap_off_knife": _snap_knife,
    "scalpel": _scalpel,
    "glass_cutter": _glass_cutter,
}
