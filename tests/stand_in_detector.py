"""A detector that knows the masks: what it finds, and so what it scores, can be told beforehand."""

from collections.abc import Sequence

import numpy as np

from pactwin.perception import Detection, disturbed_boxes
from pactwin.suite import Suite, load_mask


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
