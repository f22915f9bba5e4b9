"""From a model's output to exactly one answer state, and the metrics shown in Inspect's logs.

Our own reading goes first; a judge, if the evaluation has one, is asked about open answers in which
that finds no answer. Inspect's score value is ``C``, ``I`` or, for every state that is no answer,
``N``; the state and what was predicted are the score's metadata. Chance-corrected statistics are
made by ``compare``.
"""

from typing import Any

from inspect_ai.model import Model, ModelOutput, model_roles
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

from pactwin.policies import Problem, fault_of, parse_reply, without_thoughts
from pactwin.suite import Constraint, Question
from pactwin.tasks.judge import UNCLEAR, ask_judge, refuse_self_judging
from pactwin.tasks.results import JUDGE_ROLE, AnswerState, Ended, Outcome, SampleFacts

_UNANSWERED = {
    Problem.DECLINED: AnswerState.REFUSED,
    Problem.CUT_OFF: AnswerState.TRUNCATED,
}
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


METRICS = [accuracy_answered(), accuracy_strict(), coverage()]
"""What Inspect shows of every task."""


@scorer(metrics=METRICS)
def answer_scorer(judge_self: bool = False) -> Scorer:
    """Score replies to questions over the constraint taxonomy.

    The model in the role ``judge``, if there is one, must not be the model under test unless
    ``judge_self``: InvalidInputError. JudgeFaultError if it fails.
    """

    async def score(state: TaskState, target: Target) -> Score:
        facts = state.metadata_as(SampleFacts)
        question = Question.model_validate(state.metadata["question"])
        outcome = decide(facts, question, state.output)
        judge = model_roles().get(JUDGE_ROLE)
        if isinstance(judge, Model) and _needs_judge(question, state.output, outcome):
            if not judge_self:
                refuse_self_judging(str(judge), [str(state.model)])
            reply = state.output.completion
            says = await ask_judge(judge, question.text, facts.truth_constraint, reply)
            if says in question.alike:
                says = question.alike[0]
            outcome = judged(facts, outcome, says)
        return score_of(outcome, _said(outcome), question.rationale)

    return score


def score_of(outcome: Ended, said: str, rationale: str) -> Score:
    """An outcome as Inspect's score; ``said`` is what the answer says, where there is one."""
    return Score(
        value=_VALUES.get(outcome.state, NOANSWER),
        answer=None if outcome.reason else said,
        explanation=outcome.reason or rationale,
        reason=None if outcome.state in _VALUES else outcome.state.value,
        metadata=outcome.model_dump(mode="json"),
    )


def broken(output: ModelOutput) -> dict[str, Any] | None:
    """State and reason of an output that is no whole reply, None for one that is."""
    fault = fault_of(output)
    return None if fault is None else {"state": AnswerState(fault[0].value), "reason": fault[1]}


def unanswered(problem: Problem) -> dict[str, Any]:
    """State and reason of a reply in which no answer could be read."""
    return {"state": _UNANSWERED.get(problem, AnswerState.UNPARSED), "reason": problem.value}


def decide(facts: SampleFacts, question: Question, output: ModelOutput) -> Outcome:
    """The outcome of one reply. What the instrument did is looked at before what was said."""
    fault = broken(output)
    if fault is not None:
        return Outcome(**fault)
    # Where the truth names nothing that prevents it, no answer has to.
    form = "yes_no" if facts.truth_constraint is None else question.form
    answer = parse_reply(
        form, output.completion, question.options, question.objects, question.alike
    )
    if answer.problem is Problem.NO_REASON:  # it was asked for one
        return Outcome(state=AnswerState.INCORRECT, predicted_feasible=answer.feasible)
    if answer.problem is not None:
        return Outcome(**unanswered(answer.problem), predicted_feasible=answer.feasible)
    correct = {
        "yes_no": answer.feasible == facts.truth_feasible,
        "choice": answer.option == question.truth,
        "open": answer.constraint == facts.truth_constraint,
    }[form]
    return Outcome(
        state=AnswerState.CORRECT if correct else AnswerState.INCORRECT,
        predicted_feasible=answer.feasible,
        predicted_constraint=answer.constraint,
    )


def judged(facts: SampleFacts, outcome: Outcome, says: Constraint | None) -> Outcome:
    """``outcome`` after a judge read what the answer says; an unclear answer stays what it was."""
    if says is None:
        return outcome.model_copy(update={"judged": UNCLEAR})
    correct = says is facts.truth_constraint
    if facts.truth_constraint is None:
        correct = (says is Constraint.NONE) == facts.truth_feasible
    return Outcome(
        state=AnswerState.CORRECT if correct else AnswerState.INCORRECT,
        predicted_feasible=says is Constraint.NONE,
        predicted_constraint=says,
        judged=says.value,
    )


def _needs_judge(question: Question, output: ModelOutput, outcome: Outcome) -> bool:
    """True for an open answer in which something is said, but nothing could be read."""
    return (
        question.form == "open"
        and outcome.state not in _VALUES
        and fault_of(output) is None
        and bool(without_thoughts(output.completion))
    )


def _said(outcome: Outcome) -> str:
    if outcome.predicted_constraint is not None:
        return outcome.predicted_constraint.value
    return "feasible" if outcome.predicted_feasible else "infeasible"
