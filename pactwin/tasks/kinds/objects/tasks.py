"""The Inspect tasks ``pac_properties`` and ``pac_affordances``."""

from inspect_ai import Task, task

from pactwin.catalogue import PROPERTIES
from pactwin.policies import object_id
from pactwin.suite import Question, Scene, unknown_name
from pactwin.tasks.core.asking import ask_about, asked_facts
from pactwin.tasks.core.results import TASK_NAMES, ObjectSampleFacts
from pactwin.tasks.core.views import EACH
from pactwin.tasks.kinds.objects.judging import affordance_judge_prompt
from pactwin.tasks.kinds.objects.matching import THRESHOLD, load_embedder
from pactwin.tasks.kinds.objects.scorers import affordance_scorer, property_scorer

ALL_TOPICS = "all"


@task(name=TASK_NAMES["property"])
def pac_properties(
    suite: str,
    views: str | list[str] = EACH,
    topic: str = ALL_TOPICS,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: str | None = None,
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
        "property",
        wanted=lambda question: topic in (question.topic, ALL_TOPICS),
        described="about properties" if topic == ALL_TOPICS else f"about {topic}",
        facts_of=object_sample_facts,
        scorer=property_scorer(),
        views=views,
        limit=limit,
        strategy=strategy,
        prompts=prompts,
        metadata={},
    )


@task(name=TASK_NAMES["affordance"])
def pac_affordances(
    suite: str,
    views: str | list[str] = EACH,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: str | None = None,
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
        "affordance",
        described="about affordances",
        facts_of=object_sample_facts,
        scorer=affordance_scorer(embeddings, judge_self),
        views=views,
        limit=limit,
        strategy=strategy,
        prompts=prompts,
        metadata={
            "embeddings": {"encoder": encoder, "threshold": THRESHOLD} if embeddings else None,
            "judge_prompt": affordance_judge_prompt().identity(),
        },
    )


def object_sample_facts(scene: Scene, question: Question, condition: str) -> ObjectSampleFacts:
    """What is known of a question about an object before it is asked under a view condition."""
    if question.kind not in ("property", "affordance"):
        raise TypeError(f"question {question.id} is of kind {question.kind}, not about an object")
    return ObjectSampleFacts(
        **asked_facts(scene, question, condition),
        kind=question.kind,
        object_id=object_id(scene, question),
        topic=question.topic,
        observability=question.observability,
        truth=question.truth,
        accepted=question.accepted,
        n_options=len(question.options),
    )
