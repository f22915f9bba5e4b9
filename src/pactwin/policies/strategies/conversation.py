"""One sample's conversation: what a strategy says, with which pictures, and what comes back."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import Template

from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentText,
)
from inspect_ai.solver import Generate, TaskState

from pactwin.policies.outputs import fault_of
from pactwin.policies.prompts import Kind, Prompts


def kind_of(state: TaskState) -> Kind:
    """What kind of question a sample asks."""
    return state.metadata["question"]["kind"]


@dataclass
class Conversation:
    """``pictures`` are the sample's, with the lines that name them; ``words`` fill in templates."""

    state: TaskState
    generate: Generate
    pictures: tuple[Content, ...]
    words: dict[str, str]

    @classmethod
    def begin(cls, state: TaskState, generate: Generate, prompts: Prompts) -> "Conversation":
        """Take the sample's one message apart, and send nothing of it yet."""
        (message,) = state.messages
        if isinstance(message.content, str):
            raise TypeError("a question is pictures and text, not a string")
        *pictures, question = message.content
        if not isinstance(question, ContentText):
            raise TypeError("the last part of a question is its text")
        system = Template(prompts.system).substitute()
        state.messages = [ChatMessageSystem(content=system)] if system else []
        kind = kind_of(state)
        how = state.metadata["form"] if kind == "constraint" else kind
        answer = Template(getattr(prompts.answer, how)).substitute()
        words = {"question": question.text, "answer": answer}
        return cls(state, generate, tuple(pictures), words)

    async def say(
        self, template: str, pictures: Sequence[Content] = (), **words: str
    ) -> str | None:
        """Send pictures, then text; the reply, or None if there is none to go on with.

        After None the conversation is over: the broken output is the sample's, so that an error, a
        refusal or a cut in any turn is what the sample ends in.
        """
        text = Template(template).substitute(self.words | words).strip()
        content = [*pictures, ContentText(text=text)]
        self.state.messages.append(ChatMessageUser(content=content))
        self.state = await self.generate(self.state)
        output = self.state.output
        if fault_of(output) is not None or not output.completion.strip():
            return None
        return output.completion
