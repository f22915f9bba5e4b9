"""From a model's output to exactly one answer state, and the metrics shown in Inspect's logs.

Our own reading goes first; a judge, if the evaluation has one, is asked about open answers in which
that finds no answer.
"""

from inspect_ai.model import Model, ModelOutput, model_roles
from inspect_ai.scorer import (
    Score,
    Scorer,
    Target,
    scorer,
)
from inspect_ai.solver import TaskState

from pactwin.policies import Problem, fault_of, parse_reply, strip_reasoning
from pactwin.suite import NONE_OF_THEM, SET_FORMS, Constraint, Question
from pactwin.tasks.core.judge import UNCLEAR, ask_judge, refuse_self_judging
from pactwin.tasks.core.results import JUDGE_ROLE, AnswerState, ConstraintOutcome, SampleFacts
from pactwin.tasks.core.scoring import ANSWERED, SAMPLE_METRICS, broken, score_of, unanswered


@scorer(metrics=SAMPLE_METRICS)
def answer_scorer(judge_self: bool = False) -> Scorer:
    """Score replies to questions over the constraint taxonomy.

    The model in the role ``judge``, if there is one, must not be the model under test unless
    ``judge_self``: InvalidInputError. JudgeFaultError if it fails.
    """

    async def score(state: TaskState, target: Target) -> Score:
        facts = state.metadata_as(SampleFacts)
        question = Question.model_validate(state.metadata["question"])
        outcome = constraint_outcome(facts, question, state.output)
        judge = model_roles().get(JUDGE_ROLE)
        if isinstance(judge, Model) and _needs_judge(question, state.output, outcome):
            if not judge_self:
                refuse_self_judging(str(judge), [str(state.model)])
            reply = state.output.completion
            says = await ask_judge(judge, question.text, facts.truth_constraint, reply)
            if says in question.equivalent_constraints:
                says = question.equivalent_constraints[0]
            outcome = judged(facts, outcome, says)
        return score_of(outcome, _said(question, outcome), question.rationale)

    return score


def constraint_outcome(
    facts: SampleFacts, question: Question, output: ModelOutput
) -> ConstraintOutcome:
    """The outcome of one reply. What the instrument did is looked at before what was said."""
    fault = broken(output)
    if fault is not None:
        return ConstraintOutcome(**fault)
    # Where the truth names nothing that prevents it, no answer has to.
    asked = question.form
    form = "yes_no" if facts.truth_constraint is None and asked not in SET_FORMS else asked
    answer = parse_reply(
        form, output.completion, question.options, question.objects, question.equivalent_constraints
    )
    if answer.problem is Problem.NO_REASON:  # it was asked for one
        return ConstraintOutcome(state=AnswerState.INCORRECT, predicted_feasible=answer.feasible)
    if answer.problem is not None:
        return ConstraintOutcome(**unanswered(answer.problem), predicted_feasible=answer.feasible)
    if question.form in SET_FORMS:
        right = set(answer.selected) == set(question.accepted)
        return ConstraintOutcome(
            state=AnswerState.CORRECT if right else AnswerState.INCORRECT, selected=answer.selected
        )
    correct = {
        "yes_no": answer.feasible == facts.truth_feasible,
        "choice": answer.option == question.truth,
        "open": answer.constraint == facts.truth_constraint,
    }[form]
    return ConstraintOutcome(
        state=AnswerState.CORRECT if correct else AnswerState.INCORRECT,
        predicted_feasible=answer.feasible,
        predicted_constraint=answer.constraint,
    )


def judged(
    facts: SampleFacts, outcome: ConstraintOutcome, says: Constraint | None
) -> ConstraintOutcome:
    """``outcome`` after a judge read what the answer says; an unclear answer stays what it was."""
    if says is None:
        return outcome.model_copy(update={"judged": UNCLEAR})
    correct = says is facts.truth_constraint
    if facts.truth_constraint is None:
        correct = (says is Constraint.NONE) == facts.truth_feasible
    return ConstraintOutcome(
        state=AnswerState.CORRECT if correct else AnswerState.INCORRECT,
        predicted_feasible=says is Constraint.NONE,
        predicted_constraint=says,
        judged=says.value,
    )


def _needs_judge(question: Question, output: ModelOutput, outcome: ConstraintOutcome) -> bool:
    """True for an open answer in which something is said, but nothing could be read."""
    return (
        question.form == "open"
        and outcome.state not in ANSWERED
        and fault_of(output) is None
        and bool(strip_reasoning(output.completion))
    )


def _said(question: Question, outcome: ConstraintOutcome) -> str:
    if question.form in SET_FORMS:
        return "; ".join(outcome.selected) or NONE_OF_THEM
    if outcome.predicted_constraint is not None:
        return outcome.predicted_constraint.value
    return "feasible" if outcome.predicted_feasible else "infeasible"
