"""Pictures of a suite: the record of a view with what it shows, and the bytes of its files."""

from collections.abc import Sequence

import numpy as np

from pactwin.sim.rendering.png import png
from pactwin.sim.rendering.render import Frame
from pactwin.sim.rendering.silhouette import silhouette_px
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera, View, Visibility, instance_boxes, view_paths


def view_record(scene_id: str, camera: Camera, items: Sequence[Item], ids: np.ndarray) -> View:
    """The view of ``items`` from ``camera``; ``items[k]`` is k + 1 in the mask ``ids``."""
    image, depth, mask = view_paths(scene_id, camera.name)
    seen = visibility(items, camera, ids)
    return View(camera=camera, image=image, depth=depth, mask=mask, visibility=seen)


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


def encode_views(views: Sequence[View], frames: Sequence[Frame]) -> dict[str, bytes]:
    """The PNG files of views by their paths in the suite."""
    found: dict[str, bytes] = {}
    for view, frame in zip(views, frames, strict=True):
        pictures = {view.image: frame.color, view.depth: frame.depth_mm, view.mask: frame.mask}
        found |= {path: png(pixels) for path, pixels in pictures.items() if path is not None}
    return found
