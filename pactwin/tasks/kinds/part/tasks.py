"""The Inspect task ``creative_use``."""

from typing import Unpack

from inspect_ai import Task, task

from pactwin.solvers import INSPECTING
from pactwin.suite import InvalidInputError, Question, Scene, load_suite
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.kind import Judging, QuestionKind
from pactwin.tasks.core.views import EACH, JOINT, NO_PICTURE
from pactwin.tasks.kinds.part.judging import use_judge_prompt
from pactwin.tasks.kinds.part.metrics import SCORING
from pactwin.tasks.kinds.part.records import PartAnswer, UseFacts, UseOutcome, UseRow
from pactwin.tasks.kinds.part.scorers import judge_use, mark, needs_judge, noted

PICTURED = INSPECTING[:2]
"""Strategies that show pictures."""


@task(name="creative_use")
def creative_use(suite: str, **asking: Unpack[Asking]) -> Task:
    """One sample per situation in which a part of a thing has to serve.

    With the strategy ``explore`` things are described only to who asks for them. A ``limit`` takes
    the tiers of difficulty in turn. Unless ``views`` names some, all pictures are there for the
    strategies ``inspect-last`` and ``inspect-all``, none for others. Raises what :func:`ask_about`
    raises, and InvalidInputError where there are no pictures to inspect.
    """
    pictured = asking.get("strategy") in PICTURED
    if asking.get("views", EACH) == EACH:
        asking["views"] = JOINT if pictured else NO_PICTURE
    if pictured and not any(s.views for s in load_suite(suite).scenes.values()):
        raise InvalidInputError(f"{suite} has no pictures to inspect: use inspect-text, or explore")
    return ask_about(suite, CREATIVE_USE, **asking)


def use_facts(scene: Scene, question: Question, condition: str) -> UseFacts:
    """What is known of a situation before it is told."""
    entity, part = question.accepted
    return UseFacts(
        **asked_facts(scene, question, condition),
        gold_entity=entity,
        gold_part=part,
        candidates=tuple(thing.name for thing in question.candidates),
        published_id=question.topic,
        similar=tuple(
            (thing.name, part)
            for thing in question.candidates
            for part, like in thing.likeness.items()
            if like.startswith("similar")
        ),
    )


CREATIVE_USE = QuestionKind(
    name="creative_use",
    task_name="creative_use",
    task=creative_use,
    described="which part of which thing could serve",
    unit="situation",
    row=UseRow,
    facts_type=UseFacts,
    outcome_type=UseOutcome,
    facts=use_facts,
    mark=mark,
    noted=noted,
    said=lambda question, outcome: f"{outcome.entity}: {outcome.part}",
    truth=("gold_entity", "gold_part", "candidates", "published_id"),
    scoring=SCORING,
    answer=lambda question: PartAnswer,
    judging=Judging(use_judge_prompt, needs_judge, judge_use),
)
