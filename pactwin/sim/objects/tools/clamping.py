"""Tools that hold work together."""

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts, built
from pactwin.sim.objects.primitives import shifted
from pactwin.sim.objects.tools.shapes import (
    bar,
    black,
    block,
    dye,
    flat,
    knob,
    levers,
    lying,
    made_of,
    pin,
    spun,
    steel,
    turned_grip,
    wooden,
)


def _bar_clamp(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    rail = (block("270 18 7", "120 0 0"),)
    fixed = flat("-14 -10, 0 -10, 8 40, 6 98, -10 98, -14 80", 14)
    slide = flat("150 -14, 186 -14, 190 20, 176 64, 174 98, 152 98, 156 50", 16)
    screw = shifted(spun("104 6, 152 6"), y=0.088)
    pad = shifted(spun("98 12, 106 12"), y=0.088)
    handle = shifted(turned_grip(176, 104, 14), y=0.088)
    return lying(
        color,
        steel("rail", rail),
        made_of("jaws", "iron", rgba, fixed, slide),
        steel("screw", screw, pad, shade=0.75),
        wooden("handle", handle),
    )


def _spring_clamp(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    jaw = flat("14 6, 0 18, -30 24, -66 14, -70 4, -58 4, -30 10, 0 4", 18)
    jaws, grips = levers(
        jaw,
        "6 -8 0, 30 -24 0, 60 -32 0, 84 -34 0, 100 -34 0",
        (14, 16, 17, 17, 14),
        20,
        opened_deg=6,
    )
    pads = levers(flat("-72 2, -52 2, -52 9, -72 9", 20), "6 0 0, 30 0 0", (1, 1), 1, opened_deg=6)[
        0
    ]
    coil = [pin(22 - 0.4 * k, -13 + 5 * k, -10 + 5 * k) for k in range(6)]
    return lying(
        color,
        made_of("jaws", "plastic", rgba, jaws),
        made_of("handles", "plastic", rgba, grips),
        black("pads", pads, of="rubber"),
        steel("spring", coil),
    )


def _hand_screw(rng: np.random.Generator) -> BuiltParts:
    upper = flat("0 26, 30 17, 190 17, 190 47, 30 47, 0 40", 32)
    lower = flat("0 -40, 30 -47, 190 -47, 190 -17, 30 -17, 0 -26", 32)
    screws = [*bar("90 -80 0, 90 62 0", 10), *bar("160 -62 0, 160 80 0", 10)]
    handles = [
        *bar("90 -150 0, 90 -78 0", 26, rounded=True),
        *bar("160 78 0, 160 150 0", 26, rounded=True),
    ]
    return lying(
        "brown",
        wooden("jaws", upper, lower),
        steel("screws", screws, shade=0.7),
        wooden("handles", handles, shade=0.6),
    )


def _quick_clamp(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    rail = (block("280 16 6", "130 0 0"),)
    fixed = flat("-16 -12, 6 -12, 8 20, 6 74, -14 74", 20)
    body = flat("130 -18, 196 -18, 206 16, 200 36, 166 40, 160 74, 138 74, 134 20", 24)
    pistol = flat("190 -14, 206 -10, 232 -84, 206 -92, 186 -40", 22)
    trigger = flat("166 -18, 178 -18, 184 -50, 172 -76, 162 -72, 170 -46", 14)
    pads = [block("8 26 24", "12 60 0"), block("8 26 24", "132 60 0")]
    return lying(
        color,
        steel("rail", rail, shade=0.7),
        made_of("body", "plastic", rgba, fixed, body, pistol),
        black("trigger", trigger),
        black("pads", pads, of="rubber"),
    )


def _vise(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    base = (pin(110, 0, 16), block("90 64 26", "0 0 28"))
    jaws = [block("22 96 44", "-22 0 62"), block("22 96 44", "24 0 62")]
    slide = (block("150 30 26", "50 0 52"),)
    plates = [block("4 96 16", "-10 0 76"), block("4 96 16", "12 0 76")]
    screw = (*bar("120 0 52, 150 0 52", 20), *bar("142 -58 52, 142 58 52", 9))
    anvil = (block("44 60 10", "-52 0 76"),)
    return built(
        color,
        made_of("body", "iron", rgba, base, jaws, slide, anvil),
        steel("plates", plates),
        steel("screw", screw, [knob(16, 142, s * 58, 52) for s in (-1, 1)], shade=0.8),
    )


TOOLS: dict[str, Builder] = {
    "bar_clamp": _bar_clamp,
    "spring_clamp": _spring_clamp,
    "hand_screw_clamp": _hand_screw,
    "trigger_clamp": _quick_clamp,
    "bench_vise": _vise,
}
