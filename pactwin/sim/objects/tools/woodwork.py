"""Tools for wood."""

from collections.abc import Callable

import numpy as np

from pactwin.sim.objects.kinds.bars import round_bar
from pactwin.sim.objects.kinds.parts import Builder, BuiltParts, built
from pactwin.sim.objects.primitives import (
    Parts,
    Pieces,
    X,
    Y,
    hull,
    prism,
    shifted,
    turned,
    xy,
    xyz,
)
from pactwin.sim.objects.tools.shapes import (
    BRASS,
    bar,
    black,
    block,
    dye,
    every,
    flat,
    iron,
    knob,
    lying,
    made_of,
    marked,
    pin,
    spun,
    steel,
    turned_grip,
    wooden,
)


def _handled(blade: Callable[[], Pieces], neck: str) -> Builder:
    """A blade with a turned handle."""

    def build(rng: np.random.Generator) -> BuiltParts:
        shade = float(rng.uniform(0.85, 1.15))
        return lying(
            "brown",
            steel("blade", blade(), bar(neck, 9)),
            made_of("ferrule", "brass", BRASS, spun("148 9, 150 10, 160 10, 162 9")),
            wooden("handle", turned_grip(160, 112, 16), shade=shade),
        )

    return build


def _chisel() -> Parts:
    edge = hull(
        (x, y, z) for x, z in ((0, 0), (0.010, 0.004), (0.010, 0)) for y in (-0.0125, 0.0125)
    )
    return (edge, *flat("9 -12.5, 120 -12.5, 134 -5, 134 5, 120 12.5, 9 12.5", 4, 2))


def _mortise() -> Parts:
    edge = hull(
        (x, y, z)
        for x, z in ((0, -0.005), (0.022, 0.005), (0.022, -0.005))
        for y in (-0.004, 0.004)
    )
    return (edge, *flat("20 -4, 138 -5, 138 5, 20 4", 10))


def _gouge() -> Parts:
    strip = shifted(flat("2 -3.2, 124 -3.2, 124 3.2, 2 3.2", 2), z=-0.012)
    trough = (shifted(turned(strip, X, 24.0 * k), z=0.012) for k in range(-3, 4))
    return (*every(trough), *bar("116 0 3, 136 0 0", 9))


def _rasp() -> Parts:
    body = prism(xy("0 -3, 40 -11, 140 -12, 150 -5, 150 5, 140 12, 40 11, 0 3"), -0.0025, 0.0025)
    return (body,)


def _rasp_tool(rng: np.random.Generator) -> BuiltParts:
    dots = [
        knob(3.2, x, y + (1.6 if k % 2 else -1.6), s * 2.6)
        for k, x in enumerate(range(14, 134, 7))
        for y in (-7, 0, 7)
        for s in (-1, 1)
        if x > 45 or y == 0
    ]
    return lying(
        "brown",
        steel("blade", _rasp(), bar("145 0 0, 160 0 0", 7), shade=0.6),
        steel("blade", marked(dots), shade=0.95),
        wooden("handle", turned_grip(155, 110, 15)),
    )


def _plane(rng: np.random.Generator) -> BuiltParts:
    sole = flat("0 -30, 240 -30, 246 0, 240 30, 0 30, -8 0", 8, 4)
    cheeks = [block("150 5 24", f"120 {27.5 * s} 18") for s in (-1, 1)]
    frog = turned(block("9 46 70"), Y, 45.0)
    tote = round_bar(
        xyz("0 0 0, 8 22 0, 4 44 0, 12 66 0, -4 84 0"), (0.034, 0.028, 0.026, 0.028, 0.022), 0.026
    )
    front = turned(spun("0 13, 10 12, 18 9, 26 15, 36 17, 42 10"), Y, -90.0)
    return built(
        "brown",
        iron("body", sole, cheeks),
        steel("iron", shifted(frog, x=0.118, z=0.045)),
        wooden("handles", shifted(turned(tote, X, 90.0), x=0.185, z=0.010), shade=0.6),
        wooden("handles", shifted(front, x=0.040, z=0.008), shade=0.6),
        made_of(
            "knob", "brass", BRASS, shifted(turned(spun("0 10, 12 10"), Y, -40.0), x=0.135, z=0.05)
        ),
    )


def _tenon_saw(rng: np.random.Generator) -> BuiltParts:
    teeth = [
        prism([(x, -0.040), (x + 0.0028, -0.0445), (x + 0.0056, -0.040)], -0.0005, 0.0005)
        for x in np.arange(0.002, 0.252, 0.0062).tolist()
    ]
    blade = flat("0 -40, 262 -40, 262 40, 0 40", 1.2)
    spine = (block("262 14 7", "131 42 0"),)
    bow = xyz("262 40 0, 300 46 0, 338 40 0, 340 10 0, 345 -34 0, 322 -48 0, 300 -36 0, 262 -34 0")
    inner = xyz("270 36 0, 284 4 0, 268 -32 0")
    handle = (*round_bar(bow, (0.026,) * 8, 0.024), *round_bar(inner, (0.030,) * 3, 0.024))
    return lying(
        "brown",
        steel("blade", blade, teeth),
        made_of("spine", "brass", BRASS, spine),
        wooden("handle", handle, shade=float(rng.uniform(0.75, 1.0))),
    )


def _coping_saw(rng: np.random.Generator) -> BuiltParts:
    frame = bar("0 0 0, 0 110 0, 6 122 0, 154 122 0, 160 110 0, 160 0 0", 8, rounded=True)
    blade = (block("160 3 1", "80 0 0"),)
    return lying(
        "brown",
        steel("frame", frame),
        steel("blade", blade, shade=0.7),
        wooden("handle", turned_grip(164, 112, 15)),
    )


def _gimlet(rng: np.random.Generator) -> BuiltParts:
    thread = [spun(f"{x} {1.0 + x / 16}, {x + 1.2} {1.0 + x / 16}") for x in range(4, 34, 4)]
    return lying(
        "brown",
        steel("shank", spun("0 0.4, 36 2.6, 120 2.8, 130 3.2"), thread),
        wooden("handle", bar("132 -38 0, 132 38 0", 17, rounded=True)),
    )


def _bradawl(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    return lying(
        color,
        steel("point", spun("0 0.3, 12 1.8, 70 2.2")),
        made_of("handle", "plastic", rgba, spun("68 6, 74 8, 92 9, 120 15, 138 17, 150 12, 154 6")),
    )


def _marking_gauge(rng: np.random.Generator) -> BuiltParts:
    beam = block("220 17 17", "110 0 0")
    stock = prism([(x + 0.062, y) for x, y in xy("-13 -32, 13 -32, 13 32, -13 32")], -0.014, 0.014)
    screw = (*bar("62 30 0, 62 42 0", 7), *bar("62 42 0, 62 48 0", 18))
    point = bar("8 0 -8, 8 0 -17", 3)
    return lying(
        "brown",
        wooden("beam", beam),
        wooden("stock", stock, shade=0.62),
        made_of("screw", "brass", BRASS, screw),
        steel("pin", point),
    )


def _sanding_block(rng: np.random.Generator) -> BuiltParts:
    color, _rgba = dye(rng)
    return built(
        color,
        made_of("paper", "paper", (0.45, 0.27, 0.13, 1.0), block("112 62 3", "0 0 1.5")),
        made_of(
            "paper",
            "paper",
            (0.45, 0.27, 0.13, 1.0),
            [block("3 62 26", f"{s * 55} 0 15") for s in (-1, 1)],
        ),
        made_of("block", "wood", (0.80, 0.62, 0.42, 1.0), block("106 60 36", "0 0 21")),
        black("clip", [block("16 61 3", f"{s * 46} 0 40") for s in (-1, 1)]),
    )


def _spokeshave(rng: np.random.Generator) -> BuiltParts:
    wings = [bar(f"0 {s * 24} 0, 14 {s * 58} 0, 6 {s * 118} 0", 20, rounded=True) for s in (-1, 1)]
    return lying(
        "black",
        iron("body", block("30 60 20")),
        iron("handles", wings),
        steel("iron", block("22 46 3", "-6 0 11")),
        made_of("screw", "brass", BRASS, pin(12, 12, 19, 0, 0)),
    )


TOOLS: dict[str, Builder] = {
    "wood_chisel": _handled(_chisel, "130 0 1, 152 0 0"),
    "mortise_chisel": _handled(_mortise, "134 0 0, 152 0 0"),
    "gouge": _handled(_gouge, "130 0 0, 152 0 0"),
    "rasp": _rasp_tool,
    "hand_plane": _plane,
    "tenon_saw": _tenon_saw,
    "coping_saw": _coping_saw,
    "gimlet": _gimlet,
    "bradawl": _bradawl,
    "marking_gauge": _marking_gauge,
    "sanding_block": _sanding_block,
    "spokeshave": _spokeshave,
}
