"""Score detections against boxes of masks: COCO's AP, recall and precision."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.perception.detectors.average_precision import (
    AveragePrecision,
    Found,
    TrueBox,
    average_precision,
)
from pactwin.perception.detectors.base import Detection, overlap
from pactwin.perception.detectors.results import DetectionFile
from pactwin.suite import Scene, Suite, View

IOU = 0.5
_SMALL_PX, _LARGE_PX = 32**2, 96**2
"""COCO's limits of small and large areas, px²."""


@dataclass(frozen=True)
class DetectionScore:
    """Scores of one group: its kind and value, number of true boxes, AP, recall and precision.

    ``precision`` is None for groups of true boxes alone (by visible fraction, by size). In that
    case AP counts every unmatched box as false, or for groups by size every unmatched box of that
    size.
    """

    by: str
    value: str
    boxes: int
    ap: float
    recall: float
    precision: float | None


@dataclass(frozen=True)
class DetectionScores:
    """COCO's AP (IoU 0.5 to 0.95) and AP50 over all views, and scores of every group."""

    ap: float
    ap50: float
    groups: tuple[DetectionScore, ...]


def score_detections(suite: Suite, found: DetectionFile, threshold: float = 0.3) -> DetectionScores:
    """Score ``found`` against the true boxes of each view's record.

    Recall and precision count boxes that score ``threshold``. Views without known boxes, such as
    photos without masks, do not count. Raises EnvironmentFaultError without pycocotools.
    """
    scenes = list(suite.scenes())
    views = [(scene, view) for scene in scenes for view in scene.views]
    truths, boxes = boxes_of(views, found, categories_of(scenes))
    if not truths:
        return DetectionScores(0.0, 0.0, ())
    whole = average_precision(truths, boxes, {truth.image for truth in truths})
    return DetectionScores(whole.ap, whole.ap50, tuple(_groups(truths, boxes, whole, threshold)))


def categories_of(scenes: Iterable[Scene]) -> dict[str, str]:
    """Map each object name in ``scenes`` to its category.

    Names of kinds count too: shears in a scene may be detected as hedge shears.
    """
    objects = [obj for scene in scenes for obj in scene.objects]
    kinds = {obj.category.replace("_", " "): obj.category for obj in objects}
    return kinds | {obj.name: obj.category for obj in objects}


def boxes_of(
    views: Iterable[tuple[Scene, View]], found: DetectionFile, categories: Mapping[str, str]
) -> tuple[list[TrueBox], list[Found]]:
    """True and found boxes of the ``views`` with known boxes, with pictures numbered from 1.

    ``categories`` gives the category of names that do not occur in the scene itself.
    """
    truths: list[TrueBox] = []
    boxes: list[Found] = []
    image = 1
    for scene, view in views:
        category = {**categories, **categories_of([scene])}
        camera = view.camera.name
        there = [
            TrueBox(image, camera, category[name], name, seen.box, seen.pixels, seen.fraction)
            for name, seen in view.visibility.items()
            if seen.box is not None
        ]
        if not there:
            continue
        truths += there
        for detection in found.views.get((scene.id, camera), ()):
            boxes.append(Found(image, camera, category.get(detection.query, ""), detection))
        image += 1
    return truths, boxes


def _size(pixels: float) -> str:
    return "small" if pixels < _SMALL_PX else "large" if pixels > _LARGE_PX else "medium"


def _part(truth: TrueBox) -> str:
    if truth.fraction < 0.5:
        return "below 0.5"
    return "0.5 to 0.9" if truth.fraction < 0.9 else "above 0.9"


def _groups(
    truths: Sequence[TrueBox],
    boxes: Sequence[Found],
    whole: AveragePrecision,
    threshold: float,
) -> Iterator[DetectionScore]:
    kept = [found for found in boxes if found.detection.score >= threshold]
    hit_truths, hit_boxes = matched(truths, kept)
    groups: dict[tuple[str, str], list[bool]] = defaultdict(list)
    claimed: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for truth, hit in zip(truths, hit_truths, strict=True):
        for group in (
            ("all", ""),
            ("category", truth.category),
            ("view", truth.camera),
            ("visible fraction", _part(truth)),
            ("size", _size(truth.pixels)),
        ):
            groups[group].append(hit)
    for found, hit in zip(kept, hit_boxes, strict=True):
        for group in (("all", ""), ("category", found.category), ("view", found.camera)):
            claimed[group].append(hit)
    for (by, value), hits in sorted(groups.items()):
        said = claimed.get((by, value))
        precise = by in ("all", "category", "view")
        yield DetectionScore(
            by,
            value,
            len(hits),
            _group_ap(by, value, truths, boxes, whole),
            float(np.mean(hits)),
            (float(np.mean(said)) if said else 0.0) if precise else None,
        )


def _group_ap(
    by: str,
    value: str,
    truths: Sequence[TrueBox],
    boxes: Sequence[Found],
    whole: AveragePrecision,
) -> float:
    if by == "all":
        return whole.ap
    if by == "category":
        return whole.by_category[value]
    every = {truth.image for truth in truths}
    if by == "view":
        mine = {truth.image for truth in truths if truth.camera == value}
        return average_precision(truths, boxes, mine).ap
    if by == "visible fraction":
        return average_precision(truths, boxes, every, counts=lambda t: _part(t) == value).ap
    return average_precision(
        truths,
        boxes,
        every,
        counts=lambda truth: _size(truth.pixels) == value,
        claims=lambda detection: _size(_area(detection)) == value,
    ).ap


def _area(detection: Detection) -> float:
    x0, y0, x1, y1 = detection.box
    return (x1 - x0) * (y1 - y0)


def matched(truths: Sequence[TrueBox], boxes: Sequence[Found]) -> tuple[list[bool], list[bool]]:
    """Match detections with true boxes, best scores first; returns both matched sets.

    A detection matches a box of the object that it names, in the same picture.
    """
    place = {(truth.image, truth.name): k for k, truth in enumerate(truths)}
    found, right = [False] * len(truths), [False] * len(boxes)
    for k in sorted(range(len(boxes)), key=lambda k: -boxes[k].detection.score):
        detection = boxes[k].detection
        at = place.get((boxes[k].image, detection.query))
        if at is not None and not found[at] and overlap(detection.box, truths[at].box) >= IOU:
            found[at] = right[k] = True
    return found, right
