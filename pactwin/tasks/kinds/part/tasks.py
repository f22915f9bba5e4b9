"""Creative-use questions: asking, parsing, marking and judging."""

from typing import Any, Unpack

from inspect_ai import Task, task
from inspect_ai.model import Model

from pactwin.solvers import EXPLORED, INSPECTING, TRACE, Problem, parse_part_choice
from pactwin.suite import InvalidInputError, Question, Scene, load_suite
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.editions import suite_or_edition
from pactwin.tasks.core.kind import Judging, QuestionKind, Reply
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import unanswered
from pactwin.tasks.core.views import EACH, JOINT, NO_PICTURE
from pactwin.tasks.kinds.part.judging import (
    can_be_judged,
    use_judge_name,
    use_judge_prompt,
    use_material,
)
from pactwin.tasks.kinds.part.judging import mark as grade_use
from pactwin.tasks.kinds.part.matching import GOLD, choose, relation
from pactwin.tasks.kinds.part.metrics import SCORING
from pactwin.tasks.kinds.part.records import PartAnswer, UseFacts, UseOutcome, UseRow

OUT_OF_TURNS = "it asked for more when its turns were used up"

PICTURED = INSPECTING[:2]
"""Strategies that show pictures."""


@task(name="creative_use")
def creative_use(suite: str | None = None, **asking: Unpack[Asking]) -> Task:
    """One sample per situation in which a part of an object must serve.

    With the strategy ``explore`` objects are described only on request. A ``limit`` alternates
    between tiers of difficulty. Unless ``views`` names some, the strategies ``inspect-last`` and
    ``inspect-all`` have all pictures and others none. Raises the errors of :func:`ask_about`, and
    InvalidInputError if there are no pictures to inspect.
    """
    suite = suite_or_edition(suite, "creative")
    pictured = asking.get("strategy") in PICTURED
    if asking.get("views", EACH) == EACH:
        asking["views"] = JOINT if pictured else NO_PICTURE
    if pictured and not any(s.views for s in load_suite(suite).scenes.values()):
        raise InvalidInputError(f"{suite} has no pictures to inspect: use inspect-text, or explore")
    return ask_about(suite, CREATIVE_USE, **asking)


def use_facts(scene: Scene, question: Question, condition: str) -> UseFacts:
    """Sample metadata of a situation."""
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


def noted(reply: Reply[UseFacts]) -> dict[str, Any]:
    """Objects and parts inspected before the reply."""
    trace = tuple(tuple(looked) for looked in reply.metadata.get(TRACE, ()))
    explored = tuple(reply.metadata.get(EXPLORED, ()))
    return {"explored": explored or tuple(o[0] for o in trace if len(o) == 1), "trace": trace}


def mark(reply: Reply[UseFacts]) -> UseOutcome:
    """Parse the object and part that a reply chooses: correct if both match the gold answer."""
    said = parse_part_choice(reply.output.completion)
    if said.explore:
        return UseOutcome(state=AnswerState.UNPARSED, reason=OUT_OF_TURNS)
    if said.problem is not None:
        return UseOutcome(**unanswered(Problem(said.problem)))
    entity, part = choose(reply.question, said.entity, said.part)
    found = relation(reply.question, entity, part)
    return UseOutcome(
        state=AnswerState.of(found == GOLD),
        entity=said.entity,
        part=said.part,
        use=said.use,
        found_entity=entity,
        found_part=part,
        relation=found,
    )


def needs_judge(reply: Reply[UseFacts], outcome: UseOutcome) -> bool:
    """Return whether the choice is a candidate, which a judge can grade."""
    return can_be_judged(outcome.relation)


async def judge_use(judge: Model, reply: Reply[UseFacts], outcome: UseOutcome) -> UseOutcome:
    """``outcome`` with the marks of ``judge`` for the intended use."""
    choice = outcome.found_entity, outcome.found_part, outcome.use
    marks = await grade_use(judge, use_material(reply.question, *choice))
    added = marks.model_dump() | {"judge": use_judge_name(judge)}
    return outcome.model_copy(update=added | {"judged": marks.model_dump_json()})


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
