"""Visibility of lines on an object: its contour, a rim, a seam, the profile of a top.

A line is visible where the picture's depth equals its own, so that nothing occludes it, and where
the colours on its two sides differ. Such lines decide between twins: faces of equal grey show no
edge, however many of their pixels are visible. Regions of an item that the picture's border cuts,
or that is flat and seen edge-on, do not count, because the item cannot be recognised.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import cv2
import numpy as np
from scipy.spatial import ConvexHull

from pactwin.sim.rendering.render import Frame
from pactwin.sim.rendering.silhouette import NEAR_M, is_edge_on, outlines, project
from pactwin.sim.robots.kinematic_model import resting_arms_m
from pactwin.sim.scene.geometry import points_of_parts
from pactwin.sim.scene.layout import Item, Layout, Part, Region
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Camera, RegionVisibility

# Of an item's height: the lower limit of its top, the upper limit of its base.
_TOP_SHARE, _BASE_SHARE, _BASE_M = 0.5, 0.1, 0.003
_DEPTH_TOLERANCE_M = 0.004
# Colours are compared this far (px) on either side of a line, and averaged along so much of it.
_BESIDE_PX = (2.0, 3.0)
_CHUNK_PX = 12
# Neighbouring faces of a hull within this angle are one face.
_FLAT_RAD = float(np.deg2rad(15.0))
_PLAINEST_SHARE = 1 / 3
# Contours so near to each other are the same; what is tilted less than this stands upright.
_SAME_PX = 2
_UPRIGHT = 0.9

ARM = "arm of the robot"
"""Name of an arm, from shoulder to wrist, in certificates of domains that reach decides."""

# Points on an arm, how thick it may be before them and beside them, and the share to be seen.
_ON_ARM, _BEFORE_AXIS_M, _BESIDE_AXIS_M, _ARM_SHARE = 60, 0.15, 0.09, 0.8

_BOX_EDGES = np.array(
    [(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b).bit_count() == 1]
)


def region_visibility(
    layout: Layout, region: Region, camera: Camera, frame: Frame, instance_id: int
) -> RegionVisibility:
    """Visibility of a region in ``frame``, drawn by ``camera``; ``instance_id`` is its item's."""
    item = layout.item(region.item)
    border = np.concatenate([*frame.mask[[0, -1]], *frame.mask[:, [0, -1]].T])
    if (border == instance_id).any() or is_edge_on(item, camera):
        return RegionVisibility(pixels=0, contrast=0.0)
    pixels, depth, across, chunks = _line_pixels(item, region, camera)
    seen = _seen(pixels, depth, frame, instance_id)
    if region.unlike:
        seen &= ~_on_contour(pixels, _in_place_of(item, layout.item(region.unlike)), camera)
    pixels, across, chunks = pixels[seen], across[seen], chunks[seen]
    count = len(np.unique(np.rint(pixels).astype(int) @ (1, camera.width_px)))
    return RegionVisibility(
        pixels=count, contrast=round(_contrast(pixels, across, chunks, frame.color), 1)
    )


def arm_visibility(robot: str, camera: Camera, frame: Frame) -> RegionVisibility:
    """Visibility of the most visible resting arm in ``frame``, if it suffices.

    It is visible where the pictured surface is at most an arm's thickness in front of the arm's
    axis; the contrast is that between the axis and its surroundings.
    """
    found = (_arm(points, camera, frame) for points in resting_arms_m(robot))
    return max(found, key=lambda arm: arm.pixels)


def _arm(joints_m: np.ndarray, camera: Camera, frame: Frame) -> RegionVisibility:
    along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(joints_m, axis=0), axis=1)))
    at = np.linspace(0.0, along[-1], _ON_ARM)
    points = np.stack([np.interp(at, along, axis) for axis in joints_m.T], axis=1)
    pixels, depth = project(camera, points)
    before = depth - _sampled_at(frame.depth_mm, pixels) / 1000.0
    seen = (np.abs(before) < _BEFORE_AXIS_M) & (depth > NEAR_M)
    if seen.mean() < _ARM_SHARE:
        return RegionVisibility(pixels=0, contrast=0.0)
    way = pixels[-1] - pixels[0]
    length = float(np.linalg.norm(way))
    aside_px = _BESIDE_AXIS_M * camera.K[0][0] / depth
    beside = np.array([-way[1], way[0]]) / max(length, 1e-9) * aside_px[:, None]
    here, *sides = (
        _sampled_at(frame.color, pixels + side * beside).astype(float) for side in (0, -1, 1)
    )
    contrast = np.max([np.abs(here - side).max(axis=1) for side in sides], axis=0)
    plain = float(np.quantile(contrast[seen], 1.0 - _PLAINEST_SHARE))
    return RegionVisibility(pixels=round(length * float(seen.mean())), contrast=round(plain, 1))


def _sampled_at(picture: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """The picture's values (n, ...) at pixels (n, 2); 0 outside."""
    column, row = np.rint(pixels).astype(int).T
    inside = (column >= 0) & (column < picture.shape[1]) & (row >= 0) & (row < picture.shape[0])
    found = np.zeros((len(pixels), *picture.shape[2:]), picture.dtype)
    found[inside] = picture[row[inside], column[inside]]
    return found


# Most things stand alike in both twins.
@lru_cache(maxsize=64)
def _line_pixels(item: Item, region: Region, camera: Camera) -> tuple[np.ndarray, ...]:
    """Pixels (n, 2), depths (n,), ways across (n, 2) and chunks (n,) along the region's lines."""
    lines = [line for line in _lines_m(item, region, camera) if line.shape[1] > 1]
    if not lines:
        return np.empty((0, 2)), np.empty(0), np.empty((0, 2)), np.empty(0, int)
    points, across, chunks = _sampled(lines, camera)
    kept = _in_feature(item, region, points)
    return *project(camera, points[kept]), across[kept], chunks[kept]


def _lines_m(item: Item, region: Region, camera: Camera) -> Iterator[np.ndarray]:
    """The region's lines in the table frame, (lines, points, 3); one array for each point count."""
    if region.lines_m:
        world_from_item = item.world_from_object.matrix()
        for line in region.lines_m:
            yield (np.array(line) @ world_from_item[:3, :3].T + world_from_item[:3, 3])[None]
        return
    parts = [p for p in item.parts if p.is_matter or (p.drawn and p.shape != "surface")]
    parts = [p for p in parts if region.role in ("", p.role)]
    pieces = points_of_parts(parts, item.world_from_object)
    if all(part.drawn for part in parts):
        for part, points in zip(parts, pieces, strict=True):
            yield from _edges_m(part, points)
            yield _contour_m(points, camera)
    elif pieces:
        # What stands in for a turned surface has edges that are not seen: only its hull counts.
        points = np.concatenate(pieces)
        yield _contour_m(points, camera)
        top = points[points[:, 2] > points[:, 2].max() - 0.002]
        if len(top) > 2:
            ring = top[ConvexHull(top[:, :2], qhull_options="QJ").vertices]
            yield np.concatenate([ring, ring[:1]])[None]


def _edges_m(part: Part, points: np.ndarray) -> Iterator[np.ndarray]:
    """The sharp edges of a part whose points, in the table frame, are those of its geometry."""
    match part.shape:
        case "box":
            yield points[_BOX_EDGES]
        case "cylinder":
            rings = points.reshape(2, -1, 3)
            yield np.concatenate([rings, rings[:, :1]], axis=1)
        case "hull":
            yield points[_hull_edges(points)]


def _hull_edges(points: np.ndarray) -> np.ndarray:
    """The sharp edges (n, 2) of a convex hull, by the numbers of its points."""
    hull, found = ConvexHull(points), []
    for face, neighbours in enumerate(hull.neighbors):
        for opposite, other in enumerate(neighbours):
            apart = np.clip(hull.equations[face, :3] @ hull.equations[other, :3], -1.0, 1.0)
            if face < other and np.arccos(apart) > _FLAT_RAD:
                found.append(np.delete(hull.simplices[face], opposite))
    return np.array(found, int).reshape(-1, 2)


def _contour_m(points: np.ndarray, camera: Camera) -> np.ndarray:
    """The closed contour (1, n, 3) of a convex piece as the camera sees it."""
    pixels, _ = project(camera, points)
    around = cv2.convexHull(pixels.astype(np.float32), returnPoints=False)[:, 0]
    return points[[[*around, around[0]]]]


def _sampled(
    lines_m: Sequence[np.ndarray], camera: Camera
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (n, 3) a pixel apart on polylines of _lines_m, the way across (n, 2), their chunks.

    Lines that reach behind the camera are left out.
    """
    corners = np.concatenate([lines.reshape(-1, 3) for lines in lines_m])
    per_line = np.concatenate([np.repeat(lines.shape[1], len(lines)) for lines in lines_m])
    line = np.repeat(np.arange(len(per_line)), per_line)
    pixels, depth = project(camera, corners)
    behind = np.unique(line[depth < NEAR_M])
    start = np.flatnonzero((line[:-1] == line[1:]) & ~np.isin(line[:-1], behind))
    along = pixels[start + 1] - pixels[start]
    length = np.linalg.norm(along, axis=1)
    counts = np.maximum(1, np.ceil(length)).astype(int)
    segment = np.repeat(np.arange(len(counts)), counts)
    number = np.arange(counts.sum())
    share = ((number - np.repeat(np.cumsum(counts) - counts, counts) + 0.5) / counts[segment])[
        :, None
    ]
    points = corners[start][segment] * (1 - share) + corners[start + 1][segment] * share
    way = along / np.maximum(length, 1e-9)[:, None]
    across = np.stack([-way[:, 1], way[:, 0]], axis=1)[segment]
    begins = np.diff(line[start][segment], prepend=-1) > 0
    first, of_line = np.flatnonzero(begins), np.cumsum(begins) - 1
    chunk = (number - first[of_line]) // _CHUNK_PX if len(number) else number
    return points, across, of_line * (len(number) + 1) + chunk


def _in_feature(item: Item, region: Region, points: np.ndarray) -> np.ndarray:
    """Mask of the points that belong to the region's feature."""
    height = points[:, 2]
    if region.lines_m or region.feature == "outline" or not height.size:
        return np.ones(len(points), bool)
    low, high = height.min(), height.max()
    if region.feature == "top":
        return height >= low + _TOP_SHARE * (high - low)
    return height <= low + max(_BASE_M, _BASE_SHARE * (high - low))


def _seen(pixels: np.ndarray, depth: np.ndarray, frame: Frame, instance_id: int) -> np.ndarray:
    """Mask of the points at the item's pixels, or beside them, and not behind it."""
    height, width = frame.mask.shape
    column, row = np.rint(pixels).astype(int).T
    margin = int(_BESIDE_PX[-1]) + 1
    inside = (column >= margin) & (column < width - margin)
    inside &= (row >= margin) & (row < height - margin)
    found = np.zeros(len(pixels), bool)
    column, row = np.where(inside, column, margin), np.where(inside, row, margin)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            at = row + dy, column + dx
            off = np.abs(frame.depth_mm[at] / 1000.0 - depth)
            found |= (frame.mask[at] == instance_id) & (off < _DEPTH_TOLERANCE_M)
    return found & inside


def _in_place_of(item: Item, other: Item) -> Item:
    """``other`` at the pose of ``item``, turned likewise if both are the same way up."""
    (x, y, _), turn = item.world_from_object.pos, item.world_from_object.quat
    there = other.world_from_object
    alike = item.world_from_object.matrix()[2, 2] * there.matrix()[2, 2] > _UPRIGHT
    return other.at(Pose((x, y, there.pos[2]), turn if alike else there.quat))


def _on_contour(pixels: np.ndarray, item: Item, camera: Camera) -> np.ndarray:
    """Mask of the pixels on the contour that ``item`` would have if nothing hid it."""
    filled = np.zeros((camera.height_px, camera.width_px), np.uint8)
    for part in outlines(item, camera).polygons():
        cv2.fillConvexPoly(filled, part, 1)
    around = np.ones((2 * _SAME_PX + 1,) * 2, np.uint8)
    border = cv2.dilate(filled, around) - cv2.erode(filled, around)
    return _sampled_at(border, pixels) > 0


def _contrast(
    pixels: np.ndarray, across: np.ndarray, chunks: np.ndarray, color: np.ndarray
) -> float:
    """Contrast of the third of the lines with most contrast, in grey levels."""
    if not len(pixels):
        return 0.0
    sides = [
        np.mean([_sampled_at(color, pixels + sign * off * across) for off in _BESIDE_PX], axis=0)
        for sign in (-1.0, 1.0)
    ]
    _, chunk, counts = np.unique(chunks, return_inverse=True, return_counts=True)
    total = np.stack([np.bincount(chunk, off) for off in (sides[1] - sides[0]).T], axis=1)
    contrast = np.abs(total / counts[:, None]).max(axis=1)
    order = np.argsort(-contrast)
    reached = np.searchsorted(np.cumsum(counts[order]), _PLAINEST_SHARE * counts.sum())
    return float(contrast[order][reached])
