"""Whether a log's answers are to what a suite asks, and agree with it on what is true."""

from collections.abc import Iterable

from pactwin.suite import InvalidInputError, Suite, load_suite
from pactwin.tasks.constraints.tasks import facts_of
from pactwin.tasks.core.reading import truth_of
from pactwin.tasks.core.results import LIST_KINDS, TASK_NAMES, Row
from pactwin.tasks.macgyver.tasks import facts_of as problem_facts_of
from pactwin.tasks.objects.tasks import facts_of as object_facts_of
from pactwin.tasks.tools.tasks import facts_of as tool_facts_of


def require_asked(suite: Suite, rows: Iterable[Row]) -> None:
    """InvalidInputError if ``rows`` about ``suite`` answer what it does not ask, or know better."""
    loaded = load_suite(suite.path)
    scenes, questions = loaded.scenes, loaded.questions
    for row in rows:
        if row.suite_hash != suite.info.content_hash:
            continue
        question = questions.get(row.question_id)
        if question is None or question.kind not in TASK_NAMES:
            raise InvalidInputError(
                f"the log of {row.model} was changed: {suite.path} asks no question "
                f"{row.question_id}"
            )
        facts = {
            "constraint": facts_of,
            "problem": problem_facts_of,
            **dict.fromkeys(LIST_KINDS, tool_facts_of),
        }.get(question.kind, object_facts_of)
        if truth_of(facts(scenes[question.scene_id], question, row.view)) != truth_of(row):
            raise InvalidInputError(
                f"the log of {row.model} was changed: {suite.path} says otherwise of question "
                f"{row.question_id}"
            )
