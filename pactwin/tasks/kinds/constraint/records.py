"""Answers to questions about constraints, as flat records."""

from functools import cache
from typing import Literal

from pydantic import Field

from pactwin.solvers import OPTION_LETTERS
from pactwin.suite import SET_FORMS, Constraint, Question
from pactwin.tasks.core.results import AskedFacts, Row, StatedProbability
from pactwin.tasks.core.structured import JsonAnswer, letter_answer, letters_answer


class YesNoAnswer(JsonAnswer):
    """Schema of an answer about whether an action is feasible."""

    answer: Literal["yes", "no"] = Field(description='"yes" or "no"')
    reason: str = Field(description="the reason in one short sentence")


class OpenAnswer(YesNoAnswer):
    """Schema of the same answer with its reason, which is marked too."""

    reason: str = Field(
        description="if no, the one thing that prevents it, in one short sentence; else empty"
    )


@cache
def _of_options(n_options: int, all_true: bool) -> type[JsonAnswer]:
    letters = OPTION_LETTERS[:n_options]
    if all_true:
        return letters_answer(letters, "a list of the letters of all that are true, or empty")
    return letter_answer(letters, "the letter of exactly one statement")


def constraint_answer(question: Question) -> type[JsonAnswer]:
    """Schema of an answer about constraints, by the question's form."""
    if question.form == "yes_no":
        return YesNoAnswer
    if question.form == "open":
        return OpenAnswer
    return _of_options(len(question.options), question.form in SET_FORMS)


class SampleFacts(AskedFacts):
    """Sample metadata of a question about constraints.

    ``truth_constraint`` is None if a published answer does not clearly name a constraint.
    ``accepted`` are the true ``options`` in forms that ask for all of them.
    """

    kind: Literal["constraint"] = "constraint"
    truth_feasible: bool
    truth_constraint: Constraint | None
    options: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()


class ConstraintOutcome(StatedProbability):
    """Outcome of a question about constraints: metadata of Inspect's score.

    ``predicted_feasible`` and ``predicted_constraint`` are None if the reply does not say; both are
    None in every state except ``correct`` and ``incorrect``. One exception: an ``unparsed`` reply
    to an open question may predict infeasibility without a clear reason. ``selected`` are the
    options named in a reply to a form that asks for all true ones.
    """

    predicted_feasible: bool | None = None
    predicted_constraint: Constraint | None = None
    selected: tuple[str, ...] = ()


class AnswerRow(SampleFacts, ConstraintOutcome, Row):
    """One model's answer to one question about constraints under one view condition."""
