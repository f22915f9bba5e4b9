"""Point clouds in the table frame, from depth pictures. Needs Open3D (extra ``geometry``)."""

from dataclasses import dataclass
from functools import cache
from types import ModuleType

import numpy as np

from pactwin.suite import Camera, needs

MAX_RANGE_M = 4.0


@dataclass(frozen=True)
class ViewCloud:
    """Point cloud of one camera: ``points`` (n, 3) m in the table frame, ``colors`` (n, 3) in 0..1.

    ``ids`` (n,) are instance ids if a mask was given, else 0. ``pixels`` (n, 2) are column, row.
    """

    points: np.ndarray
    colors: np.ndarray
    ids: np.ndarray
    pixels: np.ndarray


@cache
def open3d() -> ModuleType:
    """The package Open3D; EnvironmentFaultError if it is not installed or cannot be loaded."""
    with needs("geometry needs Open3D", "geometry"):
        import open3d as o3d
    o3d.utility.set_verbosity_level(o3d.utility.VerbosityLevel.Error)
    return o3d


def view_cloud(
    color: np.ndarray, depth_mm: np.ndarray, camera: Camera, mask: np.ndarray | None = None
) -> ViewCloud:
    """Point cloud of a picture (h, w, 3) uint8 with depth (h, w) uint16 mm, 0 = none.

    ``mask`` (h, w) holds instance ids, 0 = no object. Pixels without depth, or beyond
    ``MAX_RANGE_M``, give no point. Lens distortion is ignored: pictures are rectified.
    """
    o3d = open3d()
    K = np.array(camera.K)
    intrinsics = o3d.camera.PinholeCameraIntrinsic(camera.width_px, camera.height_px, K)
    kept = np.where(depth_mm <= MAX_RANGE_M * 1000, depth_mm, 0).astype(np.uint16)
    cloud = o3d.geometry.PointCloud.create_from_depth_image(
        o3d.geometry.Image(kept),
        intrinsics,
        np.linalg.inv(np.array(camera.world_from_camera)),
        depth_scale=1000.0,
        depth_trunc=MAX_RANGE_M + 1.0,
    )
    rows, columns = np.nonzero(kept)  # in the order in which Open3D goes over the picture
    ids = np.zeros(len(rows), int) if mask is None else mask[rows, columns].astype(int)
    return ViewCloud(
        np.asarray(cloud.points),
        color[rows, columns] / 255.0,
        ids,
        np.stack([columns, rows], axis=1),
    )


def downsampled(points: np.ndarray, voxel_m: float) -> np.ndarray:
    """Replace all ``points`` (n, 3) in a voxel of side ``voxel_m`` by their mean."""
    if len(points) == 0:
        return points
    o3d = open3d()
    cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(points))
    return np.asarray(cloud.voxel_down_sample(voxel_m).points)


def without_strays(points: np.ndarray, radius_m: float) -> np.ndarray:
    """Remove outliers: ``points`` (n, 3) with fewer than six neighbours within ``radius_m``."""
    if len(points) == 0:
        return points
    o3d = open3d()
    cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(points))
    _, kept = cloud.remove_radius_outlier(nb_points=6, radius=radius_m)
    return points[np.asarray(kept, int)]


def table_plane(points: np.ndarray, within_m: float = 0.03) -> tuple[float, float]:
    """Height (m) of the table top among ``points`` (n, 3), and the depth noise about it (m).

    The height is that of a RANSAC plane at its centre. The noise is a robust standard deviation of
    the points' distances from that plane, less a millimetre. Both are 0 if there are too few points
    near z = 0.
    """
    near = points[np.abs(points[:, 2]) < within_m]
    if len(near) < 200:
        return 0.0, 0.0
    o3d = open3d()
    o3d.utility.random.seed(0)
    near = near[:: max(1, len(near) // 20000)]
    cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(near))
    (a, b, c, d), _ = cloud.segment_plane(0.003, ransac_n=3, num_iterations=200)
    if abs(c) < 0.98:
        return 0.0, 0.0
    x, y = np.median(near[:, :2], axis=0)
    off = np.abs(near @ [a, b, c] + d)
    spread = 1.4826 * float(np.median(off[off < within_m / 2]))
    return float(-(a * x + b * y + d) / c), max(0.0, spread - 0.001)
