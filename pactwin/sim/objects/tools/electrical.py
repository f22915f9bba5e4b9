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
_LUGS = ((0.80, 0.10, 0.08, 1.0), (0.10, 0.25, 0.75, 1.0), (0.95, 0.80, 0.12, 1.0))
_RATCHET = "60 -24, 72 -20, 76 0, 72 20, 60 24, 64 0"
_SCREEN = (0.66, 0.74, 0.62, 1.0)
_GRIPS = "8 -6 0, 30 -17 0, 60 -21.5 0, 95 -21 0, 118 -19 0"


def _pliers(jaw: str, thick: float, *, groove: str = "", edge: str = "") -> Builder:
    """``groove`` is a dark mark on a jaw, ``edge`` a bright one where it cuts."""

    def build(rng: np.random.Generator) -> BuiltParts:
        color, rgba = dye(rng)
        jaws, grips = levers(flat(jaw, thick), _GRIPS, (12, 15, 17, 16, 12), 18)
        dark, bright = (
            levers(marked(flat(line, thick + 0.4)) if line else (), _GRIPS, (1,) * 5, 1)[0]
            for line in (groove, edge)
        )
        return lying(
            color,
            steel("jaws", jaws, flat("-10 -9, 10 -9, 10 9, -10 9", 16), shade=0.6 if edge else 0.8),
            black("jaws", dark, of="steel"),
            steel("jaws", bright, shade=1.1),
            made_of("grips", "rubber", rgba, grips),
            steel("pivot", pin(14, -9.5, 9.5), shade=0.6),
        )

    return build


def _wire_stripper(rng: np.random.Generator) -> BuiltParts:
    """Long thin blades with a row of graded holes between them, and a spring behind."""
    color, rgba = dye(rng)
    jaw = flat("12 8, -8 13, -66 10, -70 7, -70 0.5, 8 0.5", 4)
    line = "10 -6 0, 34 -14 0, 70 -19 0, 110 -21 0, 128 -20 0"
    jaws, grips = levers(jaw, line, (11, 13, 14, 14, 11), 11, opened_deg=2.5)
    holes = [pin(3.0 + 0.9 * k, -2.2, 2.2, -62 + 10.5 * k) for k in range(5)]
    spring = bar("14 -5 0, 26 0 0, 14 5 0", 2.5)
    return lying(
        color,
        steel("jaws", jaws, spring, shade=0.8),
        black("jaws", marked(holes), of="steel"),
        made_of("grips", "rubber", rgba, grips),
        steel("pivot", pin(11, -6, 6), shade=0.5),
    )


def _crimper(rng: np.random.Generator) -> BuiltParts:
    """A broad head with a ratchet, its dies marked in the colours of the lugs."""
    color, rgba = dye(rng)
    head = flat("44 34, -6 38, -36 26, -42 14, -42 1, 26 1", 16)
    line = "26 -18 0, 60 -32 0, 100 -38 0, 150 -38 0, 186 -32 0"
    jaws, grips = levers(head, line, (22, 22, 21, 20, 16), 22, opened_deg=3)
    dies = [block("10 8 16.6", f"{x} 0 0") for x in (-34, -20, -6)]
    dots = [
        made_of("jaws", "steel", tint, marked(pin(7, -8.5, 8.5, x, y) for y in (-13, 13)))
        for x, tint in zip((-32, -19, -6), _LUGS, strict=True)
    ]
    return lying(
        color,
        steel("jaws", jaws, shade=0.5),
        black("jaws", marked(dies), of="steel"),
        dots,
        made_of("grips", "plastic", rgba, grips),
        steel("pivot", pin(15, -10, 10, 22), pin(11, -10, 10, 46, 16), flat(_RATCHET, 8)),
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
        groove="-30 1.2, -66 1.2, -66 0.6, -30 0.6",
    ),
    "side_cutters": _pliers(
        "12 -2, 12 11, -2 15, -18 14, -34 5, -36 0.4, 0 0.4",
        11,
        edge="-4 5, -33 2.6, -36 0.4, -2 0.4",
    ),
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
