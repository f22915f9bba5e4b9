"""Boxes of masks, disturbed by a known amount: a detector whose scores can be told beforehand."""

from collections.abc import Mapping

import numpy as np

from pactwin.perception.detectors.base import Detection, best_first
from pactwin.suite import Box, instance_boxes


def disturbed_boxes(
    mask: np.ndarray, names: Mapping[int, str], shift: float, score: float = 1.0
) -> list[Detection]:
    """A detection for each instance of ``names``, moved right by ``shift`` of its width.

    The overlap (IoU) of a box and itself so moved is (1 - shift) / (1 + shift).
    """
    boxes: dict[int, Box] = instance_boxes(mask)
    found = []
    for instance, name in names.items():
        if instance in boxes:
            x0, y0, x1, y1 = boxes[instance]
            by = shift * (x1 - x0)
            found.append(Detection(box=(x0 + by, y0, x1 + by, y1), score=score, query=name))
    return best_first(found)
