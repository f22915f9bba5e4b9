"""Effects of a D435i on pictures: lens distortion and colour noise."""

import cv2
import numpy as np

LENS = (0.003, -0.001, 0.0002, -0.0001, 0.0)
"""OpenCV's coefficients: about a pixel at the corners, not reported by the device."""

_COLOUR_NOISE = 2.0


def lens_map(
    K: np.ndarray, size_px: tuple[int, int], lens: tuple[float, ...] = LENS
) -> tuple[np.ndarray, np.ndarray]:
    """Map for cv2.remap: for pixels (width, height) of the lens, their places in the pinhole's."""
    columns, rows = np.meshgrid(np.arange(size_px[0]), np.arange(size_px[1]))
    pixels = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2).astype(np.float64)
    ideal = cv2.undistortPoints(pixels, K, np.array(lens), P=K)[:, 0].astype(np.float32)
    shape = (size_px[1], size_px[0])
    return ideal[:, 0].reshape(shape), ideal[:, 1].reshape(shape)


def noisy_color(color: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A picture (h, w, 3) uint8 with the noise of its sensor."""
    noise = _COLOUR_NOISE * rng.standard_normal(color.shape[:2], np.float32)
    return np.clip(color + noise[..., None], 0, 255).astype(np.uint8)


def in_lamplight(
    color: np.ndarray, white_balance: float, bands: float, rng: np.random.Generator
) -> np.ndarray:
    """A picture (h, w, 3) uint8 under other light, with colour shifts and brightness bands."""
    gains = rng.normal(1, white_balance, 3)
    waves, phase = rng.uniform(2, 5), rng.uniform(0, 2 * np.pi)
    rows = np.sin(2 * np.pi * waves * np.linspace(0, 1, len(color)) + phase)
    lit = color * gains * (1 + rng.uniform(0, bands) * rows)[:, None, None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def with_holes(far: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Depth (h, w) with holes (0) of 8 pixels."""
    spots = rng.random((len(far) // 8 + 1, far.shape[1] // 8 + 1)) < share
    there = ~np.repeat(np.repeat(spots, 8, 0), 8, 1)[: len(far), : far.shape[1]]
    return np.asarray(far * there)
