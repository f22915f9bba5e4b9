"""Ladders: their steps share all but one quantity, and are asked the same question."""

from collections.abc import Iterator, Sequence

from pactwin.suite.checking.faults import Fault
from pactwin.suite.questions import Question
from pactwin.suite.records import Scene
from pactwin.suite.visibility import views_answering

_SHARED = ("domain", "source", "seed", "robot", "appearance")
_SHARED_STEP = ("ladder", "quantity", "unit")
_SHARED_OBJECT = ("name", "category", "color", "material", "asset", "state", "instance_id")
_SHARED_QUESTION = ("kind", "form", "text", "options", "objects", "views", "topic")
_UNDECIDED = "undecided"


def check_ladder(scenes: Sequence[Scene], asked: Sequence[Sequence[Question]]) -> Iterator[Fault]:
    """Faults of the steps of one ladder, and of the questions ``asked`` about each."""
    steps = [scene.step for scene in scenes if scene.step is not None]
    where = f"ladder {steps[0].ladder}"
    if len({step.x for step in steps}) < len(steps):
        yield Fault("ladder", where, "has two steps at one distance from the limit")
    first = scenes[0]
    for scene, step in zip(scenes[1:], steps[1:], strict=True):
        both = f"{first.id} and {scene.id}"
        for key in _SHARED:
            if getattr(scene, key) != getattr(first, key):
                yield Fault("ladder", both, f"differ in {key}")
        for key in _SHARED_STEP:
            if getattr(step, key) != getattr(steps[0], key):
                yield Fault("ladder", both, f"differ in step.{key}")
        if [v.camera for v in scene.views] != [v.camera for v in first.views]:
            yield Fault("ladder", both, "differ in cameras")
    for scene, step in zip(scenes, steps, strict=True):
        if scene.verdict is not None and scene.verdict.feasible != (step.x > 0.0):
            message = f"has a verdict that its distance from the limit, {step.x:g}, contradicts"
            yield Fault("ladder", scene.id, message)
    deciding = {name for scene in scenes if scene.verdict for name in scene.verdict.objects}
    yield from _object_faults(scenes, deciding)
    yield from _question_faults(scenes, asked)


def _object_faults(scenes: Sequence[Scene], deciding: set[str]) -> Iterator[Fault]:
    """What does not decide is the same and stays where it is; what decides is of the same kind."""
    first = {obj.name: obj for obj in scenes[0].objects}
    for scene in scenes[1:]:
        if [obj.name for obj in scene.objects] != list(first):
            yield Fault("ladder", f"{scenes[0].id} and {scene.id}", "do not hold the same objects")
            continue
        for obj in scene.objects:
            same = first[obj.name]
            if any(getattr(obj, key) != getattr(same, key) for key in _SHARED_OBJECT):
                yield Fault("ladder", scene.id, f"has another {obj.name!r} than {scenes[0].id}")
            elif obj.name not in deciding and obj != same:
                message = f"{obj.name!r}, which does not decide, is not as in {scenes[0].id}"
                yield Fault("ladder", scene.id, message)


def _question_faults(
    scenes: Sequence[Scene], asked: Sequence[Sequence[Question]]
) -> Iterator[Fault]:
    for scene, questions in zip(scenes, asked, strict=True):
        if [q.kind for q in questions] != ["ladder"]:
            yield Fault("question", scene.id, "a step is asked one question of kind 'ladder'")
    about = [(s, q) for s, questions in zip(scenes, asked, strict=True) for q in questions]
    for scene, question in about:
        for key in _SHARED_QUESTION:
            if getattr(question, key) != getattr(about[0][1], key):
                yield Fault("question", f"{about[0][1].id} and {question.id}", f"differ in {key}")
        truth = _UNDECIDED
        if scene.verdict is not None:
            truth = "yes" if scene.verdict.feasible else "no"
        if question.truth != truth:
            message = f"has the truth {question.truth!r}, trials say {truth!r}"
            yield Fault("question", question.id, message)
    if about and all(set(about[0][1].objects) <= {o.name for o in s.objects} for s in scenes):
        views = views_answering(scenes, about[0][1].objects)
        if about[0][1].views != views:
            message = f"is asked of {list(about[0][1].views)}, those that can answer: {list(views)}"
            yield Fault("question", about[0][1].id, message)
