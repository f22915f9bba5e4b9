"""From an answer's state to Inspect's score, and the metrics shown in Inspect's logs.

Inspect's score value is ``C``, ``I`` or, for every state that is no answer, ``N``; the state and
what was predicted are the score's metadata. Chance-corrected statistics are made by ``compare``.
"""

from typing import Any

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Metric, SampleScore, Score, metric

from pactwin.policies import Problem, fault_of
from pactwin.tasks.core.results import AnswerState, AnswerStatus

_UNANSWERED = {
    Problem.DECLINED: AnswerState.REFUSED,
    Problem.CUT_OFF: AnswerState.TRUNCATED,
}


ANSWERED = {AnswerState.CORRECT: CORRECT, AnswerState.INCORRECT: INCORRECT}


@metric
def accuracy_answered() -> Metric:
    """Share of correct answers among answers; 0 if there are none."""

    def compute(scores: list[SampleScore]) -> float:
        answered = [s for s in map(_state, scores) if s in ANSWERED]
        return _share(answered, AnswerState.CORRECT)

    return compute


@metric
def accuracy_strict() -> Metric:
    """Share of correct answers among all questions asked: no answer counts as wrong."""

    def compute(scores: list[SampleScore]) -> float:
        return _share([_state(s) for s in scores], AnswerState.CORRECT)

    return compute


@metric
def coverage() -> Metric:
    """Share of questions asked that have an answer."""

    def compute(scores: list[SampleScore]) -> float:
        return _share([_state(s) in ANSWERED for s in scores], True)

    return compute


def _share(values: list, wanted: object) -> float:
    return values.count(wanted) / len(values) if values else 0.0


def _state(score: SampleScore) -> AnswerState:
    return AnswerState((score.score.metadata or {})["state"])


SAMPLE_METRICS = [accuracy_answered(), accuracy_strict(), coverage()]
"""What Inspect shows of every task."""


def score_of(outcome: AnswerStatus, said: str, rationale: str) -> Score:
    """An outcome as Inspect's score; ``said`` is what the answer says, where there is one."""
    return Score(
        value=ANSWERED.get(outcome.state, NOANSWER),
        answer=None if outcome.reason else said,
        explanation=outcome.reason or rationale,
        reason=None if outcome.state in ANSWERED else outcome.state.value,
        metadata=outcome.model_dump(mode="json"),
    )


def broken(output: ModelOutput) -> dict[str, Any] | None:
    """State and reason of an output that is no whole reply, None for one that is."""
    fault = fault_of(output)
    return None if fault is None else {"state": AnswerState(fault[0].value), "reason": fault[1]}


def unanswered(problem: Problem) -> dict[str, Any]:
    """State and reason of a reply in which no answer could be read."""
    return {"state": _UNANSWERED.get(problem, AnswerState.UNPARSED), "reason": problem.value}
