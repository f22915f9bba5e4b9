"""Solids and vessels of revolution, from a profile of (radius, height) around the z axis.

Each is drawn as one smooth surface above convex solid pieces.
"""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from pactwin.sim.objects.primitives import (
    Parts,
    Point2,
    circle,
    collision_only,
    disc,
    ellipsoid,
    frustum,
    hull,
    mass_only,
    ring_wall,
    surface,
)
from pactwin.sim.scene.layout import Part
from pactwin.sim.scene.pose import Vec3, vec3

_DRAWN_AROUND = 48
_SOLID_AROUND = 20
# A print is so far off its object's surface, which has as many corners around.
_PRINT_M = 0.0003


def globe(diameter: float, height: float) -> Parts:
    """A large round object around the origin, drawn without visible edges."""
    turn = np.linspace(-np.pi / 2, np.pi / 2, 33)[1:-1].tolist()
    line = [(diameter / 2 * float(np.cos(t)), height / 2 * float(np.sin(t))) for t in turn]
    drawn = lathed([(0.0, -height / 2), *line, (0.0, height / 2)])
    solid = ellipsoid((diameter, diameter, height))
    if diameter == height:
        solid = replace(solid, shape="sphere")
    return (*collision_only(solid), drawn)


def vessel(profile: Sequence[Point2], wall: float, floor: float) -> Parts:
    """A round hollow object, open above.

    ``profile`` holds its outer (radius, height) from the bottom to the rim; its walls are ``wall``
    thick, and its inside starts ``floor`` above the bottom.
    """
    bottom = profile[0][1] + floor
    outer = _cut(profile, bottom)
    inner = _inside(outer, wall)
    inner[0] = (outer[0][0] - wall / max(0.3, _level(outer[0], outer[1])), bottom)
    foot = [*(p for p in profile if p[1] < bottom), outer[0]]
    line = [(0.0, profile[0][1]), *profile, *reversed(inner), (0.0, bottom)]
    return (lathed(line), *collision_only(_wedge_rings(outer, inner), _frustums(foot)))


def cup_shape(
    inner: Sequence[Point2], wall: float, *, sides: int = 16, foot: float = 0.003
) -> Parts:
    """A round hollow object, open above, with flat wall segments for fast contacts.

    ``inner`` holds (radius, height) of its inside from the floor to the rim; the first height is
    the floor's thickness. Its first part is the floor, its second a segment of the wall. ``foot``
    is the drawn bevel at the edge of the foot.
    """
    (radius, floor), *_ = inner
    rings = [
        part
        for (r0, z0), (r1, z1) in itertools.pairwise(inner)
        for part in ring_wall((r0, r1), (z0, z1), wall, sides)
    ]
    low = radius + wall
    outer = [(low - foot, 0.0), (low, min(foot, floor)), *((r + wall, z) for r, z in inner[1:])]
    line = [(0.0, 0.0), *outer, *reversed(inner), (0.0, floor)]
    return (*collision_only(disc(2 * low, 0.0, floor), rings), lathed(line))


def closed_vessel(profile: Sequence[Point2], wall: float) -> Parts:
    """A closed round object with the outer ``profile``: a drawn surface, and walls for measuring.

    Its walls have no contacts: give it an envelope. Bevels get no walls of their own.
    """
    high = max(z for _, z in profile)
    low = foot = profile[0][1]
    walls = [
        ((r0, r1), z1)
        for (r0, z0), (r1, z1) in itertools.pairwise(profile)
        if z1 - z0 > 0.05 * high
    ]
    # As wide as the lowest wall there: wider, nobody would see what it stands on; less, it leaks.
    bottom = disc(2 * walls[0][0][0], foot, foot + wall)
    rings: list[Part] = []
    for (r0, r1), top in walls:
        rings += ring_wall((r0 - wall, r1 - wall), (low, top), wall)
        low = top
    line = [(0.0, profile[0][1]), *profile, (0.0, profile[-1][1])]
    return (lathed(line), *mass_only(bottom, rings))


def pipe(profile: Sequence[Point2], wall: float) -> Parts:
    """A round object open at both ends; ``profile`` is as for a vessel."""
    inner = _inside(profile, wall)
    return (
        lathed([inner[0], *profile, *reversed(inner)]),
        *collision_only(_wedge_rings(profile, inner)),
    )


def lathe(profile: Sequence[Point2]) -> Parts:
    """A solid of revolution: outer (radius, height) from bottom to top."""
    line = [(0.0, profile[0][1]), *profile, (0.0, profile[-1][1])]
    return (lathed(line), *collision_only(_frustums(profile)))


def _frustums(profile: Sequence[Point2]) -> Parts:
    """Solid frustums between neighbouring profile points of different height."""
    pairs = itertools.pairwise(profile)
    return tuple(
        frustum(2 * a, 2 * b, low, high) for (a, low), (b, high) in pairs if high - low > 1e-6
    )


def _cut(profile: Sequence[Point2], height: float) -> list[Point2]:
    """The profile from ``height`` upwards."""
    radii, heights = zip(*profile, strict=True)
    at = float(np.interp(height, heights, radii))
    return [(at, height), *(p for p in profile if p[1] > height + 1e-6)]


def _inside(profile: Sequence[Point2], wall: float) -> list[Point2]:
    """The profile moved inwards by ``wall``, at right angles to it."""
    line = np.array(profile)
    ways = np.diff(line, axis=0)
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    inwards = np.stack([-ways[:, 1], ways[:, 0]], axis=1)
    before, after = np.vstack([inwards[:1], inwards]), np.vstack([inwards, inwards[-1:]])
    corner = (before + after) / (1 + np.sum(before * after, axis=1))[:, None]
    found = line + wall * corner
    return [(max(float(radius), 1e-5), float(height)) for radius, height in found]


def _level(a: Point2, b: Point2) -> float:
    """How upright the line from a to b is: 1 if it is vertical, 0 if it is flat."""
    return abs(b[1] - a[1]) / float(np.hypot(b[0] - a[0], b[1] - a[1]))


def _wedge_rings(outer: Sequence[Point2], inner: Sequence[Point2]) -> Parts:
    """The solid between two profiles: a ring of convex wedges for each of their segments."""
    # The polygon has the area of the circle.
    step = np.pi / _SOLID_AROUND
    grow = float(np.sqrt(step / (np.sin(step) * np.cos(step))))
    sides = [
        [[(x, y, z) for x, y in circle(_SOLID_AROUND, grow * max(r, 1e-5))] for r, z in profile]
        for profile in (outer, inner)
    ]
    return tuple(
        hull(
            ring[k]
            for rings in sides
            for ring in rings[n : n + 2]
            for k in (m, (m + 1) % _SOLID_AROUND)
        )
        for n in range(len(outer) - 1)
        for m in range(_SOLID_AROUND)
    )


def printed(diameter: float, low: float, high: float, rise: float = 0.0) -> Part:
    """A print around a round object of this diameter, from ``low`` to ``high``.

    With ``rise`` it rises and falls by as much once around.
    """
    radius = diameter / 2 + _PRINT_M
    band = lathed([(radius, low), (radius, high)])
    corners = np.array(band.corners_m) + band.pose.pos
    corners[:, 2] += rise * corners[:, 1] / radius
    return surface(list(map(vec3, corners)), band.faces)


def lathed(line: Sequence[Point2]) -> Part:
    """The surface of revolution of ``line`` (from the bottom) around the z axis."""
    return _lathed(tuple(line))


@lru_cache(maxsize=512)  # what differs in colour alone has the same
def _lathed(line: tuple[Point2, ...]) -> Part:
    points: list[Vec3] = []
    rows: list[list[int]] = []
    for radius, height in line:
        ring = circle(1 if radius < 1e-6 else _DRAWN_AROUND, radius)
        first = len(points)
        rows.append([first + k % len(ring) for k in range(_DRAWN_AROUND)])
        points += [(x, y, height) for x, y in ring]
    faces = []
    for low, high in itertools.pairwise(rows):
        for a, b, c, d in zip(low, low[1:] + low[:1], high[1:] + high[:1], high, strict=True):
            faces += [face for face in ((a, b, c), (a, c, d)) if len(set(face)) == 3]
    return surface(points, faces)
