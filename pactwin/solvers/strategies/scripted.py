"""Strategies with fixed turns, defined by a block of a prompt pack."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers.prompts import Turns, load_prompts
from pactwin.solvers.strategies.conversation import Conversation, kind_of


@solver
def scripted(strategy: str = "direct", prompts: str | None = None) -> Solver:
    """Send the turns of ``strategy``, one call each; the last reply is the answer.

    ``prompts`` is the file of a pack, as for every strategy.
    """
    pack = load_prompts(prompts).pack

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        script: Turns = pack.prompts_of(strategy, kind_of(state))
        talk = Conversation.begin(state, generate, script)
        pictures = talk.pictures
        for turn in script.turns:
            if await talk.say(turn, pictures) is None:
                break
            pictures = ()
        return talk.state

    return solve
