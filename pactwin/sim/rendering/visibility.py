"""How much of each object a picture shows, from its mask."""

from collections.abc import Sequence

import numpy as np

from pactwin.sim.rendering.silhouette import silhouette_px
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera, Visibility


def visibility(items: Sequence[Item], camera: Camera, mask: np.ndarray) -> dict[str, Visibility]:
    """Pixels, fraction of the silhouette and box of every item; ``items[k]`` is k + 1 in ``mask``.

    The silhouette is computed, not drawn: it also counts what lies outside the picture.
    """
    found = {}
    for k, item in enumerate(items):
        rows, columns = np.nonzero(mask == k + 1)
        if rows.size == 0:
            found[item.name] = Visibility(pixels=0, fraction=0.0)
            continue
        whole = silhouette_px(item, camera)
        found[item.name] = Visibility(
            pixels=rows.size,
            fraction=round(min(1.0, rows.size / whole), 4) if whole else 0.0,
            box=(
                int(columns.min()),
                int(rows.min()),
                int(columns.max()) + 1,
                int(rows.max()) + 1,
            ),
        )
    return found
