"""Paths of a held object: poses in small steps, and the fingertip positions along them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from pactwin.sim.scene.pose import Pose, quat, quat_angle_rad, vec3

_STEP_M, _TURN_STEP_RAD = 0.015, 0.12


def turned(a: tuple, b: tuple, share: float) -> tuple[float, float, float, float]:
    """Orientation interpolated between ``a`` and ``b`` at ``share``."""
    p, q = np.array(a), np.array(b)
    if p @ q < 0:
        q = -q
    angle = float(np.arccos(np.clip(p @ q, -1.0, 1.0)))
    if angle < 1e-6:
        return quat(q)
    mixed = np.sin((1 - share) * angle) * p + np.sin(share * angle) * q
    return quat(mixed / np.linalg.norm(mixed))


def stations_of(poses: Sequence[Pose]) -> list[Pose]:
    """Poses in small steps from the first pose (excluded) through the others."""
    return [p for a, b in pairwise(poses) for p in between(a, b)]


def tips_of(poses: Sequence[Pose], at: np.ndarray) -> np.ndarray:
    """Positions (n, 3) of fingertips that hold an object ``at`` a point (m, in its frame), m."""
    return np.array([pose.matrix()[:3, :3] @ at + pose.pos for pose in poses]).reshape(-1, 3)


def between(a: Pose, b: Pose) -> list[Pose]:
    """Poses from ``a`` (excluded) to ``b`` in small steps."""
    far = float(np.linalg.norm(np.subtract(b.pos, a.pos)))
    turn = float(quat_angle_rad(a.quat, b.quat))
    steps = max(1, int(np.ceil(max(far / _STEP_M, turn / _TURN_STEP_RAD))))
    shares = np.arange(1, steps + 1) / steps
    return [
        Pose(vec3(np.array(a.pos) + s * np.subtract(b.pos, a.pos)), turned(a.quat, b.quat, s))
        for s in shares
    ]
