"""Undo the lens distortion that calibration has measured.

Depth is aligned to the pinhole that the device reports, so colours are moved there, too.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from pactwin.hardware.sources import Intrinsics, RgbdFrame


class Undistorter:
    """OpenCV's distortion coefficients of a colour stream, beyond those that the device reports."""

    def __init__(self, known: Intrinsics, coefficients: Sequence[float]) -> None:
        """Undistortion for known intrinsics; without coefficients pictures stay unchanged."""
        self.coefficients = tuple(coefficients)
        self._maps = None
        if self.coefficients:
            size = known.width_px, known.height_px
            bent = np.array(self.coefficients)
            self._maps = cv2.initUndistortRectifyMap(
                known.K, bent, np.eye(3), known.K, size, cv2.CV_32FC1
            )

    def undistort(self, frame: RgbdFrame) -> RgbdFrame:
        """The frame with colours as from a pinhole camera."""
        if self._maps is None:
            return frame
        return replace(frame, color=cv2.remap(frame.color, *self._maps, cv2.INTER_LINEAR))


def pixel_rays(K: np.ndarray, distortion: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """Directions (n, 3) with z = 1 in the camera's frame, of pixels (n, 2)."""
    if not len(pixels):  # of which OpenCV makes None
        return np.zeros((0, 3))
    flat = cv2.undistortPoints(
        np.asarray(pixels, float)[:, None], np.asarray(K), np.asarray(distortion)
    )
    return np.concatenate([flat[:, 0], np.ones((len(flat), 1))], axis=1)
