"""Encode a picture for a suite: the record of a view, and the bytes of its files."""

from pactwin.sim.rendering.png import png
from pactwin.sim.rendering.render import Frame
from pactwin.suite import Camera, View, Visibility, view_paths


def view_record(scene_id: str, camera: Camera, seen: dict[str, Visibility]) -> View:
    """The view of ``scene_id`` from ``camera``; ``seen`` is the visibility of each item."""
    image, depth, mask = view_paths(scene_id, camera.name)
    return View(camera=camera, image=image, depth=depth, mask=mask, visibility=seen)


def encode_view(view: View, frame: Frame) -> dict[str, bytes]:
    """The PNG files of a view by their paths in the suite."""
    pictures = {view.image: frame.color, view.depth: frame.depth_mm, view.mask: frame.mask}
    return {path: png(pixels) for path, pixels in pictures.items() if path is not None}
