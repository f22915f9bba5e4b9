"""Hooks of a pegboard: two pegs below each tool, one on either side of its middle."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.ndimage import minimum_filter1d

from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Vec3

PEG_M = 0.004
"""Diameter of a peg."""
_MM = 1000
_BEYOND_M, _TIP_M = 0.003, 0.008
# A peg may lie a tenth of what it is farther out lower, within this share of the tool's half width.
_OUTWARD = 0.1
_INNER = 0.75
_LEVEL_M = 0.002


@dataclass(frozen=True)
class Hook:
    """A peg and its tip, which points up; m, in the board's axes, z out of the board."""

    root: Vec3
    bend: Vec3
    tip: Vec3


def hooks_below(items: Sequence[Item], world_from_plane: Pose) -> tuple[Hook, ...]:
    """Hooks that support each of ``items``, which alternate in one place, as well as possible.

    They are where the items' lower edges agree, as high as possible, and extend as far as an item
    does there.
    """
    points = [_in_plane(item, world_from_plane) for item in items]
    every = np.concatenate([part for parts in points for part in parts])
    left, right = np.floor(every[:, 1].min() * _MM), np.ceil(every[:, 1].max() * _MM)
    columns = np.arange(left, right + 1) / _MM
    edges = np.stack([_lower_edges(parts, columns) for parts in points])
    low, spread = edges.min(axis=0), np.ptp(edges, axis=0)
    middle = float(np.mean([np.concatenate(parts)[:, 1].mean() for parts in points]))
    hooks = []
    for side in (-1, 1):
        out = side * (columns - middle)
        there = np.isfinite(spread) & (out >= PEG_M) & (out <= max(_INNER * out.max(), 2 * PEG_M))
        if there.any():
            cost = np.round(spread / _LEVEL_M) - (low + _OUTWARD * out)
            at = int(np.argmin(np.where(there, cost, np.inf)))
            hooks.append(_hook(float(low[at]) - PEG_M / 2, float(columns[at]), every))
    return tuple(hooks)


def _in_plane(item: Item, world_from_plane: Pose) -> list[np.ndarray]:
    """The points (n, 3) of each part, m, in the plane's axes."""
    plane_from_world = world_from_plane.inverse().matrix()
    points, starts = item_points(item)
    return np.split(points @ plane_from_world[:3, :3].T + plane_from_world[:3, 3], starts)


def _lower_edges(parts: Sequence[np.ndarray], columns: np.ndarray) -> np.ndarray:
    """Per column the least height (m) of surfaces within a peg's width; NaN if there are none.

    It is measured by the millimetre.
    """
    lowest = np.concatenate(parts)[:, 0].min() * _MM
    height = int(np.concatenate(parts)[:, 0].max() * _MM - lowest) + 2
    filled = np.zeros((height, len(columns)), np.uint8)
    for part in parts:
        corners = np.stack([part[:, 1] * _MM - columns[0] * _MM, part[:, 0] * _MM - lowest], axis=1)
        cv2.fillConvexPoly(filled, cv2.convexHull(np.rint(corners).astype(np.int32)), 1)
    edge = np.where(filled.any(axis=0), filled.argmax(axis=0) + lowest, np.inf) / _MM
    edge = minimum_filter1d(edge, int(PEG_M * _MM) + 1, mode="nearest")
    return np.where(np.isfinite(edge), edge, np.nan)


def _hook(height: float, across: float, points: np.ndarray) -> Hook:
    near = (np.abs(points[:, 1] - across) < 0.02) & (points[:, 0] < height + 0.03)
    out = float((points[near] if near.any() else points)[:, 2].max()) + _BEYOND_M
    return Hook((height, across, 0.0), (height, across, out), (height + _TIP_M, across, out))
