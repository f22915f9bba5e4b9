"""How good detections are against the boxes of masks: COCO's AP, recall and precision."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO

import numpy as np

from pactwin.perception.detectors.base import Detection
from pactwin.perception.detectors.results import DetectionFile
from pactwin.suite import EnvironmentFaultError, Suite, instance_boxes, load_mask

IOU = 0.5
_SMALL_PX, _LARGE_PX = 32**2, 96**2
"""COCO's sizes, areas in px²."""


@dataclass(frozen=True)
class DetectionScore:
    """Of one group: its kind and value, how many true boxes; recall and precision at a threshold.

    ``precision`` is None where a group is of true boxes alone (by fraction, by size).
    """

    by: str
    value: str
    boxes: int
    recall: float
    precision: float | None


@dataclass(frozen=True)
class DetectionScores:
    """COCO's AP (IoU 0.5 to 0.95) and AP50 over all views, and recall and precision in groups."""

    ap: float
    ap50: float
    groups: tuple[DetectionScore, ...]


@dataclass(frozen=True)
class _True:
    image: int
    camera: str
    category: str
    name: str
    box: tuple[int, int, int, int]
    pixels: int
    fraction: float


def score_detections(suite: Suite, found: DetectionFile, threshold: float = 0.3) -> DetectionScores:
    """Scores of ``found`` against the boxes of the suite's masks.

    Raises EnvironmentFaultError without pycocotools, SuiteError for masks that cannot be read.
    Views without a mask do not count.
    """
    truths: list[_True] = []
    detections: list[tuple[int, str, str, Detection]] = []  # image, camera, category
    image = 0
    for scene in suite.scenes():
        category = {obj.name: obj.category for obj in scene.objects}
        for view in scene.views:
            if view.mask is None:
                continue
            image += 1
            camera = view.camera.name
            boxes = instance_boxes(load_mask(suite, view))
            for obj in scene.objects:
                if (box := boxes.get(obj.instance_id)) is not None:
                    seen = view.visibility[obj.name]
                    truths.append(
                        _True(
                            image, camera, obj.category, obj.name, box, seen.pixels, seen.fraction
                        )
                    )
            for detection in found.views.get((scene.id, camera), ()):
                detections.append((image, camera, category.get(detection.query, ""), detection))
    ap, ap50 = _coco(truths, detections, image)
    return DetectionScores(ap, ap50, tuple(_groups(truths, detections, threshold)))


def _coco(
    truths: Sequence[_True], detections: Sequence[tuple[int, str, str, Detection]], images: int
) -> tuple[float, float]:
    try:
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
    except ImportError as error:
        raise EnvironmentFaultError(
            "COCO's AP needs pycocotools: pip install -r requirements/export.txt"
        ) from error
    if not truths or not detections:
        return 0.0, 0.0
    names = sorted({truth.category for truth in truths})
    ids = {name: k for k, name in enumerate(names, start=1)}
    with redirect_stdout(StringIO()):
        coco = COCO()
        coco.dataset = {
            "images": [{"id": k} for k in range(1, images + 1)],
            "categories": [{"id": id, "name": name} for name, id in ids.items()],
            "annotations": [
                {
                    "id": k,
                    "image_id": t.image,
                    "category_id": ids[t.category],
                    "bbox": _xywh(t.box),
                    "area": float((t.box[2] - t.box[0]) * (t.box[3] - t.box[1])),
                    "iscrowd": 0,
                }
                for k, t in enumerate(truths, start=1)
            ],
        }
        coco.createIndex()
        results = coco.loadRes(
            [
                {
                    "image_id": image,
                    "category_id": ids[category],
                    "bbox": _xywh(detection.box),
                    "score": detection.score,
                }
                for image, _, category, detection in detections
                if category in ids
            ]
        )
        evaluated = COCOeval(coco, results, "bbox")
        evaluated.evaluate()
        evaluated.accumulate()
        evaluated.summarize()
    return float(evaluated.stats[0]), float(evaluated.stats[1])


def _groups(
    truths: Sequence[_True],
    detections: Sequence[tuple[int, str, str, Detection]],
    threshold: float,
) -> Iterator[DetectionScore]:
    kept = [entry for entry in detections if entry[3].score >= threshold]
    hit_truths, hit_detections = _matched(truths, kept)
    groups: dict[tuple[str, str], list[bool]] = defaultdict(list)
    claimed: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for truth, hit in zip(truths, hit_truths, strict=True):
        size = (
            "small"
            if truth.pixels < _SMALL_PX
            else "large"
            if truth.pixels > _LARGE_PX
            else ("medium")
        )
        part = (
            "below 0.5"
            if truth.fraction < 0.5
            else "0.5 to 0.9"
            if truth.fraction < 0.9
            else ("above 0.9")
        )
        for group in (("all", ""), ("category", truth.category), ("view", truth.camera),
                      ("visible fraction", part), ("size", size)):  # fmt: skip
            groups[group].append(hit)
    for (_, camera, category, _), hit in zip(kept, hit_detections, strict=True):
        for group in (("all", ""), ("category", category), ("view", camera)):
            claimed[group].append(hit)
    for (by, value), hits in sorted(groups.items()):
        said = claimed.get((by, value))
        precise = by in ("all", "category", "view")
        yield DetectionScore(
            by,
            value,
            len(hits),
            float(np.mean(hits)),
            (float(np.mean(said)) if said else 0.0) if precise else None,
        )


def _matched(
    truths: Sequence[_True], detections: Sequence[tuple[int, str, str, Detection]]
) -> tuple[list[bool], list[bool]]:
    """Which true boxes were found, which detections found one: best scores choose first.

    A detection finds the box of the object that it names, in the same picture.
    """
    place = {(truth.image, truth.name): k for k, truth in enumerate(truths)}
    found, right = [False] * len(truths), [False] * len(detections)
    order = sorted(range(len(detections)), key=lambda k: -detections[k][3].score)
    for k in order:
        image, _, _, detection = detections[k]
        at = place.get((image, detection.query))
        if at is not None and not found[at] and overlap(detection.box, truths[at].box) >= IOU:
            found[at] = right[k] = True
    return found, right


def overlap(a: Sequence[float], b: Sequence[float]) -> float:
    """Intersection over union of two boxes x0 y0 x1 y1."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return float(both / (areas - both))


def _xywh(box: Sequence[float]) -> list[float]:
    return [float(box[0]), float(box[1]), float(box[2] - box[0]), float(box[3] - box[1])]
