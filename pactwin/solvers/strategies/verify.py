"""Answer, check whether each step is physically feasible, revise; a few rounds at most."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers.prompts import Revise, load_prompts
from pactwin.solvers.question_ref import question_of
from pactwin.solvers.replies.parsing import Answer, parse_reply
from pactwin.solvers.strategies.conversation import Conversation, kind_of
from pactwin.suite import Question


@solver
def verify(prompts: str | None = None) -> Solver:
    """Ask, then have the answer checked and given again until it stays the same.

    Every reply holds an answer, so the last one is the sample's whenever the rounds end.
    """
    pack = load_prompts(prompts).pack

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        script: Revise = pack.prompts_of("verify", kind_of(state))
        question = question_of(state.metadata)
        talk = Conversation.begin(state, generate, script)
        reply = await talk.say(script.ask, talk.pictures)
        for _ in range(script.rounds):
            if reply is None:
                break
            before = _said(question, reply)
            reply = await talk.say(script.check)
            if reply is not None and before.problem is None and _said(question, reply) == before:
                break
        return talk.state

    def _said(question: Question, reply: str) -> Answer:
        return parse_reply(question.form, reply, question.options, question.objects)

    return solve
