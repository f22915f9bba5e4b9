"""Simulate the depth of an active stereo camera from true depth and the colour picture.

The model works on arrays alone, so that suites, rehearsals and readers can all use it. Its numbers
are those of an Intel RealSense D435i, from its data sheet (baseline 50 mm, sub-pixel noise) and
from M. S. Ahn et al., "Analysis and Noise Modeling of the Intel RealSense D435 for Mobile Robots"
(UR 2019): the range error grows with the square of the distance.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image

from pactwin.suite import Camera, Scene


@dataclass(frozen=True)
class DepthSensor:
    """An active stereo camera.

    A disparity has the error ``subpixel_px`` and the resolution ``step_px``; the range error is z²
    · subpixel / (f · ``baseline_m``). Within ``edge_px`` of a depth jump, a point lies between the
    two surfaces with probability ``flying``. On surfaces darker than ``dark`` and highlights
    brighter than ``bright`` (range 1), ``holes`` is the share of pixels without depth, in patches
    of ``patch_px``. There is no depth nearer than ``nearest_m``.
    """

    baseline_m: float = 0.05
    subpixel_px: float = 0.08
    step_px: float = 1.0 / 32.0
    edge_px: int = 2
    flying: float = 0.35
    dark: float = 0.10
    bright: float = 0.985
    holes: float = 0.35
    patch_px: int = 5
    nearest_m: float = 0.17


DEPTH_SENSORS: Mapping[str, DepthSensor] = {"d435i": DepthSensor()}
"""Sensor models by the name that options take."""

_NOWHERE_M = 1e3
_JUMP = 0.02
"""A change of depth between neighbours of more than this share is an edge."""


def measured_depth(
    color: np.ndarray,
    depth_mm: np.ndarray,
    K: np.ndarray,
    sensor: DepthSensor,
    rng: np.random.Generator,
    transparent: np.ndarray | None = None,
) -> np.ndarray:
    """Simulate how ``sensor`` measures ``depth_mm`` (h, w) uint16; returns uint16 mm, 0 = none.

    ``color`` (h, w, 3) uint8 determines dark surfaces and highlights; ``K`` (3, 3) px;
    ``transparent`` (h, w) bool marks glass, which has no depth. The result depends only on the
    arguments, including ``rng``.
    """
    there = depth_mm > 0
    z = np.where(there, depth_mm, 1) / 1000.0
    z, edges = _with_flying_points(z, there, sensor, rng)
    scale = K[0, 0] * sensor.baseline_m
    # Errors of neighbours go together: the camera matches windows, not pixels.
    noise = np.asarray(cv2.GaussianBlur(rng.standard_normal(z.shape), (0, 0), 1.0), float)
    disparity = scale / z + sensor.subpixel_px * noise / max(float(noise.std()), 1e-12)
    disparity = np.round(disparity / sensor.step_px) * sensor.step_px
    measured = scale / np.maximum(disparity, 1e-3)
    lost = _holes(color, edges, sensor, rng)
    if transparent is not None:
        lost |= transparent
    lost |= ~there | (measured < sensor.nearest_m) | (measured * 1000.0 > 65535)
    return np.where(lost, 0, np.round(measured * 1000.0)).astype(np.uint16)


def _with_flying_points(
    z: np.ndarray, there: np.ndarray, sensor: DepthSensor, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Move some points at edges between the surfaces; returns the depth and a mask of the edges."""
    side = 2 * sensor.edge_px + 1
    kernel = np.ones((side, side), np.uint8)
    near = cv2.erode(np.where(there, z, _NOWHERE_M), kernel)
    far = cv2.dilate(np.where(there, z, 0.0), kernel)
    edges = there & (far - near > _JUMP * z)
    flies = edges & (rng.random(z.shape) < sensor.flying)
    between = near + (far - near) * rng.random(z.shape)
    return np.where(flies, between, z), edges


def _holes(
    color: np.ndarray, edges: np.ndarray, sensor: DepthSensor, rng: np.random.Generator
) -> np.ndarray:
    """Mask of pixels without stereo match: patches on dark and shining surfaces, half the edges."""
    light = color.max(axis=2) / 255.0
    hard = (light < sensor.dark) | (color.min(axis=2) / 255.0 > sensor.bright)
    patches = cv2.GaussianBlur(rng.standard_normal(light.shape), (0, 0), sensor.patch_px / 2)
    limit = np.quantile(patches, 1.0 - sensor.holes)
    return (hard & (patches > limit)) | (edges & (rng.random(light.shape) < 0.5))


def sensed_files(
    scenes: Sequence[Scene], files: Mapping[str, bytes], sensor: DepthSensor
) -> dict[str, bytes]:
    """Replace the depth of the views of ``scenes`` in ``files`` {path: PNG} by that of ``sensor``.

    Each view's noise is drawn from its scene's id and the view's number.
    """
    changed = dict(files)
    for scene in scenes:
        for number, view in enumerate(scene.views):
            if view.depth is None or not isinstance(view.camera, Camera):
                continue
            color, depth = (_decoded(files[path]) for path in (view.image, view.depth))
            rng = view_rng(scene, number)
            found = measured_depth(color, depth, np.array(view.camera.K), sensor, rng)
            buffer = io.BytesIO()
            Image.fromarray(found).save(buffer, "PNG")
            changed[view.depth] = buffer.getvalue()
    return changed


def view_rng(scene: Scene, number: int) -> np.random.Generator:
    """Random generator for depth noise in view ``number`` of the scene."""
    return np.random.default_rng([int(scene.id, 16), number])


def _decoded(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as picture:
        return np.asarray(picture).astype(np.uint16 if picture.mode.startswith("I") else np.uint8)
