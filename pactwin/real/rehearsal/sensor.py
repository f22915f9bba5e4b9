"""What a D435i makes of a picture: lens, noise and depth that is worst far off and at edges.

Depth noise grows with the square of the distance: about 1.4, 3 and 5 mm at 0.6, 0.9 and 1.2 m.
"""

from dataclasses import dataclass

import cv2
import numpy as np

LENS = (0.012, -0.02, 0.0003, -0.0002, 0.0)
"""OpenCV's coefficients: about a pixel at the corners, of which the device says nothing."""

_NOISE_PER_M2 = 0.0035
_COLOUR_NOISE = 2.0


def lens_map(K: np.ndarray, size_px: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """For cv2.remap: where each pixel (width, height) of a lens' picture is in the pinhole's."""
    columns, rows = np.meshgrid(np.arange(size_px[0]), np.arange(size_px[1]))
    pixels = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2).astype(np.float64)
    ideal = cv2.undistortPoints(pixels, K, np.array(LENS), P=K)[:, 0].astype(np.float32)
    shape = (size_px[1], size_px[0])
    return ideal[:, 0].reshape(shape), ideal[:, 1].reshape(shape)


@dataclass(frozen=True)
class NoiseBank:
    """Noise that was drawn once; each frame shows another part of it."""

    colour: np.ndarray
    depth: np.ndarray
    patches: np.ndarray

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "NoiseBank":
        """A tile of each kind, 1024 pixels wide and high."""
        side = 1024
        fine = rng.standard_normal((side, side)).astype(np.float32)
        # Stereo matching errs by patches, not by pixels.
        depth = cv2.GaussianBlur(rng.standard_normal((side, side)).astype(np.float32), (0, 0), 1.5)
        patches = cv2.GaussianBlur(rng.standard_normal((side, side)).astype(np.float32), (0, 0), 4)
        return cls(fine, depth / depth.std(), patches / patches.std())

    def on_colour(self, color: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A picture (h, w, 3) uint8 with the noise of its sensor."""
        noise = _COLOUR_NOISE * _tile(self.colour, color.shape[:2], rng)
        return np.clip(color + noise[..., None], 0, 255).astype(np.uint8)

    def on_depth(self, depth_mm: np.ndarray, bias: float, rng: np.random.Generator) -> np.ndarray:
        """Depth (h, w) in mm, 0 = none, scaled by 1 + ``bias``, noisy, with holes; uint16."""
        far_m = depth_mm.astype(np.float32) * np.float32(1e-3 * (1 + bias))
        noise = _NOISE_PER_M2 * far_m**2 * _tile(self.depth, depth_mm.shape, rng)
        measured = 1e3 * (far_m + noise)
        step = cv2.morphologyEx(far_m, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        patches = _tile(self.patches, depth_mm.shape, rng)
        hole = (patches > 2.6) | ((step > 0.02) & (patches > 0.3)) | (depth_mm == 0) | (far_m > 6)
        measured[hole] = 0
        return np.rint(measured).astype(np.uint16)


def _tile(bank: np.ndarray, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    rolled = np.roll(bank, tuple(rng.integers(0, bank.shape[0], 2)), axis=(0, 1))
    repeats = [-(-side // bank.shape[0]) for side in shape[:2]]
    return np.tile(rolled, repeats)[: shape[0], : shape[1]]
