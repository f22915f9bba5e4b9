"""Check the pictures of a scene: readable, of their camera's size, with the recorded visibility."""

from collections.abc import Iterator

import numpy as np

from pactwin.suite.checking.faults import Fault
from pactwin.suite.errors import SuiteError
from pactwin.suite.masks import instance_boxes
from pactwin.suite.pictures import load_depth, load_image, load_mask
from pactwin.suite.reader import Suite
from pactwin.suite.records import Scene, View


def check_views(suite: Suite, scene: Scene) -> Iterator[Fault]:
    """Faults of the scene's pictures and of its visibility, recomputed from the masks."""
    for view in scene.views:
        where = f"{scene.id}/{view.camera.name}"
        for path in (view.image, view.depth, view.mask):
            if path is not None and path not in suite.info.files:
                yield Fault("file", where, f"{path} is not among the files of the suite")
        try:
            load_image(suite, view)
            if view.depth is not None:
                load_depth(suite, view)
            mask = load_mask(suite, view) if view.mask is not None else None
        except SuiteError as error:
            yield Fault("picture", where, str(error))
        else:
            if mask is not None:
                for message in _visibility_faults(scene, view, mask):
                    yield Fault("visibility", where, message)
            elif scene.source == "sim":
                yield Fault("visibility", where, "a simulated view without mask proves nothing")


def _visibility_faults(scene: Scene, view: View, mask: np.ndarray) -> Iterator[str]:
    pixels = np.bincount(mask.ravel(), minlength=65536)
    boxes = instance_boxes(mask)
    for obj in scene.objects:
        recorded = view.visibility[obj.name]
        seen = int(pixels[obj.instance_id])
        if recorded.pixels != seen:
            yield f"{obj.name!r} has {seen} px in the mask, the record says {recorded.pixels}"
        elif not seen and recorded.fraction:
            yield f"{obj.name!r} has no pixel but the visible fraction {recorded.fraction}"
        elif recorded.box != (box := boxes.get(obj.instance_id)):
            yield f"{obj.name!r} is bounded by {box} in the mask, the record says {recorded.box}"
    known = [0] + [obj.instance_id for obj in scene.objects]
    pixels[known] = 0
    if pixels.any():
        yield f"the mask shows instance {int(pixels.argmax())}, which no object has"
