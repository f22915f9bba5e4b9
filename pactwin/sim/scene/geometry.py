"""Points and volumes of parts, for projection, settling and weighing."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import ORIGIN, Pose, Vec3

_AROUND = 48


def part_volume_m3(part: Part) -> float:
    """Volume of one part; a mesh counts as two thirds of its bounding box."""
    x, y, z = part.size_m
    match part.shape:
        case "box":
            return x * y * z
        case "cylinder":
            return np.pi * x * y * z / 4
        case "sphere" | "ellipsoid":
            return np.pi * x * y * z / 6
        case "capsule":
            return np.pi * x * x * (z - x) / 4 + np.pi * x**3 / 6
        case "hull":
            return _hull_volume_m3(part.corners_m)
        case _:
            return x * y * z * 2 / 3


@lru_cache(maxsize=256)
def _hull_volume_m3(corners_m: tuple[Vec3, ...]) -> float:
    from scipy.spatial import ConvexHull  # half a second to import

    return float(ConvexHull(corners_m).volume)


@lru_cache(maxsize=256)
def item_points(item: Item) -> tuple[np.ndarray, tuple[int, ...]]:
    """Points (n, 3) in the table frame, and the start indices of all parts but the first.

    Only visible parts count; surfaces, which may be hollow, are replaced by the pieces inside them.
    A part is the convex hull of its points. Do not change the array: it is cached.
    """
    parts = [p for p in item.parts if p.is_matter or (p.drawn and p.shape != "surface")]
    found = points_of_parts(parts, item.world_from_object)
    starts = np.cumsum([len(points) for points in found])[:-1]
    return np.concatenate(found), tuple(map(int, starts))


def points_of_parts(parts: Iterable[Part], frame_from_item: Pose = ORIGIN) -> list[np.ndarray]:
    """Points (n, 3) of each part (see :func:`part_points`), in the item's frame or another."""
    poses = [(part, frame_from_item.matrix() @ part.pose.matrix()) for part in parts]
    return [part_points(part) @ pose[:3, :3].T + pose[:3, 3] for part, pose in poses]


def part_points(part: Part) -> np.ndarray:
    """Points (n, 3) in its own frame whose convex hull is the part; for a cylinder its two rims."""
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
            turn = Pose((0.0, 0.0, 0.0), part.mesh_quat).matrix()[:3, :3]
            return mesh_points(str(part.mesh_file)) @ turn * np.array(part.mesh_scale)


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
