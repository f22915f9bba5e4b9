"""The direct strategy: the question, how to answer it, one reply."""

from inspect_ai.model import ContentText
from inspect_ai.solver import Generate, Solver, TaskState, solver

INSTRUCTIONS = {
    "yes_no": ("Begin your reply with yes or no, then give the reason in one short sentence."),
    "choice": "Reply with the letter of exactly one statement.",
    "open": (
        "Begin your reply with yes or no. If it cannot be done, name the one thing that prevents "
        "it in one short sentence."
    ),
}


@solver
def direct() -> Solver:
    """Ask once. ``state.metadata["form"]`` chooses the instruction that follows the question."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        instruction = INSTRUCTIONS[state.metadata["form"]]
        (question,) = state.messages
        if isinstance(question.content, str):
            raise TypeError("a question is pictures and text, not a string")
        question.content = [*question.content, ContentText(text=instruction)]
        return await generate(state)

    return solve
