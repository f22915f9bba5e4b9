"""Compare a judge's grades with the published ratings."""

import random
from collections.abc import Sequence
from pathlib import Path

from inspect_ai.model import Model

from pactwin.suite import Question, Record, Suite
from pactwin.tasks.kinds.problem.judging import (
    category_without_judge,
    grade,
    grading_question,
    problem_judge_prompt,
)
from pactwin.tasks.kinds.problem.scoring import RATINGS, worst_of
from pactwin.tasks.running.ask import ask_each
from pactwin.tasks.running.request import Display


class GradedAnswer(Record):
    """A published answer with the people's rating (``label``) and the new ``grade``.

    ``grade`` is empty if grading failed; ``by_rule`` says whether it needed no judge.
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
    """Grade randomly drawn published answers, and compare the grades with their labels.

    An answer counts once, with its worst label. Raises the errors of :func:`ask_each`.
    """
    questions = {question.id: question for question in suite.questions()}
    chosen = draw_rated(list(questions.values()), answers, seed)
    by_rule = [category_without_judge(questions[id], text) for id, _, text, _ in chosen]

    async def grade_one(model: Model, number: str) -> str:
        id, _, text, _ = chosen[int(number)]
        return (await grade(model, questions[id], text, votes))[0]

    inputs = {
        str(number): grading_question(questions[id], text)
        for number, (id, _, text, _) in enumerate(chosen)
        if by_rule[number] is None
    }
    notes = {"judge_prompt": problem_judge_prompt().identity(), "judge_votes": votes}
    grades = ask_each(
        "problem_agreement", inputs, grade_one, judge, log_dir, notes=notes, display=display
    )
    return [
        GradedAnswer(
            question_id=id,
            source=source,
            label=label,
            grade=by_rule[number] or grades.get(str(number), ""),
            by_rule=by_rule[number] is not None,
        )
        for number, (id, source, _, label) in enumerate(chosen)
    ]


def draw_rated(
    questions: Sequence[Question], answers: int, seed: int
) -> list[tuple[str, str, str, str]]:
    """Draw different rated answers at random: (question, source, text, worst label)."""
    worst: dict[tuple[str, str, str], str] = {}
    for question in questions:
        for answer in question.answers:
            if (label := RATINGS.get(answer.rating)) is not None:
                key = (question.id, answer.source, answer.text)
                worst[key] = worst_of([worst.get(key, label), label])
    rated = [(*key, label) for key, label in worst.items()]
    return random.Random(seed).sample(rated, min(answers, len(rated)))
