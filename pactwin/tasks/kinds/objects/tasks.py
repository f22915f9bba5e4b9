"""The Inspect tasks ``pac_properties`` and ``pac_affordances``."""

from functools import partial
from typing import Unpack

from inspect_ai import Task, task

from pactwin.catalogue import PROPERTIES
from pactwin.solvers import object_id
from pactwin.suite import Question, Scene, unknown_name
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.judge import read_prompt
from pactwin.tasks.core.kind import Judging, QuestionKind
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
def pac_properties(suite: str, topic: str = ALL_TOPICS, **asking: Unpack[Asking]) -> Task:
    """One sample per question about a property and view condition that can answer it.

    ``topic`` is a property in capitals, or ``all``; a ``limit`` counts scenes. Raises
    InvalidInputError for an unknown property, and what :func:`ask_about` raises.
    """
    if topic not in (*PROPERTIES, ALL_TOPICS):
        raise unknown_name("property", topic, (*PROPERTIES, ALL_TOPICS))
    return ask_about(
        suite,
        PROPERTY,
        wanted=lambda question: topic in (question.topic, ALL_TOPICS),
        described="about properties" if topic == ALL_TOPICS else f"about {topic}",
        **asking,
    )


@task(name="pac_affordances")
def pac_affordances(suite: str, embeddings: bool = False, **asking: Unpack[Asking]) -> Task:
    """One sample per question about affordances and view condition that can answer it.

    With ``embeddings`` what the catalogue's synonyms do not match is compared by a local sentence
    encoder; a model in the role ``judge`` is asked about what is left then. Raises
    EnvironmentFaultError where the encoder is not installed, and what :func:`ask_about` raises.
    """
    encoder = {"encoder": load_embedder()[1], "threshold": THRESHOLD} if embeddings else None
    return ask_about(
        suite,
        AFFORDANCE,
        options={"embeddings": embeddings},
        metadata={"embeddings": encoder},
        **asking,
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
