"""The conversation of one sample: messages, pictures and replies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import Template
from typing import Any
from weakref import WeakValueDictionary

from anyio import Lock
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    ResponseSchema,
    get_model,
)
from inspect_ai.solver import Generate, TaskState
from inspect_ai.util import JSONSchema

from pactwin.solvers.outputs import fault_of
from pactwin.solvers.prompts import Prompts
from pactwin.solvers.replay import replayed_output

ANSWER_SCHEMA = "answer_schema"
"""Metadata key of the JSON schema of a sample's answer, if the answer must be JSON."""

CONFIDENCE = "confidence"
"""Metadata key that says whether a probability is asked for besides the answer."""

_under_way: WeakValueDictionary[int, Lock] = WeakValueDictionary()
"""By what is sent."""


def kind_of(state: TaskState) -> str:
    """The kind of a sample's question."""
    return state.metadata["question"]["kind"]


@dataclass
class Conversation:
    """Conversation of a sample; ``pictures`` have captions, and ``words`` fill in templates.

    ``in_view`` selects the messages that are sent; the sample keeps all of them.
    """

    state: TaskState
    generate: Generate
    pictures: tuple[Content, ...]
    words: dict[str, str]
    in_view: Callable[[list[ChatMessage]], list[ChatMessage]] = list

    @classmethod
    def begin(cls, state: TaskState, generate: Generate, prompts: Prompts) -> "Conversation":
        """Split the sample's message, without sending anything."""
        (message,) = state.messages
        if isinstance(message.content, str):
            raise TypeError("a question is pictures and text, not a string")
        *pictures, question = message.content
        if not isinstance(question, ContentText):
            raise TypeError("the last part of a question is its text")
        system = Template(prompts.system).substitute()
        state.messages = [ChatMessageSystem(content=system)] if system else []
        confident = CONFIDENCE in state.metadata
        answer = prompts.how_to_answer(kind_of(state), state.metadata["form"], confident=confident)
        if ANSWER_SCHEMA in state.metadata:
            answer = _json_line(state.metadata[ANSWER_SCHEMA])
        words = {"question": question.text, "answer": answer}
        return cls(state, generate, tuple(pictures), words)

    async def say(
        self, template: str, pictures: Sequence[Content] = (), **words: str
    ) -> str | None:
        """Send pictures, then text; returns the reply, or None if the conversation cannot continue.

        None ends the conversation: the failed output becomes the sample's, so that the sample ends
        with that error, refusal or truncation.
        """
        text = Template(template).substitute(self.words | words).strip()
        content = [*pictures, ContentText(text=text)]
        whole = [*self.state.messages, ChatMessageUser(content=content)]
        self.state.messages = self.in_view(whole)
        before = replayed_output(get_model(), self.state.messages)
        try:
            if before is not None:
                self.state.output = before
                self.state.messages.append(before.message)
            else:
                schema = _response_schema(self.state, template)
                async with _turn(self.state):
                    self.state = await self.generate(
                        self.state, cache=_cache(self.state), response_schema=schema
                    )
            whole.append(self.state.messages[-1])
        finally:
            self.state.messages = whole
        output = self.state.output
        if fault_of(output) is not None or not output.completion.strip():
            return None
        return output.completion


def _json_line(schema: dict[str, Any]) -> str:
    """Instruction to answer with a JSON object: its fields and their contents."""
    fields = (f'"{name}": {field["description"]}' for name, field in schema["properties"].items())
    return f"Reply with one JSON object and nothing else: {{{', '.join(fields)}}}"


def _response_schema(state: TaskState, template: str) -> ResponseSchema | None:
    """Response schema for the provider; None for turns without an answer and for text."""
    schema = state.metadata.get(ANSWER_SCHEMA)
    if schema is None or "answer" not in Template(template).get_identifiers():
        return None
    shape = JSONSchema.model_validate(schema)
    return ResponseSchema(name="answer", json_schema=shape, strict=True)


def _cache(state: TaskState) -> bool | CachePolicy:
    return get_model().config.cache or False


def _turn(state: TaskState) -> Lock:
    """Lock of a call: an identical call waits and finds the reply in the cache.

    A scene's questions may begin alike (what do you see?), and are asked at the same time; without
    this each would pay for the same reply.
    """
    # A repetition is meant to be another reply.
    sent = [str(state.model), str(state.epoch)]
    for message in state.messages:
        sent.append(message.role)
        parts = [] if isinstance(message.content, str) else message.content
        sent.append(message.text)
        sent += [part.image for part in parts if isinstance(part, ContentImage)]
    # Calls that differ and hash alike would only wait for each other.
    return _under_way.setdefault(hash(tuple(sent)), Lock())
