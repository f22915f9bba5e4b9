"""Shapes for declaring things, in millimetres: bars, plates, vessels, grips, teeth.

A tool lies flat along the x axis with its working end at the origin or left of it, z up.
"""

import itertools
from math import asin, cos, pi, sin

import numpy as np

from pactwin.sim.objects import lathe as lathes
from pactwin.sim.objects import primitives
from pactwin.sim.objects.primitives import (
    Parts,
    Point2,
    X,
    Y,
    box,
    disc,
    ellipsoid,
    loft,
    rod,
    slab,
    turned,
    turns,
    xy,
    xyz,
)
from pactwin.sim.scene.layout import Part
from pactwin.sim.scene.pose import Vec3

_PLASTIC = "0 55, 3 63, 10 66, 28 95, 55 100, 85 97, 97 75, 100 35"
_TURNED = "0 60, 6 78, 20 70, 50 100, 80 96, 95 80, 100 45"


def block(size: str, middle: str = "0 0 0") -> Part:
    """A cuboid of ``size`` around ``middle``."""
    return box(xyz(size)[0], xyz(middle)[0])


def rounded_block(size: str, radius: float, middle: str = "0 0 0") -> Part:
    """A cuboid with rounded edges and corners."""
    return primitives.rounded_box(xyz(size)[0], radius / 1000, xyz(middle)[0])


def bar(line: str, wide: float, *, rounded: bool = False) -> Parts:
    """Round bars along ``line``."""
    pairs = itertools.pairwise(xyz(line))
    return tuple(rod(a, b, wide / 1000, rounded=rounded) for a, b in pairs)


def round_bar(line: str, widths: str, thick: float) -> Parts:
    """A bar with rounded edges along ``line`` in the xy plane, with a width at each point."""
    rim = ((0.7, 0.5), (1.0, 0.25), (1.0, -0.25), (0.7, -0.5))
    return loft(
        [
            (x + r * across * cos(t), y + r * across * sin(t), z + up * thick / 1000)
            for t in turns(12)
            for across, up in rim
        ]
        for (x, y, z), r in zip(xyz(line), _radii(widths), strict=True)
    )


def flat_bar(line: str, widths: str, thick: float) -> Parts:
    """A flat bar along ``line`` of the yz or of the xz plane, as wide as told at each point."""
    points = np.array(xyz(line))
    across = np.array(X if np.ptp(points[:, 0]) < 1e-9 else Y)
    normals = np.cross(across, np.gradient(points, axis=0))
    normals *= thick / 2000 / np.linalg.norm(normals, axis=1)[:, None]
    return loft(
        [point + s * r * across + off * normal for s in (-1, 1) for off in (-1, 1)]
        for point, r, normal in zip(points, _radii(widths), normals, strict=True)
    )


def _radii(widths: str) -> list[float]:
    return [float(width) / 2000 for width in widths.split()]


def flat(outline: str, thick: float, z: float = 0.0) -> Parts:
    """A plate with any simple outline, its middle at height ``z``."""
    line = xy(outline)
    ahead = [*line[1:], line[0]]
    if sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(line, ahead, strict=True)) < 0:
        line.reverse()
    return slab(line, (z - thick / 2) / 1000, (z + thick / 2) / 1000)


def prism(outline: str, low: float, high: float) -> Part:
    """A convex outline, extruded between two heights."""
    return primitives.prism(xy(outline), low / 1000, high / 1000)


def polygon(sides: int, radius: float, low: float, high: float, start_deg: float = 0.0) -> Part:
    """A regular prism between two heights; ``start_deg`` is the angle of its first corner."""
    start, r = np.deg2rad(start_deg), round(radius / 1000, 9)
    angles = [start + 2 * pi * k / sides for k in range(sides)]
    return primitives.prism([(r * cos(t), r * sin(t)) for t in angles], low / 1000, high / 1000)


def standing(outline: str, wide: float, y: float = 0.0) -> Part:
    """A convex outline in the xz plane, ``wide`` along y around ``y``."""
    sides = [(y + s * wide / 2) / 1000 for s in (-1, 1)]
    return primitives.hull((x, side, z) for x, z in xy(outline) for side in sides)


def hull(points: str) -> Part:
    """The convex hull of some points."""
    return primitives.hull(xyz(points))


def wedge(sections: str) -> Part:
    """The hull of rectangles across x, each given by its corner with y and z positive."""
    signs = list(itertools.product((-1, 1), repeat=2))
    return primitives.hull((x, a * y, b * z) for x, y, z in xyz(sections) for a, b in signs)


def spun(profile: str) -> Parts:
    """A solid of revolution along x: (x, radius) from left to right."""
    return turned(lathes.lathe([(r, x) for x, r in xy(profile)]), Y, 90.0)


def lathe(profile: str) -> Parts:
    """A solid of revolution around the vertical: (radius, height) from the bottom."""
    return lathes.lathe(xy(profile))


def vessel(profile: str, wall: float, floor: float) -> Parts:
    """A round hollow thing, open above: its outer (radius, height) from the bottom to the rim."""
    return lathes.vessel(xy(profile), wall / 1000, floor / 1000)


def dish(inner: str, wall: float, sides: int = 16) -> Parts:
    """A round open vessel with flat wall segments: (radius, height) inside, from its floor."""
    return lathes.cup_shape(xy(inner), wall / 1000, sides=sides)


def pipe(profile: str, wall: float) -> Parts:
    """A round thing that is open at both ends: its outer (radius, height) from the bottom."""
    return lathes.pipe(xy(profile), wall / 1000)


def closed(profile: str, wall: float) -> Parts:
    """A closed round vessel without contacts, its outer (radius, height) from the bottom."""
    return lathes.closed_vessel(xy(profile), wall / 1000)


def printed(diameter: float, low: float, high: float, rise: float = 0.0) -> Part:
    """A print around a round object, that rises and falls by ``rise`` once around."""
    return lathes.printed(diameter / 1000, low / 1000, high / 1000, rise / 1000)


def globe(size: str) -> Parts:
    """A large round object around the origin with the diameters ``size``, the first two alike."""
    wide, _, high = xyz(size)[0]
    return lathes.globe(wide, high)


def pin(diameter: float, low: float, high: float) -> Part:
    """An upright cylinder between two heights."""
    return disc(diameter / 1000, low / 1000, high / 1000)


def oval(size: str) -> Part:
    """An ellipsoid of these diameters."""
    return ellipsoid(xyz(size)[0])


def grip(x: float, long: float, radius: float) -> Parts:
    """A moulded plastic grip that starts at ``x``."""
    return _grip(_PLASTIC, x, long, radius)


def turned_grip(x: float, long: float, radius: float) -> Parts:
    """A turned wooden grip that starts at ``x``."""
    return _grip(_TURNED, x, long, radius)


def _grip(profile: str, x: float, long: float, radius: float) -> Parts:
    shares = [tuple(map(float, pair.split())) for pair in profile.split(",")]
    return spun(", ".join(f"{x + long * a / 100} {radius * r / 100}" for a, r in shares))


def tapered(line: str, widths: str, flatness: float = 1.0) -> Parts:
    """A bar with an oval section along ``line`` in a plane of two axes, with a width at each point.

    Within that plane it is ``flatness`` times as thick as it is wide.
    """
    points = np.array(xyz(line))
    across = np.eye(3)[int(np.ptp(points, axis=0).argmin())]
    normals = np.cross(np.gradient(points, axis=0), across)
    normals *= flatness / np.linalg.norm(normals, axis=1)[:, None]
    return loft(
        [point + r * (cos(t) * across + sin(t) * normal) for t in turns(16)]
        for point, r, normal in zip(points, _radii(widths), normals, strict=True)
    )


def haft(profile: str, flatness: float = 0.72) -> Parts:
    """A wooden haft with an oval section: (x, width) from left to right."""
    xs, widths = zip(*(point.split() for point in profile.split(",")), strict=True)
    return tapered(", ".join(f"{x} 0 0" for x in xs), " ".join(widths), flatness)


def pillow(side: float, high: float, *, smooth: bool = False) -> Parts:
    """A square pillow, thickest in the middle, as convex pieces or as one ``smooth`` surface."""
    half, up, count = side / 2000, high / 2000, 13

    def point(u: float, v: float, face: int) -> Vec3:
        bulge = up * (max(0.0, 1 - u**4) * max(0.0, 1 - v**4)) ** 0.45
        x, y = half * u * (1 - 0.07 * (1 - v * v)), half * v * (1 - 0.07 * (1 - u * u))
        return x, y, up + face * bulge

    at = np.linspace(-1, 1, count).tolist()
    if not smooth:
        rows = zip(at[:-2:2], at[2::2], strict=True)
        sides = list(itertools.product(at[::2], (-1, 1)))
        return tuple(primitives.hull(point(u, v, f) for u in us for v, f in sides) for us in rows)
    grid = np.arange(count * count).reshape(count, count)
    a, b, c, d = (g.ravel() for g in (grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]))
    above = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    faces = np.concatenate([above[:, ::-1], above + count * count]).tolist()
    points = [point(u, v, face) for face in (-1, 1) for u in at for v in at]
    return (primitives.surface(points, [(i, j, k) for i, j, k in faces]),)


def ring(outer: float, inner: float, thick: float, x: float = 0.0, sides: int = 24) -> Parts:
    """A flat ring around the vertical at ``x``, with a round hole."""
    return tuple(
        primitives.hull(
            (x / 1000 + r / 2000 * cos(t), r / 2000 * sin(t), z * thick / 2000)
            for z in (-1, 1)
            for r in (outer, inner)
            for t in (2 * pi * k / sides, 2 * pi * (k + 1) / sides)
        )
        for k in range(sides)
    )


def hexagon(across_flats: float) -> list[Point2]:
    """Corners (m) of a regular hexagon around the origin."""
    r = across_flats / 2000 / cos(pi / 6)
    return [(r * cos(k * pi / 3), r * sin(k * pi / 3)) for k in range(6)]


def hex_hole(outer: float, across_flats: float, low: float, high: float) -> Parts:
    """A round piece around the vertical with a hexagonal hole, between two heights."""
    inner = hexagon(across_flats)
    parts = []
    for k in range(6):
        arc = [k * pi / 3 + pi / 9 * j for j in range(4)]
        rim = [(outer / 2000 * cos(t), outer / 2000 * sin(t)) for t in arc]
        outline = [inner[k], *rim, inner[(k + 1) % 6]]
        parts.append(primitives.prism(outline, low / 1000, high / 1000))
    return tuple(parts)


def open_jaw(flats: float, thick: float, play: float = 0.3) -> Parts:
    """An open spanner jaw around the origin that continues from the left."""
    r, half, deep = 1.2 * flats / 1000, (flats + play) / 2000, 0.6 * flats / 1000
    start = pi + asin(half / r)
    rim = [(r * cos(t), r * sin(t)) for t in np.linspace(start, 4 * pi - start, 18).tolist()]
    return slab([*rim, (deep, half), (deep, -half)], -thick / 2000, thick / 2000)
