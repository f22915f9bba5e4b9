"""What one cooks and eats with."""

import itertools
from math import pi

import numpy as np

from pactwin.sim.objects.kinds.bars import flat_bar
from pactwin.sim.objects.kinds.parts import BuiltParts
from pactwin.sim.objects.lathe import pipe, vessel
from pactwin.sim.objects.palette import INK, STEEL, dyed, shaded
from pactwin.sim.objects.posing import UPSIDE_DOWN
from pactwin.sim.objects.primitives import (
    Parts,
    box,
    disc,
    hull,
    made_of,
    mirrored,
    painted,
    prism,
    rounded_box,
    tube,
)

_DARK = (0.13, 0.13, 0.14, 1.0)


def spoon(rng: np.random.Generator) -> BuiltParts:
    """A table spoon, its bowl up."""
    turns = np.linspace(0, 2 * pi, 20, endpoint=False)

    def ring(level: float) -> list[tuple[float, float]]:
        wide, long = 0.020 * level, 0.031 * level
        return [
            (
                wide * float(np.cos(t)) * (1.0 - 0.12 * float(np.sin(t))),
                long * float(np.sin(t)) - 0.066,
            )
            for t in turns
        ]

    levels = [(0.35, 0.0), (0.62, 0.0018), (0.84, 0.005), (1.0, 0.0095)]
    shell: Parts = ()
    wall = 0.0016
    bottom = prism(ring(0.35), 0.0, wall)
    for (low_scale, low_z), (high_scale, high_z) in itertools.pairwise(levels):
        low, high = ring(low_scale), ring(high_scale)
        for k in range(len(turns)):
            m = (k + 1) % len(turns)
            corners = [(*point, low_z) for point in (low[k], low[m])]
            corners += [(*point, high_z) for point in (high[k], high[m])]
            shell += (hull([*corners, *((x, y, h + wall) for x, y, h in corners)]),)
    stem = [
        (0.0, -0.037, 0.010),
        (0.0, -0.02, 0.0135),
        (0.0, 0.02, 0.012),
        (0.0, 0.06, 0.009),
        (0.0, 0.098, 0.009),
    ]
    parts = (
        *made_of("bowl", "steel", STEEL, bottom, *shell),
        *made_of(
            "handle",
            "steel",
            shaded(STEEL, 0.95),
            *flat_bar(stem, (0.008, 0.006, 0.007, 0.012, 0.016), 0.002),
        ),
    )
    return BuiltParts(parts, "silver")


def fork(rng: np.random.Generator) -> BuiltParts:
    """A table fork with four tines."""
    tines: Parts = ()
    for k in range(4):
        x = (k - 1.5) * 0.0066
        line = [(x, -0.045, 0.0015), (x, -0.065, 0.003), (x, -0.082, 0.0075), (x, -0.097, 0.015)]
        tines += flat_bar(line, (0.0042, 0.0042, 0.0036, 0.0022), 0.002)
    root = [(0.0, -0.024, 0.0045), (0.0, -0.036, 0.0018), (0.0, -0.046, 0.0015)]
    stem = [(0.0, -0.026, 0.0045), (0.0, 0.0, 0.011), (0.0, 0.04, 0.0095), (0.0, 0.098, 0.0075)]
    parts = (
        *made_of("tines", "steel", STEEL, *tines, *flat_bar(root, (0.007, 0.022, 0.0255), 0.002)),
        *made_of(
            "handle",
            "steel",
            shaded(STEEL, 0.95),
            *flat_bar(stem, (0.0065, 0.006, 0.009, 0.017), 0.002),
        ),
    )
    return BuiltParts(parts, "silver")


def knife(rng: np.random.Generator) -> BuiltParts:
    """A kitchen knife with a riveted handle, lying on its side."""
    color, rgba = dyed(rng, "black", "red", "brown", "blue")
    back = [(0.0, 0.016), (0.13, 0.016), (0.172, 0.013), (0.0, -0.008), (0.09, -0.008), (0.14, 0.0)]
    edge = [(0.0, -0.018), (0.09, -0.018), (0.145, -0.006), (0.175, 0.013)]
    blade = hull(
        [*((x, y, z) for x, y in back for z in (0.008, 0.010)), *((x, y, 0.009) for x, y in edge)]
    )
    rivets = [disc(0.006, 0.0, 0.0183, x, 0.004) for x in (-0.03, -0.06, -0.09)]
    grip = (
        rounded_box((0.118, 0.025, 0.018), 0.005, (-0.062, 0.003, 0.009)),
        rounded_box((0.022, 0.030, 0.018), 0.005, (-0.113, 0.0, 0.009)),
    )
    parts = (
        *made_of("blade", "steel", STEEL, blade),
        *made_of(
            "blade", "steel", shaded(STEEL, 0.85), box((0.008, 0.022, 0.012), (0.0, 0.004, 0.009))
        ),
        *made_of("handle", "plastic", rgba, *grip),
        *made_of("handle", "plastic", STEEL, *painted(*rivets)),
    )
    return BuiltParts(parts, color)


def spatula(rng: np.random.Generator) -> BuiltParts:
    """A turner with a slotted blade."""
    color, rgba = dyed(rng, "black", "red", "green", "blue")
    bars = [box((0.0075, 0.075, 0.0025), ((k - 2) * 0.0162, -0.107, 0.00125)) for k in range(5)]
    ends = [box((0.075, 0.010, 0.0025), (0.0, y, 0.00125)) for y in (-0.149, -0.066)]
    neck = prism(
        [(-0.0375, -0.062), (0.0375, -0.062), (0.012, -0.040), (-0.012, -0.040)], 0.0, 0.0025
    )
    stem = [(0.0, -0.045, 0.002), (0.0, -0.02, 0.011), (0.0, 0.03, 0.018)]
    grip = rounded_box((0.022, 0.135, 0.014), 0.006, (0.0, 0.090, 0.0185))
    parts = (
        *made_of("blade", "silicone", rgba, *bars, *ends, neck),
        *made_of(
            "handle",
            "nylon",
            shaded(rgba, 0.8) if color != "black" else (0.25, 0.25, 0.26, 1.0),
            *flat_bar(stem, (0.014, 0.013, 0.014), 0.006),
            grip,
        ),
        *made_of("handle", "nylon", INK, *painted(disc(0.008, 0.0, 0.0258, 0.0, 0.148))),
    )
    return BuiltParts(parts, color)


def frying_pan(rng: np.random.Generator) -> BuiltParts:
    """A frying pan with a long handle."""
    profile = [(0.095, 0.0), (0.102, 0.003), (0.122, 0.028), (0.130, 0.045)]
    grip = [(0.16, 0.0, 0.040), (0.20, 0.0, 0.048), (0.30, 0.0, 0.054)]
    fixing = [(0.118, 0.0, 0.030), (0.162, 0.0, 0.040)]
    parts = (
        *made_of(
            "body",
            "aluminium",
            shaded(STEEL, 0.95),
            *vessel(profile, 0.003, 0.004),
            *flat_bar(fixing, (0.03, 0.018), 0.005),
        ),
        *made_of("coat", "coating", _DARK, *painted(disc(0.196, 0.004, 0.0045))),
        *made_of("handle", "plastic", _DARK, *flat_bar(grip, (0.020, 0.026, 0.024), 0.015)),
        *made_of("handle", "plastic", STEEL, *painted(disc(0.010, 0.044, 0.0627, 0.288))),
    )
    return BuiltParts(parts, "black", "upright, empty")


def pot(rng: np.random.Generator) -> BuiltParts:
    """A cooking pot with two loop handles, without its lid."""
    profile = [(0.106, 0.0), (0.110, 0.004), (0.110, 0.127), (0.112, 0.13)]
    bow = [(0.108, -0.035, 0.10), (0.132, -0.032, 0.103), (0.140, -0.02, 0.104)]
    bow += [(x, -y, z) for x, y, z in reversed(bow)]
    parts = (
        *made_of("body", "steel", STEEL, *vessel(profile, 0.001, 0.002)),
        *made_of("body", "steel", shaded(STEEL, 0.7), *painted(disc(0.2204, 0.004, 0.016))),
        *made_of("handles", "steel", shaded(STEEL, 0.75), *mirrored(*tube(bow, 0.008))),
    )
    return BuiltParts(parts, "silver", "upright, open, empty")


def funnel(rng: np.random.Generator) -> BuiltParts:
    """A funnel, its wide mouth on the table."""
    color, rgba = dyed(rng, "red", "blue", "yellow", "green", "white")
    profile = [
        (0.006, 0.0),
        (0.009, 0.045),
        (0.012, 0.055),
        (0.055, 0.122),
        (0.060, 0.123),
        (0.060, 0.13),
    ]
    tab = box((0.022, 0.016, 0.003), (0.066, 0.0, 0.1275))
    parts = made_of("body", "plastic", rgba, *pipe(profile, 0.002), tab)
    return BuiltParts(parts, color, "inverted", UPSIDE_DOWN)
