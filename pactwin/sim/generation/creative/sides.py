"""Resting poses: the sides on which an object rests, its height on each, and where it balances.

The sides are the faces of the convex hull of the solid parts. An object rests on a side if its
centre of mass is above that side. Narrow faces of round objects do not count, because the object
would roll.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull

from pactwin.sim.objects.solids import piece_of, solid_of
from pactwin.sim.scene.layout import Item

# Faces whose normals are nearer than this are one.
_SAME = 0.02
_TIP_RAD = np.deg2rad(16.0)
"""What a steady thing has to be tilted by before it tips."""
_TOUCH_M = 0.0015
# What is so near to the ground stands on it: of the height, and at most.
_FOOT, _FOOT_M = 0.002, 0.0003
_SMALL = 0.002
"""Faces of less than this share of the surface are of what is round."""


@dataclass(frozen=True)
class Side:
    """A side to rest on: ``down`` (3,) in the item's frame, and the object's height on it.

    ``steady`` says whether the object stays when tilted a little. ``held_by`` are the roles of
    parts that are both lowest and highest, and so carry a load on the object.
    """

    down: np.ndarray
    height_m: float
    steady: bool
    held_by: frozenset[str]


def centre_of_mass_mm(item: Item) -> np.ndarray:
    """Centre of mass (3,) in the item's frame, each piece with its own material."""
    pieces = [piece_of(part, item) for part in item.parts if part.weighs]
    middles = [(piece.points.min(axis=0) + piece.points.max(axis=0)) / 2 for piece in pieces]
    return np.average(middles, axis=0, weights=[piece.mass_g for piece in pieces])


def resting_sides(item: Item) -> tuple[Side, ...]:
    """All sides on which the object rests, the lowest first."""
    solid = solid_of(item)
    points = 1e-3 * solid.points
    outlines = {role: 1e-3 * solid.only((role,)).points for role in solid.roles}
    middle = 1e-3 * centre_of_mass_mm(item)
    found: list[Side] = []
    for down in _normals(points):
        along = points @ down
        lowest, height = along.max(), float(np.ptp(along))
        slack = _slack_m(points[along > lowest - min(_FOOT_M, _FOOT * height)], down, middle)
        if slack <= 0.0:
            continue
        held_by = frozenset(
            role
            for role, outline in outlines.items()
            if (outline @ down).max() > lowest - _TOUCH_M
            and (outline @ down).min() < lowest - height + _TOUCH_M
        )
        steady = slack > np.tan(_TIP_RAD) * (lowest - middle @ down)
        found.append(Side(down, height, bool(steady), held_by))
    return tuple(sorted(found, key=lambda side: side.height_m))


def _normals(points: np.ndarray) -> np.ndarray:
    """Outward normals (n, 3) of the hull's faces, each once, the largest face first."""
    hull = ConvexHull(points, qhull_options="QJ")
    corners = points[hull.simplices]
    areas = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    kept: np.ndarray = np.empty((0, 3))
    for k in np.argsort(-areas):
        normal = hull.equations[k, :3]
        if areas[k] < _SMALL * areas.sum():
            break
        if not len(kept) or np.linalg.norm(kept - normal, axis=1).min() > _SAME:
            kept = np.vstack((kept, normal))
    return kept


def _slack_m(foot: np.ndarray, down: np.ndarray, middle: np.ndarray) -> float:
    """Distance of the centre of mass inside the ground contact polygon; below 0 outside."""
    across = np.linalg.svd(down[None])[2][1:]
    flat, centre = foot @ across.T, across @ middle
    if len(flat) < 3 or np.linalg.matrix_rank(flat - flat[0], tol=1e-5) < 2:
        return -1.0
    return float(-(ConvexHull(flat, qhull_options="QJ").equations @ (*centre, 1.0)).max())
