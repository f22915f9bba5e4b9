"""A suite with true depth: ray-cast pictures of blocks, of which one carries another or not."""

from pathlib import Path

import numpy as np
from fakes import FakePair, make_fake_suite, png
from table_scenes import CAMERAS, block, pictures

from pactwin.suite import Camera, Visibility, instance_boxes


def make_depth_suite(path: Path, n_pairs: int = 1) -> Path:
    """Pairs of ``support`` in three views: a block lies on the red one where it is infeasible."""
    cameras = ("front", "side", "head")
    return make_fake_suite(
        path, n_pairs=n_pairs, domains=("support",), cameras=cameras, change=_in_depth
    )


def _in_depth(pair: FakePair) -> FakePair:
    files: dict[str, bytes] = {}
    scenes = []
    for scene in pair.scenes:
        things = [block("red block", 0.25, 0.15), block("blue box", 0.25, -0.12)]
        things += [block(o.name, 0.1, y, (0.03, 0.03, 0.03))
                   for o, y in zip(scene.objects[2:], (-0.25, 0.3), strict=True)]  # fmt: skip
        if not scene.decided.feasible:
            things[3] = block(things[3].name, 0.25, 0.15, (0.05, 0.05, 0.05), on_z=0.06)
        views = []
        for view, camera in zip(scene.views, CAMERAS, strict=True):
            color, depth, mask = pictures(things, camera)
            boxes = instance_boxes(mask)
            visibility = {
                o.name: Visibility(
                    pixels=4 * int(n), fraction=1.0 if n else 0.0, box=boxes.get(o.instance_id)
                )
                for o in scene.objects
                if (n := np.count_nonzero(mask == o.instance_id)) is not None
            }
            named: Camera = camera.model_copy(update={"name": view.camera.name})
            views.append(view.model_copy(update={"camera": named, "visibility": visibility}))
            arrays = {view.image: color, view.depth: depth, view.mask: mask}
            files |= {str(path): png(array) for path, array in arrays.items()}
        scenes.append(scene.model_copy(update={"views": tuple(views)}))
    return FakePair((scenes[0], scenes[1]), files, pair.rejections)
