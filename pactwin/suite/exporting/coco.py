"""COCO export: every picture, and every masked object as a box and a run-length mask.

Format: https://cocodataset.org/#format-data, with additional keys: a picture's ``scene_id``,
``camera`` and ``domain``, an annotation's ``object`` (its name in questions), ``visible_fraction``
and ``properties`` {name: category}. Pictures without masks are listed without annotations.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

import numpy as np

from pactwin.suite.errors import needs
from pactwin.suite.files import new_folder
from pactwin.suite.masks import Box, instance_boxes
from pactwin.suite.pictures import load_mask
from pactwin.suite.progress import ProgressCallback, silent
from pactwin.suite.reader import Suite
from pactwin.suite.records import ObjectRecord, Scene, View


def export_coco(suite: Suite, out: Path, progress: ProgressCallback = silent) -> dict[str, int]:
    """Write ``annotations.json`` and ``images/`` into the new folder ``out``; returns counts.

    Raises InvalidInputError if ``out`` is not new or empty or the suite is sealed,
    EnvironmentFaultError without pycocotools, SuiteError for a picture or mask that cannot be read.
    """
    with needs("COCO needs pycocotools", "export"):
        from pycocotools.mask import encode
    suite.require_truths()
    categories = _categories(suite)
    counts = {"images": 0, "annotations": 0, "categories": len(categories)}
    total = suite.info.counts.get("views", 0)
    with (
        new_folder(out) as folder,
        (folder / "annotations.json").open("w", encoding="utf-8") as file,
    ):
        info = {"description": suite.info.name, "version": suite.info.content_hash}
        listed = [{"id": id, "name": name} for name, id in categories.items()]
        file.write(f'{{"info": {json.dumps(info)},\n "categories": {json.dumps(listed)},\n')
        counts["images"] = _write_list(file, "images", _images(suite, folder, progress, total))
        file.write(",\n")
        annotations = _annotations(suite, categories, encode, progress, total)
        counts["annotations"] = _write_list(file, "annotations", annotations)
        file.write("}\n")
    return counts


def _categories(suite: Suite) -> dict[str, int]:
    names = {obj.category for scene in suite.scenes() for obj in scene.objects}
    return {name: number for number, name in enumerate(sorted(names), start=1)}


def _views(suite: Suite) -> Iterator[tuple[int, Scene, View]]:
    """Every view with its number, the id of its picture."""
    views = ((scene, view) for scene in suite.scenes() for view in scene.views)
    for number, (scene, view) in enumerate(views, start=1):
        yield number, scene, view


def _images(
    suite: Suite, out: Path, progress: ProgressCallback, total: int
) -> Iterator[dict[str, Any]]:
    for number, scene, view in _views(suite):
        name = f"{scene.id}_{PurePosixPath(view.image).name}"
        (out / "images").mkdir(exist_ok=True)
        shutil.copyfile(suite.resolve(view.image), out / "images" / name)
        yield {
            "id": number,
            "file_name": name,
            "width": view.camera.width_px,
            "height": view.camera.height_px,
            "scene_id": scene.id,
            "camera": view.camera.name,
            "domain": scene.domain,
        }
        progress("pictures", number, total)


def _annotations(
    suite: Suite,
    categories: dict[str, int],
    encode: Callable[[np.ndarray], dict[str, Any]],
    progress: ProgressCallback,
    total: int,
) -> Iterator[dict[str, Any]]:
    number = 0
    for image_id, scene, view in _views(suite):
        if view.mask is not None:
            mask = load_mask(suite, view)
            boxes = instance_boxes(mask)
            for obj in scene.objects:
                if obj.instance_id in boxes:
                    number += 1
                    where = (mask == obj.instance_id).astype(np.uint8, order="F")
                    box = boxes[obj.instance_id]
                    yield _annotation(number, image_id, categories, view, obj, where, box, encode)
        progress("masks", image_id, total)


def _annotation(
    number: int,
    image_id: int,
    categories: dict[str, int],
    view: View,
    obj: ObjectRecord,
    where: np.ndarray,
    box: Box,
    encode: Callable[[np.ndarray], dict[str, Any]],
) -> dict[str, Any]:
    run_lengths = encode(where)
    x0, y0, x1, y1 = box
    return {
        "id": number,
        "image_id": image_id,
        "category_id": categories[obj.category],
        "bbox": [x0, y0, x1 - x0, y1 - y0],
        "area": int(where.sum()),
        "segmentation": {
            "size": [int(side) for side in run_lengths["size"]],
            "counts": run_lengths["counts"].decode("ascii"),
        },
        "iscrowd": 0,
        "object": obj.name,
        "visible_fraction": view.visibility[obj.name].fraction,
        "properties": {name: label.value for name, label in obj.properties.items()},
    }


def _write_list(file: TextIO, key: str, items: Iterator[dict[str, Any]]) -> int:
    """Write a list one item per line, never all in memory; returns its length."""
    number = 0
    file.write(f' "{key}": [')
    for number, item in enumerate(items, start=1):
        file.write(("\n" if number == 1 else ",\n") + json.dumps(item, allow_nan=False))
    file.write("]")
    return number
