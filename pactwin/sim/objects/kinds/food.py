"""Things to eat."""

import itertools
from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts
from pactwin.sim.objects.lathe import globe, lathe, pipe
from pactwin.sim.objects.palette import shaded
from pactwin.sim.objects.posing import ON_SIDE
from pactwin.sim.objects.primitives import Parts, ball, hull, made_of, painted, slab, unseen

_BAKED = (0.80, 0.58, 0.32, 1.0)
_CRUST = (0.55, 0.33, 0.15, 1.0)
_CRUMB = (0.95, 0.87, 0.70, 1.0)
_PEEL = {
    "red": (0.76, 0.10, 0.10, 1.0),
    "green": (0.55, 0.74, 0.18, 1.0),
    "yellow": (0.93, 0.80, 0.25, 1.0),
}
_STEM = (0.30, 0.20, 0.10, 1.0)
_TIP = (0.25, 0.18, 0.08, 1.0)


def banana(rng: np.random.Generator) -> BuiltParts:
    """A bent banana, lying on its side."""
    yellow = (0.95, 0.80, 0.16, 1.0)
    turns = np.linspace(-0.95, 0.95, 11)
    widths = np.array([0.017, 0.026, 0.033, 0.036, 0.037, 0.037, 0.037, 0.036, 0.034, 0.028, 0.012])
    flesh: Parts = ()
    rings = [_banana_ring(float(t), float(w)) for t, w in zip(turns, widths, strict=True)]
    for one, other in itertools.pairwise(rings):
        flesh += (hull([*one, *other]),)
    stalk = hull([*_banana_ring(-0.95, 0.014), *_banana_ring(-1.12, 0.010)])
    end = hull([*_banana_ring(0.95, 0.012), *_banana_ring(0.99, 0.009)])
    parts = (
        *made_of("flesh", "soft_flesh", yellow, *flesh),
        *made_of("tip", "soft_flesh", (0.62, 0.60, 0.20, 1.0), stalk),
        *made_of("tip", "soft_flesh", _TIP, end),
    )
    return BuiltParts(parts, "yellow", "on_side")


def _banana_ring(turn: float, width: float) -> list[tuple[float, float, float]]:
    """Six corners, softened, around the middle line: an arc of 100 mm radius in the xy plane."""
    ring = []
    for k in range(12):
        t = k * pi / 6
        r = 0.5 * width * (1.0 if k % 2 == 0 else 0.95)
        out = 0.100 + r * cos(t)
        ring.append((out * sin(turn), out * cos(turn), r * sin(t)))
    return ring


def orange(rng: np.random.Generator) -> BuiltParts:
    """An orange with pores in its peel."""
    rgba = (0.98, 0.52, 0.06, 1.0)
    spots = []
    for k in range(110):
        z = 1 - 2 * (k + 0.5) / 110
        t = pi * (1 + 5**0.5) * k
        x, y = (1 - z * z) ** 0.5 * cos(t), (1 - z * z) ** 0.5 * sin(t)
        spots.append(ball((0.002,) * 3, (0.0370 * x, 0.0370 * y, 0.0360 * z)))
    parts = (
        *made_of("flesh", "citrus_flesh", rgba, *globe(0.075, 0.073)),
        *made_of("flesh", "citrus_flesh", shaded(rgba, 0.88), *painted(*spots)),
        *made_of(
            "flesh",
            "citrus_flesh",
            (0.35, 0.42, 0.15, 1.0),
            *painted(ball((0.009, 0.009, 0.004), (0.0, 0.0, 0.0362))),
        ),
    )
    return BuiltParts(parts, "orange")


def egg(rng: np.random.Generator) -> BuiltParts:
    """A hen's egg, lying."""
    rgba = (0.93, 0.84, 0.72, 1.0) if rng.random() < 0.5 else (0.82, 0.60, 0.43, 1.0)
    turns = np.linspace(-pi / 2, pi / 2, 15).tolist()
    profile = [(0.022 * cos(t) * (1 - 0.14 * sin(t)), 0.0285 * (1 + sin(t))) for t in turns]
    inner = [(0.98 * r, 0.0285 + 0.98 * (z - 0.0285)) for r, z in profile]
    parts = (
        *made_of("shell", "egg_shell", rgba, *pipe(profile, 0.0004)),
        *made_of("contents", "egg_yolk", rgba, *unseen(*lathe(inner)[1:])),
    )
    return BuiltParts(parts, "beige", "on_side, closed, filled", ON_SIDE)


def bread_slice(rng: np.random.Generator) -> BuiltParts:
    """A slice of toast bread with its crust."""

    def outline(inset: float) -> list[tuple[float, float]]:
        half, low, shoulder = 0.046 - inset, -0.052 + inset, 0.022
        top = []
        for t in np.linspace(-0.5, pi + 0.1, 9).tolist():
            top.append((0.024 + (0.031 - inset) * cos(t), shoulder + (0.031 - inset) * sin(t)))
        right = [(x, y) for x, y in top if x > 0.004]
        left = [(-x, y) for x, y in reversed(right)]
        return [(-half, low), (half, low), *right, *left]

    parts = (
        *made_of("crust", "crust", _CRUST, *painted(*slab(outline(0.0), 0.0, 0.013))),
        *made_of("crumb", "bread", _CRUMB, *slab(outline(0.004), -0.0004, 0.0134)),
    )
    return BuiltParts(parts, "beige")
