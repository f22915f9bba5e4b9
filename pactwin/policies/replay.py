"""What models replied before: taken from the log of an earlier run, not paid for once more.

A question may have ended in an error after its model had replied: its judge failed, a later turn
did, or the run was interrupted. When it is asked again these replies are given again, each once.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ContentText, Model, ModelOutput
from inspect_ai.solver._task_state import sample_state  # it has no public name

Calls = Mapping[str, Sequence[ModelEvent]]
"""Calls that were answered, in order, by the id of their sample."""

_recorded: dict[tuple[str, str], list[ModelEvent]] = {}
"""By the model under test and the sample."""


@contextmanager
def replaying(calls: Mapping[str, Calls]) -> Iterator[None]:
    """Have the calls of each model under test given again inside the block."""
    for model, of_model in calls.items():
        _recorded.update({(model, sample): list(each) for sample, each in of_model.items()})
    try:
        yield
    finally:
        _recorded.clear()


def replayed_output(model: Model, messages: Sequence[ChatMessage]) -> ModelOutput | None:
    """What ``model`` replied to ``messages`` in this sample before; None if nothing is left.

    The sample's log tells of the call as of one that was answered from a cache.
    """
    state = sample_state()
    if state is None:
        return None
    calls = _recorded.get((str(state.model), str(state.sample_id)), [])
    asked = (str(model), model.role, _said(messages))
    for at, call in enumerate(calls):
        if (call.model, call.role, _said(call.input)) == asked:
            del calls[at]
            transcript()._event(
                ModelEvent(
                    model=call.model,
                    role=call.role,
                    input=call.input,
                    tools=call.tools,
                    tool_choice=call.tool_choice,
                    config=call.config,
                    output=call.output,
                    cache="read",
                )
            )
            return call.output
    return None


def _said(messages: Sequence[ChatMessage]) -> list[str]:
    """The replies so far and what is asked now, without pictures, which logs need not hold."""
    replies = [message.text for message in messages if message.role == "assistant"]
    last = messages[-1]
    if isinstance(last.content, str):
        return [*replies, last.content]
    texts = [part.text for part in last.content if isinstance(part, ContentText)]
    return [*replies, *texts[-1:]]
