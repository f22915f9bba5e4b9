"""Visibility of each object in a picture, from its mask."""

from collections.abc import Sequence

import numpy as np

from pactwin.sim.rendering.silhouette import silhouette_px
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera, Visibility, instance_boxes


def visibility(items: Sequence[Item], camera: Camera, mask: np.ndarray) -> dict[str, Visibility]:
    """Pixels, fraction of the silhouette and box of every item; ``items[k]`` is k + 1 in ``mask``.

    The silhouette is computed, not drawn: it includes pixels outside the picture.
    """
    boxes = instance_boxes(mask)
    found = {}
    for instance, item in enumerate(items, start=1):
        if instance not in boxes:
            found[item.name] = Visibility(pixels=0, fraction=0.0)
            continue
        x0, y0, x1, y1 = boxes[instance]
        pixels = int(np.count_nonzero(mask[y0:y1, x0:x1] == instance))
        whole = silhouette_px(item, camera)
        fraction = round(min(1.0, pixels / whole), 4) if whole else 0.0
        found[item.name] = Visibility(pixels=pixels, fraction=fraction, box=boxes[instance])
    return found
