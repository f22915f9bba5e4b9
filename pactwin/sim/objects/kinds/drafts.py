"""What a builder of a kind gives, and the colours it chooses from."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pactwin.sim.objects.kinds.forms import Parts
from pactwin.sim.objects.palette import COLORS, RGBA
from pactwin.sim.scene.pose import Quat, axis_angle

UPRIGHT: Quat = (1.0, 0.0, 0.0, 0.0)
INVERTED: Quat = (0.0, 1.0, 0.0, 0.0)
ON_X: Quat = axis_angle((0.0, 1.0, 0.0), float(np.pi / 2))
"""Lying: what was up points along x."""

# Undyed stuffs, and the words for their colours.
NATURAL: dict[str, RGBA] = {
    "silver": (0.74, 0.75, 0.77, 1.0),
    "grey": (0.45, 0.46, 0.48, 1.0),
    "gold": (0.84, 0.66, 0.30, 1.0),
    "brown": (0.45, 0.28, 0.14, 1.0),
    "beige": (0.82, 0.68, 0.48, 1.0),
    "cream": (0.95, 0.91, 0.80, 1.0),
    "clear": (0.80, 0.90, 0.93, 0.30),
}
INK: RGBA = (0.08, 0.08, 0.09, 1.0)
STEEL: RGBA = NATURAL["silver"]
WOOD: RGBA = (0.74, 0.53, 0.33, 1.0)
PAPER: RGBA = (0.94, 0.93, 0.89, 1.0)
CARDBOARD: RGBA = (0.74, 0.57, 0.38, 1.0)
WHITE: RGBA = COLORS["white"]


@dataclass(frozen=True)
class Draft:
    """Parts around any origin, z up as the kind is normally used; ``turn`` is how it lies."""

    parts: Parts
    color: str
    state: str = "upright"
    turn: Quat = UPRIGHT


Builder = Callable[[np.random.Generator], Draft]


def dyed(rng: np.random.Generator, *names: str) -> tuple[str, RGBA]:
    """One of these colours: its name and how it looks, a little lighter or darker each time."""
    name = str(rng.choice(names))
    r, g, b, a = COLORS.get(name) or NATURAL[name]
    light = float(rng.uniform(0.9, 1.08))
    return name, (min(1.0, r * light), min(1.0, g * light), min(1.0, b * light), a)


def shaded(rgba: RGBA, factor: float) -> RGBA:
    """The colour, lighter or darker by ``factor``."""
    r, g, b = (min(1.0, channel * factor) for channel in rgba[:3])
    return r, g, b, rgba[3]


def pale(rgba: RGBA) -> RGBA:
    """The colour half bleached."""
    r, g, b = (0.45 + 0.55 * channel for channel in rgba[:3])
    return r, g, b, rgba[3]


def chance(rng: np.random.Generator, of: float) -> bool:
    """True in this share of the draws."""
    return bool(rng.random() < of)
