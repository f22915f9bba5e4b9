"""From a reply that chooses a part of a thing to one answer state."""

from typing import Any

from inspect_ai.model import Model, ModelOutput, model_roles
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from pactwin.policies import EXPLORED, TRACE, Problem, parse_part_choice
from pactwin.suite import Question
from pactwin.tasks.core.judge import refuse_self_judging
from pactwin.tasks.core.results import JUDGE_ROLE, AnswerState, UseOutcome
from pactwin.tasks.core.scoring import SAMPLE_METRICS, broken, score_of, unanswered
from pactwin.tasks.kinds.part.judging import can_be_judged, mark, use_judge_name, use_material
from pactwin.tasks.kinds.part.matching import GOLD, choose, relation

OUT_OF_TURNS = "it asked for more when its turns were used up"


@scorer(metrics=SAMPLE_METRICS)
def use_scorer(judge_self: bool = False) -> Scorer:
    """Score which part of which thing a reply chooses: right is what is meant, both of it.

    The model in the role ``judge``, if there is one, marks how it would be used; it must not be the
    model under test unless ``judge_self``: InvalidInputError. JudgeFaultError if it fails.
    """

    async def score(state: TaskState, target: Target) -> Score:
        question = Question.model_validate(state.metadata["question"])
        trace = tuple(tuple(looked) for looked in state.metadata.get(TRACE, ()))
        explored = tuple(state.metadata.get(EXPLORED, ()))
        outcome = use_outcome(question, state.output, explored, trace)
        judge = model_roles().get(JUDGE_ROLE)
        if isinstance(judge, Model) and can_be_judged(outcome.relation):
            if not judge_self:
                refuse_self_judging(str(judge), [str(state.model)])
            choice = outcome.found_entity, outcome.found_part, outcome.use
            marks = await mark(judge, use_material(question, *choice))
            added = marks.model_dump() | {"judge": use_judge_name(judge)}
            outcome = outcome.model_copy(update=added | {"judged": marks.model_dump_json()})
        said = f"{outcome.entity}: {outcome.part}"
        return score_of(outcome, said, question.rationale)

    return score


def use_outcome(
    question: Question,
    output: ModelOutput,
    explored: tuple[str, ...] = (),
    trace: tuple[tuple[str, ...], ...] = (),
) -> UseOutcome:
    """The outcome of one reply; ``explored`` and ``trace`` are what was looked at before it."""
    things = explored or tuple(one[0] for one in trace if len(one) == 1)
    before: dict[str, Any] = {"explored": things, "trace": trace}
    fault = broken(output)
    if fault is not None:
        return UseOutcome(**fault, **before)
    said = parse_part_choice(output.completion)
    if said.explore:
        return UseOutcome(state=AnswerState.UNPARSED, reason=OUT_OF_TURNS, **before)
    if said.problem is not None:
        return UseOutcome(**unanswered(Problem(said.problem)), **before)
    entity, part = choose(question, said.entity, said.part)
    found = relation(question, entity, part)
    return UseOutcome(
        state=AnswerState.CORRECT if found == GOLD else AnswerState.INCORRECT,
        entity=said.entity,
        part=said.part,
        use=said.use,
        found_entity=entity,
        found_part=part,
        relation=found,
        **before,
    )
