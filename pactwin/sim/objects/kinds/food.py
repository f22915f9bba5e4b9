"""Food."""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.kinds.parts import BuiltParts, built
from pactwin.sim.objects.lathe import globe, lathe, pipe
from pactwin.sim.objects.palette import shaded
from pactwin.sim.objects.posing import ON_SIDE
from pactwin.sim.objects.primitives import (
    Parts,
    Point2,
    ellipsoid,
    loft,
    made_of,
    mass_only,
    slab,
    visual_only,
)
from pactwin.sim.scene.pose import Vec3

_CRUST = (0.55, 0.33, 0.15, 1.0)
_CRUMB = (0.95, 0.87, 0.70, 1.0)
_TIP = (0.25, 0.18, 0.08, 1.0)


def banana(rng: np.random.Generator) -> BuiltParts:
    """A bent banana, lying on its side."""
    yellow = (0.95, 0.80, 0.16, 1.0)
    unripe = (0.62, 0.60, 0.20, 1.0)
    widths = (0.017, 0.026, 0.033, 0.036, 0.037, 0.037, 0.037, 0.036, 0.034, 0.028, 0.012)
    flesh = zip(np.linspace(-0.95, 0.95, 11).tolist(), widths, strict=True)
    return built(
        "yellow",
        made_of("flesh", "soft_flesh", yellow, _bent(*flesh)),
        made_of("tip", "soft_flesh", unripe, _bent((-0.95, 0.014), (-1.12, 0.010))),
        made_of("tip", "soft_flesh", _TIP, _bent((0.95, 0.012), (0.99, 0.009))),
        state="on_side",
    )


def _bent(*rings: tuple[float, float]) -> Parts:
    """A piece around an arc of 100 mm radius in the xy plane, as wide as told at each angle.

    Its sections have six corners, softened.
    """

    def ring(turn: float, width: float) -> list[Vec3]:
        corners = []
        for k in range(12):
            t = k * pi / 6
            r = 0.5 * width * (1.0 if k % 2 == 0 else 0.95)
            out = 0.100 + r * cos(t)
            corners.append((out * sin(turn), out * cos(turn), r * sin(t)))
        return corners

    return loft(ring(*each) for each in rings)


def orange(rng: np.random.Generator) -> BuiltParts:
    """An orange with pores in its peel."""
    rgba = (0.98, 0.52, 0.06, 1.0)
    spots = []
    for k in range(110):
        z = 1 - 2 * (k + 0.5) / 110
        t = pi * (1 + 5**0.5) * k
        x, y = (1 - z * z) ** 0.5 * cos(t), (1 - z * z) ** 0.5 * sin(t)
        spots.append(ellipsoid((0.002,) * 3, (0.0370 * x, 0.0370 * y, 0.0360 * z)))
    stalk = ellipsoid((0.009, 0.009, 0.004), (0.0, 0.0, 0.0362))
    return built(
        "orange",
        made_of("flesh", "citrus_flesh", rgba, globe(0.075, 0.073)),
        made_of("flesh", "citrus_flesh", shaded(rgba, 0.88), visual_only(spots)),
        made_of("flesh", "citrus_flesh", (0.35, 0.42, 0.15, 1.0), visual_only(stalk)),
    )


def egg(rng: np.random.Generator) -> BuiltParts:
    """A lying hen's egg."""
    rgba = (0.93, 0.84, 0.72, 1.0) if rng.random() < 0.5 else (0.82, 0.60, 0.43, 1.0)
    angles = np.linspace(-pi / 2, pi / 2, 15).tolist()
    profile = [(0.022 * cos(t) * (1 - 0.14 * sin(t)), 0.0285 * (1 + sin(t))) for t in angles]
    inner = [(0.98 * r, 0.0285 + 0.98 * (z - 0.0285)) for r, z in profile]
    return built(
        "beige",
        made_of("shell", "egg_shell", rgba, pipe(profile, 0.0004)),
        made_of("contents", "egg_yolk", rgba, mass_only(lathe(inner)[1:])),
        state="on_side, closed, filled",
        turn=ON_SIDE,
    )


def bread_slice(rng: np.random.Generator) -> BuiltParts:
    """A slice of toast bread with its crust."""

    def outline(inset: float) -> list[Point2]:
        half, low, r = 0.046 - inset, -0.052 + inset, 0.031 - inset
        angles = np.linspace(-0.5, pi + 0.1, 9).tolist()
        top = [(0.024 + r * cos(t), 0.022 + r * sin(t)) for t in angles]
        right = [(x, y) for x, y in top if x > 0.004]
        left = [(-x, y) for x, y in reversed(right)]
        return [(-half, low), (half, low), *right, *left]

    return built(
        "beige",
        made_of("crust", "crust", _CRUST, visual_only(slab(outline(0.0), 0.0, 0.013))),
        made_of("crumb", "bread", _CRUMB, slab(outline(0.004), -0.0004, 0.0134)),
    )
