"""Answers that list objects, as flat records."""

from typing import Literal

from pydantic import model_validator

from pactwin.tasks.core.results import AnswerStatus, AskedFacts, Row
from pactwin.tasks.core.structured import items_answer

_PLAN = items_answer(
    "a list of the names of these tools, in the order in which they are first used; leave out what "
    "the task does not take"
)
LIST_ANSWERS = {
    "recognition": items_answer("a list of the names, each thing once"),
    "plan": _PLAN,
    "named_plan": _PLAN,
}
"""Schema of an answer by kind of question."""


class ToolFacts(AskedFacts):
    """Sample metadata of a question that asks for a list of objects.

    ``kind`` and the truth are those of the question: ``accepted`` names, for plans with their
    ``steps`` (all 1 where the order is free), and ``distractors`` beside them. ``published_id`` is
    what an imported question is called in its data.
    """

    kind: Literal["recognition", "plan", "named_plan"]
    accepted: tuple[str, ...]
    steps: tuple[int, ...] = ()
    distractors: tuple[str, ...] = ()
    published_id: str = ""


class ToolOutcome(AnswerStatus):
    """Outcome of a question that asks for a list of objects.

    ``items`` are what the reply lists, in order, repetitions too. ``found`` gives for each the
    index of the accepted name that it means, or None, and ``rules`` by what it was matched.
    ``distracted`` are indices of wrong items that name what is there: a distractor, or a right tool
    once more. An answer is ``correct`` if it is the accepted list, in an order that the steps
    allow.
    """

    items: tuple[str, ...] = ()
    found: tuple[int | None, ...] = ()
    rules: tuple[str, ...] = ()
    distracted: tuple[int, ...] = ()

    @model_validator(mode="after")
    def _one_each(self) -> "ToolOutcome":
        if not len(self.items) == len(self.found) == len(self.rules):
            raise ValueError("items, found and rules differ in length")
        return self


class ToolRow(ToolFacts, ToolOutcome, Row):
    """One model's answer to one question that asks for a list of objects."""
