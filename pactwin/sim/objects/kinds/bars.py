"""Bars that follow a line: flat ones, seen from the side, and rounded ones, seen from above."""

import itertools
from collections.abc import Sequence

import numpy as np

from pactwin.sim.objects.primitives import Parts, hull
from pactwin.sim.scene.pose import Vec3

_RIM = ((0.7, 0.5), (1.0, 0.25), (1.0, -0.25), (0.7, -0.5))


def flat_bar(points: Sequence[Vec3], widths: Sequence[float], thick: float) -> Parts:
    """A flat bar along ``points`` of the yz or of the xz plane, as wide across as told at each."""
    line = np.array(points)
    across = np.array([1.0, 0.0, 0.0] if np.ptp(line[:, 0]) < 1e-9 else [0.0, 1.0, 0.0])
    normals = np.cross(across, np.gradient(line, axis=0))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    sections = [
        [
            point + across * side * width / 2 + normal * off * thick / 2
            for side in (-1, 1)
            for off in (-1, 1)
        ]
        for point, width, normal in zip(line, widths, normals, strict=True)
    ]
    return tuple(hull([*a, *b]) for a, b in itertools.pairwise(sections))


def round_bar(points: Sequence[Vec3], widths: Sequence[float], thick: float) -> Parts:
    """A bar with rounded edges along ``points`` of the xy plane, as wide as told at each."""
    ring = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ends = [
        [
            (x + width / 2 * across * np.cos(t), y + width / 2 * across * np.sin(t), z + up * thick)
            for t in ring
            for across, up in _RIM
        ]
        for (x, y, z), width in zip(points, widths, strict=True)
    ]
    return tuple(hull([*a, *b]) for a, b in itertools.pairwise(ends))
