"""Primitive shapes for building objects: each returns parts, in metres, z up.

Solid pieces are convex, so that physics and measurements can use them.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from pactwin.sim.objects.palette import RGBA
from pactwin.sim.scene.layout import ENVELOPE, Part
from pactwin.sim.scene.pose import Pose, Quat, Vec3, axis_angle, vec3, yaw

Parts = tuple[Part, ...]
Pieces = Part | Iterable[Part]
Point2 = tuple[float, float]

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

_ROUND_AROUND = 32
# Every fourth segment of a wall reaches this much higher, so that upside down it stands on few
# segments: contacts with all of them cost time and change nothing.
_PROUD_M = 0.0002


def parts_of(*pieces: Pieces) -> Parts:
    """Concatenate pieces into one list of parts."""
    return tuple(p for some in pieces for p in ((some,) if isinstance(some, Part) else some))


def made_of(role: str, material: str, tint: RGBA | float, *pieces: Pieces) -> Parts:
    """Return ``pieces`` as the part ``role`` of a kind, made of this material.

    ``tint`` is their colour, or a factor of lightness on the item's colour.
    """
    shade, rgba = (tint, None) if isinstance(tint, float) else (1.0, tint)
    return _changed(pieces, role=role, material=material, rgba=rgba, shade=shade)


def moved(pieces: Pieces, pose: Pose) -> Parts:
    """Move pieces to another pose."""
    return tuple(replace(part, pose=pose @ part.pose) for part in parts_of(pieces))


def shifted(pieces: Pieces, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Parts:
    """Translate pieces along the axes."""
    return moved(pieces, Pose((x, y, z)))


def turned(pieces: Pieces, axis: Vec3, degrees: float) -> Parts:
    """Rotate pieces about an axis through the origin."""
    return moved(pieces, Pose((0.0, 0.0, 0.0), axis_angle(axis, float(np.deg2rad(degrees)))))


def stretched(pieces: Pieces, by: Vec3) -> Parts:
    """Scale pieces along the axes, about the origin; round ones stay round, and rods keep turned.

    Hulls and surfaces are exact. So are other pieces unless they lean between unlike factors.
    """
    scale = np.array(by)
    found = []
    for part in parts_of(pieces):
        turn = part.pose.matrix()[:3, :3]
        size = np.linalg.norm(scale[:, None] * turn, axis=0) * part.size_m
        if part.shape in ("cylinder", "capsule", "sphere"):
            size[: 3 if part.shape == "sphere" else 2] = min(size[:2])
        corners = np.reshape(part.corners_m, (-1, 3)) @ (turn.T @ (scale[:, None] * turn)).T
        if len(corners):
            size = np.ptp(corners, axis=0)
        pose = Pose(vec3(scale * part.pose.pos), part.pose.quat)
        corners_m = tuple(map(vec3, corners))
        found.append(replace(part, size_m=vec3(size), pose=pose, corners_m=corners_m))
    return tuple(found)


def around(count: int, *pieces: Pieces) -> Parts:
    """``count`` copies of the pieces, evenly spaced about the z axis; the first is not moved."""
    parts = parts_of(*pieces)
    return parts_of(*(turned(parts, Z, 360.0 * k / count) for k in range(count)))


def mirrored(*pieces: Pieces) -> Parts:
    """The pieces, and a copy rotated by half a turn about the z axis."""
    return around(2, *pieces)


def visual_only(*pieces: Pieces) -> Parts:
    """Pieces without collision or mass: paint, marks, labels."""
    return _changed(pieces, collides=False)


def collision_only(*pieces: Pieces) -> Parts:
    """Solid pieces for which another piece is drawn."""
    return _changed(pieces, drawn=False)


def mass_only(*pieces: Pieces) -> Parts:
    """A part with mass only: neither drawn nor collided with."""
    return _changed(pieces, drawn=False, collides=False)


def collision_proxy(*pieces: Pieces) -> Parts:
    """Collision proxies for closed or finely faceted shapes: neither drawn nor weighed.

    Contacts of a few large primitives are more stable and cheaper than contacts of the drawn shape.
    """
    return _changed(pieces, drawn=False, role=ENVELOPE)


def _changed(pieces: Iterable[Pieces], **changes: Any) -> Parts:
    return tuple(replace(part, **changes) for part in parts_of(*pieces))


def walls(x: float, y: float, z: float, wall: float) -> Parts:
    """Four upright walls of a box without a floor: outer extents ``x`` and ``y``, height ``z``."""
    return (
        *mirrored(box((wall, y, z), ((x - wall) / 2, 0.0, z / 2))),
        *mirrored(box((x - 2 * wall, wall, z), (0.0, (y - wall) / 2, z / 2))),
    )


def box(size: Vec3, middle: Vec3 = (0.0, 0.0, 0.0)) -> Part:
    """A cuboid around ``middle``."""
    return Part("box", size, Pose(middle))


def disc(diameter: float, low: float, high: float, x: float = 0.0, y: float = 0.0) -> Part:
    """An upright cylinder between two heights."""
    return Part("cylinder", (diameter, diameter, high - low), Pose((x, y, (low + high) / 2)))


def ellipsoid(size: Vec3, at: Vec3 = (0.0, 0.0, 0.0)) -> Part:
    """A small ellipsoid around ``at`` with these diameters; a large one would show edges."""
    return Part("ellipsoid", size, Pose(at))


def rod(start: Vec3, end: Vec3, diameter: float, *, rounded: bool = False) -> Part:
    """A cylinder between two points, with hemispherical ends if ``rounded``."""
    length = float(np.linalg.norm(np.subtract(end, start)))
    pose = Pose(vec3(np.add(start, end) / 2), _along(np.subtract(end, start)))
    if rounded:
        return Part("capsule", (diameter, diameter, length + diameter), pose)
    return Part("cylinder", (diameter, diameter, length), pose)


def hull(points: Iterable[Sequence[float] | np.ndarray]) -> Part:
    """The convex hull of some points."""
    size, pose, corners = _spanned(np.array(list(points), dtype=float))
    return Part("hull", size, pose, corners_m=corners)


def loft(sections: Iterable[Iterable[Sequence[float] | np.ndarray]]) -> Parts:
    """Convex pieces between neighbouring sections; each section is given by its corners."""
    return tuple(hull([*a, *b]) for a, b in itertools.pairwise(map(list, sections)))


def surface(points: Sequence[Vec3], faces: Sequence[tuple[int, int, int]]) -> Part:
    """A surface of triangles of point numbers, counter-clockwise from outside."""
    size, pose, corners = _spanned(np.array(points))
    return Part("surface", size, pose, corners_m=corners, faces=tuple(faces), collides=False)


def _spanned(points: np.ndarray) -> tuple[Vec3, Pose, tuple[Vec3, ...]]:
    """Extents of ``points`` (n, 3), the middle of their bounding box, and the points from there."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (low + high) / 2
    return vec3(high - low), Pose(vec3(middle)), tuple(vec3(point) for point in points - middle)


def rounded_box(size: Vec3, radius: float, middle: Vec3 = (0.0, 0.0, 0.0)) -> Part:
    """A cuboid with rounded edges and corners."""
    (a, b, c), (x, y, z) = middle, (s / 2 - radius for s in size)
    tilt = np.deg2rad((0.0, 45.0, 90.0))
    bits = [
        (radius * np.cos(t) * np.cos(e), radius * np.cos(t) * np.sin(e), radius * np.sin(t))
        for t in tilt
        for e in tilt
    ]
    return hull(
        (a + sx * (x + bx), b + sy * (y + by), c + sz * (z + bz))
        for sx, sy, sz in product((-1, 1), repeat=3)
        for bx, by, bz in set(bits)
    )


def frustum(low_diameter: float, high_diameter: float, low: float, high: float) -> Part:
    """A round piece whose radius changes from one height to another."""
    ends = ((low_diameter, low), (high_diameter, high))
    return hull((x, y, z) for d, z in ends for x, y in circle(_ROUND_AROUND, d / 2))


def prism(outline: Sequence[Point2], low: float, high: float) -> Part:
    """A convex outline in the xy plane, extruded between two heights."""
    return hull((x, y, z) for z in (low, high) for x, y in outline)


def slab(outline: Sequence[Point2], low: float, high: float) -> Parts:
    """Any simple outline (counter-clockwise, xy plane), extruded between two heights."""
    return tuple(prism(corners, low, high) for corners in _triangles(list(outline)))


def ring_wall(
    radii: tuple[float, float], heights: tuple[float, float], wall: float, sides: int = 16
) -> Parts:
    """A ring of flat segments around the z axis, straight or widening.

    ``radii`` are the inner radii at the lower and upper of ``heights``. They are radii of inscribed
    circles, so that a round object of that radius touches every segment.
    """
    (r0, r1), (z0, z1) = radii, heights
    lean, long = float(np.arctan2(r1 - r0, z1 - z0)), float(np.hypot(r1 - r0, z1 - z0))
    width = 2 * (max(r0, r1) + wall) * float(np.tan(np.pi / sides)) * 1.002
    out = np.array([np.cos(lean), 0.0, -np.sin(lean)])
    up = np.array([np.sin(lean), 0, np.cos(lean)])
    parts = []
    for k in range(sides):
        less = 0.0 if k % 4 == 0 else _PROUD_M
        middle = np.array([(r0 + r1) / 2, 0.0, (z0 + z1) / 2]) + out * wall / 2 - up * less / 2
        leaning = Pose(vec3(middle), axis_angle(Y, lean))
        pose = Pose((0.0, 0.0, 0.0), yaw(2 * np.pi * k / sides)) @ leaning
        parts.append(Part("box", (wall, width, long - less), pose))
    return tuple(parts)


def circle(count: int, radius: float = 1.0, start_deg: float = 0.0) -> list[Point2]:
    """``count`` points spaced evenly on a circle, the first at the angle ``start_deg``."""
    turn = np.deg2rad(start_deg) + 2 * np.pi * np.arange(count) / count
    return list(
        zip((radius * np.cos(turn)).tolist(), (radius * np.sin(turn)).tolist(), strict=True)
    )


def _along(way: np.ndarray) -> Quat:
    """The rotation that takes the z axis to ``way``."""
    way = way / np.linalg.norm(way)
    across = np.cross(Z, way)
    axis = vec3(across) if np.linalg.norm(across) > 1e-9 else X
    return axis_angle(axis, float(np.arctan2(np.linalg.norm(across), way[2])))


def _triangles(outline: list[Point2]) -> list[tuple[Point2, Point2, Point2]]:
    """The outline cut into triangles, ear by ear (Meisters 1975)."""
    found = []
    left = list(outline)
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            others = (p for p in left if p not in (a, b, c))
            if _turn(a, b, c) > 0 and not any(_within(p, a, b, c) for p in others):
                found.append((a, b, c))
                del left[k]
                break
        else:
            raise ValueError("the outline crosses itself or runs clockwise")
    return [*found, (left[0], left[1], left[2])]


def _turn(a: Point2, b: Point2, c: Point2) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _within(p: Point2, a: Point2, b: Point2, c: Point2) -> bool:
    return min(_turn(a, b, p), _turn(b, c, p), _turn(c, a, p)) >= 0
