"""Check a log's answers against the suite's questions and gold answers."""

from collections.abc import Iterable

from pactwin.suite import InvalidInputError, Suite, load_suite
from pactwin.tasks.core.asked import suite_asks
from pactwin.tasks.core.kind import truth_of
from pactwin.tasks.core.results import Row
from pactwin.tasks.kinds.registry import KINDS


def require_asked(suite: Suite, rows: Iterable[Row]) -> None:
    """Raise InvalidInputError if ``rows`` contradict the questions or answers of ``suite``."""
    loaded = load_suite(suite.path)
    scenes, questions = loaded.scenes, loaded.questions
    for row in rows:
        if row.suite_hash != suite.info.content_hash:
            continue
        question = questions.get(row.question_id)
        if question is None or question.kind != row.kind:
            raise InvalidInputError(
                f"the log of {row.model} was changed: {suite.path} asks no question "
                f"{row.question_id}"
            )
        facts, scene = KINDS[row.kind].facts, scenes[question.scene_id]
        if row.asked != suite_asks(suite, scene, question, row.view):
            raise InvalidInputError(
                f"the log of {row.model} is about other pictures or words than {suite.path} has: "
                f"question {row.question_id} in view {row.view}"
            )
        if truth_of(facts(scene, question, row.view)) != truth_of(row):
            raise InvalidInputError(
                f"the log of {row.model} was changed: {suite.path} says otherwise of question "
                f"{row.question_id}"
            )
