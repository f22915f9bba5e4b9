"""From a model's output to exactly one answer state, and the metrics shown in Inspect's logs.

Inspect's score value is ``C``, ``I`` or, for every state that is no answer, ``N``; the state and
what was predicted are the score's metadata. Chance-corrected statistics are made by ``compare``.
"""

from inspect_ai.model import ModelOutput
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
)
from inspect_ai.solver import TaskState

from pactwin.policies import Problem, parse_reply
from pactwin.suite import Question
from pactwin.tasks.results import AnswerState, Outcome, SampleFacts

_VALUES = {AnswerState.CORRECT: CORRECT, AnswerState.INCORRECT: INCORRECT}


@metric
def accuracy_answered() -> Metric:
    """Share of correct answers among answers; 0 if there are none."""

    def compute(scores: list[SampleScore]) -> float:
        answered = [s for s in map(_state, scores) if s in _VALUES]
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
        return _share([_state(s) in _VALUES for s in scores], True)

    return compute


def _share(values: list, wanted: object) -> float:
    return values.count(wanted) / len(values) if values else 0.0


def _state(score: SampleScore) -> AnswerState:
    return AnswerState((score.score.metadata or {})["state"])


@scorer(metrics=[accuracy_answered(), accuracy_strict(), coverage()])
def answer_scorer() -> Scorer:
    """Score replies to questions over the constraint taxonomy, without a judge."""

    async def score(state: TaskState, target: Target) -> Score:
        facts = state.metadata_as(SampleFacts)
        question = Question.model_validate(state.metadata["question"])
        outcome = decide(facts, question, state.output)
        return Score(
            value=_VALUES.get(outcome.state, NOANSWER),
            answer=None if outcome.reason else _said(outcome),
            explanation=outcome.reason or question.rationale,
            reason=None if outcome.state in _VALUES else outcome.state.value,
            metadata=outcome.model_dump(mode="json"),
        )

    return score


def decide(facts: SampleFacts, question: Question, output: ModelOutput) -> Outcome:
    """The outcome of one reply. What the instrument did is looked at before what was said."""
    if output.error is not None or output.empty:
        return Outcome(state=AnswerState.ERROR, reason=output.error or "the model gave no output")
    if output.stop_reason == "content_filter" or _refuses(output):
        return Outcome(state=AnswerState.REFUSED, reason="the provider or model refused")
    if output.stop_reason in ("max_tokens", "model_length"):
        return Outcome(state=AnswerState.TRUNCATED, reason=f"cut off: {output.stop_reason}")
    answer = parse_reply(question.form, output.completion, question.options, question.objects)
    if answer.problem is not None:
        declined = answer.problem is Problem.DECLINED
        state = AnswerState.REFUSED if declined else AnswerState.UNPARSED
        return Outcome(state=state, reason=answer.problem.value)
    correct = {
        "yes_no": answer.feasible == facts.truth_feasible,
        "choice": answer.option == question.truth,
        "open": answer.constraint == facts.truth_constraint,
    }[question.form]
    return Outcome(
        state=AnswerState.CORRECT if correct else AnswerState.INCORRECT,
        predicted_feasible=answer.feasible,
        predicted_constraint=answer.constraint,
    )


def _refuses(output: ModelOutput) -> bool:
    content = output.message.content
    return not isinstance(content, str) and any(
        part.type == "text" and part.refusal for part in content
    )


def _said(outcome: Outcome) -> str:
    if outcome.predicted_constraint is not None:
        return outcome.predicted_constraint.value
    return "feasible" if outcome.predicted_feasible else "infeasible"
