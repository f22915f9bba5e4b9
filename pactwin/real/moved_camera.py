"""Detect whether a camera moved since calibration, from its whole depth picture.

If things are as planned but a camera was nudged, depth of table and things together is off by one
motion. That motion is found by bringing the measured points onto what rays would hit (point to
plane, Gauss-Newton); a thing that was moved by itself fits no motion of the camera.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.hardware import CameraCalibration
from pactwin.real.raycast import Rays, cast, cast_table, rays_of
from pactwin.real.scene_depth import in_cells
from pactwin.sim import Item

_PIXELS = 8
_FAR_M = 1.6
_NEAR_M = 0.05
"""Points that are farther from all that is expected belong to something else."""
_STEPS = 12
_SOFT_M = 0.004
_PRIOR_MM_DEG = 20.0, 2.0
_BETTER = 0.7
"""The error has to fall to this share of what it was before. Things that were moved by themselves
leave it above 0.9."""


@dataclass(frozen=True)
class Motion:
    """``table_from_camera`` (4, 4) where it is now, how far it went, and how much that explains.

    ``better`` is the error after over that before, where the camera sees things.
    """

    table_from_camera: np.ndarray
    mm: float
    degrees: float
    better: float

    def beyond(self, mm: float, degrees: float) -> bool:
        """Whether the camera moved by more than a limit, and the motion explains its depth."""
        return self.better < _BETTER and (self.mm > mm or self.degrees > degrees)


def camera_motion(items: Sequence[Item], camera: CameraCalibration, depth_mm: np.ndarray) -> Motion:
    """How a camera moved since calibration, if ``items`` are where they should be."""
    measured, middles = in_cells(depth_mm, _PIXELS)
    there = np.isfinite(measured) & (measured < _FAR_M)
    rays = rays_of(camera, middles[there])
    start = np.array(camera.table_from_camera)
    points = (rays.ways @ start[:3, :3]) * measured[there][:, None]  # in the camera
    pose = start.copy()
    for step in range(_STEPS + 1):
        off, normals, near, on = _gaps(items, pose, points)
        every = np.where(near, _robust(off), 1.0)
        if step == 0:
            first, watched = every, on
        last = every
        if step == _STEPS or near.sum() < 100:
            break
        at = points[near] @ pose[:3, :3].T
        A = np.concatenate([np.cross(at, normals[near]), normals[near]], axis=1)
        weight = 1 / (1 + (off[near] / _SOFT_M) ** 2) ** 2
        H = (A * weight[:, None]).T @ A
        # Much evidence for a small motion outweighs this; what nothing tells stays as it was.
        mm, degrees = _PRIOR_MM_DEG
        spread = np.array([np.deg2rad(degrees)] * 3 + [mm / 1e3] * 3)
        H += np.diag((_SOFT_M / spread) ** 2) * 10
        by = np.linalg.solve(H, -(A * weight[:, None]).T @ off[near])
        pose = _turned(pose, by)
        if np.abs(by).max() < 1e-5:
            break
    either = watched | on
    moved = np.linalg.inv(start) @ pose
    angle = np.arccos(np.clip((np.trace(moved[:3, :3]) - 1) / 2, -1, 1))
    return Motion(
        pose,
        float(1e3 * np.linalg.norm(moved[:3, 3])),
        float(np.rad2deg(angle)),
        float(last[either].sum() / max(first[either].sum(), 1e-9)),
    )


def _robust(off_m: np.ndarray) -> np.ndarray:
    square = (off_m / _SOFT_M) ** 2
    return np.asarray(square / (1 + square))


def _gaps(
    items: Sequence[Item], pose: np.ndarray, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Signed distances (n,) of points to the faces that rays hit, and the normals there.

    Also which are near enough to count, and which rays hit things.
    """
    ways = points / points[:, 2:] @ pose[:3, :3].T
    rays = Rays(np.zeros((len(points), 2)), pose[:3, 3], ways)
    depth = cast_table(rays)
    on = np.zeros(len(points), bool)
    normals = np.tile([0.0, 0.0, 1.0], (len(points), 1))
    for item in items:
        hits = cast(item, item.world_from_object.matrix(), rays)
        before = hits.depth_m < depth
        depth[before], normals[before] = hits.depth_m[before], hits.normals[before]
        on |= before
    along = points[:, 2] - depth
    off = along * np.sum(ways * normals, axis=1)
    return off, normals, np.isfinite(depth) & (np.abs(along) < _NEAR_M), on


def _turned(pose: np.ndarray, by: np.ndarray) -> np.ndarray:
    """The pose turned about its own origin by ``by[:3]`` (table axes) and moved by ``by[3:]``."""
    from scipy.spatial.transform import Rotation

    found = pose.copy()
    found[:3, :3] = Rotation.from_rotvec(by[:3]).as_matrix() @ pose[:3, :3]
    found[:3, 3] += by[3:]
    return found
