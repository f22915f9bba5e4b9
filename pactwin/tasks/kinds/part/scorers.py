"""How a reply that chooses a part of a thing is read, marked and judged."""

from typing import Any

from inspect_ai.model import Model

from pactwin.solvers import EXPLORED, TRACE, Problem, parse_part_choice
from pactwin.tasks.core.kind import Reply
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import unanswered
from pactwin.tasks.kinds.part.judging import can_be_judged, use_judge_name, use_material
from pactwin.tasks.kinds.part.judging import mark as grade_use
from pactwin.tasks.kinds.part.matching import GOLD, choose, relation
from pactwin.tasks.kinds.part.records import UseFacts, UseOutcome

OUT_OF_TURNS = "it asked for more when its turns were used up"


def noted(reply: Reply[UseFacts]) -> dict[str, Any]:
    """What was looked at before the reply."""
    trace = tuple(tuple(looked) for looked in reply.metadata.get(TRACE, ()))
    explored = tuple(reply.metadata.get(EXPLORED, ()))
    return {"explored": explored or tuple(o[0] for o in trace if len(o) == 1), "trace": trace}


def mark(reply: Reply[UseFacts]) -> UseOutcome:
    """Read which part of which thing a reply chooses: correct if both match the gold answer."""
    said = parse_part_choice(reply.output.completion)
    if said.explore:
        return UseOutcome(state=AnswerState.UNPARSED, reason=OUT_OF_TURNS)
    if said.problem is not None:
        return UseOutcome(**unanswered(Problem(said.problem)))
    entity, part = choose(reply.question, said.entity, said.part)
    found = relation(reply.question, entity, part)
    return UseOutcome(
        state=AnswerState.CORRECT if found == GOLD else AnswerState.INCORRECT,
        entity=said.entity,
        part=said.part,
        use=said.use,
        found_entity=entity,
        found_part=part,
        relation=found,
    )


def needs_judge(reply: Reply[UseFacts], outcome: UseOutcome) -> bool:
    """Whether the choice names something that is there."""
    return can_be_judged(outcome.relation)


async def judge_use(judge: Model, reply: Reply[UseFacts], outcome: UseOutcome) -> UseOutcome:
    """``outcome`` with the marks that ``judge`` gives to how the part would be used."""
    choice = outcome.found_entity, outcome.found_part, outcome.use
    marks = await grade_use(judge, use_material(reply.question, *choice))
    added = marks.model_dump() | {"judge": use_judge_name(judge)}
    return outcome.model_copy(update=added | {"judged": marks.model_dump_json()})
