"""A detector that knows the masks: what it finds, and so what it scores, can be told beforehand."""

from collections.abc import Mapping, Sequence

import numpy as np

from pactwin.perception import Detection
from pactwin.perception.detectors.base import best_first
from pactwin.suite import Suite, instance_boxes, load_mask


def disturbed_boxes(
    mask: np.ndarray, names: Mapping[int, str], shift: float, score: float = 1.0
) -> list[Detection]:
    """A detection for each instance of ``names``, moved right by ``shift`` of its width.

    The overlap (IoU) of a box and itself so moved is (1 - shift) / (1 + shift).
    """
    boxes = instance_boxes(mask)
    found = []
    for instance, name in names.items():
        if instance in boxes:
            x0, y0, x1, y1 = boxes[instance]
            by = shift * (x1 - x0)
            found.append(Detection(box=(x0 + by, y0, x1 + by, y1), score=score, query=name))
    return best_first(found)


class StandIn:
    """Moves the boxes of masks right by ``shift`` of their width; ``queries`` are those it got."""

    name, weights = "stand-in", "none"

    def __init__(self, suite: Suite, shift: float) -> None:
        self.views = iter([(scene, view) for scene in suite.scenes() for view in scene.views])
        self.suite, self.shift = suite, shift
        self.queries: list[Sequence[str]] = []

    def detect(
        self, images: Sequence[np.ndarray], queries: Sequence[Sequence[str]], threshold: float
    ) -> list[list[Detection]]:
        self.queries += queries
        found = []
        for _ in images:
            scene, view = next(self.views)
            names = {obj.instance_id: obj.name for obj in scene.objects}
            found.append(disturbed_boxes(load_mask(self.suite, view), names, self.shift))
        return found
