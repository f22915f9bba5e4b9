"""Expected depth of a calibrated camera, from rays against convex pieces.

It needs no OpenGL: some thousand rays per camera are enough. Hits have normals, in the table frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pactwin.hardware import CameraCalibration, pixel_rays
from pactwin.sim import Item, Part, item_points


@dataclass(frozen=True)
class Rays:
    """Rays of a camera's pixels (n, 2): origin ``eye`` (3,), ``ways`` (n, 3) with camera z 1.

    So a ray's parameter is depth along the optical axis, in m.
    """

    pixels: np.ndarray
    eye: np.ndarray
    ways: np.ndarray

    def at(self, which: np.ndarray, depth_m: np.ndarray) -> np.ndarray:
        """Points (k, 3) of some rays at their depths."""
        return self.eye + depth_m[:, None] * self.ways[which]


def rays_of(camera: CameraCalibration, pixels: np.ndarray) -> Rays:
    """Rays through pixels (n, 2) of a calibrated camera."""
    pose = np.array(camera.table_from_camera)
    ways = pixel_rays(np.array(camera.K), np.array(camera.distortion), pixels)
    return Rays(pixels, pose[:3, 3], ways @ pose[:3, :3].T)


@dataclass(frozen=True)
class Hits:
    """Depth (n,) of each ray in m, infinite without a hit, and the normal (n, 3) there."""

    depth_m: np.ndarray
    normals: np.ndarray


def cast(item: Item, pose: np.ndarray, rays: Rays) -> Hits:
    """Hits of rays on an item at ``pose`` (4, 4), table from item."""
    eye = (rays.eye - pose[:3, 3]) @ pose[:3, :3]
    ways = rays.ways @ pose[:3, :3]
    depth = np.full(len(ways), np.inf)
    normals = np.zeros((len(ways), 3))
    near = _near(eye, ways, np.zeros((1, 3)), np.array([np.linalg.norm(item.size_m) / 2]))[0]
    for pieces in _pieces(item) if len(near) else []:
        of_near, which = _near(eye, ways[near], pieces.middles, pieces.radii_m)
        ray, planes = near[of_near], pieces.planes[which]
        enter, faces = _entered(planes, eye, ways[ray])
        # The nearest last: of several values for one ray the last stays.
        order = np.argsort(-enter)[np.isinf(enter).sum() :]
        order = order[enter[order] < depth[ray[order]]]
        depth[ray[order]] = enter[order]
        normals[ray[order]] = planes[order, faces[order], :3]
    return Hits(depth, normals @ pose[:3, :3].T)


def _near(
    eye: np.ndarray, ways: np.ndarray, middles: np.ndarray, radii_m: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which rays pass through which balls: indices of both (m,)."""
    to = middles - eye
    squared = np.sum(ways**2, axis=1)
    away = np.sum(to**2, axis=1) - (ways @ to.T) ** 2 / squared[:, None]
    rays, balls = np.nonzero(away < (radii_m + 1e-3) ** 2)
    return rays, balls


def _entered(
    planes: np.ndarray, eye: np.ndarray, ways: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where rays (m, 3) enter convex pieces, of planes (m, k, 4): depth, and through which plane.

    Infinite where a ray misses its piece.
    """
    speed = np.einsum("mkc,mc->mk", planes[..., :3], ways)
    gap = -(planes[..., :3] @ eye + planes[..., 3])
    with np.errstate(divide="ignore", invalid="ignore"):
        t = gap / speed
    entering = np.where(speed < 0, t, -np.inf)
    leaving = np.where(speed > 0, t, np.inf).min(axis=1)
    outside = ((np.abs(speed) < 1e-12) & (gap < 0)).any(axis=1)
    face = entering.argmax(axis=1)
    enter = entering[np.arange(len(face)), face]
    enter[(enter >= leaving) | (enter <= 0) | outside] = np.inf
    return enter, face


def cast_table(rays: Rays) -> np.ndarray:
    """Depth (n,) in m at which rays hit the table's plane; infinite for rays that point up."""
    down = rays.ways[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        depth = -rays.eye[2] / down
    return np.where(down < 0, depth, np.inf)


def cast_all(items: Sequence[tuple[Item, np.ndarray]], rays: Rays) -> tuple[np.ndarray, np.ndarray]:
    """Depth (n,) of table and items, and the visible item's index, -1 for the table."""
    depth = cast_table(rays)
    seen = np.full(len(depth), -1)
    for k, (item, pose) in enumerate(items):
        hits = cast(item, pose, rays)
        before = hits.depth_m < depth
        depth[before] = hits.depth_m[before]
        seen[before] = k
    return depth, seen


@dataclass(frozen=True)
class _Pieces:
    """Convex pieces of k faces each: ``planes`` (n, k, 4), and balls around them."""

    planes: np.ndarray
    middles: np.ndarray
    radii_m: np.ndarray


def _pieces(item: Item) -> list[_Pieces]:
    """An item's convex pieces in its frame, grouped by the number of their faces."""
    known = _KNOWN.get(id(item.parts))
    if known is None or known[0] is not item.parts:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        known = _KNOWN[id(item.parts)] = item.parts, _cut(item)
    return known[1]


# By identity, with what keeps it: hashing hundreds of parts costs more than casting rays at them.
_KNOWN: dict[int, tuple[tuple[Part, ...], list[_Pieces]]] = {}
_MOST_KNOWN = 256


def _cut(item: Item) -> list[_Pieces]:
    from scipy.spatial import ConvexHull

    parts = tuple(part for part in item.parts if part.is_matter)
    here = type(item.world_from_object)((0.0, 0.0, 0.0))
    points, starts = item_points(replace(item, parts=parts, world_from_object=here))
    found: dict[int, list[tuple[np.ndarray, np.ndarray, float]]] = {}
    for piece in np.split(points, starts):
        # Faces that are halves of one have the same plane.
        planes = np.unique(np.round(ConvexHull(piece).equations, 9), axis=0)
        middle = (piece.min(axis=0) + piece.max(axis=0)) / 2
        radius = float(np.linalg.norm(piece - middle, axis=1).max())
        found.setdefault(len(planes), []).append((planes, middle, radius))
    return [_Pieces(*map(np.array, zip(*same, strict=True))) for same in found.values()]
