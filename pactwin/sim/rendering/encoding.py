"""A picture as a suite keeps it: the record of a view, and the bytes of its files."""

from pactwin.sim.rendering.png import png
from pactwin.sim.rendering.render import Frame
from pactwin.suite import Camera, View, Visibility, view_paths


def encode_view(
    scene_id: str, camera: Camera, frame: Frame, seen: dict[str, Visibility]
) -> tuple[View, dict[str, bytes]]:
    """The view of ``scene_id`` from ``camera``, and its PNG files by their paths in the suite.

    ``seen`` says how much of each item ``frame`` shows.
    """
    image, depth, mask = view_paths(scene_id, camera.name)
    view = View(camera=camera, image=image, depth=depth, mask=mask, visibility=seen)
    return view, {image: png(frame.color), depth: png(frame.depth_mm), mask: png(frame.mask)}
