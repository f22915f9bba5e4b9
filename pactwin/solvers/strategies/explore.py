"""Names first: a thing is described to who asks for it, one a turn, until the answer."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers.prompts import Explore, load_prompts
from pactwin.solvers.question_ref import question_of
from pactwin.solvers.replies.uses import parse_part_choice
from pactwin.solvers.strategies.conversation import Conversation, kind_of
from pactwin.suite import Candidate, shuffled_by

EXPLORED = "explored"
"""Where a sample's metadata say which things were looked at, in order."""


@solver
def explore(prompts: str | None = None) -> Solver:
    """Tell the names of all things; describe the one asked for; take the answer.

    What cannot be read and what is not there cost a turn. After the last turn the sample ends as
    its last reply does: with no answer, if that asked for more.
    """
    pack = load_prompts(prompts).pack

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        script: Explore = pack.prompts_of("explore", kind_of(state))
        question = question_of(state.metadata)
        talk = Conversation.begin(state, generate, script)
        order = shuffled_by(question.id, question.candidates)
        by_name = {thing.name.casefold(): thing for thing in order}
        things = "\n".join(f"- {thing.name}" for thing in order)
        words = {"things": things, "question": question.text}
        seen: list[str] = []
        template = script.start
        for turn in range(script.turns):
            left = str(script.turns - turn)
            reply = await talk.say(template, (), **words, left=left)
            if reply is None:
                break
            said = parse_part_choice(reply)
            if said.entity:
                break
            words["name"] = said.explore
            thing = by_name.get(said.explore.casefold())
            if thing is not None:
                seen.append(thing.name)
                words |= {"name": thing.name, "description": described(thing)}
                template = script.show
            else:
                template = script.unknown if said.explore else script.unread
        talk.state.metadata[EXPLORED] = seen
        return talk.state

    return solve


def described(thing: Candidate) -> str:
    """What there is to know about a thing: its parts, a line each, or itself."""
    if not thing.parts:
        return thing.description
    return "\n".join(f"- {part}: {text}" for part, text in thing.parts.items())
