"""From a reply about an object to one answer state.

These are the corrected rules: a property is right if the category read is the true one, without a
judge; an affordance answer is ``correct`` if it covers every accepted affordance. What stops a
sample short of an answer is never scored as wrong.
"""

from inspect_ai.model import Model, ModelOutput, model_roles
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from pactwin.policies import Problem, parse_category, parse_list
from pactwin.suite import Question
from pactwin.tasks.core.judge import refuse_self_judging
from pactwin.tasks.core.results import JUDGE_ROLE, AnswerState, ObjectOutcome
from pactwin.tasks.core.scoring import SAMPLE_METRICS, broken, score_of, unanswered
from pactwin.tasks.kinds.objects.judging import judge_affordances
from pactwin.tasks.kinds.objects.matching import Embed, Matched, load_embedder, match_affordances


@scorer(metrics=SAMPLE_METRICS)
def property_scorer() -> Scorer:
    """Score which category a reply picks."""

    async def score(state: TaskState, target: Target) -> Score:
        question = Question.model_validate(state.metadata["question"])
        outcome = property_outcome(question, state.output)
        return score_of(outcome, outcome.said, question.rationale)

    return score


def property_outcome(question: Question, output: ModelOutput) -> ObjectOutcome:
    """The outcome of one reply to a question about a property."""
    fault = broken(output)
    if fault is not None:
        return ObjectOutcome(**fault)
    answer = parse_category(output.completion, question.options)
    if answer.category is None:
        return ObjectOutcome(**unanswered(answer.problem or Problem.NO_ANSWER))
    said = answer.category.partition(":")[0].strip()
    correct = said == question.truth.partition(":")[0].strip()
    return ObjectOutcome(state=AnswerState.CORRECT if correct else AnswerState.INCORRECT, said=said)


@scorer(metrics=SAMPLE_METRICS)
def affordance_scorer(embeddings: bool = False, judge_self: bool = False) -> Scorer:
    """Score which of the accepted affordances a reply lists.

    The catalogue's synonyms go first, then ``embeddings`` if wanted, then the model in the role
    ``judge`` if there is one; it must not be the model under test unless ``judge_self``:
    InvalidInputError. JudgeFaultError if it fails. EnvironmentFaultError without the encoder.
    """
    embed = load_embedder()[0] if embeddings else None

    async def score(state: TaskState, target: Target) -> Score:
        question = Question.model_validate(state.metadata["question"])
        outcome = affordances_outcome(question, state.output, embed)
        judge = model_roles().get(JUDGE_ROLE)
        open_items = [item for item in outcome.items if item not in outcome.right]
        if isinstance(judge, Model) and open_items:
            if not judge_self:
                refuse_self_judging(str(judge), [str(state.model)])
            pairs = await judge_affordances(judge, question, open_items)
            outcome = _judged(question, outcome, pairs)
        return score_of(outcome, "; ".join(outcome.items), question.rationale)

    return score


def affordances_outcome(
    question: Question, output: ModelOutput, embed: Embed | None = None
) -> ObjectOutcome:
    """The outcome of one reply to a question about affordances, without a judge."""
    fault = broken(output)
    if fault is not None:
        return ObjectOutcome(**fault)
    answer = parse_list(output.completion)
    if answer.problem is not None:
        return ObjectOutcome(**unanswered(answer.problem))
    return _outcome(question, match_affordances(answer.items, question.accepted, embed))


def _outcome(question: Question, matched: Matched, judged: str = "") -> ObjectOutcome:
    complete = set(matched.covered) == set(question.accepted)
    return ObjectOutcome(
        state=AnswerState.CORRECT if complete else AnswerState.INCORRECT,
        items=matched.items,
        right=matched.right,
        covered=matched.covered,
        judged=judged,
    )


def _judged(question: Question, before: ObjectOutcome, pairs: dict[str, str]) -> ObjectOutcome:
    """``before`` with what the judge matched: {item: accepted affordance}."""
    matched = Matched(
        items=before.items,
        right=tuple(i for i in before.items if i in before.right or i in pairs),
        covered=tuple(
            name for name in question.accepted if name in before.covered or name in pairs.values()
        ),
    )
    said = "; ".join(f"{item} = {name}" for item, name in pairs.items())
    return _outcome(question, matched, judged=said or "nothing more")
