"""Answers to questions about properties and affordances, as flat records."""

from functools import cache
from typing import Literal

from pactwin.solvers import OPTION_LETTERS
from pactwin.suite import Observability, Question
from pactwin.tasks.core.results import AnswerStatus, AskedFacts, Row
from pactwin.tasks.core.structured import JsonAnswer, items_answer, letter_answer

AFFORDANCE_ANSWER = items_answer(
    "a list of uses, in one to three words each, the most typical first, at most ten"
)


@cache
def _category_answer(n_options: int) -> type[JsonAnswer]:
    return letter_answer(OPTION_LETTERS[:n_options], "the letter of exactly one category")


def category_answer(question: Question) -> type[JsonAnswer]:
    """Schema of the answer to a question about a property."""
    return _category_answer(len(question.options))


class ObjectSampleFacts(AskedFacts):
    """Sample metadata of a question about an object.

    ``object_id`` is the same for all pictures of one object. ``topic`` is the property, empty for
    affordances. ``truth`` is the true category, ``accepted`` are the true affordances.
    ``n_options`` is the number of categories in the question, 0 for affordances.
    """

    kind: Literal["property", "affordance"]
    object_id: str
    topic: str = ""
    observability: Observability | None = None
    truth: str
    accepted: tuple[str, ...] = ()
    n_options: int = 0


class ObjectOutcome(AnswerStatus):
    """The outcome of a question about an object.

    ``said`` is the category chosen. ``items`` are the distinct affordances that the reply lists;
    ``right`` ones among them are accepted, and ``covered`` are the accepted ones that they name. An
    affordance answer is ``correct`` if it covers all accepted ones.
    """

    said: str = ""
    items: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()


class ObjectRow(ObjectSampleFacts, ObjectOutcome, Row):
    """One model's answer to one question about an object under one view condition."""
