"""Questions about what prevents an action: asking, parsing, marking and judging.

A sample shows a tabletop scene and names an action. ``yes_no`` asks whether the robot can do it;
``choice`` and ``open`` ask what prevents it, if anything. Scenes come in twins: simulated trials
found the action feasible in one and infeasible in the other. Scores are corrected for chance.

The parser reads replies first; a judge, if the evaluation has one, reads open answers that the
parser cannot.
"""

from typing import Unpack

from inspect_ai import Task, task
from inspect_ai.model import Model

from pactwin.solvers import fault_of, parse_published_answer, strip_reasoning
from pactwin.suite import NONE_OF_THEM, SET_FORMS, TOLD, Constraint, Question, Scene, unknown_name
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.editions import suite_or_edition
from pactwin.tasks.core.judge import UNCLEAR, judge_prompt, judge_reading
from pactwin.tasks.core.kind import Judging, QuestionKind, Reply
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import ANSWERED
from pactwin.tasks.core.views import NO_PICTURE
from pactwin.tasks.kinds.constraint.marking import mark_reply
from pactwin.tasks.kinds.constraint.metrics import SCORING
from pactwin.tasks.kinds.constraint.questions import FORMS
from pactwin.tasks.kinds.constraint.records import (
    AnswerRow,
    ConstraintOutcome,
    SampleFacts,
    constraint_answer,
)

ALL_FORMS = "all"


@task(name="pac_constraints")
def pac_constraints(
    suite: str | None = None,
    form: str = ALL_FORMS,
    scene: str | None = None,
    **asking: Unpack[Asking],
) -> Task:
    """One sample per question and view condition that can answer it.

    ``form`` is ``yes_no``, ``choice``, ``open``, or ``all`` for these three; or ``checklist``,
    ``outcome``, ``repair``, ``thing``, ``part`` or ``told``. ``scene`` is the id of the only scene
    to ask about. The default ``suite`` is the newest edition's. A ``limit`` counts twin pairs.
    Raises InvalidInputError for an unknown form, and the errors of :func:`ask_about`.
    """
    known = (*FORMS, *SET_FORMS, ALL_FORMS)
    if form not in known:
        raise unknown_name("form", form, known)
    if form == TOLD:
        asking["views"] = NO_PICTURE
    return ask_about(
        suite_or_edition(suite, "constraints"),
        CONSTRAINT,
        wanted=lambda question: (
            scene in (None, question.scene_id)
            and (question.form == form or (form == ALL_FORMS and question.form not in SET_FORMS))
        ),
        described=f"of form {form}" + (f" about scene {scene}" if scene else ""),
        **asking,
    )


def constraint_facts(scene: Scene, question: Question, condition: str) -> SampleFacts:
    """Sample metadata of a question about ``scene`` under a view condition.

    For scenes without a trial, such as imported ones, the published answer is the gold answer.
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


def mark(asked: Reply[SampleFacts]) -> ConstraintOutcome:
    """Parse and mark a reply."""
    facts, question = asked.facts, asked.question
    marked = mark_reply(
        asked.output.completion,
        question.form,
        question.truth,
        facts.truth_feasible,
        facts.truth_constraint,
        question.options,
        question.accepted,
        question.objects,
        question.equivalent_constraints,
    )
    return ConstraintOutcome(**marked)


def judged(
    facts: SampleFacts, outcome: ConstraintOutcome, says: Constraint | None
) -> ConstraintOutcome:
    """``outcome`` with the judge's reading of the answer; unchanged if that is also unclear."""
    if says is None:
        return outcome.model_copy(update={"judged": UNCLEAR})
    correct = says is facts.truth_constraint
    if facts.truth_constraint is None:
        correct = (says is Constraint.NONE) == facts.truth_feasible
    return ConstraintOutcome(
        state=AnswerState.of(correct),
        predicted_feasible=says is Constraint.NONE,
        predicted_constraint=says,
        judged=says.value,
    )


def needs_judge(asked: Reply[SampleFacts], outcome: ConstraintOutcome) -> bool:
    """True for an open answer with content that the parser could not read."""
    return (
        asked.question.form == "open"
        and outcome.state not in ANSWERED
        and fault_of(asked.output) is None
        and bool(strip_reasoning(asked.output.completion))
    )


async def judge_open(
    judge: Model, asked: Reply[SampleFacts], outcome: ConstraintOutcome
) -> ConstraintOutcome:
    """``outcome`` after ``judge`` has read an open answer."""
    question = asked.question
    says = await judge_reading(judge, question.text, asked.output.completion)
    if says in question.equivalent_constraints:
        says = question.equivalent_constraints[0]
    return judged(asked.facts, outcome, says)


def said(question: Question, outcome: ConstraintOutcome) -> str:
    """The answer in words."""
    if question.form in SET_FORMS:
        return "; ".join(outcome.selected) or NONE_OF_THEM
    if outcome.predicted_constraint is not None:
        return outcome.predicted_constraint.value
    return "feasible" if outcome.predicted_feasible else "infeasible"


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
    asks_probability=True,
)
