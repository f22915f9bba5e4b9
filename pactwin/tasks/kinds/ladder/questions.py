"""The question about the steps of a ladder, generated from records alone."""

from collections.abc import Sequence

from pactwin.suite import (
    FRICTION,
    Question,
    Scene,
    SuiteError,
    Verdict,
    opaque_id,
    views_answering,
)
from pactwin.tasks.kinds.constraint.questions import question_about
from pactwin.tasks.kinds.constraint.situation import conventions

UNDECIDED = "undecided"
"""Gold answer at a step so near to the limit that trials disagree."""


def make_ladder_questions(scenes: Sequence[Scene]) -> tuple[Question, ...]:
    """One question for each step of a ladder: is the action feasible?

    Text, objects and views are the same for all steps; the views can answer at every step. Raises
    SuiteError if the scenes are no steps, or none of them is feasible.
    """
    steps = [scene.step for scene in scenes if scene.step is not None]
    works = [scene.verdict for scene in scenes if scene.verdict and scene.verdict.feasible]
    if len(steps) != len(scenes) or not works:
        raise SuiteError(f"scenes {', '.join(s.id for s in scenes)} are no steps of a ladder")
    # What checks measure depends on what fails; where all hold, all limits are known.
    limits = " ".join(filter(None, (conventions(works[0], scenes), _friction(works[0]))))
    text = question_about(works[0].action, "yes_no", limits)
    views = views_answering(scenes, works[0].objects)
    return tuple(
        Question(
            id=opaque_id(f"{scene.id}:ladder"),
            scene_id=scene.id,
            kind="ladder",
            form="yes_no",
            text=text,
            truth=_truth(scene),
            rationale=f"The {step.quantity} is {step.x:+g} {step.unit} from its limit.",
            objects=works[0].objects,
            views=views,
            topic=step.quantity,
        )
        for scene, step in zip(scenes, steps, strict=True)
    )


def _friction(verdict: Verdict) -> str:
    """The friction on which a slope's limit depends, in words: no picture shows it."""
    measured = verdict.measurements.get(FRICTION)
    if measured is None:
        return ""
    return f"The coefficient of friction between the two is {measured.value:.2f}."


def _truth(scene: Scene) -> str:
    if scene.verdict is None:
        return UNDECIDED
    return "yes" if scene.verdict.feasible else "no"
