"""Where on a tray's floor there is room for one more thing, and how much."""

import cv2
import numpy as np

from pactwin.sim.objects.trays import floor_m
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, yaw

_CELL_M = 0.001
_TURNS_RAD = np.deg2rad([0.0, 15.0, 30.0, 45.0, 60.0, 75.0])


def roomiest(tray: Item, others: list[Item], side_m: float) -> tuple[Pose, float]:
    """The place on ``tray`` where a square of ``side_m`` has the most room between ``others``.

    Returns the pose of the square's middle on the floor, and its clearance all around (m),
    negative if it does not fit. All items are where they are now, upright trays only.
    """
    x, y, z = floor_m(tray)
    tray_from_world = np.linalg.inv(tray.world_from_object.matrix())
    corners = np.array(
        [(sx * x / 2, sy * y / 2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    )
    outlines = []
    for item in others:
        points, starts = item_points(item)
        on_tray = points @ tray_from_world[:3, :3].T + tray_from_world[:3, 3]
        outlines += np.split(on_tray[:, :2], starts)
    best, best_place = -np.inf, Pose((0.0, 0.0, 0.0))
    for turn in _TURNS_RAD:
        to = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        half, middle = _largest_square_m(corners @ to.T, [o @ to.T for o in outlines])
        if half - side_m / 2 > best:
            best = half - side_m / 2
            best_place = Pose((*(middle @ to).tolist(), z), yaw(float(turn)))
    return tray.world_from_object @ best_place, float(best)


def _largest_square_m(floor: np.ndarray, taken: list[np.ndarray]) -> tuple[float, np.ndarray]:
    """Half the side and the middle of the largest free square with its sides along x and y."""
    low = floor.min(axis=0) - 2 * _CELL_M
    width, height = np.ceil((floor.max(axis=0) - low) / _CELL_M).astype(int) + 2
    free = np.zeros((height, width), np.uint8)

    def cells(outline: np.ndarray) -> np.ndarray:
        return np.round((outline - low) / _CELL_M).astype(np.int32)

    cv2.fillConvexPoly(free, cells(floor), 1)
    for outline in taken:
        cv2.fillConvexPoly(free, cv2.convexHull(cells(outline)), 0)
    away = cv2.distanceTransform(free, cv2.DIST_C, 3)
    row, column = np.unravel_index(int(away.argmax()), away.shape)
    return float(away[row, column] - 0.5) * _CELL_M, low + np.array([column, row]) * _CELL_M
