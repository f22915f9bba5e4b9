"""Expected and measured depth of the whole table in cells, for each camera.

A cell covers several pixels, so that its median is more stable than a pixel.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from pactwin.hardware import CameraCalibration, RgbdFrame, Rig
from pactwin.real.raycast import Rays, cast_all, rays_of
from pactwin.sim import Item

_ACROSS = 240
"""Cells in a row of a picture."""
_MARGIN = 2
"""Cells: matching windows of stereo cameras carry edges so far."""
_NOISE_M, _NOISE_PER_M = 0.012, 0.015
"""Limits of depth noise: constant, and per squared distance; more is another object."""


@dataclass(frozen=True)
class SceneDepth:
    """One camera's cells (h, w), each ``pixels`` wide; depths in m.

    ``measured`` is NaN without depth. ``expected`` is the depth of table and objects, ``thing`` the
    index of the visible object, -1 for the table and all else. ``low`` and ``high`` bound the depth
    expected nearby, because objects and their edges have small errors.
    """

    camera: CameraCalibration
    pixels: int
    rays: Rays
    measured: np.ndarray
    expected: np.ndarray
    thing: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def nearer(self) -> np.ndarray:
        """Cells (h, w) with something in front of everything expected there."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.measured < self.low - _allowed_m(self.low))

    @property
    def farther(self) -> np.ndarray:
        """Cells (h, w) in which the camera sees something behind the expected surface."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.measured > self.high + _allowed_m(self.high))

    @property
    def points(self) -> np.ndarray:
        """Measured points (h, w, 3) in the table frame; NaN without depth."""
        ways = self.rays.ways.reshape(*self.measured.shape, 3)
        return np.asarray(self.rays.eye + self.measured[..., None] * ways)

    @property
    def area_m2(self) -> np.ndarray:
        """Area of each cell (h, w) at its measured depth."""
        return np.asarray((self.pixels * self.measured / self.camera.K[0][0]) ** 2)

    def cells_of(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Cells (n, 2), x before y, that show points (n, 3) of the table frame; their depth (n,).

        Points may lie outside the picture, or behind the camera.
        """
        pose, K = np.array(self.camera.table_from_camera), np.array(self.camera.K)
        ahead = (points - pose[:3, 3]) @ pose[:3, :3]
        far_m = ahead[:, 2]
        pixels = ahead @ K[:2].T / np.where(far_m > 0, far_m, np.nan)[:, None]
        return np.floor(np.nan_to_num(pixels, nan=-1e6) / self.pixels).astype(int), far_m


def _allowed_m(depth_m: np.ndarray) -> np.ndarray:
    return np.maximum(_NOISE_M, _NOISE_PER_M * depth_m**2)


def scene_depths(
    items: Sequence[Item], rig: Rig, frames: Mapping[str, RgbdFrame]
) -> dict[str, SceneDepth]:
    """Scene depth by camera with ``items`` in place; InvalidInputError without calibration."""
    return {
        name: scene_depth(items, rig.calibrated(name), frame.depth_mm)
        for name, frame in frames.items()
    }


def scene_depth(
    items: Sequence[Item], camera: CameraCalibration, depth_mm: np.ndarray
) -> SceneDepth:
    """Scene depth of one camera, from depth (h, w) uint16 mm."""
    pixels = max(depth_mm.shape[1] // _ACROSS, 1)
    measured, middles = in_cells(depth_mm, pixels)
    rays = rays_of(camera, middles.reshape(-1, 2))
    there = [(item, item.world_from_object.matrix()) for item in items]
    expected, thing = (values.reshape(measured.shape) for values in cast_all(there, rays))
    around, table = np.ones((2 * _MARGIN + 1,) * 2, np.uint8), thing < 0
    low, high = cv2.erode(expected, around), cv2.dilate(expected, around)
    # The table's depth is known in each cell: there only things' edges may be off.
    things = cv2.erode(np.where(table, np.inf, expected), around)
    low = np.where(table, np.minimum(expected, things), low)
    return SceneDepth(camera, pixels, rays, measured, expected, thing, low, high)


def in_cells(depth_mm: np.ndarray, pixels: int) -> tuple[np.ndarray, np.ndarray]:
    """Median depth (h, w) in m of cells, NaN if less than half is valid, and middles (h, w, 2).

    Middles are in pixels, x before y.
    """
    high, wide = (side // pixels for side in depth_mm.shape)
    split = depth_mm[: high * pixels, : wide * pixels].reshape(high, pixels, wide, pixels)
    cells = np.sort(split.swapaxes(1, 2).reshape(high, wide, -1), axis=-1)
    there = (cells > 0).sum(axis=-1)
    size = cells.shape[-1]
    middle = np.take_along_axis(cells, (size - (there + 1) // 2)[..., None] % size, axis=-1)
    measured = np.where(2 * there >= size, middle[..., 0] * 1e-3, np.nan)
    columns, rows = np.meshgrid(np.arange(wide), np.arange(high))
    return measured, np.stack([columns, rows], axis=-1) * pixels + (pixels - 1) / 2
