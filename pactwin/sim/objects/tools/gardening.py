"""Tools for the garden."""

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts
from pactwin.sim.objects.primitives import X, prism, shifted, turned, xy
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
    turned_grip,
    wooden,
)


def _trowel(rng: np.random.Generator) -> BuiltParts:
    """A scoop with a rounded point: its sides rise from a flat ground."""
    ground = flat("-2 0, 6 -9, 30 -13, 150 -13, 164 -5, 164 5, 150 13, 30 13, 6 9", 2)
    side = flat("6 0, 30 0, 150 0, 150 22, 60 27, 30 20", 2)
    sides = [
        shifted(turned(side, X, 34.0), y=0.0125),
        shifted(turned(turned(side, X, 180.0), X, -34.0), y=-0.0125),
    ]
    marks = marked(block("1 14 0.4", f"{x} 0 1.2") for x in range(30, 130, 20))
    return lying(
        "brown",
        steel("blade", ground, sides, shade=0.9),
        black("blade", marks, of="steel"),
        steel("neck", bar("156 0 1, 176 0 4, 192 0 18, 210 0 20", 10, rounded=True), shade=0.75),
        wooden("handle", shifted(turned_grip(202, 120, 16), z=0.020)),
    )


def _fork(rng: np.random.Generator) -> BuiltParts:
    tines = [
        bar(f"0 {y} -14, 60 {y} 0, 110 {y * 0.9} 0, 128 {y * 0.35} 0", 7, rounded=True)
        for y in (-30, 0, 30)
    ]
    return lying(
        "brown",
        steel("tines", tines, shade=0.85),
        steel(
            "neck",
            bar("108 -28 0, 108 28 0", 7),
            bar("124 0 0, 160 0 4, 178 0 16, 196 0 18", 9, rounded=True),
            shade=0.75,
        ),
        wooden("handle", shifted(turned_grip(190, 120, 16), z=0.018)),
    )


def _cultivator(rng: np.random.Generator) -> BuiltParts:
    tines = [
        bar(f"0 {y} -34, 6 {y} -8, 30 {y * 0.8} 4, 84 {y * 0.2} 4", 7, rounded=True)
        for y in (-32, 0, 32)
    ]
    return lying(
        "brown",
        steel("tines", tines, shade=0.8),
        steel("neck", bar("80 0 4, 190 0 4", 10), shade=0.75),
        wooden("handle", shifted(turned_grip(186, 120, 16), z=0.004)),
    )


def _dibber(rng: np.random.Generator) -> BuiltParts:
    return lying(
        "brown",
        steel("point", spun("0 1, 40 12, 62 14")),
        wooden(
            "handle", spun("60 14, 160 15, 190 14"), bar("196 -46 0, 196 46 0", 24, rounded=True)
        ),
    )


def _secateurs(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    blade = flat("12 10, -20 20, -52 16, -66 4, -30 4, 0 -2, 10 -4", 3)
    hook = flat("10 4, 0 2, -30 -2, -62 -12, -52 -22, -20 -20, 10 -10", 7)
    _, grips = levers(
        (),
        "8 -10 0, 36 -26 0, 70 -34 0, 110 -34 0, 140 -26 0",
        (15, 17, 17, 17, 12),
        17,
        opened_deg=4,
    )
    return lying(
        color,
        steel("blades", shifted(blade, z=0.003), shade=0.95),
        steel("blades", shifted(hook, z=-0.002), shade=0.6),
        made_of("grips", "plastic", rgba, grips),
        steel("pivot", pin(17, -8, 9)),
    )


def _pruning_saw(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    blade = flat("0 -4, 60 -16, 130 -20, 200 -14, 200 14, 130 8, 60 6, 6 6", 1.6)
    line = [(10, -5.5), (60, -16), (130, -20), (198, -14)]
    teeth = []
    for x in range(8, 194, 8):
        y = float(np.interp(x, [a for a, _ in line], [b for _, b in line]))
        teeth.append(prism(xy(f"{x} {y + 1}, {x + 4} {y - 7}, {x + 8} {y + 1}"), -0.0008, 0.0008))
    return lying(
        color, steel("blade", blade, teeth), made_of("handle", "plastic", rgba, grip(192, 130, 16))
    )


def _hedge_shears(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    blade = flat("14 -4, 14 12, -30 16, -180 6, -182 2, 0 -4", 3)
    blades, arms = levers(
        blade,
        "10 -8 0, 40 -22 0, 60 -30 0, 80 -36 0, 100 -42 0",
        (14, 12, 11, 11, 11),
        10,
        opened_deg=10,
    )
    _, grips = levers((), "90 -39 0, 150 -56 0, 210 -72 0", (24, 26, 24), 24, opened_deg=10)
    return lying(
        color,
        steel("blades", blades),
        steel("arms", arms, shade=0.6),
        made_of("grips", "wood", rgba, grips),
        black("pivot", pin(16, -7, 7), of="steel"),
    )


TOOLS: dict[str, Builder] = {
    "garden_trowel": _trowel,
    "hand_fork": _fork,
    "hand_cultivator": _cultivator,
    "dibber": _dibber,
    "secateurs": _secateurs,
    "pruning_saw": _pruning_saw,
    "hedge_shears": _hedge_shears,
}
