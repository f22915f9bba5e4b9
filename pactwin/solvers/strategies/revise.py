"""Answer, then check and revise the answer for a few rounds."""

import re
from collections.abc import Callable

from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers.prompts import Revise, load_prompts
from pactwin.solvers.question_ref import question_of
from pactwin.solvers.replies.parsing import parse_reply
from pactwin.solvers.replies.text import visible_text
from pactwin.solvers.strategies.conversation import Conversation, kind_of

_NO_CHANGES = re.compile(
    r"^\W*changes?(?: needed| required)?\s*:\W*"
    r"(?:none|no|nothing|not (?:needed|necessary|required))\b",
    re.M,
)


@solver
def verify(prompts: str | None = None) -> Solver:
    """Check the answer until it stays the same; the last reply is the sample's."""

    def stays(state: TaskState, before: str, reply: str) -> bool:
        question = question_of(state.metadata)
        first, second = (
            parse_reply(question.form, said, question.options, question.objects)
            for said in (before, reply)
        )
        return first.problem is None and first == second

    return _revising("verify", prompts, stays, keeps_answer=False)


@solver
def self_reflect(prompts: str | None = None) -> Solver:
    """Check the answer until a line says ``Changes: none``; the previous answer then counts.

    Without such a line the last reply counts: some models change their answer every time.
    """

    def stands(state: TaskState, before: str, reply: str) -> bool:
        return changes_nothing(reply)

    return _revising("self-reflect", prompts, stands, keeps_answer=True)


def _revising(
    name: str,
    prompts: str | None,
    is_done: Callable[[TaskState, str, str], bool],
    *,
    keeps_answer: bool,
) -> Solver:
    pack = load_prompts(prompts).pack

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        script: Revise = pack.prompts_of(name, kind_of(state))
        talk = Conversation.begin(state, generate, script)
        reply = await talk.say(script.ask, talk.pictures)
        for _ in range(script.rounds):
            if reply is None:
                break
            before, standing = reply, talk.state.output
            reply = await talk.say(script.check)
            if reply is not None and is_done(talk.state, before, reply):
                talk.state.output = standing if keeps_answer else talk.state.output
                break
        return talk.state

    return solve


def changes_nothing(reply: str) -> bool:
    """Return whether a line of ``reply`` is ``Changes: none``."""
    return bool(_NO_CHANGES.search(visible_text(reply)))
