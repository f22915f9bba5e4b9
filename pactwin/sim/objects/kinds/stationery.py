"""What lies on a desk."""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts
from pactwin.sim.objects.lathe import lathe, pipe, vessel
from pactwin.sim.objects.palette import INK, STEEL, WHITE, dyed, shaded
from pactwin.sim.objects.primitives import (
    around,
    box,
    disc,
    hull,
    made_of,
    painted,
    prism,
    rod,
    shifted,
    tube,
    turned,
    unseen,
)
from pactwin.sim.scene.layout import Part

_LINES = (0.55, 0.66, 0.85, 1.0)


def ruler(rng: np.random.Generator) -> BuiltParts:
    """A ruler of 30 cm with its marks."""
    color, rgba = dyed(rng, "yellow", "orange", "white", "green")
    long, wide, thick = 0.31, 0.03, 0.003
    marks = []
    for k in range(61):
        length = 0.010 if k % 10 == 0 else 0.0075 if k % 2 == 0 else 0.004
        marks.append(
            box((0.0007, length, 0.0002), (0.005 * k - 0.15, wide / 2 - length / 2 - 0.0003, thick))
        )
    digits = [box((0.0035, 0.0045, 0.0002), (0.01 * k - 0.15, -0.001, thick)) for k in range(31)]
    parts = (
        *made_of(
            "body",
            "plastic",
            rgba,
            prism(
                [
                    (-long / 2, -wide / 2),
                    (long / 2, -wide / 2),
                    (long / 2, wide / 2),
                    (-long / 2, wide / 2),
                ],
                0.0,
                thick,
            ),
        ),
        *made_of("body", "plastic", INK, *painted(*marks)),
        *made_of("body", "plastic", shaded(rgba, 0.45), *painted(*digits)),
    )
    return BuiltParts(parts, color)


def glue_stick(rng: np.random.Generator) -> BuiltParts:
    """A capped glue stick with a knob to turn at its foot."""
    _, cap = dyed(rng, "yellow", "red", "orange")
    color, rgba = dyed(rng, "white", "blue", "green")
    ribs = around(20, box((0.001, 0.002, 0.009), (0.0121, 0.0, 0.006)))
    parts = (
        *made_of("body", "plastic", shaded(cap, 0.85), disc(0.0235, 0.0, 0.011), *painted(*ribs)),
        *made_of(
            "body", "plastic", rgba, *vessel([(0.0125, 0.011), (0.0125, 0.068)], 0.0015, 0.003)
        ),
        *made_of("body", "plastic", shaded(cap, 1.0), *painted(disc(0.0254, 0.028, 0.040))),
        *made_of("body", "plastic", INK, *painted(disc(0.0255, 0.046, 0.049))),
        *made_of("contents", "glue", WHITE, *unseen(disc(0.021, 0.015, 0.064))),
        *made_of(
            "cap",
            "plastic",
            cap,
            *pipe([(0.0135, 0.060), (0.0135, 0.092)], 0.0012),
            *lathe([(0.0135, 0.092), (0.012, 0.095)]),
        ),
    )
    return BuiltParts(parts, color, "upright, closed, filled")


def tape_roll(rng: np.random.Generator) -> BuiltParts:
    """A roll of packing tape lying flat, its end lifted."""
    color, rgba = (("brown", (0.70, 0.50, 0.26, 1.0)), ("clear", (0.88, 0.84, 0.70, 1.0)))[
        int(rng.integers(2))
    ]
    d, hole, high = 0.105, 0.076, 0.048
    roll = pipe([(d / 2, 0.0), (d / 2, high)], (d - hole) / 2 - 0.003)
    core = pipe([(hole / 2 + 0.003, -0.0003), (hole / 2 + 0.003, high + 0.0003)], 0.003)
    lifted = hull(
        (x, y, z)
        for z in (0.0005, high - 0.0005)
        for x, y in (
            (d / 2 - 0.0006, 0.0),
            (d / 2, 0.0),
            (d / 2 + 0.004, 0.022),
            (d / 2 + 0.0044, 0.022),
        )
    )
    rings = [
        pipe([(r, high - 0.0005), (r, high + 0.0002)], 0.0005)[0] for r in (0.0435, 0.046, 0.0485)
    ]
    parts = (
        *made_of("tape", "adhesive_tape", rgba, *roll, lifted),
        *made_of("tape", "adhesive_tape", shaded(rgba, 0.7), *painted(*rings)),
        *made_of("core", "cardboard", (0.86, 0.74, 0.56, 1.0), *core),
    )
    return BuiltParts(parts, color)


def scissors(rng: np.random.Generator) -> BuiltParts:
    """Scissors lying flat, a little open."""
    color, rgba = dyed(rng, "red", "blue", "orange", "green", "black")
    blade = [(0.006, -0.098), (0.008, -0.03), (0.009, 0.012), (-0.006, 0.012), (-0.005, -0.02)]
    turns = np.linspace(-pi, pi, 19).tolist()
    loop = [(0.019 + 0.016 * cos(t), 0.067 + 0.027 * sin(t), 0.006) for t in turns]
    neck = tube([(0.001, 0.004, 0.006), (0.005, 0.03, 0.006), (0.012, 0.047, 0.006)], 0.011)
    handle = made_of("handles", "plastic", rgba, *neck, *tube(loop, 0.0095))
    below = made_of("blades", "steel", shaded(STEEL, 1.05), prism(blade, 0.004, 0.006))
    above = made_of("blades", "steel", shaded(STEEL, 0.92), prism(blade, 0.004, 0.006))
    one = turned((*below, *handle), (0, 0, 1), 7.0)
    other = turned(turned((*above, *handle), (0, 1, 0), 180.0), (0, 0, 1), -7.0)
    pin = made_of("blades", "steel", shaded(STEEL, 0.6), disc(0.008, 0.002, 0.0105))
    return BuiltParts((*one, *shifted(other, z=0.012), *pin), color, "upright, closed")


def stapler(rng: np.random.Generator) -> BuiltParts:
    """A desk stapler, its arm a little raised."""
    color, rgba = dyed(rng, "red", "blue", "black", "green")
    arm = [
        (-0.070, 0.026),
        (-0.066, 0.020),
        (0.072, 0.029),
        (0.074, 0.036),
        (0.066, 0.047),
        (-0.040, 0.052),
        (-0.064, 0.046),
    ]
    base = [(-0.075, 0.0), (0.075, 0.0), (0.075, 0.003), (-0.075, 0.004)]
    steel = [(-0.060, 0.017), (0.071, 0.022), (0.071, 0.026), (-0.060, 0.021)]

    cheek = [(-0.072, 0.004), (-0.05, 0.004), (-0.05, 0.03), (-0.06, 0.036), (-0.072, 0.03)]

    def standing(outline: list[tuple[float, float]], wide: float, y: float = 0.0) -> Part:
        return hull((x, y + s * wide / 2, z) for x, z in outline for s in (-1, 1))

    cheeks = (standing(cheek, 0.002, y) for y in (-0.0165, 0.0165))
    pivot = rod((-0.062, -0.0195, 0.026), (-0.062, 0.0195, 0.026), 0.008)
    anvil = box((0.018, 0.016, 0.0012), (0.062, 0.0, 0.0052))
    parts = (
        *made_of("base", "steel", (0.22, 0.23, 0.25, 1.0), standing(base, 0.038), *cheeks),
        *made_of("base", "steel", STEEL, *painted(anvil)),
        *made_of("jaw", "steel", STEEL, standing(steel, 0.016), pivot),
        *made_of(
            "cover",
            "hollow_plastic",
            rgba if color != "black" else (0.16, 0.16, 0.17, 1.0),
            standing(arm, 0.030),
        ),
    )
    return BuiltParts(parts, color, "upright, closed")
