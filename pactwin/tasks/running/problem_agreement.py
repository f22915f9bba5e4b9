"""A judge's grades beside the published ones: what people made of the answers of others."""

import random
from collections.abc import Sequence
from pathlib import Path

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import CachePolicy, GenerateConfig, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.suite import Question, Record, Suite
from pactwin.tasks.core.asking import MAX_RETRIES
from pactwin.tasks.kinds.problem.judging import (
    category_without_judge,
    grade,
    grading_question,
    problem_judge_prompt,
)
from pactwin.tasks.kinds.problem.scoring import RATINGS, worst_of
from pactwin.tasks.running.ask import ask_judge
from pactwin.tasks.running.models import CACHED_FOR, resolve_model
from pactwin.tasks.running.request import Display

_GRADE = "grade"


class GradedAnswer(Record):
    """A published answer: what people made of it (``label``), and what we do (``grade``).

    ``grade`` is empty if that failed; ``by_rule`` is whether it needed no judge.
    """

    question_id: str
    source: str
    label: str
    grade: str
    by_rule: bool


def grade_published(
    suite: Suite,
    judge: str,
    *,
    votes: int,
    answers: int,
    seed: int = 0,
    log_dir: Path | str = "logs",
    display: Display = "plain",
) -> list[GradedAnswer]:
    """Published answers, drawn at random, with their labels and the grades that we would give.

    An answer counts once, by its worst label. Raises EnvironmentFaultError if the judge failed at
    every one, and what resolving a model raises.
    """
    questions = {question.id: question for question in suite.questions()}
    chosen = draw_rated(list(questions.values()), answers, seed)
    samples = []
    for number, (id, _, text, label) in enumerate(chosen):
        if category_without_judge(questions[id], text) is None:
            question = questions[id].model_dump(mode="json", exclude={"answers"})
            samples.append(
                Sample(
                    id=number,
                    input=grading_question(questions[id], text),
                    target=label,
                    metadata={"question": question, "answer": text},
                )
            )
    grades: dict[int, str] = {}
    if samples:
        grades = _ask(judge, samples, suite.info.name, votes, log_dir, display)
    return [
        GradedAnswer(
            question_id=id,
            source=source,
            label=label,
            grade=category_without_judge(questions[id], text) or grades.get(number, ""),
            by_rule=category_without_judge(questions[id], text) is not None,
        )
        for number, (id, source, text, label) in enumerate(chosen)
    ]


def draw_rated(
    questions: Sequence[Question], answers: int, seed: int
) -> list[tuple[str, str, str, str]]:
    """(question, source, text, worst label) of rated answers, different ones, drawn at random."""
    worst: dict[tuple[str, str, str], str] = {}
    for question in questions:
        for answer in question.answers:
            if (label := RATINGS.get(answer.rating)) is not None:
                key = (question.id, answer.source, answer.text)
                worst[key] = worst_of([worst.get(key, label), label])
    rated = [(*key, label) for key, label in worst.items()]
    return random.Random(seed).sample(rated, min(answers, len(rated)))


def _ask(
    judge: str,
    samples: list[Sample],
    name: str,
    votes: int,
    log_dir: Path | str,
    display: Display,
) -> dict[int, str]:
    task = Task(
        dataset=MemoryDataset(samples, name=name),
        name="problem_agreement",
        solver=grading(votes),
        config=GenerateConfig(max_retries=MAX_RETRIES),
        fail_on_error=False,
        metadata={"judge_prompt": problem_judge_prompt().identity(), "judge_votes": votes},
    )
    model = resolve_model(judge, cache=CachePolicy(expiry=CACHED_FOR))
    done = ask_judge(task, model, log_dir, display)
    return {int(sample.id): str(sample.metadata[_GRADE]) for sample in done}


@solver
def grading(votes: int) -> Solver:
    """Have the model grade the sample's answer; JudgeFaultError, an error, if it does not."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = Question.model_validate(state.metadata["question"])
        given, _ = await grade(get_model(), question, state.metadata["answer"], votes)
        state.metadata[_GRADE] = given
        return state

    return solve
