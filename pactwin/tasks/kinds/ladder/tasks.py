"""Inspect task ``pac_ladders``: feasibility of scenes on both sides of a limit."""

from typing import Unpack

from inspect_ai import Task, task

from pactwin.solvers import parse_reply
from pactwin.suite import Question, Scene
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.editions import suite_or_edition
from pactwin.tasks.core.kind import QuestionKind, Reply
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import unanswered
from pactwin.tasks.kinds.constraint.records import YesNoAnswer
from pactwin.tasks.kinds.ladder.metrics import SCORING
from pactwin.tasks.kinds.ladder.records import LadderFacts, LadderOutcome, LadderRow


@task(name="pac_ladders")
def pac_ladders(suite: str | None = None, **asking: Unpack[Asking]) -> Task:
    """One sample per step and view condition that can answer it.

    The default ``suite`` is the newest edition's. A ``limit`` counts ladders. Raises the errors of
    :func:`ask_about`.
    """
    return ask_about(suite_or_edition(suite, "ladders"), LADDER, **asking)


def ladder_facts(scene: Scene, question: Question, condition: str) -> LadderFacts:
    """Sample metadata of a step; empty in sealed suites."""
    step, verdict = scene.step, scene.verdict
    return LadderFacts(
        **asked_facts(scene, question, condition),
        x=0.0 if step is None else step.x,
        unit="" if step is None else step.unit,
        decided=verdict is not None,
        truth_feasible=verdict is not None and verdict.feasible,
    )


def mark(asked: Reply[LadderFacts]) -> LadderOutcome:
    """Parse yes or no, and mark it if the trial decided the step."""
    facts, question = asked.facts, asked.question
    answer = parse_reply("yes_no", asked.output.completion, names=question.objects)
    if answer.problem is not None:
        return LadderOutcome(**unanswered(answer.problem))
    right = not facts.decided or answer.feasible == facts.truth_feasible
    state = AnswerState.CORRECT if right else AnswerState.INCORRECT
    return LadderOutcome(state=state, predicted_feasible=answer.feasible)


LADDER = QuestionKind(
    name="ladder",
    task_name="pac_ladders",
    task=pac_ladders,
    described="about the steps of ladders",
    unit="ladder",
    row=LadderRow,
    facts_type=LadderFacts,
    outcome_type=LadderOutcome,
    facts=ladder_facts,
    mark=mark,
    said=lambda question, outcome: "yes" if outcome.predicted_feasible else "no",
    truth=("x", "unit", "decided", "truth_feasible"),
    scoring=SCORING,
    answer=lambda question: YesNoAnswer,
    asks_probability=True,
)
