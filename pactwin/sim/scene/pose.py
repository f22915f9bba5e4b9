"""Rigid poses as position and unit quaternion (w x y z, as in MuJoCo)."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pactwin.suite import Vec3 as Vec3

Quat = tuple[float, float, float, float]


def vec3(values: Iterable[float]) -> Vec3:
    """Convert three numbers to plain floats; ValueError for another count."""
    x, y, z = values
    return float(x), float(y), float(z)


def quat(values: Iterable[float]) -> Quat:
    """Convert four numbers to plain floats; ValueError for another count."""
    w, x, y, z = values
    return float(w), float(x), float(y), float(z)


@dataclass(frozen=True)
class Pose:
    """``world_from_object`` as ``pos`` (m) and ``quat`` (w x y z)."""

    pos: Vec3
    quat: Quat = (1.0, 0.0, 0.0, 0.0)

    def matrix(self) -> np.ndarray:
        """The 4x4 homogeneous matrix, float64."""
        w, x, y, z = self.quat
        a, b, c = self.pos
        return np.array(
            [
                (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), a),
                (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), b),
                (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), c),
                (0.0, 0.0, 0.0, 1.0),
            ],
            dtype=float,
        )

    def moved(self, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0) -> "Pose":
        """The same orientation, translated in the world frame (m)."""
        return Pose((self.pos[0] + dx, self.pos[1] + dy, self.pos[2] + dz), self.quat)

    def inverse(self) -> "Pose":
        """``b_from_a`` of a pose ``a_from_b``."""
        w, x, y, z = self.quat
        pos = -self.matrix()[:3, :3].T @ np.asarray(self.pos)
        return Pose(vec3(pos), (w, -x, -y, -z))

    def __matmul__(self, other: "Pose") -> "Pose":
        """Composition: ``a_from_b @ b_from_c`` is ``a_from_c``."""
        pos = self.matrix()[:3, :3] @ np.asarray(other.pos) + np.asarray(self.pos)
        return Pose(vec3(pos), quat_multiply(self.quat, other.quat))


Row4 = tuple[float, float, float, float]


def matrix4(values: np.ndarray) -> tuple[Row4, Row4, Row4, Row4]:
    """Convert a 4x4 matrix to nested tuples, rounded to a micrometre, for records."""
    a, b, c, d = (quat(row) for row in np.round(values, 6).tolist())
    return a, b, c, d


ORIGIN = Pose((0.0, 0.0, 0.0))


def frame(pos: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """The 4x4 matrix of a position (3,) and a rotation, (3, 3) or MuJoCo's (9,)."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation.reshape(3, 3), pos
    return matrix


def quat_of(rotation: np.ndarray) -> Quat:
    """The unit quaternion of a rotation, (3, 3) or (9,)."""
    import mujoco  # late: poses are known where nothing is simulated

    found = np.empty(4)
    mujoco.mju_mat2Quat(found, np.ascontiguousarray(rotation).ravel())
    return quat(found)


def as_pose(matrix: np.ndarray) -> Pose:
    """Convert a 4x4 matrix to position and quaternion."""
    return Pose(vec3(matrix[:3, 3]), quat_of(matrix[:3, :3]))


def quat_multiply(a: Quat, b: Quat) -> Quat:
    """Hamilton product a*b."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def axis_angle(axis: Vec3, angle_rad: float) -> Quat:
    """Unit quaternion of a rotation by ``angle_rad`` about ``axis`` (of any length)."""
    u = np.asarray(axis, dtype=float)
    u = u / np.linalg.norm(u) * np.sin(angle_rad / 2)
    return (float(np.cos(angle_rad / 2)), float(u[0]), float(u[1]), float(u[2]))


def yaw(angle_rad: float) -> Quat:
    """Rotation about the vertical axis."""
    return axis_angle((0.0, 0.0, 1.0), angle_rad)


def upright(turn: Iterable[float]) -> Quat:
    """The rotation about the vertical nearest to ``turn`` (w x y z)."""
    w, _, _, z = quat(turn)
    return yaw(2.0 * float(np.arctan2(z, w)))


def quat_angle_rad(a: Quat | np.ndarray, b: Quat | np.ndarray) -> np.ndarray:
    """Angles in [0, pi] between orientations (..., 4)."""
    return 2 * np.arccos(np.clip(np.abs(np.sum(np.multiply(a, b), axis=-1)), 0.0, 1.0))
