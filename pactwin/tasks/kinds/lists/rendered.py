"""Questions about rendered tool scenes: all tools, the task's tools, the missing tool.

Both twins have the same questions. If a look-alike replaces a tool that the task needs, the correct
answer says that this tool is missing, in its step.
"""

from collections.abc import Iterator

from pactwin.catalogue import Procedure, load_catalogue, load_procedures, tool_title
from pactwin.suite import Question, Scene, SuiteError, answerable_views
from pactwin.tasks.kinds.lists.questions import (
    ToolTask,
    ask_for_plan,
    ask_for_plan_among,
    ask_for_tools,
)

MISSING = "missing"
_MISSING_NOTE = (
    f'\nIf a tool that it takes is not there, say so in its place: write "{MISSING}" and its name.'
)


def make_tool_questions(twins: tuple[Scene, ...]) -> tuple[Question, ...]:
    """All questions about both ``twins``, those of the first scene first.

    SuiteError if the twins' task is not in the table of procedures.
    """
    scene, twin = twins
    return (*_questions(scene, twin), *_questions(twin, scene))


def _questions(scene: Scene, twin: Scene) -> Iterator[Question]:
    procedure = load_procedures().by_task.get(scene.decided.action)
    if procedure is None:
        raise SuiteError(f"scene {scene.id}: no procedure is {scene.decided.action!r}")
    names = tuple(obj.name for obj in scene.objects)
    shown = {obj.name: tool_title(obj.category) for obj in scene.objects}
    task = _task(procedure, scene, tuple(shown.values()))
    # A plan, too, is asked of pictures that show all tools: which it needs is the question.
    views = answerable_views(scene, twin, names)
    recognition = ask_for_tools(scene, tuple(shown.values()), topic=task.topic)
    yield recognition.model_copy(
        update={
            "objects": names,
            "views": views,
            "synonyms": {s: n for n in shown.values() for s in _synonyms(n)},
        }
    )
    plan = ask_for_plan(scene, task)
    yield plan.model_copy(
        update={"text": plan.text + _MISSING_NOTE, "objects": names, "views": views}
    )
    among = ask_for_plan_among(sorted(shown.values()), scene, task)
    yield among.model_copy(update={"text": among.text + _MISSING_NOTE})


def _task(procedure: Procedure, scene: Scene, shown: tuple[str, ...]) -> ToolTask:
    lacking = scene.decided.lacking
    needed = {kind: tool_title(kind) for kind in procedure.tools}
    accepted = tuple(f"{MISSING} {n}" if n == lacking else n for n in needed.values())
    synonyms = {s: n for n in accepted if not n.startswith(MISSING) for s in _synonyms(n)}
    synonyms |= {f"{MISSING} {s}": f"{MISSING} {lacking}" for s in _synonyms(lacking)}
    return ToolTask(
        instruction=procedure.task,
        tools=accepted,
        steps=procedure.numbers,
        order_free=procedure.order_free,
        distractors=tuple(name for name in shown if name not in accepted),
        synonyms=synonyms,
        topic=procedure.decides.tool,
    )


def _synonyms(title: str) -> tuple[str, ...]:
    """Other names of a tool, including that of its more general kind."""
    kinds = load_catalogue().kinds.values()
    for kind in kinds:
        if tool_title(kind.name) == title:
            return tuple(w for w in (kind.title, *kind.synonyms) if w != title)
    return ()
