"""What one eats and drinks from."""

from math import cos, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts, chance
from pactwin.sim.objects.lathe import lathe, vessel
from pactwin.sim.objects.palette import NATURAL, dyed, pale
from pactwin.sim.objects.primitives import arc, ball, hull, made_of, tube


def tumbler(rng: np.random.Generator) -> BuiltParts:
    """A tapered drinking glass, clear or tinted."""
    tint = NATURAL["clear"]
    color = "clear"
    if chance(rng, 0.4):
        color, dye = dyed(rng, "blue", "green")
        tint = (*pale(dye)[:3], 0.4)
    profile = [(0.029, 0.0), (0.030, 0.002), (0.0375, 0.120)]
    parts = made_of("body", "glass", tint, *vessel(profile, 0.003, 0.008))
    return BuiltParts(parts, color, "upright, empty")


def pitcher(rng: np.random.Generator) -> BuiltParts:
    """A glass jug with a handle and a lip to pour."""
    color, tint = "clear", NATURAL["clear"]
    profile = [
        (0.046, 0.0),
        (0.052, 0.005),
        (0.058, 0.05),
        (0.058, 0.09),
        (0.048, 0.16),
        (0.046, 0.19),
        (0.053, 0.23),
    ]
    bow = [(-0.056, 0.0, 0.19), (-0.085, 0.0, 0.195), (-0.102, 0.0, 0.175), (-0.104, 0.0, 0.14)]
    bow += [(-0.095, 0.0, 0.105), (-0.078, 0.0, 0.08), (-0.054, 0.0, 0.068)]
    bow[0] = (-0.045, 0.0, 0.195)
    lip = hull(
        [
            (0.044, -0.026, 0.229),
            (0.044, 0.026, 0.229),
            (0.048, 0.0, 0.200),
            (0.076, 0.0, 0.236),
            (0.074, -0.006, 0.233),
            (0.074, 0.006, 0.233),
        ]
    )
    parts = (
        *made_of("body", "glass", tint, *vessel(profile, 0.003, 0.006), lip),
        *made_of("handle", "glass", (0.80, 0.88, 0.90, 1.0), *tube(bow, 0.012)),
    )
    return BuiltParts(parts, color, "upright, open, empty")


def teapot(rng: np.random.Generator) -> BuiltParts:
    """A round teapot with lid, spout and handle."""
    color, rgba = dyed(rng, "white", "blue", "red", "green", "yellow")
    belly = np.linspace(-1.05, 1.12, 12)
    profile = [(0.040, 0.0), *((0.070 * cos(t), 0.058 + 0.062 * sin(t)) for t in belly.tolist())]
    profile[1] = (0.040, profile[1][1])
    top = profile[-1][1]
    lid = lathe(
        [(0.034, top - 0.001), (0.033, top + 0.004), (0.018, top + 0.011), (0.006, top + 0.013)]
    )
    spout = [(0.060, 0.0, 0.045), (0.082, 0.0, 0.055), (0.096, 0.0, 0.078), (0.114, 0.0, 0.102)]
    widths = (0.034, 0.026, 0.019, 0.014)
    pieces = [
        hull(
            (x + 0.5 * w * cos(t) * 0.75, 0.5 * w * sin(t), z + 0.5 * w * -cos(t) * 0.6)
            for (x, _, z), w in zip(spout[k : k + 2], widths[k : k + 2], strict=True)
            for t in np.linspace(0, 6.2832, 16, endpoint=False)
        )
        for k in range(3)
    ]
    bow = [(-0.062 - 1.15 * x, 0.0, 0.066 + 1.0 * z) for x, _, z in arc(0.036, -80, 80, 12)]
    parts = (
        *made_of("body", "ceramic", rgba, *vessel(profile, 0.005, 0.006)),
        *made_of(
            "lid", "ceramic", rgba, *lid, ball((0.018, 0.018, 0.016), (0.0, 0.0, top + 0.019))
        ),
        *made_of("spout", "ceramic", rgba, *pieces),
        *made_of("handle", "ceramic", rgba, *tube(bow, 0.011)),
    )
    return BuiltParts(parts, color, "upright, closed, empty")
