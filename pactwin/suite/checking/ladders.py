"""Check ladders: steps share everything except one quantity, and have the same question."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from pactwin.suite.checking.faults import Fault
from pactwin.suite.checking.features import Features
from pactwin.suite.questions import Question
from pactwin.suite.reader import Suite
from pactwin.suite.records import Scene
from pactwin.suite.visibility import views_answering

_SHARED = ("domain", "source", "seed", "robot", "appearance")
_SHARED_STEP = ("ladder", "quantity", "unit")
_SHARED_OBJECT = ("name", "category", "color", "material", "asset", "state", "instance_id")
_SHARED_QUESTION = ("kind", "form", "text", "options", "objects", "views", "topic")
_UNDECIDED = "undecided"
# What a step shows is no leak: the quantity is to be seen.
_SHOWN = (
    "place of the target",
    "place of the second object",
    "target across the pictures",
    "second object across the pictures",
    "image statistics",
)


def step_pairs(suite: Suite) -> Iterator[tuple[Scene, Scene]]:
    """Pairs of a ladder's steps, one on each side of the limit, in file order.

    The step farthest below the limit is paired with the one farthest above it, and so on; steps
    without a verdict are left out.
    """
    numbered = ((n, s) for n, s in enumerate(suite.scenes()) if s.step is not None and s.verdict)
    for _, found in groupby(numbered, key=lambda one: one[1].step and one[1].step.ladder):
        steps = sorted(found, key=lambda one: one[1].step.x if one[1].step else 0.0)
        below = [one for one in steps if not one[1].decided.feasible]
        above = [one for one in reversed(steps) if one[1].decided.feasible]
        for pair in zip(below, above, strict=False):
            (_, first), (_, second) = sorted(pair, key=lambda one: one[0])
            yield first, second


def without_step(features: Mapping[str, Features]) -> dict[str, Features]:
    """Features of a step by group, without those that show the quantity."""
    return {group: {} if group in _SHOWN else found for group, found in features.items()}


def check_ladder(scenes: Sequence[Scene], asked: Sequence[Sequence[Question]]) -> Iterator[Fault]:
    """Faults of the steps of one ladder, and of the questions ``asked`` about each step."""
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
    others = [[q for q in questions if q.kind != "recognition"] for questions in asked]
    if any(others) or not any(asked):
        yield from _question_faults(scenes, others)


def _object_faults(scenes: Sequence[Scene], deciding: set[str]) -> Iterator[Fault]:
    """Check that other objects stay the same and in place, and deciding ones keep their kind."""
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
