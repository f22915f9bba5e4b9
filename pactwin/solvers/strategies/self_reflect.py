"""Answer, look for steps that would not work, mend the answer; until nothing is to be changed."""

import re

from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers.prompts import Revise, load_prompts
from pactwin.solvers.replies.text import visible_text
from pactwin.solvers.strategies.conversation import Conversation, kind_of

_NO_CHANGES = re.compile(
    r"^\W*changes?(?: needed| required)?\s*:\W*"
    r"(?:none|no|nothing|not (?:needed|necessary|required))\b",
    re.M,
)


@solver
def self_reflect(prompts: str | None = None) -> Solver:
    """Ask, then have the answer checked and mended, for a few rounds at most.

    A reply with the line ``Changes: none`` ends it, and the answer before stands. Else the last
    reply is the answer: some models change theirs as often as they are asked.
    """
    pack = load_prompts(prompts).pack

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        script: Revise = pack.prompts_of("self-reflect", kind_of(state))
        talk = Conversation.begin(state, generate, script)
        reply = await talk.say(script.ask, talk.pictures)
        for _ in range(script.rounds):
            if reply is None:
                break
            standing = talk.state.output
            reply = await talk.say(script.check)
            if reply is not None and changes_nothing(reply):
                talk.state.output = standing
                break
        return talk.state

    return solve


def changes_nothing(reply: str) -> bool:
    """Whether a line of ``reply`` says that nothing is to be changed."""
    return bool(_NO_CHANGES.search(visible_text(reply)))
