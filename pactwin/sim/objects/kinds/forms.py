"""Shapes that kinds of objects are put together from: each gives parts, in metres, z up.

Solid pieces are convex, so that physics and measurements can use them. What is turned on a lathe
is drawn as one smooth surface instead of them.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from pactwin.sim.objects.palette import RGBA
from pactwin.sim.scene.layout import Part
from pactwin.sim.scene.pose import ORIGIN, Pose, Quat, Vec3, axis_angle, vec3

Parts = tuple[Part, ...]
Point2 = tuple[float, float]

_DRAWN_AROUND = 48
_SOLID_AROUND = 20
_ROUND_AROUND = 32


def made_of(role: str, material: str, rgba: RGBA, *parts: Part) -> Parts:
    """``parts`` as the part ``role`` of a kind, of this material and in this colour."""
    return tuple(replace(p, role=role, material=material, rgba=rgba) for p in parts)


def moved(parts: Iterable[Part], pose: Pose) -> Parts:
    """The same pieces elsewhere."""
    return tuple(replace(part, pose=pose @ part.pose) for part in parts)


def shifted(parts: Iterable[Part], x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Parts:
    """The same pieces, moved along the axes."""
    return moved(parts, Pose((x, y, z)))


def turned(parts: Iterable[Part], axis: Vec3, degrees: float) -> Parts:
    """The same pieces, turned about an axis through the origin."""
    return moved(parts, Pose((0.0, 0.0, 0.0), axis_angle(axis, float(np.deg2rad(degrees)))))


def around(count: int, *parts: Part) -> Parts:
    """``count`` copies of the pieces, evenly about the z axis; the first where they are."""
    return tuple(p for k in range(count) for p in turned(parts, (0.0, 0.0, 1.0), 360.0 * k / count))


def mirrored(*parts: Part) -> Parts:
    """The pieces, and them again half a turn about the z axis further."""
    return around(2, *parts)


def unseen(*parts: Part) -> Parts:
    """What is inside, measured only: neither drawn nor in anything's way."""
    return tuple(replace(part, drawn=False, collides=False) for part in parts)


def hidden(*parts: Part) -> Parts:
    """Solid pieces that something else is drawn for."""
    return tuple(replace(part, drawn=False) for part in parts)


def walls(x: float, y: float, z: float, wall: float) -> Parts:
    """Four upright walls of a box without floor, outer extents ``x`` and ``y``, from 0 to ``z``."""
    return (
        *mirrored(box((wall, y, z), ((x - wall) / 2, 0.0, z / 2))),
        *mirrored(box((x - 2 * wall, wall, z), (0.0, (y - wall) / 2, z / 2))),
    )


def painted(*parts: Part) -> Parts:
    """Pieces that are only looked at: paint, marks, labels."""
    return tuple(replace(part, collides=False) for part in parts)


def box(size: Vec3, at: Vec3 = (0.0, 0.0, 0.0)) -> Part:
    """A cuboid around ``at``."""
    return Part("box", size, Pose(at))


def disc(diameter: float, low: float, high: float, x: float = 0.0, y: float = 0.0) -> Part:
    """An upright cylinder between two heights."""
    return Part("cylinder", (diameter, diameter, high - low), Pose((x, y, (low + high) / 2)))


def ball(size: Vec3, at: Vec3 = (0.0, 0.0, 0.0)) -> Part:
    """A small ellipsoid around ``at``, of these diameters: a large one shows edges."""
    return Part("ellipsoid", size, Pose(at))


def globe(diameter: float, height: float) -> Parts:
    """A large round thing around the origin, drawn without edges."""
    turn = np.linspace(-np.pi / 2, np.pi / 2, 33)[1:-1].tolist()
    line = [(diameter / 2 * float(np.cos(t)), height / 2 * float(np.sin(t))) for t in turn]
    drawn = _lathed([(0.0, -height / 2), *line, (0.0, height / 2)])
    return (drawn, *hidden(ball((diameter, diameter, height))))


def rod(start: Vec3, end: Vec3, diameter: float, *, rounded: bool = False) -> Part:
    """A cylinder between two points, with half a ball over each end if ``rounded``."""
    length = float(np.linalg.norm(np.subtract(end, start)))
    pose = Pose(vec3(np.add(start, end) / 2), _along(np.subtract(end, start)))
    if rounded:
        return Part("capsule", (diameter, diameter, length + diameter), pose)
    return Part("cylinder", (diameter, diameter, length), pose)


def tube(points: Sequence[Vec3], diameter: float) -> Parts:
    """A rounded wire along ``points``."""
    pairs = itertools.pairwise(points)
    return tuple(rod(a, b, diameter, rounded=True) for a, b in pairs)


def arc(
    radius: float, start_deg: float, end_deg: float, steps: int, plane: str = "xz"
) -> list[Vec3]:
    """``steps`` + 1 points on a circle around the origin, in the plane of two named axes."""
    turn = np.deg2rad(np.linspace(start_deg, end_deg, steps + 1))
    points = np.zeros((steps + 1, 3))
    points[:, "xyz".index(plane[0])] = radius * np.cos(turn)
    points[:, "xyz".index(plane[1])] = radius * np.sin(turn)
    return [vec3(point) for point in points]


def hull(points: Iterable[Sequence[float] | np.ndarray]) -> Part:
    """The convex hull of some points."""
    found = np.array(list(points), dtype=float)
    low, high = found.min(axis=0), found.max(axis=0)
    middle = (low + high) / 2
    corners = tuple(vec3(point) for point in found - middle)
    return Part("hull", vec3(high - low), Pose(vec3(middle)), corners_m=corners)


def surface(points: Sequence[Vec3], faces: Sequence[tuple[int, int, int]]) -> Part:
    """A surface of triangles, each by the numbers of its points, counter-clockwise from outside."""
    found = np.array(points)
    low, high = found.min(axis=0), found.max(axis=0)
    middle = (low + high) / 2
    corners = tuple(vec3(point) for point in found - middle)
    pose = Pose(vec3(middle))
    size = vec3(high - low)
    return Part("surface", size, pose, corners_m=corners, faces=tuple(faces), collides=False)


def rounded_box(size: Vec3, radius: float, at: Vec3 = (0.0, 0.0, 0.0)) -> Part:
    """A cuboid with rounded edges and corners."""
    x, y, z = (s / 2 - radius for s in size)
    tilt = np.deg2rad((0.0, 45.0, 90.0))
    bits = [
        (radius * np.cos(t) * np.cos(e), radius * np.cos(t) * np.sin(e), radius * np.sin(t))
        for t in tilt
        for e in tilt
    ]
    return hull(
        (at[0] + sx * (x + bx), at[1] + sy * (y + by), at[2] + sz * (z + bz))
        for sx in (-1, 1)
        for sy in (-1, 1)
        for sz in (-1, 1)
        for bx, by, bz in set(bits)
    )


def frustum(low_diameter: float, high_diameter: float, low: float, high: float) -> Part:
    """A round piece that narrows or widens from one height to another."""
    ring = _circle(_ROUND_AROUND)
    return hull(
        (d / 2 * x, d / 2 * y, z)
        for d, z in ((low_diameter, low), (high_diameter, high))
        for x, y in ring
    )


def prism(outline: Sequence[Point2], low: float, high: float) -> Part:
    """A convex outline in the xy plane, from one height to another."""
    return hull((x, y, z) for z in (low, high) for x, y in outline)


def slab(outline: Sequence[Point2], low: float, high: float) -> Parts:
    """Any outline without crossings (counter-clockwise, xy plane), between two heights."""
    return tuple(prism(corners, low, high) for corners in _triangles(list(outline)))


def vessel(profile: Sequence[Point2], wall: float, floor: float) -> Parts:
    """A round hollow thing, open above.

    ``profile`` are its outer (radius, height) from the bottom to the rim; its walls are ``wall``
    thick and its inside begins ``floor`` above the bottom.
    """
    bottom = profile[0][1] + floor
    outer = _cut(profile, bottom)
    inner = _inside(outer, wall)
    inner[0] = (outer[0][0] - wall / max(0.3, _level(outer[0], outer[1])), bottom)
    foot = [*(p for p in profile if p[1] < bottom), outer[0]]
    solid = [_wedge_ring(outer[k : k + 2], inner[k : k + 2]) for k in range(len(outer) - 1)]
    pieces = [piece for ring in solid for piece in ring]
    pieces += [frustum(2 * a[0], 2 * b[0], a[1], b[1]) for a, b in _pairs(foot)]
    line = [(0.0, profile[0][1]), *profile, *reversed(inner), (0.0, bottom)]
    return (_lathed(line), *hidden(*pieces))


def pipe(profile: Sequence[Point2], wall: float) -> Parts:
    """A round thing that is open at both ends, ``profile`` as of a vessel."""
    inner = _inside(profile, wall)
    solid = [_wedge_ring(profile[k : k + 2], inner[k : k + 2]) for k in range(len(profile) - 1)]
    pieces = hidden(*(piece for ring in solid for piece in ring))
    return (_lathed([inner[0], *profile, *reversed(inner)]), *pieces)


def lathe(profile: Sequence[Point2]) -> Parts:
    """A round solid: outer (radius, height) from the bottom to the top."""
    pieces = [frustum(2 * a[0], 2 * b[0], a[1], b[1]) for a, b in _pairs(profile)]
    line = [(0.0, profile[0][1]), *profile, (0.0, profile[-1][1])]
    return (_lathed(line), *hidden(*pieces))


def _pairs(profile: Sequence[Point2]) -> list[tuple[Point2, Point2]]:
    """Neighbours of different heights: what lies between them is solid."""
    return [(a, b) for a, b in itertools.pairwise(profile) if b[1] - a[1] > 1e-6]


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


def _wedge_ring(outer: Sequence[Point2], inner: Sequence[Point2]) -> Parts:
    """A ring between two heights as convex wedges."""
    ring = _circle(_SOLID_AROUND)
    # The polygon has the area of the circle.
    step = np.pi / _SOLID_AROUND
    grow = float(np.sqrt(step / (np.sin(step) * np.cos(step))))
    wedges = []
    for k in range(_SOLID_AROUND):
        ends = ring[k], ring[(k + 1) % _SOLID_AROUND]
        wedges.append(
            hull(
                (grow * max(radius, 1e-5) * x, grow * max(radius, 1e-5) * y, height)
                for line in (outer, inner)
                for radius, height in line
                for x, y in ends
            )
        )
    return tuple(wedges)


def _lathed(line: Sequence[Point2]) -> Part:
    """The surface that ``line``, followed from the bottom, sweeps around the z axis."""
    ring = _circle(_DRAWN_AROUND)
    points: list[Vec3] = []
    rows: list[list[int]] = []
    for radius, height in line:
        if radius < 1e-6:
            rows.append([len(points)] * _DRAWN_AROUND)
            points.append((0.0, 0.0, height))
        else:
            rows.append(list(range(len(points), len(points) + _DRAWN_AROUND)))
            points += [(radius * x, radius * y, height) for x, y in ring]
    faces = []
    for low, high in itertools.pairwise(rows):
        for k in range(_DRAWN_AROUND):
            m = (k + 1) % _DRAWN_AROUND
            quad = ((low[k], low[m], high[m]), (low[k], high[m], high[k]))
            faces += [face for face in quad if len(set(face)) == 3]
    return surface(points, faces)


def _circle(count: int) -> list[Point2]:
    turn = 2 * np.pi * np.arange(count) / count
    return list(zip(np.cos(turn).tolist(), np.sin(turn).tolist(), strict=True))


def _along(way: np.ndarray) -> Quat:
    """The rotation that takes the z axis to ``way``."""
    way = way / np.linalg.norm(way)
    across = np.cross((0.0, 0.0, 1.0), way)
    if np.linalg.norm(across) < 1e-9:
        return ORIGIN.quat if way[2] > 0 else axis_angle((1.0, 0.0, 0.0), float(np.pi))
    return axis_angle(vec3(across), float(np.arctan2(np.linalg.norm(across), way[2])))


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
