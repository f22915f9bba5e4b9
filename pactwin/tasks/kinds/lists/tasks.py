"""The Inspect tasks ``recognition``, ``tool_plan`` and ``named_tool_plan``."""

from collections.abc import Callable

from inspect_ai import Task, task

from pactwin.suite import Question, Scene
from pactwin.tasks.core.asking import ask_about, asked_facts
from pactwin.tasks.core.results import TASK_NAMES, QuestionKind, ToolFacts
from pactwin.tasks.core.views import EACH, NO_PICTURE
from pactwin.tasks.kinds.lists.scorers import tool_judge_prompt, tool_scorer

_DESCRIBED: dict[QuestionKind, str] = {
    "recognition": "that asks for all there is to see",
    "plan": "that asks for the tools of a task",
    "named_plan": "that asks for the tools of a task among named ones",
}


def _task_of(kind: QuestionKind) -> Callable[..., Task]:
    @task(name=TASK_NAMES[kind])
    def list_task(
        suite: str,
        views: str | list[str] = EACH,
        limit: int | None = None,
        strategy: str = "direct",
        prompts: str | None = None,
        judge_self: bool = False,
    ) -> Task:
        return ask_about(
            suite,
            kind,
            described=_DESCRIBED[kind],
            facts_of=tool_facts,
            scorer=tool_scorer(judge_self),
            views=NO_PICTURE if kind == "named_plan" else views,
            limit=limit,
            strategy=strategy,
            prompts=prompts,
            metadata={"judge_prompt": tool_judge_prompt().identity()},
        )

    return list_task


recognition = _task_of("recognition")
"""One sample per picture all whose things, or tools, are to be named.

A model in the role ``judge`` is asked which names mean the same where our own rules do not say. The
rest is as in :func:`pac_properties`. Raises what :func:`ask_about` raises.
"""
tool_plan = _task_of("plan")
"""One sample per picture and task whose tools are to be chosen and put in order."""
named_tool_plan = _task_of("named_plan")
"""The same with the names of all tools told instead of shown: what planning alone can do.

``views`` says nothing here.
"""


def tool_facts(scene: Scene, question: Question, condition: str) -> ToolFacts:
    """What is known of a question for a list before it is asked under a view condition."""
    if question.kind not in ("recognition", "plan", "named_plan"):
        raise TypeError(f"question {question.id} is of kind {question.kind}, it asks for no list")
    return ToolFacts(
        **asked_facts(scene, question, condition),
        kind=question.kind,
        accepted=question.accepted,
        steps=(1,) * len(question.steps) if question.order_free else question.steps,
        distractors=question.distractors,
        published_id=question.topic,
    )
