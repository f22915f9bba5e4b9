"""Shapes for declaring things, in metres: bars, plates, vessels, grips.

A tool lies flat along the x axis with its working end at the origin or left of it, z up.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from inspect import isfunction
from math import asin, cos, pi, sin
from typing import Any

import numpy as np

from pactwin.sim.objects.lathe import (
    closed_vessel,
    cup_shape,
    globe,
    lathe,
    pipe,
    printed,
    vessel,
)
from pactwin.sim.objects.primitives import (
    Parts,
    Point2,
    X,
    Y,
    box,
    circle,
    disc,
    ellipsoid,
    hull,
    loft,
    prism,
    rod,
    rounded_box,
    slab,
    surface,
    turned,
)
from pactwin.sim.scene.layout import Part
from pactwin.sim.scene.pose import Vec3

# Radii along a grip, in shares of its length and width: moulded of plastic, and turned of wood.
_PLASTIC = {0.0: 0.55, 0.03: 0.63, 0.1: 0.66, 0.28: 0.95, 0.55: 1.0, 0.85: 0.97, 1.0: 0.35}
_TURNED = {0.0: 0.6, 0.06: 0.78, 0.2: 0.7, 0.5: 1.0, 0.8: 0.96, 0.95: 0.8, 1.0: 0.45}


def bar(line: Sequence[Vec3], wide: float, *, rounded: bool = False) -> Parts:
    """Round bars along ``line``."""
    return tuple(rod(a, b, wide, rounded=rounded) for a, b in itertools.pairwise(line))


def round_bar(line: Sequence[Vec3], widths: Sequence[float], thick: float) -> Parts:
    """A bar with rounded edges along ``line`` in the xy plane, with a width at each point."""
    rim = ((0.35, 0.5), (0.5, 0.25), (0.5, -0.25), (0.35, -0.5))
    return loft(
        [
            (x + across * wide * ahead, y + across * wide * aside, z + up * thick)
            for ahead, aside in circle(12)
            for across, up in rim
        ]
        for (x, y, z), wide in zip(line, widths, strict=True)
    )


def flat_bar(line: Sequence[Vec3], widths: Sequence[float], thick: float) -> Parts:
    """A flat bar along ``line`` of the yz or of the xz plane, with a width at each point."""
    points = np.array(line)
    across = np.array(X if np.ptp(points[:, 0]) < 1e-9 else Y)
    normals = _normals(points, across, thick)
    return loft(
        [point + s * wide / 2 * across + off * normal for s in (-1, 1) for off in (-1, 1)]
        for point, wide, normal in zip(points, widths, normals, strict=True)
    )


def tapered(line: Sequence[Vec3], widths: Sequence[float], flatness: float = 1.0) -> Parts:
    """A bar with an oval section along ``line`` in a plane of two axes, with a width at each point.

    Within that plane it is ``flatness`` times as thick as it is wide.
    """
    points = np.array(line)
    across = np.eye(3)[int(np.ptp(points, axis=0).argmin())]
    normals = _normals(points, across, 2 * flatness)
    return loft(
        [point + wide / 2 * (c * across + s * normal) for c, s in circle(16)]
        for point, wide, normal in zip(points, widths, normals, strict=True)
    )


def _normals(line: np.ndarray, across: np.ndarray, thick: float) -> np.ndarray:
    """Vectors (n, 3) half as long as ``thick``, at right angles to ``line`` and ``across``."""
    normals = np.cross(across, np.gradient(line, axis=0))
    return normals * thick / 2 / np.linalg.norm(normals, axis=1)[:, None]


def haft(profile: Sequence[Point2], flatness: float = 0.72) -> Parts:
    """A wooden haft with an oval section: (x, width) from left to right."""
    return tapered([(x, 0.0, 0.0) for x, _ in profile], [wide for _, wide in profile], flatness)


def grip(x: float, long: float, radius: float) -> Parts:
    """A moulded plastic grip that starts at ``x``."""
    return spun([(x + long * along, radius * share) for along, share in _PLASTIC.items()])


def turned_grip(x: float, long: float, radius: float) -> Parts:
    """A turned wooden grip that starts at ``x``."""
    return spun([(x + long * along, radius * share) for along, share in _TURNED.items()])


def spun(profile: Sequence[Point2]) -> Parts:
    """A solid of revolution along x: (x, radius) from left to right."""
    return turned(lathe([(r, x) for x, r in profile]), Y, 90.0)


def flat(outline: Sequence[Point2], thick: float, z: float = 0.0) -> Parts:
    """A plate with any simple outline, its middle at height ``z``."""
    ahead = [*outline[1:], outline[0]]
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(outline, ahead, strict=True))
    return slab(outline if area > 0 else outline[::-1], z - thick / 2, z + thick / 2)


def wedge(sections: Sequence[Vec3]) -> Part:
    """The hull of rectangles across x, each given by its corner with y and z positive."""
    return hull((x, a * y, b * z) for x, y, z in sections for a in (-1, 1) for b in (-1, 1))


def polygon(sides: int, radius: float, low: float, high: float, start_deg: float = 0.0) -> Part:
    """A regular prism between two heights; ``start_deg`` is the angle of its first corner."""
    return prism(circle(sides, radius, start_deg), low, high)


def hexagon(across_flats: float) -> list[Point2]:
    """Corners of a regular hexagon around the origin."""
    return circle(6, across_flats / 2 / cos(pi / 6))


def hex_hole(outer: float, across_flats: float, low: float, high: float) -> Parts:
    """A round piece around the vertical with a hexagonal hole, between two heights."""
    inner, rim = 2 * hexagon(across_flats), 2 * circle(18, outer / 2)
    return tuple(
        prism([inner[k], *rim[3 * k : 3 * k + 4], inner[k + 1]], low, high) for k in range(6)
    )


def open_jaw(flats: float, thick: float, play: float = 0.0003) -> Parts:
    """An open spanner jaw around the origin that continues from the left."""
    r, half, deep = 1.2 * flats, (flats + play) / 2, 0.6 * flats
    start = pi + asin(half / r)
    rim = [(r * cos(t), r * sin(t)) for t in np.linspace(start, 4 * pi - start, 18).tolist()]
    return slab([*rim, (deep, half), (deep, -half)], -thick / 2, thick / 2)


def pillow(side: float, high: float, *, smooth: bool = False) -> Parts:
    """A square pillow, thickest in the middle, as convex pieces or as one ``smooth`` surface."""
    half, up, count = side / 2, high / 2, 13

    def point(u: float, v: float, face: int) -> Vec3:
        bulge = up * (max(0.0, 1 - u**4) * max(0.0, 1 - v**4)) ** 0.45
        x, y = half * u * (1 - 0.07 * (1 - v * v)), half * v * (1 - 0.07 * (1 - u * u))
        return x, y, up + face * bulge

    at = np.linspace(-1, 1, count).tolist()
    if not smooth:
        rows, sides = itertools.pairwise(at[::2]), list(itertools.product(at[::2], (-1, 1)))
        return tuple(hull(point(u, v, f) for u in us for v, f in sides) for us in rows)
    grid = np.arange(count * count).reshape(count, count)
    a, b, c, d = (g.ravel() for g in (grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]))
    above = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    faces = np.concatenate([above[:, ::-1], above + count * count]).tolist()
    points = [point(u, v, face) for face in (-1, 1) for u in at for v in at]
    return (surface(points, [(i, j, k) for i, j, k in faces]),)


_OWN: dict[str, Callable[..., Any]] = {
    name: shape
    for name, shape in vars().copy().items()
    if isfunction(shape) and shape.__module__ == __name__ and not name.startswith("_")
}
SHAPES: Mapping[str, Callable[..., Any]] = _OWN | {
    "block": box,
    "closed": closed_vessel,
    "dish": cup_shape,
    "globe": globe,
    "hull": hull,
    "lathe": lathe,
    "oval": ellipsoid,
    "pin": disc,
    "pipe": pipe,
    "printed": printed,
    "prism": prism,
    "rounded_block": rounded_box,
    "vessel": vessel,
}
"""Shapes by the names that files give them."""
