"""Convert replies to Inspect scores for every kind of question, and define metrics of logs.

Inspect's score value is ``C``, ``I`` or, for every state that is no answer, ``N``; state and
prediction are the score's metadata. ``compare`` computes chance-corrected statistics.
"""

from dataclasses import replace
from typing import Any

from inspect_ai.model import Model, model_roles
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from pactwin.solvers import (
    ANSWER_SCHEMA,
    CONFIDENCE,
    Problem,
    fault_of,
    question_of,
    read_confident,
    token_probability,
)
from pactwin.tasks.core.judge import refuse_self_judging
from pactwin.tasks.core.kind import KINDS, O, QuestionKind, Reply
from pactwin.tasks.core.results import JUDGE_ROLE, AnswerState, AnswerStatus
from pactwin.tasks.core.structured import ConfidentAnswer, read_json

_UNANSWERED = {
    Problem.DECLINED: AnswerState.REFUSED,
    Problem.CUT_OFF: AnswerState.TRUNCATED,
}


ANSWERED = {AnswerState.CORRECT: CORRECT, AnswerState.INCORRECT: INCORRECT}


@metric(scores="unreduced")
def accuracy_answered() -> Metric:
    """Share of correct answers among answers; 0 if there are none."""

    def compute(scores: list[SampleScore]) -> float:
        answered = [s for s in map(_state, scores) if s in ANSWERED]
        return _share(answered, AnswerState.CORRECT)

    return compute


@metric(scores="unreduced")
def accuracy_strict() -> Metric:
    """Share of correct answers among all questions asked: a missing answer counts as wrong."""

    def compute(scores: list[SampleScore]) -> float:
        return _share([_state(s) for s in scores], AnswerState.CORRECT)

    return compute


@metric(scores="unreduced")
def coverage() -> Metric:
    """Share of questions that have an answer."""

    def compute(scores: list[SampleScore]) -> float:
        return _share([_state(s) in ANSWERED for s in scores], True)

    return compute


def _share(values: list, wanted: object) -> float:
    return values.count(wanted) / len(values) if values else 0.0


def _state(score: SampleScore) -> AnswerState:
    return AnswerState((score.score.metadata or {})["state"])


def sample_metrics(cluster: str) -> list[Metric]:
    """Metrics that Inspect shows for a task; ``stderr`` belongs to the strict accuracy.

    ``cluster`` names the fact shared by answers that are not independent.
    """
    return [accuracy_answered(), accuracy_strict(), stderr(cluster=cluster), coverage()]


def score_of(outcome: AnswerStatus, said: str, rationale: str) -> Score:
    """Convert an outcome to Inspect's score; ``said`` is the answer in words, if any."""
    return Score(
        value=ANSWERED.get(outcome.state, NOANSWER),
        answer=None if outcome.reason else said,
        explanation=outcome.reason or rationale,
        reason=None if outcome.state in ANSWERED else outcome.state.value,
        metadata=outcome.model_dump(mode="json"),
    )


def unanswered(problem: Problem) -> dict[str, Any]:
    """State and reason of a reply without a readable answer."""
    return {"state": _UNANSWERED.get(problem, AnswerState.UNPARSED), "reason": problem.value}


def outcome_of(kind: QuestionKind[Any, O], reply: Reply[Any]) -> O:
    """Outcome of a reply before any judge.

    Failed calls are handled before the reply's content: a failed call is never incorrect.
    """
    fault = fault_of(reply.output)
    noted = kind.noted(reply)
    if fault is not None:
        state, reason = AnswerState(fault[0].value), fault[1]
        return kind.outcome_type(state=state, reason=reason, **noted)
    noted = {**noted, **_token_noted(kind, reply)}
    if reply.structured and kind.answer is not None:
        schema = ConfidentAnswer if reply.confident else kind.answer(reply.question)
        read = read_json(reply.output.completion, schema)
        if isinstance(read, Problem):
            return kind.outcome_type(**unanswered(read), **noted)
        if read is not None:
            reply = _saying(reply, read.text())
    if reply.confident:
        said = read_confident(reply.output.completion)
        noted["probability"] = said.probability
        if said.unsure:
            state = AnswerState.UNSURE
            return kind.outcome_type(state=state, reason="the model is unsure", **noted)
        reply = _saying(reply, said.rest)
    outcome = kind.mark(reply)
    return outcome.model_copy(update=dict(noted)) if noted else outcome


def _saying(reply: Reply[Any], text: str) -> Reply[Any]:
    """``reply`` with another text."""
    output = reply.output.model_copy(deep=True)
    output.completion = text
    return replace(reply, output=output)


def _token_noted(kind: QuestionKind[Any, Any], reply: Reply[Any]) -> dict[str, float]:
    """What the log probabilities of a reply to a yes/no question say, if there are any."""
    if not kind.asks_probability or reply.question.form != "yes_no":
        return {}
    found = token_probability(reply.output)
    if found is None:
        return {}
    return {"token_probability": found.yes, "token_outside": found.outside}


@scorer(metrics=sample_metrics("pair_id"))
def answer_scorer(
    kind: str = "constraint", judge_self: bool = False, options: dict[str, Any] | None = None
) -> Scorer:
    """Scorer of replies to questions of a kind; the parser comes before any judge.

    The model in the role ``judge``, if any, decides what the parser cannot. It must not be the
    model under test unless ``judge_self``: InvalidInputError. JudgeFaultError if it fails.
    ``options`` are the kind's own.
    """

    async def score(state: TaskState, target: Target) -> Score:
        declared = KINDS[kind]
        question = question_of(state.metadata)
        facts = state.metadata_as(declared.facts_type)
        reply = Reply(
            facts,
            question,
            state.output,
            state.metadata,
            options or {},
            structured=ANSWER_SCHEMA in state.metadata,
            confident=CONFIDENCE in state.metadata,
        )
        outcome = outcome_of(declared, reply)
        judge, judging = model_roles().get(JUDGE_ROLE), declared.judging
        if isinstance(judge, Model) and judging and judging.needed(reply, outcome):
            if not judge_self:
                refuse_self_judging(str(judge), [str(state.model)])
            outcome = await judging.ask(judge, reply, outcome)
        return score_of(outcome, declared.said(question, outcome), question.rationale)

    return score
