"""Pairs of a made-up suite, copied as a bench or a renderer would."""

import io
from collections.abc import Callable

import numpy as np
from fakes import FakePair
from made_up import hex_id
from PIL import Image


def copied(
    source: str, moved_m: float = 0.0, *, noisy: bool = False
) -> Callable[[FakePair], FakePair]:
    """The pair as ``source`` has it, with objects moved and ids and, if noisy, pictures its own."""

    def change(pair: FakePair) -> FakePair:
        ids = {scene.id: hex_id(source, moved_m, scene.id) for scene in pair.scenes}

        def renamed(path: str) -> str:
            for old, new in ids.items():
                path = path.replace(old, new)
            return path

        scenes = []
        for scene in pair.scenes:
            pose = [np.array(thing.world_from_object) for thing in scene.objects]
            for matrix in pose:
                matrix[0, 3] += moved_m
            objects = tuple(
                thing.model_copy(update={"world_from_object": tuple(map(tuple, matrix.tolist()))})
                for thing, matrix in zip(scene.objects, pose, strict=True)
            )
            views = tuple(
                view.model_copy(
                    update={
                        "image": renamed(view.image),
                        "depth": renamed(view.depth or ""),
                        "mask": renamed(view.mask or ""),
                    }
                )
                for view in scene.views
            )
            update = {"id": ids[scene.id], "twin_id": ids[scene.twin_id or ""], "views": views}
            update |= {"source": source, "mirror_of": scene.id, "objects": objects}
            scenes.append(scene.model_copy(update=update))
        files = {renamed(path): data for path, data in pair.files.items()}
        if noisy:
            shown = [view.image for scene in scenes for view in scene.views]
            files |= {path: _brighter(files[path]) for path in shown}
        return FakePair((scenes[0], scenes[1]), files, pair.rejections)

    return change


def _brighter(png: bytes) -> bytes:
    """The picture as a camera with another exposure takes it."""
    with Image.open(io.BytesIO(png)) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    buffer = io.BytesIO()
    Image.fromarray(np.clip(pixels.astype(int) + 9, 0, 255).astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()
