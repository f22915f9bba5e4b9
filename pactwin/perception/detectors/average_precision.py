"""COCO's average precision (AP over IoU 0.50 to 0.95) of all or of selected boxes."""

from collections.abc import Callable, Collection, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO

import numpy as np

from pactwin.perception.detectors.base import Detection
from pactwin.suite import needs


@dataclass(frozen=True)
class TrueBox:
    """An object in one picture: its ``box`` x0 y0 x1 y1 px, visible ``pixels`` and ``fraction``."""

    image: int
    camera: str
    category: str
    name: str
    box: Sequence[float]
    pixels: int
    fraction: float


@dataclass(frozen=True)
class Found:
    """A detection in one picture; ``category`` is that of the object it names."""

    image: int
    camera: str
    category: str
    detection: Detection


@dataclass(frozen=True)
class AveragePrecision:
    """AP over all categories, AP at IoU 0.5, and AP of each category."""

    ap: float
    ap50: float
    by_category: dict[str, float]


def average_precision(
    truths: Sequence[TrueBox],
    found: Sequence[Found],
    images: Collection[int],
    *,
    counts: Callable[[TrueBox], bool] = lambda truth: True,
    claims: Callable[[Detection], bool] = lambda detection: True,
) -> AveragePrecision:
    """AP in ``images`` over the true boxes that ``counts`` selects; at least one must exist.

    Other true boxes are ignored: neither missed nor false (as in COCO's area ranges). Detections
    without a true box are false only if ``claims`` says so. Raises EnvironmentFaultError without
    pycocotools.
    """
    with needs("COCO's AP needs pycocotools", "export"):
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
    names = sorted({truth.category for truth in truths})
    ids = {name: k for k, name in enumerate(names, start=1)}
    boxes = [
        {"image_id": f.image, "category_id": ids[f.category], "bbox": _xywh(f.detection.box),
         "score": f.detection.score}
        for f in found if f.image in images and f.category in ids
    ]  # fmt: skip
    if not boxes:
        return AveragePrecision(0.0, 0.0, dict.fromkeys(names, 0.0))
    claimed = [claims(f.detection) for f in found if f.image in images and f.category in ids]
    with redirect_stdout(StringIO()):
        coco = COCO()
        coco.dataset = {
            "images": [{"id": image} for image in images],
            "categories": [{"id": id, "name": name} for name, id in ids.items()],
            "annotations": [
                {"id": k, "image_id": t.image, "category_id": ids[t.category],
                 "bbox": _xywh(t.box), "area": float(counts(t)), "iscrowd": 0}
                for k, t in enumerate(truths, start=1) if t.image in images
            ],
        }  # fmt: skip
        coco.createIndex()
        results = coco.loadRes(boxes)
        for annotation, claim in zip(results.dataset["annotations"], claimed, strict=True):
            annotation["area"] = float(claim)
        evaluated = COCOeval(coco, results, "bbox")
        # Not an area: 1 for what counts, 0 for what does not.
        evaluated.params.areaRng, evaluated.params.areaRngLbl = [[0.5, 1.5]], ["counts"]
        evaluated.params.maxDets = [100]
        evaluated.evaluate()
        evaluated.accumulate()
    precision = evaluated.eval["precision"][:, :, :, 0, 0]  # IoU, recall, category
    return AveragePrecision(
        _mean(precision),
        _mean(precision[0]),
        {name: _mean(precision[:, :, ids[name] - 1]) for name in names},
    )


def _mean(precision: np.ndarray) -> float:
    """Mean of the defined values; -1 marks a category without true boxes."""
    defined = precision[precision > -1]
    return float(defined.mean()) if len(defined) else 0.0


def _xywh(box: Sequence[float]) -> list[float]:
    return [float(box[0]), float(box[1]), float(box[2] - box[0]), float(box[3] - box[1])]
