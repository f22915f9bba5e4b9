"""Colours and materials that objects are made of, under the words questions use."""

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

# Mass per volume of the solid (kg/m^3) and sliding friction against a table top.
DENSITY_KG_M3: dict[str, float] = {
    "painted wood": 600.0,
    "plastic": 900.0,
    "cardboard": 250.0,
    "ceramic": 2000.0,
    "foam": 30.0,
    "metal": 2700.0,
    "rubber": 1100.0,
    "paper": 700.0,
}
FRICTION: dict[str, float] = {
    "painted wood": 0.6,
    "plastic": 0.5,
    "cardboard": 0.6,
    "ceramic": 0.6,
    "foam": 0.9,
    "metal": 0.5,
    "rubber": 0.9,
    "paper": 0.6,
}
