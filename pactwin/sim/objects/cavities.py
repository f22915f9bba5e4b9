"""Measure cavities and material thickness of an item from level slabs."""

from dataclasses import dataclass

import numpy as np

from pactwin.sim.objects.solids import Slabs, Solid, solid_of
from pactwin.sim.scene.layout import Item

# Parts that close what they are on: the room inside is measured without them.
CLOSING = frozenset({"cap", "flaps", "lid", "tab"})

_UP = np.array([0.0, 0.0, 1.0])
# Less water than this share of the solid stands in dents, not in a hollow.
_DENT = 0.05


@dataclass(frozen=True)
class Inside:
    """Cavity of an item that stands upright without its lid.

    ``cavity_m3`` is the largest volume of water that stays inside, or 0. ``opening_m`` is the
    diameter of the largest ball that reaches the widest place inside, 0 if there is no way in.
    ``thickness_m`` is the wall thickness of a hollow item, or else the diameter of the largest ball
    that fits into its material.
    """

    cavity_m3: float
    opening_m: float
    thickness_m: float


def inside_of(item: Item) -> Inside:
    """Measure an item of convex solid parts, in its own frame (z up as it is normally used)."""
    solid = solid_of(item)
    slabs = solid.only([role for role in solid.roles if role not in CLOSING]).slabs(_UP)
    volume_mm3, opening_mm = cavity_of(slabs, solid)
    thickness_mm = solid.wall_mm if volume_mm3 else slabs.thickness_mm()
    return Inside(volume_mm3 / 1e9, opening_mm / 1e3, thickness_mm / 1e3)


def cavity_of(slabs: Slabs, solid: Solid) -> tuple[float, float]:
    """Volume (mm³) and opening (mm) of the largest room in slabs of a solid; zeros for a dent."""
    room = next(slabs.rooms(), None)
    if room is None or slabs.volume_mm3(room) < _DENT * solid.volume_mm3:
        return 0.0, 0.0
    return slabs.volume_mm3(room), slabs.opening_mm(room)
