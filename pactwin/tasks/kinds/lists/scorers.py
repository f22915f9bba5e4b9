"""From a reply that lists tools to one answer state."""

import json
from functools import lru_cache
from string import Template

from inspect_ai.model import Model, ModelOutput, model_roles
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from pactwin.policies import parse_names
from pactwin.suite import Question
from pactwin.tasks.core.judge import (
    JudgePrompt,
    put_to,
    read_pairs,
    read_prompt,
    refuse_self_judging,
)
from pactwin.tasks.core.results import JUDGE_ROLE, AnswerState, ToolOutcome
from pactwin.tasks.core.scoring import SAMPLE_METRICS, broken, score_of, unanswered
from pactwin.tasks.kinds.lists.matching import Matching, match_names
from pactwin.tasks.kinds.lists.rendered import MISSING
from pactwin.tasks.kinds.lists.scoring import Plan, named


@lru_cache
def tool_judge_prompt() -> JudgePrompt:
    """The prompt that comes with pactwin."""
    return read_prompt("pactwin.tasks.kinds.lists")


@scorer(metrics=SAMPLE_METRICS)
def tool_scorer(judge_self: bool = False) -> Scorer:
    """Score a list of tools.

    Our own rules match names first; the model in the role ``judge``, if there is one, is asked what
    is left then, and must not be the model under test unless ``judge_self``: InvalidInputError.
    JudgeFaultError if it fails.
    """

    async def score(state: TaskState, target: Target) -> Score:
        question = Question.model_validate(state.metadata["question"])
        outcome = tools_outcome(question, state.output)
        judge = model_roles().get(JUDGE_ROLE)
        items = sorted(
            {i for i, at in zip(outcome.items, outcome.found, strict=True) if at is None}
        )
        known = [name for at, name in enumerate(question.accepted) if at not in outcome.found]
        if isinstance(judge, Model) and items and known:
            if not judge_self:
                refuse_self_judging(str(judge), [str(state.model)])
            material = json.dumps({"known": known, "found": items}, ensure_ascii=False, indent=1)
            prompt = Template(tool_judge_prompt().prompt).substitute(material=material)
            pairs = read_pairs(await put_to(judge, prompt), known, items)
            outcome = _judged(question, outcome, pairs)
        return score_of(outcome, "; ".join(outcome.items), question.rationale)

    return score


def tools_outcome(question: Question, output: ModelOutput) -> ToolOutcome:
    """The outcome of one reply, without a judge."""
    fault = broken(output)
    if fault is not None:
        return ToolOutcome(**fault)
    answer = parse_names(output.completion)
    if answer.problem is not None:
        return ToolOutcome(**unanswered(answer.problem))
    matched = match_names(answer.items, question.accepted, question.synonyms)
    return _outcome(question, answer.items, matched)


def _outcome(
    question: Question, items: tuple[str, ...], matched: Matching, judged: str = ""
) -> ToolOutcome:
    steps = (1,) * len(question.steps) if question.order_free else question.steps
    if question.kind == "recognition":
        right = named(matched.found, len(question.accepted)).exact
    else:
        right = Plan(matched.found, steps).is_exact
    there = (
        *question.distractors,
        *(n for n in question.accepted if not n.startswith(f"{MISSING} ")),
    )
    strays = [at for at, index in enumerate(matched.found) if index is None]
    shown = [match_names([items[at]], there, question.synonyms).found != (None,) for at in strays]
    return ToolOutcome(
        state=AnswerState.CORRECT if right else AnswerState.INCORRECT,
        items=items,
        found=matched.found,
        rules=matched.rules,
        distracted=tuple(at for at, is_there in zip(strays, shown, strict=True) if is_there),
        judged=judged,
    )


def _judged(question: Question, before: ToolOutcome, pairs: dict[str, str]) -> ToolOutcome:
    """``before`` with what the judge matched, {item: accepted name}, each name once."""
    found, rules = list(before.found), list(before.rules)
    for at, item in enumerate(before.items):
        if found[at] is None and item in pairs:
            free = (k for k, name in enumerate(question.accepted) if name == pairs[item])
            index = next((k for k in free if k not in found), None)
            if index is not None:
                found[at], rules[at] = index, "judge"
    said = "; ".join(f"{item} = {name}" for item, name in pairs.items())
    matched = Matching(tuple(found), tuple(rules))  # type: ignore[arg-type]
    return _outcome(question, before.items, matched, judged=said or "nothing more")
