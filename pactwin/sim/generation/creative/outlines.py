"""Functions of an object's outline on a raster: stop falling objects, hook a pulled wire.

Seen along a direction, a convex piece covers the hull of its points, which parallel rays hit. A
hook is open, so that a wire gets in from outside. It holds the wire: pulled towards the hook's
bottom, the wire cannot slide out sideways.
"""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product

import cv2
import numpy as np

from pactwin.sim.objects.solids import Solid, fill, held

_CELLS = 160
_MARGIN = 40
"""Free cells around: a wire of up to this radius gets around the thing."""
_RADII = np.geomspace(3.0, _MARGIN - 2, 20)[::-1]
_LIP = 0.3
"""A pocket is so many radii deep, and three cells."""


@dataclass(frozen=True)
class Hook:
    """A hook: the role that catches a wire, and its distance from the held end.

    ``axes`` (2, 3) are unit vectors in the item's frame: the direction of the pull relative to the
    object, and the perpendicular one. ``at_mm`` (2,) is the wire's centre along them.
    """

    wire_mm: float
    role: str
    reach_mm: float
    axes: np.ndarray
    at_mm: np.ndarray


def covered_mm(solid: Solid, axes: np.ndarray) -> np.ndarray:
    """Diameter of the largest disc without holes in an outline, seen along each axis (3,)."""
    found = []
    for across in ((1, 2), (0, 2), (0, 1)):
        raster = _Raster.of(solid, axes[list(across)])
        inside = cv2.distanceTransform(raster.solid, cv2.DIST_L2, 5)
        found.append(2.0 * float(inside.max()) * raster.cell_mm)
    return np.array(found)


def hook_of(solid: Solid, axes: np.ndarray, wire_mm: float | None = None) -> Hook | None:
    """The best hook of an object pulled along its longest axis; None without one.

    It holds the thickest possible wire, or a wire of ``wire_mm``.
    """
    best: Hook | None = None
    for across, way in product(((0, 1), (0, 2)), (1, -1)):
        turned = axes[list(across)] * np.array([[way], [1]])
        raster = _Raster.of(solid, turned)
        wanted = _RADII if wire_mm is None else [wire_mm / 2 / raster.cell_mm]
        for radius in wanted:
            thick_mm = 2.0 * float(radius) * raster.cell_mm
            if radius > _RADII[0] or (best is not None and thick_mm <= best.wire_mm):
                break
            at = raster.caught(float(radius))
            if at is not None:
                middle_mm = raster.low_mm + (np.array(at) - _MARGIN) * raster.cell_mm
                reach_mm = (at[0] - _MARGIN) * raster.cell_mm
                best = Hook(thick_mm, raster.nearest(at), reach_mm, turned, middle_mm)
                break
    return best


def ledge_mm(solid: Solid, axes: np.ndarray) -> float:
    """Thickest wire that any edge of an object stops, whether or not the wire slides off."""
    found = [0.0]
    for across, way in product(permutations(range(3), 2), (1, -1)):
        raster = _Raster.of(solid, axes[list(across)] * np.array([[way], [1]]))
        stopped = _RADII[bisect_left(_RADII, True, key=raster.stopped) :]
        found += [2.0 * float(radius) * raster.cell_mm for radius in stopped[:1]]
    return max(found)


@dataclass(frozen=True)
class _Raster:
    """Numbers of roles, from 1, on cells (rows along the first axis), with free cells around."""

    matter: np.ndarray
    roles: tuple[str, ...]
    cell_mm: float
    low_mm: np.ndarray

    @classmethod
    def of(cls, solid: Solid, axes: np.ndarray) -> "_Raster":
        flat = solid.points @ axes.T
        low, high = flat.min(axis=0), flat.max(axis=0)
        cell_mm = float((high - low).max()) / _CELLS
        matter = np.zeros(np.ceil((high - low) / cell_mm).astype(int) + 2 * _MARGIN + 1, np.uint8)
        for piece in solid.pieces:
            cells = (piece.points @ axes.T - low) / cell_mm + _MARGIN
            fill(matter, cells, solid.roles.index(piece.role) + 1)
        return cls(matter, solid.roles, cell_mm, low)

    @cached_property
    def solid(self) -> np.ndarray:
        return (self.matter > 0).astype(np.uint8)

    @cached_property
    def _free(self) -> np.ndarray:
        """Distance of every cell to matter, in cells."""
        return np.asarray(cv2.distanceTransform(1 - self.solid, cv2.DIST_L2, 5))

    @cached_property
    def _dents(self) -> np.ndarray:
        """Cells within the hull of the outline that have matter ahead."""
        found = np.zeros_like(self.solid)
        around = np.argwhere(self.solid)[:, ::-1].astype(np.int32)
        cv2.fillConvexPoly(found, cv2.convexHull(around), 1)
        ahead = np.cumsum(self.solid[::-1], axis=0)[::-1] > 0
        return (found > 0) & ahead

    def _outside(self, radius: float) -> np.ndarray:
        """Cells that a wire from outside can reach."""
        _, labels = cv2.connectedComponents((self._free > radius).astype(np.uint8), connectivity=4)
        return np.asarray(labels == labels[0, 0])

    def caught(self, radius: float) -> tuple[int, int] | None:
        """Bottom of the deepest pocket in the far half that holds a pulled wire; or None."""
        outside = self._outside(radius)
        pockets = held(outside[::-1])[::-1].astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(pockets)
        deep = [
            (int(stats[k, cv2.CC_STAT_HEIGHT]), k)
            for k in range(1, count)
            if stats[k, cv2.CC_STAT_HEIGHT] >= 3 + _LIP * radius
            and stats[k, cv2.CC_STAT_TOP] >= len(outside) / 2
        ]
        if not deep:
            return None
        rows, columns = np.nonzero(labels == max(deep)[1])
        last = int(rows.argmax())
        return int(rows[last]), int(columns[last])

    def stopped(self, radius: float) -> bool:
        """Whether a wire in a dent of the outline, pulled straight along the rows, is stopped."""
        return bool((self._outside(radius) & self._dents).any())

    def nearest(self, at: tuple[int, int]) -> str:
        """The role of the matter nearest to a cell."""
        cells = np.argwhere(self.matter)
        row, column = cells[np.linalg.norm(cells - at, axis=1).argmin()]
        return self.roles[self.matter[row, column] - 1]
