"""The Inspect tasks ``recognition``, ``tool_plan`` and ``named_tool_plan``."""

from collections.abc import Callable
from functools import partial
from typing import Unpack

from inspect_ai import Task, task

from pactwin.suite import Question, Scene
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.judge import read_prompt
from pactwin.tasks.core.kind import Judging, QuestionKind
from pactwin.tasks.core.views import NO_PICTURE
from pactwin.tasks.kinds.lists.metrics import scoring
from pactwin.tasks.kinds.lists.records import LIST_ANSWERS, ToolFacts, ToolOutcome, ToolRow
from pactwin.tasks.kinds.lists.scorers import judge_names, mark, needs_judge


def tool_facts(scene: Scene, question: Question, condition: str) -> ToolFacts:
    """What is known of a question for a list before it is asked under a view condition."""
    return ToolFacts(
        **asked_facts(scene, question, condition),
        accepted=question.accepted,
        steps=(1,) * len(question.steps) if question.order_free else question.steps,
        distractors=question.distractors,
        published_id=question.topic,
    )


def _kind(
    name: str, task_name: str, title: str, described: str
) -> QuestionKind[ToolFacts, ToolOutcome]:
    @task(name=task_name)
    def list_task(suite: str, **asking: Unpack[Asking]) -> Task:
        if name == "named_plan":
            asking["views"] = NO_PICTURE
        return ask_about(suite, kind, **asking)

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
    "Tools of a task, names told",
    "that asks for the tools of a task among named ones",
)

recognition: Callable[..., Task] = RECOGNITION.task
"""One sample per picture all whose things, or tools, are to be named.

A model in the role ``judge`` is asked which names mean the same where our own rules do not say. The
rest is as in :func:`pac_properties`. Raises what :func:`ask_about` raises.
"""
tool_plan: Callable[..., Task] = PLAN.task
"""One sample per picture and task whose tools are to be chosen and put in order."""
named_tool_plan: Callable[..., Task] = NAMED_PLAN.task
"""The same with the names of all tools told instead of shown: what planning alone can do.

``views`` says nothing here.
"""
