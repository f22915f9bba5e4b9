"""Tools of electricians."""

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts
from pactwin.sim.objects.primitives import rounded_box, shifted, tube
from pactwin.sim.objects.tools.shapes import (
    bar,
    black,
    block,
    dye,
    flat,
    levers,
    lying,
    made_of,
    marked,
    pin,
    ring,
    spun,
    steel,
)

_RED = (0.75, 0.08, 0.08, 1.0)
_SCREEN = (0.66, 0.74, 0.62, 1.0)
_GRIPS = "8 -6 0, 30 -17 0, 60 -21.5 0, 95 -21 0, 118 -19 0"


def _pliers(jaw: str, thick: float, *more: str, line: str = _GRIPS) -> Builder:
    def build(rng: np.random.Generator) -> BuiltParts:
        color, rgba = dye(rng)
        jaws, grips = levers(flat(jaw, thick), line, (12, 15, 17, 16, 12), 18)
        marks = levers(marked(flat(outline, thick + 0.4) for outline in more), line, (1,) * 5, 1)
        return lying(
            color,
            steel("jaws", jaws, flat("-10 -9, 10 -9, 10 9, -10 9", 16), shade=0.8),
            black("jaws", marks[0], of="steel"),
            made_of("grips", "rubber", rgba, grips),
            steel("pivot", pin(14, -9.5, 9.5), shade=0.6),
        )

    return build


def _wire_stripper(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    jaw = flat("12 8, -8 13, -58 13, -62 9, -62 1.2, 8 1.2", 4)
    holes = marked(pin(3.2 + 0.9 * k, -2.3, 2.3, -54 + 10 * k, 1.6) for k in range(5))
    jaws, grips = levers(
        jaw, "10 -6 0, 34 -14 0, 70 -19 0, 110 -21 0, 128 -20 0", (11, 13, 14, 14, 11), 11
    )
    return lying(
        color,
        steel("jaws", jaws, shade=0.75),
        black("jaws", levers(holes, _GRIPS, (1,) * 5, 1)[0], of="steel"),
        made_of("grips", "rubber", rgba, grips),
        steel("pivot", pin(11, -6, 6), shade=0.9),
    )


def _crimper(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    head = flat("30 26, -34 26, -42 14, -42 2, 26 2", 16)
    notches = marked(pin(7 + 2 * k, -8.3, 8.3, -32 + 17 * k, 2) for k in range(3))
    jaws, grips = levers(
        head,
        "20 -12 0, 50 -24 0, 90 -32 0, 140 -34 0, 178 -30 0",
        (20, 19, 19, 18, 14),
        20,
        opened_deg=4,
    )
    return lying(
        color,
        black("jaws", jaws, of="steel"),
        steel("jaws", levers(notches, _GRIPS, (1,) * 5, 1, opened_deg=4)[0]),
        made_of("grips", "plastic", rgba, grips),
        steel("pivot", pin(18, -10, 10)),
    )


def _multimeter(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    body = rounded_box((0.150, 0.078, 0.034), 0.006, (0.075, 0.0, 0.017))
    lead = [
        tube(
            [
                (0.002, s * 0.012, 0.012),
                (-0.03, s * 0.03, 0.003),
                (-0.02, s * 0.062, 0.003),
                (0.03, s * 0.068, 0.003),
            ],
            0.004,
        )
        for s in (-1, 1)
    ]
    probes = [shifted(spun("28 5, 80 5.5, 90 3"), y=s * 0.068, z=0.006) for s in (-1, 1)]
    tips = [shifted(bar("88 0 0, 104 0 0", 2.4), y=s * 0.068, z=0.006) for s in (-1, 1)]
    return lying(
        color,
        made_of("case", "plastic", rgba, body),
        black("case", marked(block("140 66 0.8", "75 0 34.2"))),
        made_of("screen", "plastic", _SCREEN, marked(block("36 54 0.8", "122 0 34.8"))),
        black("screen", marked([block("16 2.4 0.4", f"122 {y} 35.3") for y in (-14, -4, 6, 16)])),
        made_of("dial", "plastic", rgba, pin(40, 33, 40, 66)),
        made_of("dial", "plastic", (0.9, 0.9, 0.9, 1.0), marked(block("18 4 1", "74 0 40.3"))),
        made_of("leads", "rubber", _RED, lead[0], probes[0]),
        black("leads", lead[1], probes[1], of="rubber"),
        steel("tips", tips),
    )


def _soldering_iron(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    cable = tube(
        [
            (x / 1000, y / 1000, 0.0)
            for x, y in ((206, 0), (236, 4), (262, 30), (250, 62), (206, 70), (170, 62))
        ],
        0.006,
    )
    return lying(
        color,
        made_of("bit", "brass", (0.72, 0.45, 0.25, 1.0), spun("0 0.6, 10 2.6, 34 2.6")),
        steel("barrel", spun("32 5, 92 5, 94 13, 98 13, 100 9"), shade=0.85),
        made_of("grip", "plastic", rgba, spun("98 9, 110 11, 150 12, 196 10, 206 5")),
        black("cable", cable, of="rubber"),
    )


def _voltage_tester(rng: np.random.Generator) -> BuiltParts:
    shank = bar("14 0 0, 66 0 0", 4)
    sleeve = bar("22 0 0, 66 0 0", 5.4)
    body = spun("64 5, 68 7.5, 130 7.5, 134 6")
    return lying(
        "clear",
        steel("blade", flat("0 -2, 16 -2, 16 2, 0 2", 1), shank),
        made_of("sleeve", "plastic", _RED, sleeve),
        made_of("grip", "clear_plastic", (0.95, 0.75, 0.25, 0.55), body),
        made_of("lamp", "brass", (0.9, 0.35, 0.15, 1.0), marked(spun("80 4, 104 4"))),
        steel("cap", spun("133 6.5, 144 6.5, 148 4")),
    )


def _clamp_meter(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    jaw = ring(76, 46, 16, x=0)
    body = rounded_box((0.150, 0.064, 0.034), 0.006, (0.105, 0.0, 0.0))
    return lying(
        color,
        made_of("jaws", "plastic", _RED, jaw),
        black("jaws", marked(block("24 1.4 17", "-30 0 0"))),
        made_of("case", "plastic", rgba, body),
        made_of("screen", "plastic", _SCREEN, marked(block("34 46 0.8", "142 0 17.3"))),
        black("dial", pin(36, 15, 22, 88)),
        made_of("dial", "plastic", (0.9, 0.9, 0.9, 1.0), marked(block("15 4 1", "94 0 22.3"))),
    )


TOOLS: dict[str, Builder] = {
    "long_nose_pliers": _pliers(
        "12 -2, 12 10, -12 11, -30 8, -72 3.4, -72 1, -12 0.6",
        9,
        "-30 1.2, -66 1.2, -66 0.6, -30 0.6",
    ),
    "side_cutters": _pliers("12 -2, 12 11, -12 13, -30 8, -38 1.2, -32 0.8, -12 4", 10),
    "end_cutters": _pliers(
        "12 -2, 12 10, -8 20, -34 22, -46 12, -47 1, -42 0.6, -34 10, -16 9, -8 2", 16
    ),
    "wire_stripper": _wire_stripper,
    "crimping_tool": _crimper,
    "multimeter": _multimeter,
    "clamp_meter": _clamp_meter,
    "soldering_iron": _soldering_iron,
    "voltage_tester": _voltage_tester,
}
