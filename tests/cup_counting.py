"""A kind of question that pactwin does not have: how many things are there?

All that it needs stands here: what is known of a question, how a reply is read and marked, and how
answers are scored.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from inspect_ai import Task, task

from pactwin.solvers import Problem
from pactwin.suite import Question, Scene, opaque_id
from pactwin.tasks import Metric, QuestionKind, Rate, ScoreTable, Scoring, columns, strictly
from pactwin.tasks.core.asking import ask_about, asked_facts
from pactwin.tasks.core.kind import Reply
from pactwin.tasks.core.results import AnswerState, AnswerStatus, AskedFacts, Row
from pactwin.tasks.core.scoring import unanswered
from pactwin.tasks.core.views import EACH

FAR = 10
"""An error of so many, or more, is as wrong as can be."""


class CountFacts(AskedFacts):
    kind: Literal["count"] = "count"
    things: int


class CountOutcome(AnswerStatus):
    counted: int | None = None


class CountRow(CountFacts, CountOutcome, Row):
    """How many things one model counted."""


def facts(scene: Scene, question: Question, condition: str) -> CountFacts:
    told = int(question.truth) if question.truth.isdigit() else 0  # sealed questions say nothing
    return CountFacts(**asked_facts(scene, question, condition), things=told)


def mark(reply: Reply[CountFacts]) -> CountOutcome:
    numbers = re.findall(r"\d+", reply.output.completion)
    if len(numbers) != 1:
        return CountOutcome(**unanswered(Problem.NO_ANSWER))
    counted = int(numbers[0])
    right = counted == reply.facts.things
    return CountOutcome(
        state=AnswerState.CORRECT if right else AnswerState.INCORRECT, counted=counted
    )


def measured(row: CountRow) -> Mapping[str, Any]:
    off = FAR if row.counted is None else min(abs(row.counted - row.things), FAR)
    return {"things": str(row.things), "closeness": 1 - off / FAR if row.counted is not None else 0}


@task(name="count")
def count(
    suite: str,
    views: str | list[str] = EACH,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: str | None = None,
) -> Task:
    return ask_about(suite, COUNT, views=views, limit=limit, strategy=strategy, prompts=prompts)


COUNT = QuestionKind(
    name="count",
    task_name="count",
    task=count,
    described="that asks for a number",
    row=CountRow,
    facts_type=CountFacts,
    outcome_type=CountOutcome,
    facts=facts,
    mark=mark,
    said=lambda question, outcome: str(outcome.counted),
    truth=("things",),
    scoring=Scoring(
        title="Counts",
        prefix="count_",
        metrics=(
            *strictly("exact", "Exact", top="right"),
            Metric("closeness", Rate("closeness", "answered"), label="Closeness"),
        ),
        tables=(
            ScoreTable(
                "Counts",
                columns("exact | closeness: close | coverage: cover"),
                by=("things",),
                brief=True,
            ),
        ),
        truth=lambda row: str(row.things),
        said=lambda row: str(row.counted),
        measured=measured,
        axes=("domain", "view", "things"),
        splits=((), ("domain",), ("view",), ("things",)),
    ),
)


def count_questions(scenes: Sequence[Scene]) -> list[Question]:
    """One question about each scene."""
    return [
        Question(
            id=opaque_id(f"{scene.id}:count"),
            scene_id=scene.id,
            kind="count",
            form="open",
            text="How many things are there? Answer with a number.",
            truth=str(len(scene.objects)),
            rationale="",
            objects=(),
            views=tuple(view.camera.name for view in scene.views),
        )
        for scene in scenes
    ]
