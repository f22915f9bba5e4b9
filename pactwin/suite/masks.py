"""Bounding boxes of the instances in a mask."""

import numpy as np
from scipy.ndimage import find_objects

Box = tuple[int, int, int, int]


def instance_boxes(mask: np.ndarray) -> dict[int, Box]:
    """Bounds x0 y0 x1 y1 (px, the last two exclusive) of every instance in ``mask`` (h, w)."""
    return {
        instance: (where[1].start, where[0].start, where[1].stop, where[0].stop)
        for instance, where in enumerate(find_objects(mask), start=1)
        if where is not None
    }
