"""Silhouettes computed from shapes: an object's pixels if nothing hid it."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

import cv2
import numpy as np

from pactwin.sim.scene.geometry import item_points, points_of_parts
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera

# Silhouettes are drawn this much finer than pixels, so that their areas are good to a per cent.
_FINER = 4
NEAR_M = 0.02
# An item is flat if it is so much thinner than wide; its face is turned to the camera by so much.
_FLAT_SHARE, _EDGE_ON = 0.25, np.sin(np.deg2rad(15.0))


@lru_cache(maxsize=64)
def camera_from_world(camera: Camera) -> np.ndarray:
    """The 4x4 matrix (read-only) from table-frame points to the camera's OpenCV axes."""
    pose = np.array(camera.world_from_camera)
    inverse = np.eye(4)
    inverse[:3, :3] = pose[:3, :3].T
    inverse[:3, 3] = -pose[:3, :3].T @ pose[:3, 3]
    return inverse


def project(camera: Camera, points_m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pixels (n, 2) and depths (n,) of table-frame points (n, 3), without lens distortion.

    Pixel (u, v) = (0, 0) is the centre of the top left pixel. Points behind the camera get pixels
    without meaning and a depth that is not positive.
    """
    world_to_camera = camera_from_world(camera)
    seen = points_m @ world_to_camera[:3, :3].T + world_to_camera[:3, 3]
    depth = seen[:, 2]
    safe = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
    pixels = seen @ np.array(camera.K).T
    return pixels[:, :2] / safe[:, None], depth


def is_edge_on(item: Item, camera: Camera) -> bool:
    """Whether the item is flat and the camera sees its edge, hardly its face."""
    extents = _extents_m(item)
    thin, wide, _ = np.sort(extents)
    pose, eye = item.world_from_object.matrix(), np.array(camera.world_from_camera)[:3, 3]
    ray = pose[:3, 3] - eye
    facing = abs(float(ray @ pose[:3, int(np.argmin(extents))])) / float(np.linalg.norm(ray))
    return bool(thin < _FLAT_SHARE * wide and facing < _EDGE_ON)


@lru_cache(maxsize=256)
def _extents_m(item: Item) -> np.ndarray:
    """Extents (3,) of all but feet, along the item's axes."""
    pieces = points_of_parts(part for part in item.parts if part.role != "feet")
    return np.asarray(np.ptp(np.concatenate(pieces), axis=0))


@dataclass(frozen=True)
class Outlines:
    """Convex outlines of an item's drawn parts in a picture.

    ``corners_px`` (k, 2) float32 are those of all parts, one after the other, part p's from
    ``ends[p]`` on. ``nearest_m`` is the depth of the item's nearest point, ``mean_m`` (parts,) are
    the parts' mean depths. Do not change the arrays: they are cached.
    """

    corners_px: np.ndarray
    ends: list[int]
    nearest_m: float
    mean_m: np.ndarray

    def split(self, corners: np.ndarray) -> list[np.ndarray]:
        """``corners`` (k, ...) by parts."""
        return [corners[a:b] for a, b in pairwise(self.ends)]

    def polygons(self, finer: float = 1.0) -> list[np.ndarray]:
        """Polygons (k, 2), int32, for OpenCV to fill, in cells so much ``finer`` than pixels."""
        return self.split(np.rint(self.corners_px * finer).astype(np.int32))


# Twins share most of their items and all of their cameras.
@lru_cache(maxsize=512)
def outlines(item: Item, camera: Camera) -> Outlines:
    """Outlines of the item as ``camera`` sees it, with nothing in front of it."""
    points, starts = item_points(item)
    pixels, depth = project(camera, points)
    pixels = pixels.astype(np.float32)
    ends = [0, *starts, len(points)]
    hulls = [cv2.convexHull(pixels[a:b])[:, 0] for a, b in pairwise(ends)]
    mean = np.add.reduceat(depth, ends[:-1]) / np.diff(ends)
    corners = [0, *accumulate(map(len, hulls))]
    return Outlines(np.concatenate(hulls), corners, float(depth.min()), mean)


@lru_cache(maxsize=512)
def silhouette_px(item: Item, camera: Camera) -> float:
    """Area (px, fractional) of the item without occlusion and beyond the picture's border.

    0 if a part of it is behind the camera, which then does not look at the item.
    """
    found = outlines(item, camera)
    if found.nearest_m < NEAR_M:
        return 0.0
    low, high = found.corners_px.min(axis=0), found.corners_px.max(axis=0)
    # Something huge is drawn more coarsely: its border matters less.
    finer = min(_FINER, 2000.0 / float(np.max(high - low) + 1))
    width, height = (np.ceil((high - low) * finer) + 3).astype(int)
    canvas = np.zeros((height, width), np.uint8)
    corners = np.rint((found.corners_px - low) * finer - 0.5).astype(np.int32) + 1
    for part in found.split(corners):
        cv2.fillConvexPoly(canvas, part, 1)
    return float(_inner_area(canvas) / finer**2)


def _inner_area(canvas: np.ndarray) -> float:
    """Filled cells, border cells counted half: OpenCV fills every cell that an outline touches."""
    filled = int(np.count_nonzero(canvas))
    eroded = cv2.erode(canvas, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT)
    return (filled + int(np.count_nonzero(eroded))) / 2
