"""``pactwin/detector``: names visible objects from the boxes that ``pactwin detect`` stored.

It names all boxes with a sufficient score, each name once, highest score first; of overlapping
boxes only the best counts. The detector was asked for the names of all objects of the suite,
because the names of a scene's own objects would reveal the answer.
"""

from functools import lru_cache

import numpy as np

from pactwin.perception import DetectionFile, distinct, read_detections
from pactwin.solvers.question_ref import QuestionRef, cameras_asked, load_records
from pactwin.suite import InvalidInputError, Question

NOTHING = "nothing"
SURE_ENOUGH = 0.3
"""Default minimum score of a box that counts."""


def detector(
    asked: QuestionRef,
    question: Question,
    rng: np.random.Generator,
    *,
    detections: str = "transformers",
    threshold: float = SURE_ENOUGH,
) -> str:
    """One line per name; SuiteError if the suite has no such ``detections``.

    InvalidInputError for detections that were asked with each scene's own names.
    """
    found = stored_detections(asked.suite, asked.suite_hash, detections)
    if found.header.vocabulary != "suite":
        raise InvalidInputError(
            f"detections {detections!r} were asked for the objects of each scene, which reveals "
            "what is there: run pactwin detect with --vocabulary suite"
        )
    best: dict[str, float] = {}
    for camera in cameras_asked(asked, question):
        for detection in distinct(found.views.get((question.scene_id, camera), ())):
            if detection.score >= threshold:
                before = best.get(detection.query, 0.0)
                best[detection.query] = max(before, detection.score)
    return "\n".join(sorted(best, key=lambda name: (-best[name], name))) or NOTHING


@lru_cache(maxsize=4)
def stored_detections(suite: str, suite_hash: str, name: str) -> DetectionFile:
    """The detections called ``name`` of a suite; SuiteError if there are none."""
    return read_detections(load_records(suite, suite_hash).suite, name)
