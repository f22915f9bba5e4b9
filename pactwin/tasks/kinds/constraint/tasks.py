"""The Inspect task ``pac_constraints``: every question of a suite about what prevents an action."""

from typing import Unpack

from inspect_ai import Task, task

from pactwin.solvers import parse_published_answer
from pactwin.suite import SET_FORMS, TOLD, Question, Scene, unknown_name
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.judge import judge_prompt
from pactwin.tasks.core.kind import Judging, QuestionKind
from pactwin.tasks.core.views import NO_PICTURE
from pactwin.tasks.kinds.constraint.metrics import SCORING
from pactwin.tasks.kinds.constraint.questions import FORMS
from pactwin.tasks.kinds.constraint.records import (
    AnswerRow,
    ConstraintOutcome,
    SampleFacts,
    constraint_answer,
)
from pactwin.tasks.kinds.constraint.scorers import judge_open, mark, needs_judge, said

ALL_FORMS = "all"


@task(name="pac_constraints")
def pac_constraints(
    suite: str, form: str = ALL_FORMS, scene: str | None = None, **asking: Unpack[Asking]
) -> Task:
    """One sample per question and view condition that can answer it.

    ``form`` is ``yes_no``, ``choice``, ``open``, or ``all`` for these three; ``checklist``,
    ``outcome``, ``repair``, ``thing``, ``part`` or ``told``. ``scene`` is the id of the one scene
    to ask about. A ``limit`` counts twin pairs. Raises InvalidInputError for an unknown form, and
    what :func:`ask_about` raises.
    """
    known = (*FORMS, *SET_FORMS, ALL_FORMS)
    if form not in known:
        raise unknown_name("form", form, known)
    if form == TOLD:
        asking["views"] = NO_PICTURE
    return ask_about(
        suite,
        CONSTRAINT,
        wanted=lambda question: (
            scene in (None, question.scene_id)
            and (question.form == form or (form == ALL_FORMS and question.form not in SET_FORMS))
        ),
        described=f"of form {form}" + (f" about scene {scene}" if scene else ""),
        **asking,
    )


def constraint_facts(scene: Scene, question: Question, condition: str) -> SampleFacts:
    """What is known of a question about ``scene`` before it is asked under a view condition.

    Where nothing was tried, as in imported scenes, the published answer tells what is true.
    """
    if scene.verdict is None:
        feasible, constraint = parse_published_answer(question.truth)
    else:
        feasible, constraint = scene.verdict.feasible, scene.verdict.constraint
    return SampleFacts(
        **asked_facts(scene, question, condition),
        truth_feasible=feasible,
        truth_constraint=constraint,
        options=question.options if question.form in SET_FORMS else (),
        accepted=question.accepted,
    )


CONSTRAINT = QuestionKind(
    name="constraint",
    task_name="pac_constraints",
    task=pac_constraints,
    described="about constraints",
    unit="twin pair",
    row=AnswerRow,
    facts_type=SampleFacts,
    outcome_type=ConstraintOutcome,
    facts=constraint_facts,
    mark=mark,
    said=said,
    truth=("truth_feasible", "truth_constraint", "options", "accepted"),
    scoring=SCORING,
    answer=constraint_answer,
    judging=Judging(judge_prompt, needs_judge, judge_open),
)
