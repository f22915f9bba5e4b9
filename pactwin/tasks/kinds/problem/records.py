"""Answers to problems stated in words, as flat records."""

from typing import Literal

from pydantic import Field

from pactwin.tasks.core.results import AnswerStatus, AskedFacts, Row


class ProblemFacts(AskedFacts):
    """Sample metadata of a problem stated in words.

    ``held_unsolvable``: raters agreed with people who called the problem unsolvable, and nobody
    solved it, whatever its flag says. ``uses`` are those that have trials.
    """

    kind: Literal["problem"] = "problem"
    solvable: bool
    held_unsolvable: bool = False
    uses: tuple[str, ...] = ()


class ProblemOutcome(AnswerStatus):
    """Outcome of a problem. ``category`` is a letter from A (best) to F, empty without an answer.

    ``says_solvable`` is whether the reply solves the problem or calls it unsolvable, None if
    unclear. ``judged`` are the letters of a judge's votes, ``judge`` names it with its rubric; both
    are empty if no judge was needed.
    """

    category: str = Field(default="", pattern="^[A-F]?$")
    says_solvable: bool | None = None
    judge: str = ""


class ProblemRow(ProblemFacts, ProblemOutcome, Row):
    """One model's answer to one problem, in one epoch."""
