"""Detection files: ``detections/NAME.jsonl`` in a suite, with a header and one line per view."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from pydantic import Field

from pactwin.perception.detectors.base import Detection, Detector
from pactwin.suite import (
    InvalidInputError,
    LabelledBoxes,
    OpaqueId,
    ProgressCallback,
    Record,
    Scene,
    Suite,
    SuiteError,
    View,
    load_image,
    parse_json,
    silent,
)

FOLDER = "detections"


Vocabulary = Literal["scene", "suite"]
"""Names to detect in a picture: those of its scene's objects, or of the whole suite's."""


class DetectionHeader(Record):
    """Header: detector, weights, suite and minimum score."""

    detector: str
    weights: str
    threshold: float = Field(ge=0, le=1)
    suite_hash: str
    vocabulary: Vocabulary = "scene"


class ViewDetections(Record):
    """Detections in one view."""

    scene_id: OpaqueId
    camera: str
    detections: tuple[Detection, ...]


@dataclass(frozen=True)
class DetectionFile:
    """Contents of a detection file."""

    header: DetectionHeader
    views: dict[tuple[str, str], tuple[Detection, ...]]


def names_of(scene: Scene) -> tuple[str, ...]:
    """The names of a scene's objects."""
    return tuple(obj.name for obj in scene.objects)


def detect_suite(
    suite: Suite,
    detector: Detector,
    name: str,
    *,
    threshold: float = 0.25,
    vocabulary: Vocabulary = "scene",
    batch: int = 8,
    progress: ProgressCallback = silent,
) -> Path:
    """Detect in every view of ``suite``, ``batch`` pictures at a time; returns the file's path.

    The ``vocabulary`` of the suite does not reveal the contents of a single scene: it is everything
    that its recognition questions accept, or the names of all its objects if it has none.

    The file is written completely or not at all. Raises InvalidInputError for an invalid ``name``,
    SuiteError for unreadable pictures.
    """
    path = detection_path(suite, name)
    header = DetectionHeader(
        detector=detector.name,
        weights=detector.weights,
        threshold=threshold,
        suite_hash=suite.info.content_hash,
        vocabulary=vocabulary,
    )
    named = {name for q in suite.questions() if q.kind == "recognition" for name in q.accepted}
    named = named or {name for scene in suite.scenes() for name in names_of(scene)}
    everything = sorted(named)
    path.parent.mkdir(exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    total, done = suite.info.counts.get("views", 0), 0
    views = ((scene, view) for scene in suite.scenes() for view in scene.views)
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(header.model_dump_json() + "\n")
            while chunk := list(islice(views, batch)):
                asked = [names_of(s) if vocabulary == "scene" else everything for s, _ in chunk]
                for line in _detected(suite, detector, chunk, asked, threshold):
                    file.write(line.model_dump_json() + "\n")
                done += len(chunk)
                progress("pictures", done, total)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _detected(
    suite: Suite,
    detector: Detector,
    chunk: list[tuple[Scene, View]],
    queries: Sequence[Sequence[str]],
    threshold: float,
) -> Iterator[ViewDetections]:
    images = [load_image(suite, view) for _, view in chunk]
    found = detector.detect(images, queries, threshold)
    for (scene, view), boxes in zip(chunk, found, strict=True):
        yield ViewDetections(scene_id=scene.id, camera=view.camera.name, detections=tuple(boxes))


def detection_path(suite: Suite, name: str) -> Path:
    """Path of the detections called ``name``; InvalidInputError if that is not a plain name."""
    if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,80}", name):
        raise InvalidInputError(f"{name!r} is no name for detections: use letters, digits, - and _")
    return suite.path / FOLDER / f"{name}.jsonl"


def stored_detections(suite: Suite) -> tuple[str, ...]:
    """Names of the detections that a suite holds."""
    return tuple(sorted(file.stem for file in (suite.path / FOLDER).glob("*.jsonl")))


def read_detections(suite: Suite, name: str) -> DetectionFile:
    """Read the detections called ``name``; SuiteError if missing or made for another suite."""
    path = detection_path(suite, name)
    if not path.is_file():
        there = ", ".join(stored_detections(suite)) or "none"
        raise SuiteError(
            f"{suite.path} has no detections {name!r} (there: {there}): pactwin detect"
        )
    header: DetectionHeader | None = None
    views: dict[tuple[str, str], tuple[Detection, ...]] = {}
    for number, line in enumerate(suite.lines(f"{FOLDER}/{name}.jsonl"), start=1):
        try:
            if header is None:
                header = DetectionHeader.model_validate(parse_json(line))
            else:
                view = ViewDetections.model_validate(parse_json(line))
                views[view.scene_id, view.camera] = view.detections
        except ValueError as error:
            raise SuiteError(f"{path}:{number}: no record of detections") from error
    if header is None or header.suite_hash != suite.info.content_hash:
        raise SuiteError(f"{path} was not made of this suite: run pactwin detect again")
    return DetectionFile(header, views)


def labelled_boxes(found: DetectionFile, scene_id: str) -> LabelledBoxes:
    """Detections in a scene's pictures by camera: each box with its name and score."""
    return {
        camera: [(d.box, f"{d.query} {d.score:.2f}") for d in detections]
        for (scene, camera), detections in found.views.items()
        if scene == scene_id
    }
