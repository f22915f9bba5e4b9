"""Strategies whose turns are known beforehand: the last reply is the answer."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.policies.prompts import Turns, load_prompts
from pactwin.policies.strategies.conversation import Conversation, kind_of


@solver
def direct(prompts: str | None = None) -> Solver:
    """Ask once. ``prompts`` is the file of a pack, as for every strategy."""
    return _scripted("direct", prompts)


@solver
def reason(prompts: str | None = None) -> Solver:
    """Think first, answer last, in one reply."""
    return _scripted("reason", prompts)


@solver
def describe(prompts: str | None = None) -> Solver:
    """Describe objects and their relations in one call, answer in a second."""
    return _scripted("describe", prompts)


@solver
def affordances(prompts: str | None = None) -> Solver:
    """List what each object affords, then rule out what it does not, then answer."""
    return _scripted("affordances", prompts)


@solver
def divergent_convergent(prompts: str | None = None) -> Solver:
    """List what each thing could serve for, choose what helps, then answer."""
    return _scripted("divergent-convergent", prompts)


def _scripted(strategy: str, prompts: str | None) -> Solver:
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
