"""Answers to questions about the steps of ladders, as flat records."""

from typing import Literal

from pactwin.tasks.core.results import AskedFacts, Row, StatedProbability


class LadderFacts(AskedFacts):
    """Sample metadata of a step: ``x`` is the signed distance to its quantity's limit in ``unit``.

    ``decided`` says whether the trial decided the step, and ``truth_feasible`` how.
    """

    kind: Literal["ladder"] = "ladder"
    x: float
    unit: str
    decided: bool
    truth_feasible: bool


class LadderOutcome(StatedProbability):
    """The outcome of a question about a step.

    Any answer about an undecided step near the limit is ``correct`` and counts in no score of
    correctness.
    """

    predicted_feasible: bool | None = None


class LadderRow(LadderFacts, LadderOutcome, Row):
    """One model's answer about one step under one view condition."""
