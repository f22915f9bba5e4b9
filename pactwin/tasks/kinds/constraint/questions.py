"""Questions about a scene's verdict, generated from records alone.

Questions need only an action phrase and the taxonomy, so a new domain needs no change here. Both
twins get the same text, options and views; only the gold answer differs.
"""

from collections.abc import Collection
from typing import Literal

import numpy as np

from pactwin.solvers import STATEMENTS
from pactwin.suite import (
    Constraint,
    Measurement,
    Question,
    Scene,
    Verdict,
    answerable_views,
    constraints_among,
    opaque_id,
)
from pactwin.tasks.kinds.constraint.set_questions import make_set_questions
from pactwin.tasks.kinds.constraint.situation import conventions, situation_of

ConstraintForm = Literal["yes_no", "choice", "open"]
_ASKS: dict[ConstraintForm, str] = {
    "yes_no": "Can it be done?",
    "choice": "Which of these statements is true?",
    "open": "Can it be done? If not, what prevents it, and how?",
}
FORMS = tuple(_ASKS)


def make_twin_questions(twins: tuple[Scene, ...]) -> tuple[Question, ...]:
    """All questions about both ``twins``, those of the first scene first."""
    scene, twin = twins
    return tuple(
        question
        for one, other in ((scene, twin), (twin, scene))
        for question in (*make_questions(one, other), *make_set_questions(one, other))
    )


def make_questions(scene: Scene, twin: Scene) -> tuple[Question, ...]:
    """The questions ``yes_no``, ``choice`` and ``open`` about ``scene``.

    The text depends only on the action, the order of options on the pair's seed. If several
    constraints hold at once, or are said alike, only the first is among the options, in both twins.
    """
    verdict = scene.decided
    equivalent = next(
        (
            (v.constraint, *v.also, *alike)
            for v in (scene.decided, twin.decided)
            if (alike := _said_alike(v)) or v.also
        ),
        (),
    )
    statement = STATEMENTS[verdict.constraint]
    truths = {
        "yes_no": "yes" if verdict.feasible else "no",
        "choice": statement,
        "open": statement,
    }
    return tuple(
        Question(
            id=opaque_id(f"{scene.id}:{form}"),
            scene_id=scene.id,
            kind="constraint",
            form=form,
            text=question_about(verdict.action, form, conventions(verdict, (scene, twin))),
            options=_options(scene, twin, equivalent[1:]) if form == "choice" else (),
            truth=truths[form],
            rationale=_rationale(verdict),
            objects=verdict.objects,
            views=answerable_views(scene, twin),
            equivalent_constraints=equivalent,
        )
        for form in _ASKS
    )


def _said_alike(verdict: Verdict) -> tuple[Constraint, ...]:
    """Constraints that people mean the same by: a cage covers what it keeps hands from."""
    caged = any(name.endswith(" cage") for name in verdict.objects)
    return (Constraint.COVERED,) if caged and verdict.constraint is Constraint.PATH_BLOCKED else ()


def question_about(action: str, form: ConstraintForm, limits: str = "") -> str:
    """Text of a question of ``form``: is ``action`` feasible with hands of ``limits``?"""
    return f"{situation_of(action, limits)} {_ASKS[form]}"


def _options(scene: Scene, twin: Scene, without: Collection[Constraint]) -> tuple[str, ...]:
    """Every other statement of the kind once, in an order drawn from the pair's seed."""
    among = constraints_among([STATEMENTS[one.decided.constraint] for one in (scene, twin)])
    statements = [STATEMENTS[c] for c in among if c not in without]
    order = np.random.default_rng(scene.seed).permutation(len(statements))
    return tuple(statements[i] for i in order)


def _rationale(verdict: Verdict) -> str:
    """What the trial found, in one or two sentences for people."""
    outcome = "It can be done" if verdict.feasible else "It cannot be done"
    measured = "; ".join(_measured(name, m) for name, m in verdict.measurements.items())
    found = " ".join((f"{outcome}.", *(STATEMENTS[c] for c in (verdict.constraint, *verdict.also))))
    return f"{found} Measured: {measured}." if measured else found


def _measured(name: str, measurement: Measurement) -> str:
    text = f"{name.replace('_', ' ')} {measurement.value:.4g} {measurement.unit}".rstrip()
    if measurement.limit is None:
        return text
    return f"{text} (limit {measurement.limit:.4g} {measurement.unit}".rstrip() + ")"
