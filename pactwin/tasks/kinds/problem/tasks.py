"""Inspect task about problems in words: asking, parsing, marking and judging.

Answers that contradict the problem's status are F. A judge grades the others, which are unparsed
without one.
"""

from typing import Unpack

from inspect_ai import Task, task
from inspect_ai.model import Model

from pactwin.solvers import Problem, read_solvability
from pactwin.suite import InvalidInputError, Question, Scene
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.editions import suite_or_edition
from pactwin.tasks.core.kind import Judging, QuestionKind, Reply
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import unanswered
from pactwin.tasks.kinds.problem.judging import (
    category_without_judge,
    grade,
    judge_name,
    problem_judge_prompt,
    solves,
)
from pactwin.tasks.kinds.problem.metrics import SCORING
from pactwin.tasks.kinds.problem.records import ProblemFacts, ProblemOutcome, ProblemRow
from pactwin.tasks.kinds.problem.scoring import CORRECT_CATEGORIES, held_unsolvable

VOTES = 3
"""Number of votes of a judge on an answer; the paper has three raters."""
_NO_JUDGE = "nobody has graded it: name a judge"


@task(name="macgyver")
def macgyver(suite: str | None = None, judge_votes: int = VOTES, **asking: Unpack[Asking]) -> Task:
    """One sample per problem of the suite.

    ``judge_votes`` is the number of votes of the model in the role ``judge`` per answer; a
    ``limit`` alternates between kinds of problems. Raises InvalidInputError for fewer than one
    vote, and the errors of :func:`ask_about`.
    """
    if judge_votes < 1:
        raise InvalidInputError(f"{judge_votes} judge votes: at least 1 is needed")
    votes = {"votes": judge_votes}
    named = suite_or_edition(suite, "macgyver")
    return ask_about(named, PROBLEM, options=votes, metadata={"judge_votes": judge_votes}, **asking)


def problem_facts(scene: Scene, question: Question, condition: str) -> ProblemFacts:
    """Sample metadata of a problem."""
    if question.truth not in ("solvable", "unsolvable"):
        raise TypeError(f"question {question.id} is no problem")
    return ProblemFacts(
        **asked_facts(scene, question, condition),
        solvable=question.truth == "solvable",
        held_unsolvable=held_unsolvable(question),
        uses=question.uses,
    )


def mark(asked: Reply[ProblemFacts]) -> ProblemOutcome:
    """Parse and mark a reply as far as possible without a judge."""
    question, reply = asked.question, asked.output.completion
    read = read_solvability(reply)
    if read in (Problem.EMPTY, Problem.CUT_OFF):
        return ProblemOutcome(**unanswered(Problem(read)))
    category = category_without_judge(question, reply)
    if category is None:
        return ProblemOutcome(
            state=AnswerState.UNPARSED, reason=_NO_JUDGE, says_solvable=solves(reply)
        )
    return ProblemOutcome(
        state=AnswerState.INCORRECT, category=category, says_solvable=solves(reply)
    )


def needs_judge(asked: Reply[ProblemFacts], outcome: ProblemOutcome) -> bool:
    """Return whether it is not graded yet."""
    return outcome.reason == _NO_JUDGE


async def judge_solution(
    judge: Model, asked: Reply[ProblemFacts], outcome: ProblemOutcome
) -> ProblemOutcome:
    """``outcome`` with the grade of ``judge``, from the number of ``votes`` in the options."""
    votes = asked.options.get("votes", VOTES)
    category, given = await grade(judge, asked.question, asked.output.completion, votes)
    return ProblemOutcome(
        state=AnswerState.of(category in CORRECT_CATEGORIES),
        judged="".join(given),
        judge=judge_name(judge, votes),
        category=category,
        says_solvable=outcome.says_solvable,
    )


PROBLEM = QuestionKind(
    name="problem",
    task_name="macgyver",
    task=macgyver,
    described="that states a problem",
    unit="problem",
    cluster="question_id",
    row=ProblemRow,
    facts_type=ProblemFacts,
    outcome_type=ProblemOutcome,
    facts=problem_facts,
    mark=mark,
    said=lambda question, outcome: outcome.category,
    truth=("solvable", "held_unsolvable", "uses"),
    scoring=SCORING,
    judging=Judging(problem_judge_prompt, needs_judge, judge_solution),
)
