"""Hammers, mallets, and what is struck. The middle of a head is at the origin."""

from collections.abc import Callable

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts
from pactwin.sim.objects.primitives import Parts, Pieces, Z, turned
from pactwin.sim.objects.tools.shapes import (
    bar,
    black,
    block,
    dye,
    flat,
    haft,
    iron,
    knob,
    lying,
    made_of,
    marked,
    spun,
    steel,
    wooden,
)

_HAFT = "-14 20, 10 22, 60 20, 130 27, 210 31, 270 30, 285 22"
_SHORT = "-24 30, 20 32, 60 28, 120 32, 170 36, 185 28"


def _hammer(head: Callable[[], Pieces], profile: str = _HAFT) -> Builder:
    def build(rng: np.random.Generator) -> BuiltParts:
        shade = float(rng.uniform(0.8, 1.12))
        return lying("brown", iron("head", head()), wooden("handle", haft(profile), shade=shade))

    return build


def _ball_peen() -> Parts:
    face = (*bar("0 -48 0, 0 -30 0", 27), *bar("0 -30 0, 0 -12 0", 19))
    return (*face, block("25 28 25"), *bar("0 12 0, 0 30 0", 17), knob(29, 0, 40, 0))


def _cross_peen() -> Parts:
    wedge = turned(flat("14 -11, 58 -1.5, 58 1.5, 14 11", 22), Z, 90.0)
    return (block("24 56 24", "0 -16 0"), *wedge)


def _club() -> Parts:
    return (block("40 84 40"), *bar("0 -52 0, 0 -42 0", 38), *bar("0 42 0, 0 52 0", 38))


def _brick() -> Parts:
    blade = turned(flat("12 -11, 98 -19, 98 19, 12 11", 7), Z, 90.0)
    return (block("24 56 24", "0 -18 0"), *turned(blade, (0.0, 1.0, 0.0), 90.0))


def _mallet(rng: np.random.Generator) -> BuiltParts:
    head = flat("-36 -62, 30 -56, 30 56, -36 62", 62)
    return lying(
        "brown",
        wooden("head", head),
        wooden("handle", haft("-42 26, 30 26, 120 27, 260 32, 280 30"), shade=0.85),
    )


def _rubber_mallet(rng: np.random.Generator) -> BuiltParts:
    head = turned(spun("-50 26, -46 29, 46 29, 50 26"), Z, 90.0)
    return lying(
        "brown",
        black("head", head, of="rubber"),
        wooden("handle", haft("-20 20, 20 22, 120 24, 250 30, 275 24")),
    )


def _soft_face(rng: np.random.Generator) -> BuiltParts:
    color, rgba = dye(rng)
    return lying(
        color,
        steel("head", bar("0 -24 0, 0 24 0", 26), shade=0.8),
        made_of("faces", "nylon", rgba, bar("0 -48 0, 0 -24 0", 31), bar("0 24 0, 0 48 0", 31)),
        wooden("handle", haft(_HAFT)),
    )


def _punch(tip: str) -> Builder:
    def build(rng: np.random.Generator) -> BuiltParts:
        knurl = [spun(f"{x} 5.6, {x + 1.5} 5.6") for x in range(40, 84, 4)]
        return lying(
            "black",
            steel("point", spun(tip), shade=0.9),
            black("body", spun("30 4.5, 38 5.2, 100 5.2, 106 6, 116 6, 120 4"), of="steel"),
            steel("body", marked(knurl), shade=0.5),
        )

    return build


TOOLS: dict[str, Builder] = {
    "ball_peen_hammer": _hammer(_ball_peen),
    "cross_peen_hammer": _hammer(_cross_peen),
    "club_hammer": _hammer(_club, _SHORT),
    "brick_hammer": _hammer(_brick),
    "wooden_mallet": _mallet,
    "rubber_mallet": _rubber_mallet,
    "soft_faced_hammer": _soft_face,
    "centre_punch": _punch("0 0.3, 14 4.4, 30 4.4"),
    "pin_punch": _punch("-26 1.9, 20 1.9, 24 4.5, 30 4.5"),
}
