"""Stationery."""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts, built
from pactwin.sim.objects.lathe import lathe, pipe, vessel
from pactwin.sim.objects.palette import INK, STEEL, WHITE, dyed, shaded
from pactwin.sim.objects.primitives import (
    Parts,
    Point2,
    Y,
    Z,
    around,
    box,
    disc,
    hull,
    made_of,
    mass_only,
    prism,
    rod,
    shifted,
    tube,
    turned,
    visual_only,
    xy,
    xyz,
)
from pactwin.sim.scene.layout import Part


def ruler(rng: np.random.Generator) -> BuiltParts:
    """A ruler of 30 cm with marks."""
    color, rgba = dyed(rng, "yellow", "orange", "white", "green")
    thick = 0.003
    marks = []
    for k in range(61):
        length = 0.010 if k % 10 == 0 else 0.0075 if k % 2 == 0 else 0.004
        at = (0.005 * k - 0.15, 0.015 - length / 2 - 0.0003, thick)
        marks.append(box((0.0007, length, 0.0002), at))
    digits = [box((0.0035, 0.0045, 0.0002), (0.01 * k - 0.15, -0.001, thick)) for k in range(31)]
    body = prism(xy("-155 -15, 155 -15, 155 15, -155 15"), 0.0, thick)
    return built(
        color,
        made_of("body", "plastic", rgba, body),
        made_of("body", "plastic", INK, visual_only(marks)),
        made_of("body", "plastic", shaded(rgba, 0.45), visual_only(digits)),
    )


def glue_stick(rng: np.random.Generator) -> BuiltParts:
    """A capped glue stick with a turning knob at its foot."""
    _, cap = dyed(rng, "yellow", "red", "orange")
    color, rgba = dyed(rng, "white", "blue", "green")
    ribs = around(20, box((0.001, 0.002, 0.009), (0.0121, 0.0, 0.006)))
    top = (pipe(xy("13.5 60, 13.5 92"), 0.0012), lathe(xy("13.5 92, 12 95")))
    return built(
        color,
        made_of("body", "plastic", shaded(cap, 0.85), disc(0.0235, 0.0, 0.011), visual_only(ribs)),
        made_of("body", "plastic", rgba, vessel(xy("12.5 11, 12.5 68"), 0.0015, 0.003)),
        made_of("body", "plastic", shaded(cap, 1.0), visual_only(disc(0.0254, 0.028, 0.040))),
        made_of("body", "plastic", INK, visual_only(disc(0.0255, 0.046, 0.049))),
        made_of("contents", "glue", WHITE, mass_only(disc(0.021, 0.015, 0.064))),
        made_of("cap", "plastic", cap, *top),
        state="upright, closed, filled",
    )


def tape_roll(rng: np.random.Generator) -> BuiltParts:
    """A roll of packing tape lying flat with a lifted end."""
    color, rgba = (("brown", (0.70, 0.50, 0.26, 1.0)), ("clear", (0.88, 0.84, 0.70, 1.0)))[
        int(rng.integers(2))
    ]
    d, hole, high = 0.105, 0.076, 0.048
    roll = pipe([(d / 2, 0.0), (d / 2, high)], (d - hole) / 2 - 0.003)
    core = pipe([(hole / 2 + 0.003, -0.0003), (hole / 2 + 0.003, high + 0.0003)], 0.003)
    outline = [(d / 2 + out, along) for out, along in xy("-0.6 0, 0 0, 4 22, 4.4 22")]
    lifted = hull((x, y, z) for z in (0.0005, high - 0.0005) for x, y in outline)
    rings = [
        pipe([(r, high - 0.0005), (r, high + 0.0002)], 0.0005)[0] for r in (0.0435, 0.046, 0.0485)
    ]
    return built(
        color,
        made_of("tape", "adhesive_tape", rgba, roll, lifted),
        made_of("tape", "adhesive_tape", shaded(rgba, 0.7), visual_only(rings)),
        made_of("core", "cardboard", (0.86, 0.74, 0.56, 1.0), core),
    )


def scissors(rng: np.random.Generator) -> BuiltParts:
    """Slightly open scissors lying flat."""
    color, rgba = dyed(rng, "red", "blue", "orange", "green", "black")
    blade = prism(xy("6 -98, 8 -30, 9 12, -6 12, -5 -20"), 0.004, 0.006)
    angles = np.linspace(-pi, pi, 19).tolist()
    loop = [(0.019 + 0.016 * cos(t), 0.067 + 0.027 * sin(t), 0.006) for t in angles]
    neck = tube(xyz("1 4 6, 5 30 6, 12 47 6"), 0.011)
    handle = made_of("handles", "plastic", rgba, neck, tube(loop, 0.0095))

    def half(shade: float) -> Parts:
        return (*made_of("blades", "steel", shaded(STEEL, shade), blade), *handle)

    other = turned(turned(half(0.92), Y, 180.0), Z, -7.0)
    pin = made_of("blades", "steel", shaded(STEEL, 0.6), disc(0.008, 0.002, 0.0105))
    one = turned(half(1.05), Z, 7.0)
    return built(color, one, shifted(other, z=0.012), pin, state="upright, closed")


def stapler(rng: np.random.Generator) -> BuiltParts:
    """A desk stapler with a slightly raised arm."""
    color, rgba = dyed(rng, "red", "blue", "black", "green")

    def standing(outline: list[Point2], wide: float, y: float = 0.0) -> Part:
        return hull((x, y + s * wide / 2, z) for x, z in outline for s in (-1, 1))

    cheek = xy("-72 4, -50 4, -50 30, -60 36, -72 30")
    base = (
        standing(xy("-75 0, 75 0, 75 3, -75 4"), 0.038),
        *(standing(cheek, 0.002, y) for y in (-0.0165, 0.0165)),
    )
    jaw = standing(xy("-60 17, 71 22, 71 26, -60 21"), 0.016)
    arm = standing(xy("-70 26, -66 20, 72 29, 74 36, 66 47, -40 52, -64 46"), 0.030)
    pivot = rod((-0.062, -0.0195, 0.026), (-0.062, 0.0195, 0.026), 0.008)
    anvil = box((0.018, 0.016, 0.0012), (0.062, 0.0, 0.0052))
    cover = rgba if color != "black" else (0.16, 0.16, 0.17, 1.0)
    return built(
        color,
        made_of("base", "steel", (0.22, 0.23, 0.25, 1.0), base),
        made_of("base", "steel", STEEL, visual_only(anvil)),
        made_of("jaw", "steel", STEEL, jaw, pivot),
        made_of("cover", "hollow_plastic", cover, arm),
        state="upright, closed",
    )
