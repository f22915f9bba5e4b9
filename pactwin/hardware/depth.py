"""Depth of several frames of a static scene, scaled to the table."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pactwin.hardware.sources import RgbdFrame


def median_depth(frames_mm: Sequence[np.ndarray]) -> np.ndarray:
    """Median over frames (h, w) uint16 of valid measurements; 0 where few are valid."""
    if len(frames_mm) == 1:
        return frames_mm[0]
    stack = np.stack(frames_mm)
    stack[stack == 0] = np.iinfo(np.uint16).max
    stack.sort(axis=0)
    count = (stack < np.iinfo(np.uint16).max).sum(axis=0)
    middle = np.take_along_axis(stack, np.maximum(count - 1, 0)[None] // 2, axis=0)[0]
    return np.where(3 * count >= len(frames_mm), middle, 0).astype(np.uint16)


def with_median_depth(frame: RgbdFrame, more: Sequence[RgbdFrame]) -> RgbdFrame:
    """The frame with the median depth of itself and ``more``, aligned and native."""
    if not more:
        return frame
    native = [f.native for f in (frame, *more) if f.native is not None]
    return replace(
        frame,
        depth_mm=median_depth([f.depth_mm for f in (frame, *more)]),
        native=replace(native[0], depth_mm=median_depth([n.depth_mm for n in native]))
        if native
        else None,
    )


def scaled_depth(frame: RgbdFrame, scale: float) -> RgbdFrame:
    """The frame with its aligned depth times ``scale``; native depth remains as measured."""
    if scale == 1.0:
        return frame
    scaled = np.clip(np.rint(frame.depth_mm * np.float32(scale)), 0, 65535).astype(np.uint16)
    return replace(frame, depth_mm=scaled)
