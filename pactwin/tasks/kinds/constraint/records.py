"""Answers to questions about constraints, as flat records."""

from typing import Literal

from pactwin.suite import Constraint
from pactwin.tasks.core.results import AnswerStatus, AskedFacts, Row


class SampleFacts(AskedFacts):
    """What is known of a question about constraints: the metadata of Inspect's sample.

    ``truth_constraint`` is None where a published answer does not clearly say what prevents it.
    ``accepted`` are those of its ``options`` that are true, where all true ones are asked for.
    """

    kind: Literal["constraint"] = "constraint"
    truth_feasible: bool
    truth_constraint: Constraint | None
    options: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()


class ConstraintOutcome(AnswerStatus):
    """What a question about constraints ended in: the metadata of Inspect's score.

    ``predicted_feasible`` and ``predicted_constraint`` are None where the reply does not say; both
    are None in every state but ``correct`` and ``incorrect``, save that an ``unparsed`` reply to an
    open question may clearly say no, only not clearly why. ``selected`` are the options named in a
    reply to a form that asks for all true ones, which says nothing else.
    """

    predicted_feasible: bool | None = None
    predicted_constraint: Constraint | None = None
    selected: tuple[str, ...] = ()


class AnswerRow(SampleFacts, ConstraintOutcome, Row):
    """What one model answered to one question about constraints under one view condition."""
