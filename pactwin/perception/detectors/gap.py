"""The detector's share of the sim-to-real gap: the same scenes and cameras in both."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.perception.detectors.average_precision import average_precision
from pactwin.perception.detectors.results import DetectionFile
from pactwin.perception.detectors.scores import boxes_of, categories_of, matched
from pactwin.suite import InvalidInputError, Scene, Suite, View


@dataclass(frozen=True)
class FoundShare:
    """COCO's AP and the recall at the threshold over ``boxes`` true boxes."""

    boxes: int
    ap: float
    recall: float


@dataclass(frozen=True)
class MirroredScene:
    """A captured scene with its original; ``pair`` is the smaller id of its twins."""

    pair: str
    original: str
    captured: str
    in_simulation: FoundShare
    on_table: FoundShare


@dataclass(frozen=True)
class DetectionGap:
    """All mirrored scenes together, and each alone, in the order of the captured suite."""

    in_simulation: FoundShare
    on_table: FoundShare
    scenes: tuple[MirroredScene, ...]


def detection_gap(
    simulated: tuple[Suite, DetectionFile],
    captured: tuple[Suite, DetectionFile],
    *,
    threshold: float = 0.3,
    scenes: Collection[str] | None = None,
) -> DetectionGap:
    """Compare detections in captured scenes with those in their simulated originals.

    Each scene of ``captured`` with a ``mirror_of`` in ``simulated`` counts (if in ``scenes``, ids,
    when given), with the views of cameras that both have and whose boxes are known. Recall counts
    boxes that score ``threshold``. One scene has few boxes, so its AP is coarse: compare means of
    pairs, as paired differences.

    Raises InvalidInputError if the detections differ in detector, weights, vocabulary or minimum
    score, or if no scene is left; EnvironmentFaultError without pycocotools.
    """
    ours, theirs = (
        file.header.model_dump(exclude={"suite_hash"}) for _, file in (simulated, captured)
    )
    for key, value in ours.items():
        if theirs[key] != value:
            raise InvalidInputError(
                f"detections of {simulated[0].path} and {captured[0].path} differ in their {key}, "
                f"{value} and {theirs[key]}: make both alike"
            )
    originals = {scene.id: scene for scene in simulated[0].scenes()}
    everything = [*originals.values(), *captured[0].scenes()]
    categories = categories_of(everything)

    def share(views: Sequence[tuple[Scene, View]], file: DetectionFile) -> FoundShare:
        truths, boxes = boxes_of(views, file, categories)
        ap = average_precision(truths, boxes, {truth.image for truth in truths}).ap
        hits, _ = matched(truths, [box for box in boxes if box.detection.score >= threshold])
        return FoundShare(len(truths), ap, float(np.mean(hits)))

    rows: list[MirroredScene] = []
    all_simulated: list[tuple[Scene, View]] = []
    all_captured: list[tuple[Scene, View]] = []
    for scene in everything[len(originals) :]:
        original = originals.get(scene.mirror_of or "")
        if original is None or (scenes is not None and scene.id not in scenes):
            continue
        both = _cameras(original) & _cameras(scene)
        first, second = (
            [(one, view) for view in one.views if view.camera.name in both]
            for one in (original, scene)
        )
        if not both:
            continue
        all_simulated += first
        all_captured += second
        rows.append(
            MirroredScene(
                min(original.id, original.twin_id or original.id),
                original.id,
                scene.id,
                share(first, simulated[1]),
                share(second, captured[1]),
            )
        )
    if not rows:
        raise InvalidInputError(
            f"no scene of {captured[0].path} copies one of {simulated[0].path} with a camera that "
            "both have"
        )
    return DetectionGap(
        share(all_simulated, simulated[1]), share(all_captured, captured[1]), tuple(rows)
    )


def _cameras(scene: Scene) -> set[str]:
    """Cameras of the views with known boxes."""
    return {
        view.camera.name
        for view in scene.views
        if any(seen.box is not None for seen in view.visibility.values())
    }
