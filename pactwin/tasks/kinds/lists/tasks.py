"""Inspect tasks that ask for a list: asking, parsing, marking and judging."""

from collections.abc import Callable
from functools import partial
from typing import Unpack

from inspect_ai import Task, task
from inspect_ai.model import Model

from pactwin.solvers import parse_names
from pactwin.suite import Question, Scene
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.editions import suite_or_edition
from pactwin.tasks.core.judge import in_words, read_prompt, same_meaning
from pactwin.tasks.core.kind import Judging, QuestionKind, Reply
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import unanswered
from pactwin.tasks.core.views import NO_PICTURE
from pactwin.tasks.kinds.lists.matching import Matching, match_names
from pactwin.tasks.kinds.lists.metrics import scoring
from pactwin.tasks.kinds.lists.records import LIST_ANSWERS, ToolFacts, ToolOutcome, ToolRow
from pactwin.tasks.kinds.lists.rendered import MISSING
from pactwin.tasks.kinds.lists.scoring import Plan, named


def tool_facts(scene: Scene, question: Question, condition: str) -> ToolFacts:
    """Sample metadata of a question for a list under a view condition."""
    return ToolFacts(
        **asked_facts(scene, question, condition),
        accepted=question.accepted,
        steps=(1,) * len(question.steps) if question.order_free else question.steps,
        distractors=question.distractors,
        published_id=question.topic,
    )


def mark(reply: Reply[ToolFacts]) -> ToolOutcome:
    """Parse the names that a reply lists, and mark them by pactwin's rules."""
    question = reply.question
    answer = parse_names(reply.output.completion)
    if answer.problem is not None:
        return ToolOutcome(**unanswered(answer.problem))
    matched = match_names(answer.items, question.accepted, question.synonyms)
    return _outcome(question, answer.items, matched)


def needs_judge(reply: Reply[ToolFacts], outcome: ToolOutcome) -> bool:
    """Return whether an item and an accepted name are both still unmatched."""
    return None in outcome.found and bool(_unmatched(reply.question, outcome))


async def judge_names(judge: Model, reply: Reply[ToolFacts], outcome: ToolOutcome) -> ToolOutcome:
    """``outcome`` after ``judge`` matched the remaining names."""
    items = sorted({i for i, at in zip(outcome.items, outcome.found, strict=True) if at is None})
    known = _unmatched(reply.question, outcome)
    pairs = await same_meaning(judge, __package__, known, items)
    return _judged(reply.question, outcome, pairs)


def _unmatched(question: Question, outcome: ToolOutcome) -> list[str]:
    return [name for at, name in enumerate(question.accepted) if at not in outcome.found]


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
        state=AnswerState.of(right),
        items=items,
        found=matched.found,
        rules=matched.rules,
        distracted=tuple(at for at, is_there in zip(strays, shown, strict=True) if is_there),
        judged=judged,
    )


def _judged(question: Question, before: ToolOutcome, pairs: dict[str, str]) -> ToolOutcome:
    """``before`` with the judge's matches, {item: accepted name}, each name once."""
    found, rules = list(before.found), list(before.rules)
    for at, item in enumerate(before.items):
        if found[at] is None and item in pairs:
            free = (k for k, name in enumerate(question.accepted) if name == pairs[item])
            index = next((k for k in free if k not in found), None)
            if index is not None:
                found[at], rules[at] = index, "judge"
    matched = Matching(tuple(found), tuple(rules))  # type: ignore[arg-type]
    return _outcome(question, before.items, matched, judged=in_words(pairs))


def _kind(
    name: str, task_name: str, title: str, described: str
) -> QuestionKind[ToolFacts, ToolOutcome]:
    @task(name=task_name)
    def list_task(suite: str | None = None, **asking: Unpack[Asking]) -> Task:
        if name == "named_plan":
            asking["views"] = NO_PICTURE
        made_by = "recognition" if name == "recognition" else "tools"
        return ask_about(suite_or_edition(suite, made_by), kind, **asking)

    kind = QuestionKind(
        answer=lambda question: LIST_ANSWERS[name],
        name=name,
        task_name=task_name,
        task=list_task,
        described=described,
        row=ToolRow,
        facts_type=ToolFacts,
        outcome_type=ToolOutcome,
        facts=tool_facts,
        mark=mark,
        said=lambda question, outcome: "; ".join(outcome.items),
        truth=("accepted", "steps", "distractors", "published_id"),
        scoring=scoring(name, title),
        judging=Judging(partial(read_prompt, __package__), needs_judge, judge_names),
    )
    return kind


RECOGNITION = _kind(
    "recognition", "recognition", "All that the picture shows", "that asks for all there is to see"
)
PLAN = _kind("plan", "tool_plan", "Tools of a task, in order", "that asks for the tools of a task")
NAMED_PLAN = _kind(
    "named_plan",
    "named_tool_plan",
    "Tools of a task, names given",
    "that asks for the tools of a task among named ones",
)

recognition: Callable[..., Task] = RECOGNITION.task
"""One sample per picture whose objects or tools must all be named.

A model in the role ``judge`` is asked which names mean the same where our own rules do not say. The
rest is as in :func:`pac_properties`. Raises what :func:`ask_about` raises.
"""
tool_plan: Callable[..., Task] = PLAN.task
"""One sample per picture and task whose tools must be chosen and ordered."""
named_tool_plan: Callable[..., Task] = NAMED_PLAN.task
"""Tool plans with the names of all tools given instead of pictures: an upper bound for planning.

``views`` says nothing here.
"""
