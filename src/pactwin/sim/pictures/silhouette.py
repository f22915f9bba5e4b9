"""Where a thing would be in a picture if nothing hid it: silhouettes computed from its shape."""

from functools import lru_cache

import cv2
import numpy as np

from pactwin.sim.layout import Item, Part
from pactwin.sim.pose import Pose
from pactwin.suite import Camera

# Silhouettes are drawn this much finer than pixels, so that their areas are good to a per cent.
_FINER = 4
_AROUND = 48
_NEAR_M = 0.02


def camera_from_world(camera: Camera) -> np.ndarray:
    """The 4x4 matrix that takes table-frame points to the camera's OpenCV axes."""
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


@lru_cache(maxsize=256)
def item_points(item: Item) -> tuple[np.ndarray, tuple[int, ...]]:
    """Points (n, 3) in the table frame, and where each drawn part's begin after the first's.

    A part is the convex hull of its points. Do not change the array: it is kept for other cameras.
    """
    world_from_item = item.world_from_object.matrix()
    found = []
    for part in item.parts:
        if part.drawn:
            pose = world_from_item @ part.pose.matrix()
            found.append(_part_points(part) @ pose[:3, :3].T + pose[:3, 3])
    starts = np.cumsum([len(points) for points in found])[:-1]
    return np.concatenate(found), tuple(map(int, starts))


def outlines(item: Item, camera: Camera) -> tuple[list[np.ndarray], np.ndarray]:
    """Per drawn part its convex outline in the picture (k, 2), px, and its nearest depth (m)."""
    points, starts = item_points(item)
    pixels, depth = project(camera, points)
    hulls = [cv2.convexHull(part)[:, 0] for part in np.split(pixels.astype(np.float32), starts)]
    return hulls, np.array([part.min() for part in np.split(depth, starts)])


def silhouette_px(item: Item, camera: Camera) -> float:
    """Area (px, fractional) that the item would cover, unhidden and in a picture without border.

    0 if a part of it reaches behind the camera: it cannot be said to be looked at.
    """
    found, depths = outlines(item, camera)
    if depths.min() < _NEAR_M:
        return 0.0
    low = np.min([outline.min(axis=0) for outline in found], axis=0)
    high = np.max([outline.max(axis=0) for outline in found], axis=0)
    # Something huge is drawn more coarsely: its border matters less.
    finer = min(_FINER, 2000.0 / float(np.max(high - low) + 1))
    width, height = (np.ceil((high - low) * finer) + 3).astype(int)
    canvas = np.zeros((height, width), np.uint8)
    for outline in found:
        corners = np.round((outline - low) * finer - 0.5).astype(np.int32) + 1
        cv2.fillConvexPoly(canvas, corners, 1)
    return float(_inner_area(canvas) / finer**2)


def _inner_area(canvas: np.ndarray) -> float:
    """Filled cells, border cells counted half: OpenCV fills every cell that an outline touches."""
    filled = int(np.count_nonzero(canvas))
    eroded = cv2.erode(canvas, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT)
    return (filled + int(np.count_nonzero(eroded))) / 2


def _part_points(part: Part) -> np.ndarray:
    half = np.array(part.size_m) / 2
    match part.shape:
        case "box":
            return _corners() * half
        case "cylinder":
            return _rings() * half
        case "capsule":
            ball = _ball() * half[0]
            ball[:, 2] += np.sign(ball[:, 2]) * (half[2] - half[0])
            return ball
        case "sphere" | "ellipsoid":
            return _ball() * half
        case "hull" | "surface":
            return np.array(part.corners_m)
        case "mesh":
            turned = (
                mesh_points(str(part.mesh_file))
                @ Pose((0.0, 0.0, 0.0), part.mesh_quat).matrix()[:3, :3]
            )
            return turned * np.array(part.mesh_scale)


@lru_cache(maxsize=1)
def _corners() -> np.ndarray:
    return np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)


@lru_cache(maxsize=1)
def _rings() -> np.ndarray:
    turn = np.linspace(0, 2 * np.pi, _AROUND, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn), np.ones(_AROUND)], axis=1)
    return np.concatenate([ring, ring * (1, 1, -1)])


@lru_cache(maxsize=1)
def _ball() -> np.ndarray:
    """About 600 points on the unit sphere, evenly spread along a spiral."""
    count = 601
    z = 1 - 2 * (np.arange(count) + 0.5) / count
    turn = np.pi * (1 + 5**0.5) * np.arange(count)
    return np.stack([np.sqrt(1 - z**2) * np.cos(turn), np.sqrt(1 - z**2) * np.sin(turn), z], axis=1)


@lru_cache(maxsize=256)
def mesh_points(file: str) -> np.ndarray:
    """Vertices (n, 3) of a mesh file's convex hull, in the file's frame, unscaled."""
    import mujoco
    from scipy.spatial import ConvexHull

    spec = mujoco.MjSpec()
    spec.add_mesh(name="mesh", file=file)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="mesh")
    model = spec.compile()
    points = model.mesh_vert.astype(float)
    points = points[ConvexHull(points).vertices]
    # MuJoCo moves a mesh to its centre of mass and principal axes.
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, model.mesh_quat[0])
    return points @ turn.reshape(3, 3).T + model.mesh_pos[0]
