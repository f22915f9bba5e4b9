"""Tools for bricks, plaster and tiles."""

from collections.abc import Callable

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts, built
from pactwin.sim.objects.primitives import (
    Pieces,
    Y,
    hull,
    prism,
    shifted,
    slab,
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
    turned_grip,
    wooden,
)


def _trowel(outline: str, end: float) -> Builder:
    """A blade with a cranked neck that holds its handle above it."""

    def build(rng: np.random.Generator) -> BuiltParts:
        neck = bar(
            f"{end - 14} 0 1, {end + 6} 0 4, {end + 24} 0 26, {end + 40} 0 28", 9, rounded=True
        )
        handle = shifted(turned_grip(end + 34, 112, 15), z=0.028)
        shade = float(rng.uniform(0.8, 1.1))
        return lying(
            "brown",
            steel("blade", flat(outline, 2)),
            steel("neck", neck, shade=0.85),
            wooden("handle", handle, shade=shade),
        )

    return build


def _float(blade: Callable[[], Pieces], material: str) -> Builder:
    """A plate with a handle along it."""

    def build(rng: np.random.Generator) -> BuiltParts:
        color, rgba = dye(rng)
        posts = [block("12 14 34", f"{x} 0 20") for x in (-52, 52)]
        handle = shifted(bar("-70 0 0, 70 0 0", 28, rounded=True), z=0.046)
        plate = (
            steel("plate", blade()) if material == "steel" else black("plate", blade(), of=material)
        )
        return built(
            color,
            plate,
            steel("posts", posts, shade=0.6),
            made_of("handle", "plastic", rgba, handle),
        )

    return build


def _plain_plate() -> Pieces:
    return block("270 120 3", "0 0 1.5")


def _notched_plate() -> Pieces:
    teeth = [block("12 12 3", f"{x} -60 1.5") for x in range(-129, 135, 24)]
    side = [block("12 12 3", f"-141 {y} 1.5") for y in range(-48, 60, 24)]
    return [block("270 108 3", "0 0 1.5"), *teeth, *side]


def _grout_plate() -> Pieces:
    return block("240 100 12", "0 0 6")


def _bolster(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    edge = hull(
        (x, s * y, t * z)
        for x, y, z in ((0, 0.035, 0.0006), (0.016, 0.035, 0.004), (0.05, 0.012, 0.007))
        for s in (-1, 1)
        for t in (-1, 1)
    )
    return lying(
        color,
        steel("edge", edge, shade=0.75),
        black("body", spun("46 10, 62 9, 165 9, 172 10, 182 8"), of="steel"),
        made_of("guard", "rubber", rgba, spun("84 14, 88 16, 146 16, 150 30, 156 30, 160 14")),
    )


def _knife(width: float, long: float, thick: float) -> Builder:
    """A stiff or springy blade that widens towards its edge."""

    def build(rng: np.random.Generator) -> BuiltParts:
        color, rgba = dye(rng)
        w = width / 2
        blade = flat(f"0 {-w}, {long} -13, {long + 8} -8, {long + 8} 8, {long} 13, 0 {w}", thick)
        return lying(
            color,
            steel("blade", blade),
            made_of("handle", "plastic", rgba, grip(long, 105, 14)),
            steel("rivets", marked([pin(5, -14.5, 14.5, long + x) for x in (40, 70)])),
        )

    return build


def _caulking_gun(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    half = [
        prism(
            [(r * float(np.cos(t)), r * float(np.sin(t))) for r in (0.026, 0.028) for t in (a, b)],
            0.0,
            0.235,
        )
        for a, b in zip(
            *(np.deg2rad([180 + 15 * k + d for k in range(12)]) for d in (0, 15)), strict=True
        )
    ]
    cradle = turned(half, Y, 90.0)
    ends = [
        turned(
            slab(
                [
                    (0.029 * float(np.cos(t)), 0.029 * float(np.sin(t)))
                    for t in np.arange(16) * np.pi / 8
                ],
                0.0,
                0.004,
            ),
            Y,
            90.0,
        )
    ]
    grip_part = flat("238 -6, 262 -6, 292 -110, 264 -118, 246 -60", 24)
    trigger = flat("226 -10, 240 -12, 238 -60, 222 -92, 212 -88, 226 -56", 14)
    rod_line = bar("180 0 0, 360 0 0, 360 -36 0", 8, rounded=True)
    tube_in = spun("4 23, 190 23")
    nozzle = spun("-62 2, -4 8, 4 10")
    return lying(
        color,
        made_of("cradle", "steel", rgba, cradle, ends),
        made_of("cartridge", "plastic", (0.92, 0.92, 0.9, 1.0), tube_in, nozzle),
        black("grip", grip_part, trigger),
        steel("rod", rod_line),
    )


def _tile_nippers(rng: np.random.Generator) -> BuiltParts:

    color, rgba = dye(rng)
    jaw = flat("14 8, -10 20, -34 16, -40 3, -26 4, -18 8, 4 2", 14)
    jaws, grips = levers(
        jaw, "10 -8 0, 40 -22 0, 90 -30 0, 150 -30 0, 176 -27 0", (13, 15, 16, 16, 12), 16
    )
    return lying(
        color,
        steel("jaws", jaws, shade=0.6),
        made_of("grips", "rubber", rgba, grips),
        steel("pivot", pin(15, -9, 9)),
    )


TOOLS: dict[str, Builder] = {
    "brick_trowel": _trowel(
        "0 0, 30 -26, 150 -60, 200 -50, 214 -14, 214 14, 200 50, 150 60, 30 26", 210
    ),
    "pointing_trowel": _trowel(
        "0 0, 60 -16, 112 -34, 134 -24, 138 -8, 138 8, 134 24, 112 34, 60 16", 136
    ),
    "gauging_trowel": _trowel(
        "0 -10, 8 -28, 20 -34, 150 -42, 156 -8, 156 8, 150 42, 20 34, 8 28, 0 10", 154
    ),
    "plastering_trowel": _float(_plain_plate, "steel"),
    "notched_trowel": _float(_notched_plate, "steel"),
    "grout_float": _float(_grout_plate, "rubber"),
    "bolster_chisel": _bolster,
    "filling_knife": _knife(50, 100, 1.2),
    "caulking_gun": _caulking_gun,
    "tile_nippers": _tile_nippers,
}
