"""Inspect tasks about properties and affordances: asking, parsing, marking and judging.

These are pactwin's rules, which correct the published ones: a property answer is correct if its
category is the true one, without a judge; an affordance answer is ``correct`` if it covers every
accepted affordance.
"""

from functools import partial
from typing import Unpack

from inspect_ai import Task, task
from inspect_ai.model import Model

from pactwin.catalogue import PROPERTIES
from pactwin.solvers import Problem, object_id, parse_category, parse_list
from pactwin.suite import Question, Scene, unknown_name
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.editions import suite_or_edition
from pactwin.tasks.core.judge import in_words, read_prompt, same_meaning
from pactwin.tasks.core.kind import Judging, QuestionKind, Reply
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import unanswered
from pactwin.tasks.kinds.objects.matching import (
    THRESHOLD,
    Matched,
    load_embedder,
    match_affordances,
)
from pactwin.tasks.kinds.objects.metrics import AFFORDANCE_SCORING, PROPERTY_SCORING
from pactwin.tasks.kinds.objects.records import (
    AFFORDANCE_ANSWER,
    ObjectOutcome,
    ObjectRow,
    ObjectSampleFacts,
    category_answer,
)

ALL_TOPICS = "all"


@task(name="pac_properties")
def pac_properties(
    suite: str | None = None, topic: str = ALL_TOPICS, **asking: Unpack[Asking]
) -> Task:
    """One sample per question about a property and view condition that can answer it.

    ``topic`` is a property in capitals, or ``all``; a ``limit`` counts scenes. Raises
    InvalidInputError for an unknown property, and the errors of :func:`ask_about`.
    """
    if topic not in (*PROPERTIES, ALL_TOPICS):
        raise unknown_name("property", topic, (*PROPERTIES, ALL_TOPICS))
    return ask_about(
        suite_or_edition(suite, "objects"),
        PROPERTY,
        wanted=lambda question: topic in (question.topic, ALL_TOPICS),
        described="about properties" if topic == ALL_TOPICS else f"about {topic}",
        **asking,
    )


@task(name="pac_affordances")
def pac_affordances(
    suite: str | None = None, embeddings: bool = False, **asking: Unpack[Asking]
) -> Task:
    """One sample per question about affordances and view condition that can answer it.

    With ``embeddings``, a local sentence encoder compares items that the catalogue's synonyms do
    not match; a model in the role ``judge`` decides about the rest. Raises EnvironmentFaultError if
    the encoder is not installed, and the errors of :func:`ask_about`.
    """
    encoder = {"encoder": load_embedder()[1], "threshold": THRESHOLD} if embeddings else None
    return ask_about(
        suite_or_edition(suite, "objects"),
        AFFORDANCE,
        options={"embeddings": embeddings},
        metadata={"embeddings": encoder},
        **asking,
    )


def object_sample_facts(scene: Scene, question: Question, condition: str) -> ObjectSampleFacts:
    """Sample metadata of a question about an object under a view condition."""
    if question.kind not in ("property", "affordance"):
        raise TypeError(f"question {question.id} is of kind {question.kind}, not about an object")
    return ObjectSampleFacts(
        **asked_facts(scene, question, condition),
        object_id=object_id(scene, question),
        topic=question.topic,
        observability=question.observability,
        truth=question.truth,
        accepted=question.accepted,
        n_options=len(question.options),
    )


def mark_property(reply: Reply[ObjectSampleFacts]) -> ObjectOutcome:
    """Parse the category that a reply picks, and mark it."""
    question = reply.question
    answer = parse_category(reply.output.completion, question.options)
    if answer.category is None:
        return ObjectOutcome(**unanswered(answer.problem or Problem.NO_ANSWER))
    said = answer.category.partition(":")[0].strip()
    correct = said == question.truth.partition(":")[0].strip()
    return ObjectOutcome(state=AnswerState.of(correct), said=said)


def mark_affordances(reply: Reply[ObjectSampleFacts]) -> ObjectOutcome:
    """Parse the affordances that a reply lists, and mark them.

    The catalogue's synonyms come first, then sentence embeddings if the option ``embeddings`` is
    set: EnvironmentFaultError without the encoder.
    """
    answer = parse_list(reply.output.completion)
    if answer.problem is not None:
        return ObjectOutcome(**unanswered(answer.problem))
    embed = load_embedder()[0] if reply.options.get("embeddings") else None
    accepted = reply.question.accepted
    return _outcome(reply.question, match_affordances(answer.items, accepted, embed))


def needs_judge(reply: Reply[ObjectSampleFacts], outcome: ObjectOutcome) -> bool:
    """Return whether a listed item matches no accepted affordance."""
    return any(item not in outcome.right for item in outcome.items)


async def judge_items(
    judge: Model, reply: Reply[ObjectSampleFacts], outcome: ObjectOutcome
) -> ObjectOutcome:
    """``outcome`` after ``judge`` matched the other items with accepted affordances."""
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
        state=AnswerState.of(complete),
        items=matched.items,
        right=matched.right,
        covered=matched.covered,
        judged=judged,
    )


_TRUTH = ("topic", "truth", "accepted")
PROPERTY = QuestionKind(
    name="property",
    task_name="pac_properties",
    task=pac_properties,
    described="about properties",
    row=ObjectRow,
    facts_type=ObjectSampleFacts,
    outcome_type=ObjectOutcome,
    facts=object_sample_facts,
    mark=mark_property,
    said=lambda question, outcome: outcome.said,
    truth=_TRUTH,
    scoring=PROPERTY_SCORING,
    answer=category_answer,
    cluster="object_id",
)
AFFORDANCE = QuestionKind(
    name="affordance",
    task_name="pac_affordances",
    task=pac_affordances,
    described="about affordances",
    row=ObjectRow,
    facts_type=ObjectSampleFacts,
    outcome_type=ObjectOutcome,
    facts=object_sample_facts,
    mark=mark_affordances,
    said=lambda question, outcome: "; ".join(outcome.items),
    truth=_TRUTH,
    scoring=AFFORDANCE_SCORING,
    answer=lambda question: AFFORDANCE_ANSWER,
    cluster="object_id",
    judging=Judging(partial(read_prompt, __package__), needs_judge, judge_items),
)
