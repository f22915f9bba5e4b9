"""The Inspect task ``macgyver``."""

from typing import Unpack

from inspect_ai import Task, task

from pactwin.suite import InvalidInputError, Question, Scene
from pactwin.tasks.core.asking import Asking, ask_about, asked_facts
from pactwin.tasks.core.kind import Judging, QuestionKind
from pactwin.tasks.kinds.problem.judging import problem_judge_prompt
from pactwin.tasks.kinds.problem.metrics import SCORING
from pactwin.tasks.kinds.problem.records import ProblemFacts, ProblemOutcome, ProblemRow
from pactwin.tasks.kinds.problem.scorers import VOTES, judge_solution, mark, needs_judge
from pactwin.tasks.kinds.problem.scoring import held_unsolvable


@task(name="macgyver")
def macgyver(suite: str, judge_votes: int = VOTES, **asking: Unpack[Asking]) -> Task:
    """One sample per problem of the suite.

    ``judge_votes`` is how often the model in the role ``judge`` is asked about one answer; a
    ``limit`` takes the kinds of problems in turn. Raises InvalidInputError for fewer than one vote,
    and what :func:`ask_about` raises.
    """
    if judge_votes < 1:
        raise InvalidInputError(f"{judge_votes} judge votes: at least 1 is needed")
    votes = {"votes": judge_votes}
    return ask_about(suite, PROBLEM, options=votes, metadata={"judge_votes": judge_votes}, **asking)


def problem_facts(scene: Scene, question: Question, condition: str) -> ProblemFacts:
    """What is known of a problem before it is told."""
    if question.truth not in ("solvable", "unsolvable"):
        raise TypeError(f"question {question.id} is no problem")
    return ProblemFacts(
        **asked_facts(scene, question, condition),
        solvable=question.truth == "solvable",
        held_unsolvable=held_unsolvable(question),
        uses=question.uses,
    )


PROBLEM = QuestionKind(
    name="problem",
    task_name="macgyver",
    task=macgyver,
    described="that tells a problem",
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
