"""How a reply to a problem is read, marked and judged.

What contradicts the problem's status is F. All else is graded by a judge, and unparsed without one.
"""

from inspect_ai.model import Model

from pactwin.solvers import Problem, read_solvability
from pactwin.tasks.core.kind import Reply
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import unanswered
from pactwin.tasks.kinds.problem.judging import category_without_judge, grade, judge_name, solves
from pactwin.tasks.kinds.problem.records import ProblemFacts, ProblemOutcome
from pactwin.tasks.kinds.problem.scoring import CORRECT_CATEGORIES

VOTES = 3
"""How often a judge is asked about an answer; the paper has three raters."""
_NO_JUDGE = "nobody has graded it: name a judge"


def mark(asked: Reply[ProblemFacts]) -> ProblemOutcome:
    """Read a reply and mark it, as far as that needs no judge."""
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
    """Whether nobody has graded it."""
    return outcome.reason == _NO_JUDGE


async def judge_solution(
    judge: Model, asked: Reply[ProblemFacts], outcome: ProblemOutcome
) -> ProblemOutcome:
    """``outcome`` with the category of as many votes of ``judge`` as the option ``votes`` says."""
    votes = asked.options.get("votes", VOTES)
    category, given = await grade(judge, asked.question, asked.output.completion, votes)
    return ProblemOutcome(
        state=AnswerState.CORRECT if category in CORRECT_CATEGORIES else AnswerState.INCORRECT,
        judged="".join(given),
        judge=judge_name(judge, votes),
        category=category,
        says_solvable=outcome.says_solvable,
    )
