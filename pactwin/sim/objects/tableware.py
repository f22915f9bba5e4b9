"""Tableware: cups, bowls, and a lid.

The first part of each is its floor; its opening is at the top (+z) of its frame. By default,
diameters of openings are inner ones.
"""

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.lathe import cup_shape
from pactwin.sim.objects.primitives import (
    disc,
    made_of,
)
from pactwin.sim.scene.layout import Item

PLATE_FLOOR_M = 0.005
"""Thickness of the floor of a plate, which is 0.62 of its diameter."""

_EMPTY = "upright, empty"


@cached
def cup(
    color: str,
    mouth_m: float,
    bottom_m: float,
    height_m: float,
    *,
    wall_m: float = 0.0035,
    floor_m: float = 0.006,
) -> Item:
    """A plastic cup that widens from ``bottom_m`` to ``mouth_m``."""
    inner = [(bottom_m / 2, floor_m), (mouth_m / 2, height_m)]
    parts = made_of("body", "plastic", 1.0, cup_shape(inner, wall_m))
    return make_item("cup", color, parts, state=_EMPTY)


@cached
def bowl(color: str, mouth_m: float, bottom_m: float, height_m: float) -> Item:
    """A round ceramic bowl that widens from ``bottom_m`` to ``mouth_m``."""
    floor, wide = 0.006, (mouth_m - bottom_m) / 2
    arc = ((0.0, 0.0), (0.443, 0.127), (0.799, 0.484), (1.0, 1.0))
    inner = [(bottom_m / 2 + wide * out, floor + (height_m - floor) * up) for out, up in arc]
    parts = made_of("body", "ceramic", 1.0, cup_shape(inner, 0.005, sides=20, foot=0.002))
    return make_item("bowl", color, parts, state=_EMPTY)


@cached
def lid(color: str, diameter_m: float) -> Item:
    """A printed flat round lid with a knob."""
    thick, knob = 0.006, 0.016
    parts = (
        *made_of("body", "plastic", 1.0, disc(diameter_m, 0.0, thick)),
        *made_of("body", "plastic", 0.7, disc(0.024, thick, thick + knob)),
    )
    return make_item("lid", color, parts)
