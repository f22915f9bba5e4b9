"""Colours of objects by the words that questions use."""

import numpy as np

RGBA = tuple[float, float, float, float]

# Hues a person names the same way under warm and cold light; near-doubles (teal, beige, ...) are
# left out on purpose, so that "the green block" is never in doubt.
COLORS: dict[str, RGBA] = {
    "red": (0.72, 0.07, 0.07, 1.0),
    "orange": (0.96, 0.45, 0.05, 1.0),
    "yellow": (0.96, 0.82, 0.10, 1.0),
    "green": (0.10, 0.50, 0.16, 1.0),
    "blue": (0.08, 0.24, 0.72, 1.0),
    "purple": (0.40, 0.14, 0.58, 1.0),
    "pink": (0.95, 0.52, 0.68, 1.0),
    "white": (0.92, 0.92, 0.90, 1.0),
    "black": (0.06, 0.06, 0.07, 1.0),
}

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


def dyed(rng: np.random.Generator, *names: str) -> tuple[str, RGBA]:
    """Draw one of these colours: its name and RGBA, with random lightness."""
    name = str(rng.choice(names))
    return name, shaded(COLORS.get(name) or NATURAL[name], float(rng.uniform(0.9, 1.08)))


def shaded(rgba: RGBA, factor: float) -> RGBA:
    """The colour, lighter or darker by ``factor``."""
    r, g, b = (min(1.0, channel * factor) for channel in rgba[:3])
    return r, g, b, rgba[3]


def pale(rgba: RGBA) -> RGBA:
    """The colour, half bleached."""
    r, g, b = (0.45 + 0.55 * channel for channel in rgba[:3])
    return r, g, b, rgba[3]
