"""Bars along a line: flat ones in a vertical plane, and rounded ones in a horizontal plane."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from pactwin.sim.objects.primitives import Parts, X, Y, loft, turns
from pactwin.sim.scene.pose import Vec3

_RIM = ((0.7, 0.5), (1.0, 0.25), (1.0, -0.25), (0.7, -0.5))


def flat_bar(points: Sequence[Vec3], widths: Sequence[float], thick: float) -> Parts:
    """A flat bar along ``points`` in the yz or the xz plane, with a width at each point."""
    line = np.array(points)
    across = np.array(X if np.ptp(line[:, 0]) < 1e-9 else Y)
    normals = np.cross(across, np.gradient(line, axis=0))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return loft(
        [
            point + across * side * width / 2 + normal * off * thick / 2
            for side, off in product((-1, 1), repeat=2)
        ]
        for point, width, normal in zip(line, widths, normals, strict=True)
    )


def round_bar(points: Sequence[Vec3], widths: Sequence[float], thick: float) -> Parts:
    """A bar with rounded edges along ``points`` in the xy plane, with a width at each point."""
    return loft(
        [
            (x + width / 2 * across * np.cos(t), y + width / 2 * across * np.sin(t), z + up * thick)
            for t in turns(12)
            for across, up in _RIM
        ]
        for (x, y, z), width in zip(points, widths, strict=True)
    )
