"""How a reply about an object is read, marked and judged.

These are the corrected rules: a property is right if the category read is the true one, without a
judge; an affordance answer is ``correct`` if it covers every accepted affordance. What stops a
sample short of an answer is never scored as wrong.
"""

from inspect_ai.model import Model

from pactwin.solvers import Problem, parse_category, parse_list
from pactwin.suite import Question
from pactwin.tasks.core.judge import in_words, same_meaning
from pactwin.tasks.core.kind import Reply
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import unanswered
from pactwin.tasks.kinds.objects.matching import Matched, load_embedder, match_affordances
from pactwin.tasks.kinds.objects.records import ObjectOutcome, ObjectSampleFacts


def mark_property(reply: Reply[ObjectSampleFacts]) -> ObjectOutcome:
    """Read which category a reply picks, and mark it."""
    question = reply.question
    answer = parse_category(reply.output.completion, question.options)
    if answer.category is None:
        return ObjectOutcome(**unanswered(answer.problem or Problem.NO_ANSWER))
    said = answer.category.partition(":")[0].strip()
    correct = said == question.truth.partition(":")[0].strip()
    return ObjectOutcome(state=AnswerState.CORRECT if correct else AnswerState.INCORRECT, said=said)


def mark_affordances(reply: Reply[ObjectSampleFacts]) -> ObjectOutcome:
    """Read which of the accepted affordances a reply lists, and mark it.

    The catalogue's synonyms go first, then sentence embeddings if the option ``embeddings`` is
    set: EnvironmentFaultError without the encoder.
    """
    answer = parse_list(reply.output.completion)
    if answer.problem is not None:
        return ObjectOutcome(**unanswered(answer.problem))
    embed = load_embedder()[0] if reply.options.get("embeddings") else None
    accepted = reply.question.accepted
    return _outcome(reply.question, match_affordances(answer.items, accepted, embed))


def needs_judge(reply: Reply[ObjectSampleFacts], outcome: ObjectOutcome) -> bool:
    """Whether something is listed that matches no accepted affordance."""
    return any(item not in outcome.right for item in outcome.items)


async def judge_items(
    judge: Model, reply: Reply[ObjectSampleFacts], outcome: ObjectOutcome
) -> ObjectOutcome:
    """``outcome`` after ``judge`` said which of the other items mean accepted affordances."""
    accepted = reply.question.accepted
    items = [item for item in outcome.items if item not in outcome.right]
    pairs = await same_meaning(judge, __package__, accepted, items)
    matched = Matched(
        items=outcome.items,
        right=tuple(item for item in outcome.items if item in outcome.right or item in pairs),
        covered=tuple(n for n in accepted if n in outcome.covered or n in pairs.values()),
    )
    return _outcome(reply.question, matched, judged=in_words(pairs))


def _outcome(question: Question, matched: Matched, judged: str = "") -> ObjectOutcome:
    complete = set(matched.covered) == set(question.accepted)
    return ObjectOutcome(
        state=AnswerState.CORRECT if complete else AnswerState.INCORRECT,
        items=matched.items,
        right=matched.right,
        covered=matched.covered,
        judged=judged,
    )
