"""What a D435i makes of pictures: a lens, and noise in colours."""

import cv2
import numpy as np

LENS = (0.003, -0.001, 0.0002, -0.0001, 0.0)
"""OpenCV's coefficients: about a pixel at the corners, of which the device says nothing."""

_COLOUR_NOISE = 2.0


def lens_map(
    K: np.ndarray, size_px: tuple[int, int], lens: tuple[float, ...] = LENS
) -> tuple[np.ndarray, np.ndarray]:
    """For cv2.remap: where each pixel (width, height) of a lens' picture is in the pinhole's."""
    columns, rows = np.meshgrid(np.arange(size_px[0]), np.arange(size_px[1]))
    pixels = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2).astype(np.float64)
    ideal = cv2.undistortPoints(pixels, K, np.array(lens), P=K)[:, 0].astype(np.float32)
    shape = (size_px[1], size_px[0])
    return ideal[:, 0].reshape(shape), ideal[:, 1].reshape(shape)


def noisy_color(color: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A picture (h, w, 3) uint8 with the noise of its sensor."""
    noise = _COLOUR_NOISE * rng.standard_normal(color.shape[:2], np.float32)
    return np.clip(color + noise[..., None], 0, 255).astype(np.uint8)
