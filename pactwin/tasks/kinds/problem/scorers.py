"""From a reply to a problem to one answer state and a category."""

from inspect_ai.model import Model, ModelOutput, model_roles
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from pactwin.policies import Problem, read_solvability
from pactwin.suite import Question
from pactwin.tasks.core.judge import refuse_self_judging
from pactwin.tasks.core.results import JUDGE_ROLE, AnswerState, ProblemOutcome
from pactwin.tasks.core.scoring import SAMPLE_METRICS, broken, score_of, unanswered
from pactwin.tasks.kinds.problem.judging import category_without_judge, grade, judge_name, solves
from pactwin.tasks.kinds.problem.scoring import CORRECT

_NO_JUDGE = "nobody has graded it: name a judge"


@scorer(metrics=SAMPLE_METRICS)
def problem_scorer(votes: int = 3, judge_self: bool = False) -> Scorer:
    """Score what an answer to a problem is worth.

    What contradicts the problem's status is F; all else is graded by ``votes`` of the model in the
    role ``judge``, and unparsed without one. The judge must not be the model under test unless
    ``judge_self``: InvalidInputError. JudgeFaultError if it fails.
    """

    async def score(state: TaskState, target: Target) -> Score:
        question = Question.model_validate(state.metadata["question"])
        outcome = decide_problem(question, state.output)
        judge = model_roles().get(JUDGE_ROLE)
        if isinstance(judge, Model) and outcome.reason == _NO_JUDGE:
            if not judge_self:
                refuse_self_judging(str(judge), [str(state.model)])
            category, given = await grade(judge, question, state.output.completion, votes)
            outcome = ProblemOutcome(
                state=AnswerState.CORRECT if category in CORRECT else AnswerState.INCORRECT,
                judged="".join(given),
                judge=judge_name(judge, votes),
                category=category,
                says_solvable=outcome.says_solvable,
            )
        return score_of(outcome, outcome.category, question.rationale)

    return score


def decide_problem(question: Question, output: ModelOutput) -> ProblemOutcome:
    """The outcome of one reply, as far as it needs no judge."""
    fault = broken(output)
    if fault is not None:
        return ProblemOutcome(**fault)
    reply = output.completion
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
