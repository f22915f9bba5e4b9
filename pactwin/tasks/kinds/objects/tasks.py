"""The Inspect tasks ``pac_properties`` and ``pac_affordances``."""

from functools import partial

from inspect_ai import Task, task

from pactwin.catalogue import PROPERTIES
from pactwin.solvers import object_id
from pactwin.suite import Question, Scene, unknown_name
from pactwin.tasks.core.asking import ask_about, asked_facts
from pactwin.tasks.core.judge import read_prompt
from pactwin.tasks.core.kind import Judging, QuestionKind
from pactwin.tasks.core.views import EACH
from pactwin.tasks.kinds.objects.matching import THRESHOLD, load_embedder
from pactwin.tasks.kinds.objects.metrics import AFFORDANCE_SCORING, PROPERTY_SCORING
from pactwin.tasks.kinds.objects.records import (
    AFFORDANCE_ANSWER,
    ObjectOutcome,
    ObjectRow,
    ObjectSampleFacts,
    category_answer,
)
from pactwin.tasks.kinds.objects.scorers import (
    judge_items,
    mark_affordances,
    mark_property,
    needs_judge,
)

ALL_TOPICS = "all"


@task(name="pac_properties")
def pac_properties(
    suite: str,
    views: str | list[str] = EACH,
    topic: str = ALL_TOPICS,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: str | None = None,
    structured: bool = False,
) -> Task:
    """One sample per question about a property and view condition that can answer it.

    ``topic`` is a property in capitals, or ``all``; ``limit`` is the largest number of scenes;
    the rest is as in :func:`pactwin.tasks.pac_constraints`. Raises InvalidInputError for an unknown
    property, and what :func:`ask_about` raises.
    """
    if topic not in (*PROPERTIES, ALL_TOPICS):
        raise unknown_name("property", topic, (*PROPERTIES, ALL_TOPICS))
    return ask_about(
        suite,
        PROPERTY,
        wanted=lambda question: topic in (question.topic, ALL_TOPICS),
        described="about properties" if topic == ALL_TOPICS else f"about {topic}",
        views=views,
        limit=limit,
        strategy=strategy,
        prompts=prompts,
        structured=structured,
    )


@task(name="pac_affordances")
def pac_affordances(
    suite: str,
    views: str | list[str] = EACH,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: str | None = None,
    structured: bool = False,
    embeddings: bool = False,
    judge_self: bool = False,
) -> Task:
    """One sample per question about affordances and view condition that can answer it.

    With ``embeddings`` what the catalogue's synonyms do not match is compared by a local sentence
    encoder; a model in the role ``judge`` is asked about what is left then. The rest is as in
    :func:`pac_properties`. Raises EnvironmentFaultError where the encoder is not installed, and
    what :func:`ask_about` raises.
    """
    encoder = load_embedder()[1] if embeddings else ""
    return ask_about(
        suite,
        AFFORDANCE,
        judge_self=judge_self,
        options={"embeddings": embeddings},
        views=views,
        limit=limit,
        strategy=strategy,
        prompts=prompts,
        structured=structured,
        metadata={
            "embeddings": {"encoder": encoder, "threshold": THRESHOLD} if embeddings else None,
        },
    )


def object_sample_facts(scene: Scene, question: Question, condition: str) -> ObjectSampleFacts:
    """What is known of a question about an object before it is asked under a view condition."""
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
