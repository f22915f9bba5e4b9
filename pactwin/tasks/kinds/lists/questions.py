"""Questions that ask for a list: all visible objects, or the tools that a task needs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pactwin.suite import ObjectRecord, Question, Scene, all_to_see, opaque_id

_ALL = "Which tools are there in the picture? Name every one of them."
_THINGS = (
    "Which objects are there to see? Name every one of them by its colour and what it is, as in "
    '"red block". Leave out the table, the robot and the room.'
)
_PLAIN_THINGS = "Which objects are there to see? Name every one of them."
_PLAN = (
    "Somebody is to do the following: {task}\n"
    "Which of the tools {where} does that take, and in which order are they used?"
)


@dataclass(frozen=True)
class ToolTask:
    """A task in words and its tools, the fields of questions about plans.

    ``tools`` are the accepted names, and ``topic`` is the task's name in its source.
    """

    instruction: str
    tools: tuple[str, ...]
    steps: tuple[int, ...]
    order_free: bool = False
    distractors: tuple[str, ...] = ()
    synonyms: Mapping[str, str] = field(default_factory=dict)
    topic: str = ""


def ask_for_tools(scene: Scene, tools: Sequence[str], *, topic: str = "") -> Question:
    """Ask for the names of all ``tools`` that the scene's pictures show."""
    return Question(
        id=opaque_id(f"{scene.id}:recognition"),
        scene_id=scene.id,
        kind="recognition",
        form="list",
        text=_ALL,
        truth="; ".join(tools),
        rationale="",
        objects=(),
        views=tuple(view.camera.name for view in scene.views),
        topic=topic,
        accepted=tuple(tools),
    )


def ask_for_objects(scene: Scene) -> tuple[Question, ...]:
    """Ask for the names of all visible objects, once per group of views with the same objects.

    Barely visible objects count neither for nor against an answer (:func:`all_to_see`). The noun
    alone is accepted for the only object of its category.
    """
    views: dict[tuple[str, ...], list[str]] = {}
    for view in scene.views:
        shown = all_to_see(scene, view)
        if shown:
            views.setdefault(shown, []).append(view.camera.name)
    by_name = {obj.name: obj for obj in scene.objects}
    return tuple(
        _about([by_name[name] for name in shown], scene, tuple(cameras))
        for shown, cameras in views.items()
    )


def _about(shown: Sequence[ObjectRecord], scene: Scene, cameras: tuple[str, ...]) -> Question:
    names = tuple(obj.name for obj in shown)
    nouns = Counter(obj.category.replace("_", " ") for obj in shown)
    colored = all(obj.name.startswith(f"{obj.color} ") for obj in shown)
    return Question(
        id=opaque_id(f"{scene.id}:objects:{'+'.join(cameras)}"),
        scene_id=scene.id,
        kind="recognition",
        form="list",
        text=_THINGS if colored else _PLAIN_THINGS,
        truth="; ".join(names),
        rationale="",
        objects=(),
        views=cameras,
        accepted=names,
        synonyms={
            noun: obj.name
            for obj in shown
            if nouns[noun := obj.category.replace("_", " ")] == 1 and noun not in names
        },
    )


def ask_for_plan(scene: Scene, task: ToolTask) -> Question:
    """Ask which of the tools in the picture ``task`` needs, in order."""
    views = tuple(view.camera.name for view in scene.views)
    return _plan("plan", scene, task, _asked(task, "in the picture"), views)


def ask_for_plan_among(named: Sequence[str], scene: Scene, task: ToolTask) -> Question:
    """Ask for a plan without pictures: all tools are named, in the order of ``named``."""
    listed = "\n".join(f"- {' '.join(name.split())}" for name in named)
    text = f"These tools are at hand:\n{listed}\n{_asked(task, 'named')}"
    return _plan("named_plan", scene, task, text, ())


def _asked(task: ToolTask, where: str) -> str:
    words = " ".join(task.instruction.split())
    return _PLAN.format(task=words if words.endswith((".", "!", "?")) else f"{words}.", where=where)


def _plan(
    kind: Literal["plan", "named_plan"],
    scene: Scene,
    task: ToolTask,
    text: str,
    views: tuple[str, ...],
) -> Question:
    return Question(
        id=opaque_id(f"{scene.id}:{kind}"),
        scene_id=scene.id,
        kind=kind,
        form="list",
        text=text,
        truth="; ".join(task.tools),
        rationale="",
        objects=(),
        views=views,
        topic=task.topic,
        accepted=task.tools,
        steps=task.steps,
        order_free=task.order_free,
        distractors=task.distractors,
        synonyms=dict(task.synonyms),
    )
