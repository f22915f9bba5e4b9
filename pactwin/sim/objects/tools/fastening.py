"""Drivers of screws and nuts. The end of the bit is at the origin."""

from collections.abc import Callable

import numpy as np

from pactwin.sim.objects.kinds.parts import Builder, BuiltParts
from pactwin.sim.objects.primitives import Parts, X, Y, hull, prism, shifted, turned, xyz
from pactwin.sim.objects.tools.shapes import (
    bar,
    black,
    dye,
    flutes,
    grip,
    hex_hole,
    hexagon,
    lying,
    made_of,
    marked,
    spun,
    steel,
)

_KEY_FLATS_MM, _NUT_FLATS_MM = 6.0, 13.0


def _blade(near: str, far: str) -> Parts:
    """A wedge between two sections, each told by its corner with all signs positive."""
    corners = [*xyz(near), *xyz(far)]
    signs = [(a, b) for a in (-1, 1) for b in (-1, 1)]
    return (hull((x, a * y, b * z) for x, y, z in corners for a, b in signs),)


def _flat_bit() -> Parts:
    """A flared blade."""
    return (*_blade("0 5 0.6", "14 5 1.8"), *_blade("14 5 1.8", "24 3 3"))


def _cross_bit() -> Parts:
    """Two crossed wedges that run to a point."""
    wing = (*_blade("0 1.2 0.6", "9 4.5 0.9"), *_blade("9 4.5 0.9", "16 3.4 2.4"))
    return (*wing, *turned(wing, X, 90.0))


def _socket_bit() -> Parts:
    """A tube with a hexagonal mouth."""
    return turned(hex_hole(19.0, _NUT_FLATS_MM + 0.3, 0.0, 30.0), Y, 90.0)


def _driver(bit: Callable[[], Parts], shank_mm: tuple[float, float], wide: float) -> Builder:
    def build(rng: np.random.Generator) -> BuiltParts:
        color, rgba = dye(rng)
        start, end = shank_mm
        return lying(
            color,
            steel("bit", bit(), shade=0.75),
            steel("shank", bar(f"{start} 0 0, {end} 0 0", wide)),
            made_of("grip", "plastic", rgba, grip(end - 8, 104, 15)),
            black("grip", marked(flutes(end - 8, 104, 14.6))),
        )

    return build


def _hex_key(rng: np.random.Generator) -> BuiltParts:
    """A bent bar of six sides, its short leg upwards in the plane."""
    flats = hexagon(_KEY_FLATS_MM)
    short = turned(prism(flats, 0.0, 0.034), Y, 90.0)
    long = turned(prism(flats, 0.0, 0.105), X, 90.0)
    bend = spun(f"31 3.4, 34 {_KEY_FLATS_MM * 0.577}, 37 3.0")
    return lying("black", black("body", short, shifted(long, x=0.034, y=0.002), bend, of="steel"))


TOOLS: dict[str, Builder] = {
    "slotted_screwdriver": _driver(_flat_bit, (22.0, 130.0), 6.0),
    "crosshead_screwdriver": _driver(_cross_bit, (15.0, 130.0), 6.8),
    "nut_driver": _driver(_socket_bit, (28.0, 130.0), 7.0),
    "hex_key": _hex_key,
}
