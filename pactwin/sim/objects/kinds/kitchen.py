"""Kitchenware."""

import itertools
from math import cos, sin

import numpy as np

from pactwin.sim.objects.kinds.bars import flat_bar
from pactwin.sim.objects.kinds.parts import BuiltParts, built, chance
from pactwin.sim.objects.lathe import lathe, pipe, vessel
from pactwin.sim.objects.palette import NATURAL, STEEL, dyed, pale, shaded
from pactwin.sim.objects.posing import UPSIDE_DOWN
from pactwin.sim.objects.primitives import (
    Point2,
    arc,
    box,
    ellipsoid,
    hull,
    loft,
    made_of,
    prism,
    tube,
    turns,
    xy,
    xyz,
)
from pactwin.sim.scene.layout import Part

_DARK = (0.13, 0.13, 0.14, 1.0)


def spoon(rng: np.random.Generator) -> BuiltParts:
    """A table spoon with its bowl facing up."""
    wall, count = 0.0016, 20

    def ring(level: float) -> list[Point2]:
        wide, long = 0.020 * level, 0.031 * level
        return [
            (wide * cos(t) * (1.0 - 0.12 * sin(t)), long * sin(t) - 0.066) for t in turns(count)
        ]

    levels = [(ring(a), z) for a, z in ((0.35, 0.0), (0.62, 0.0018), (0.84, 0.005), (1.0, 0.0095))]
    shell = []
    for (low, low_z), (high, high_z) in itertools.pairwise(levels):
        for k in range(count):
            m = (k + 1) % count
            corners = [(*point, low_z) for point in (low[k], low[m])]
            corners += [(*point, high_z) for point in (high[k], high[m])]
            shell.append(hull([*corners, *((x, y, h + wall) for x, y, h in corners)]))
    stem = xyz("0 -37 10, 0 -20 13.5, 0 20 12, 0 60 9, 0 98 9")
    handle = flat_bar(stem, (0.008, 0.006, 0.007, 0.012, 0.016), 0.002)
    return built(
        "silver",
        made_of("bowl", "steel", STEEL, prism(ring(0.35), 0.0, wall), shell),
        made_of("handle", "steel", shaded(STEEL, 0.95), handle),
    )


def fork(rng: np.random.Generator) -> BuiltParts:
    """A table fork with four tines."""
    tines: list[Part] = []
    for x in ((k - 1.5) * 0.0066 for k in range(4)):
        line = [(x, y, z) for y, z in xy("-45 1.5, -65 3, -82 7.5, -97 15")]
        tines += flat_bar(line, (0.0042, 0.0042, 0.0036, 0.0022), 0.002)
    root = xyz("0 -24 4.5, 0 -36 1.8, 0 -46 1.5")
    stem = xyz("0 -26 4.5, 0 0 11, 0 40 9.5, 0 98 7.5")
    handle = flat_bar(stem, (0.0065, 0.006, 0.009, 0.017), 0.002)
    return built(
        "silver",
        made_of("tines", "steel", STEEL, tines, flat_bar(root, (0.007, 0.022, 0.0255), 0.002)),
        made_of("handle", "steel", shaded(STEEL, 0.95), handle),
    )


def funnel(rng: np.random.Generator) -> BuiltParts:
    """A funnel standing on its wide mouth."""
    color, rgba = dyed(rng, "red", "blue", "yellow", "green", "white")
    cone = pipe(xy("6 0, 9 45, 12 55, 55 122, 60 123, 60 130"), 0.002)
    tab = box((0.022, 0.016, 0.003), (0.066, 0.0, 0.1275))
    body = made_of("body", "plastic", rgba, cone, tab)
    return built(color, body, state="inverted", turn=UPSIDE_DOWN)


def tumbler(rng: np.random.Generator) -> BuiltParts:
    """A tapered drinking glass, clear or tinted."""
    color, tint = "clear", NATURAL["clear"]
    if chance(rng, 0.4):
        color, dye = dyed(rng, "blue", "green")
        tint = (*pale(dye)[:3], 0.4)
    body = made_of("body", "glass", tint, vessel(xy("29 0, 30 2, 37.5 120"), 0.003, 0.008))
    return built(color, body, state="upright, empty")


def pitcher(rng: np.random.Generator) -> BuiltParts:
    """A glass jug with a handle and a pouring lip."""
    profile = xy("46 0, 52 5, 58 50, 58 90, 48 160, 46 190, 53 230")
    bow = xyz("-45 0 195, -85 0 195, -102 0 175, -104 0 140, -95 0 105, -78 0 80, -54 0 68")
    lip = hull(xyz("44 -26 229, 44 26 229, 48 0 200, 76 0 236, 74 -6 233, 74 6 233"))
    return built(
        "clear",
        made_of("body", "glass", NATURAL["clear"], vessel(profile, 0.003, 0.006), lip),
        made_of("handle", "glass", (0.80, 0.88, 0.90, 1.0), tube(bow, 0.012)),
        state="upright, open, empty",
    )


def teapot(rng: np.random.Generator) -> BuiltParts:
    """A round teapot with lid, spout and handle."""
    color, rgba = dyed(rng, "white", "blue", "red", "green", "yellow")
    belly = np.linspace(-1.05, 1.12, 12).tolist()
    profile = [(0.040, 0.0), *((0.070 * cos(t), 0.058 + 0.062 * sin(t)) for t in belly)]
    profile[1] = (0.040, profile[1][1])
    top = profile[-1][1]
    lid = lathe([(r, top + z) for r, z in xy("34 -1, 33 4, 18 11, 6 13")])
    knob = ellipsoid((0.018, 0.018, 0.016), (0.0, 0.0, top + 0.019))
    around_spout = np.linspace(0, 6.2832, 16, endpoint=False).tolist()
    spout = loft(
        [
            (x + 0.5 * w * cos(t) * 0.75, 0.5 * w * sin(t), z + 0.5 * w * -cos(t) * 0.6)
            for t in around_spout
        ]
        for x, z, w in xyz("60 45 34, 82 55 26, 96 78 19, 114 102 14")
    )
    bow = [(-0.062 - 1.15 * x, 0.0, 0.066 + 1.0 * z) for x, _, z in arc(0.036, -80, 80, 12)]
    return built(
        color,
        made_of("body", "ceramic", rgba, vessel(profile, 0.005, 0.006)),
        made_of("lid", "ceramic", rgba, lid, knob),
        made_of("spout", "ceramic", rgba, spout),
        made_of("handle", "ceramic", rgba, tube(bow, 0.011)),
        state="upright, closed, empty",
    )
