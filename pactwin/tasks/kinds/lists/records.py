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

    ``kind`` and the gold answer are the question's: ``accepted`` names, for plans with their
    ``steps`` (all 1 if the order is free), and ``distractors``. ``published_id`` is an imported
    question's id in its data.
    """

    kind: Literal["recognition", "plan", "named_plan"]
    accepted: tuple[str, ...]
    steps: tuple[int, ...] = ()
    distractors: tuple[str, ...] = ()
    published_id: str = ""


class ToolOutcome(AnswerStatus):
    """Outcome of a question that asks for a list of objects.

    ``items`` are the listed items in order, with repetitions. ``found`` gives for each the index of
    the accepted name that it means, or None, and ``rules`` the rule that matched it. ``distracted``
    are indices of incorrect items that are present: a distractor, or a repeated correct tool. An
    answer is ``correct`` if it is the accepted list in an order that the steps allow.
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
