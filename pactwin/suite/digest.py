"""Content hash of a suite: over its records and pictures, without paths and times."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pactwin.suite.base import Record
from pactwin.suite.questions import Question
from pactwin.suite.records import Scene

T = TypeVar("T")

# Added to the record later: left out where empty, so that suites without them keep their hash.
_ADDED = (
    *("answers", "uses", "steps", "order_free", "distractors", "synonyms", "candidates"),
    "conditions",
)
# Of a check: counted together, and each left out where it is None.
_COUNTED, _FOUND = {"perturbations", "independent_of"}, ("grasp", "distance")
_PATHS_AND_TIMES: dict[str, Any] = {
    "views": {"__all__": {"image", "depth", "mask", "captured_at_ns", "origin"}}
}
# Of a capture, what another run of the same would have otherwise; its calibration's id has a date.
_OF_ONE_RUN = {"calibration", "skew_ms", "state_age_ms", "clock_offset_ms", "masked_m"}


class ContentHash:
    """Accumulates scenes and questions in file order; :meth:`hexdigest` closes it.

    Scenes and questions are hashed separately, so they may arrive interleaved.
    """

    def __init__(self) -> None:
        self._scenes = hashlib.sha256()
        self._pictures = hashlib.sha256()
        self._questions = hashlib.sha256()

    def add_scene(self, scene: Scene, files: Mapping[str, str]) -> None:
        """Add the next scene; ``files`` are the SHA-256 of its views' files by path."""
        shown = [
            [None if path is None else files.get(path) for path in (v.image, v.depth, v.mask)]
            for v in scene.views
        ]
        self._pictures.update(_json_line([scene.id, shown]))
        added = True if scene.capture is None else _OF_ONE_RUN
        # Compressed, a layout may differ in bytes; its objects are in the record.
        without: dict[str, Any] = _PATHS_AND_TIMES | {"capture": added, "layout": True}
        if scene.step is None:
            without["step"] = True
        if scene.verdict is not None:
            verdict = scene.verdict
            empty = {key: True for key in ("lacking", "played") if not getattr(verdict, key)}
            unknown = {
                name: (_COUNTED if check.perturbations is None else set())
                | {key for key in _FOUND if getattr(check, key) is None}
                for name, check in verdict.checks.items()
            }
            unknown = {name: keys for name, keys in unknown.items() if keys}
            without |= {"verdict": empty | ({"checks": unknown} if unknown else {})}
        self._scenes.update(_canonical(scene, without))

    def add_question(self, question: Question) -> None:
        """Add the next question."""
        without: dict[str, Any] = {key: True for key in _ADDED if not getattr(question, key)}
        things = question.candidates
        empty = set() if any(thing.view for thing in things) else {"view", "part_views", "unseen"}
        empty |= set() if any(thing.evidence for thing in things) else {"evidence"}
        if things and empty:
            without["candidates"] = {"__all__": empty}
        self._questions.update(_canonical(question, without))

    def hexdigest(
        self, counts: Mapping[str, int], rejections: Mapping[str, Mapping[str, int]]
    ) -> str:
        """SHA-256 (hex) over all records and pictures and the counts."""
        return self._closed(counts, rejections, {"pictures": self._pictures.hexdigest()})

    def fits(
        self,
        content_hash: str,
        counts: Mapping[str, int],
        rejections: Mapping[str, Mapping[str, int]],
    ) -> bool:
        """Return whether ``content_hash`` is this hash, or its old form without pictures."""
        known = self.hexdigest(counts, rejections), self.without_pictures(counts, rejections)
        return content_hash in known

    def without_pictures(
        self, counts: Mapping[str, int], rejections: Mapping[str, Mapping[str, int]]
    ) -> str:
        """The hash of earlier versions, over the records alone."""
        return self._closed(counts, rejections, {})

    def _closed(
        self,
        counts: Mapping[str, int],
        rejections: Mapping[str, Mapping[str, int]],
        pictures: Mapping[str, str],
    ) -> str:
        whole = {
            "scenes": self._scenes.hexdigest(),
            "questions": self._questions.hexdigest(),
            "counts": dict(counts),
            "rejections": {domain: dict(reasons) for domain, reasons in rejections.items()},
            **pictures,
        }
        return hashlib.sha256(_json_line(whole)).hexdigest()


def opaque_id(key: str) -> str:
    """Opaque id of ``key``: 16 hex digits, equal for equal keys."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def shuffled_by(key: str, items: Sequence[T]) -> list[T]:
    """``items`` in an order that depends only on ``key`` and their number."""
    order = sorted(range(len(items)), key=lambda at: opaque_id(f"{key}:{at}"))
    return [items[at] for at in order]


def _canonical(record: Record, without: dict[str, Any]) -> bytes:
    return _json_line(record.model_dump(mode="json", exclude=without))


def _json_line(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.encode() + b"\n"
