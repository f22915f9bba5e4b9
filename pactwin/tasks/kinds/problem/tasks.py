"""The Inspect task ``macgyver``."""

from inspect_ai import Task, task

from pactwin.suite import InvalidInputError, Question, Scene
from pactwin.tasks.core.asking import ask_about, asked_facts
from pactwin.tasks.core.results import TASK_NAMES, ProblemFacts
from pactwin.tasks.core.views import EACH
from pactwin.tasks.kinds.problem.judging import problem_judge_prompt
from pactwin.tasks.kinds.problem.scorers import problem_scorer
from pactwin.tasks.kinds.problem.scoring import held_unsolvable

VOTES = 3
"""How often a judge is asked about an answer; the paper has three raters."""


@task(name=TASK_NAMES["problem"])
def macgyver(
    suite: str,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: str | None = None,
    efforts: int = 1,
    judge_votes: int = VOTES,
    judge_self: bool = False,
    views: str | list[str] = EACH,
) -> Task:
    """``efforts`` samples per problem of the suite.

    ``limit`` is the largest number of problems, the kinds of problems in turn; ``judge_votes`` is
    how often the model in the role ``judge`` is asked about one answer. ``views`` says nothing
    here: problems have no pictures. Raises InvalidInputError for fewer than one effort or vote, and
    what :func:`ask_about` raises.
    """
    for what, number in (("efforts", efforts), ("judge votes", judge_votes)):
        if number < 1:
            raise InvalidInputError(f"{number} {what}: at least 1 is needed")
    return ask_about(
        suite,
        "problem",
        described="that tells a problem",
        facts_of=problem_facts,
        scorer=problem_scorer(judge_votes, judge_self),
        views=views,
        limit=limit,
        strategy=strategy,
        prompts=prompts,
        efforts=efforts,
        metadata={"judge_prompt": problem_judge_prompt().identity(), "judge_votes": judge_votes},
    )


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
