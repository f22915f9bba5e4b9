"""Answers to questions about the steps of ladders, as flat records."""

from typing import Literal

from pactwin.tasks.core.results import AskedFacts, Row, StatedProbability


class LadderFacts(AskedFacts):
    """What is known of a step: ``x`` is its signed distance to the limit of the domain in ``unit``.

    ``decided`` says whether the trial decided the step, and ``truth_feasible`` how.
    """

    kind: Literal["ladder"] = "ladder"
    x: float
    unit: str
    decided: bool
    truth_feasible: bool


class LadderOutcome(StatedProbability):
    """What a question about a step ended in.

    An answer about a step that is too near the limit to be decided is ``correct`` whatever it says,
    and counts in no score of right answers.
    """

    predicted_feasible: bool | None = None


class LadderRow(LadderFacts, LadderOutcome, Row):
    """What one model answered about one step under one view condition."""
