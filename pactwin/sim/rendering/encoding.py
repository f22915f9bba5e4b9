"""Encode a picture for a suite: the record of a view, and the bytes of its files."""

from collections.abc import Sequence

import numpy as np

from pactwin.sim.rendering.png import png
from pactwin.sim.rendering.render import Frame
from pactwin.sim.rendering.visibility import visibility
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera, View, view_paths


def view_record(scene_id: str, camera: Camera, items: Sequence[Item], ids: np.ndarray) -> View:
    """The view of ``items`` from ``camera``; ``items[k]`` is k + 1 in the mask ``ids``."""
    image, depth, mask = view_paths(scene_id, camera.name)
    seen = visibility(items, camera, ids)
    return View(camera=camera, image=image, depth=depth, mask=mask, visibility=seen)


def encode_views(views: Sequence[View], frames: Sequence[Frame]) -> dict[str, bytes]:
    """The PNG files of views by their paths in the suite."""
    found: dict[str, bytes] = {}
    for view, frame in zip(views, frames, strict=True):
        pictures = {view.image: frame.color, view.depth: frame.depth_mm, view.mask: frame.mask}
        found |= {path: png(pixels) for path, pixels in pictures.items() if path is not None}
    return found
