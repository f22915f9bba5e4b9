"""Replay replies from the log of an earlier run, so that they are not paid for twice.

A question may end in an error after its model has replied, for example because its judge or a later
turn failed or the run was interrupted. When it is asked again, the earlier replies are replayed,
each once. The log records them in notes (Inspect's events called ``info``), because only Inspect
itself can log a call.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from inspect_ai.event import Event, InfoEvent, ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ContentText, Model, ModelOutput
from inspect_ai.solver import TaskState
from inspect_ai.util import StoreModel, store_as

REPLAYED = "pactwin/replay"
"""Source name of notes that hold a replayed call."""

SampleKey = tuple[str, int]
"""Id of a sample, and its epoch."""
Calls = Mapping[SampleKey, Sequence[ModelEvent]]
"""Answered calls by their sample, in order."""

_recorded: dict[tuple[str, SampleKey], list[ModelEvent]] = {}
"""By the model under test and the sample."""


class _Sample(StoreModel):
    """The sample being asked, kept in its store for solvers and scorers."""

    model: str = ""
    id: str = ""
    epoch: int = 1


@contextmanager
def replaying(calls: Mapping[str, Calls]) -> Iterator[None]:
    """Replay recorded calls of each model under test inside the block."""
    for model, of_model in calls.items():
        _recorded.update({(model, sample): list(each) for sample, each in of_model.items()})
    try:
        yield
    finally:
        _recorded.clear()


def begin_replay(state: TaskState) -> None:
    """Start replaying this sample's recorded replies, if there are any."""
    key = str(state.sample_id), state.epoch
    if (str(state.model), key) in _recorded:
        _Sample(store=state.store, model=str(state.model), id=key[0], epoch=key[1])


def replayed_output(model: Model, messages: Sequence[ChatMessage]) -> ModelOutput | None:
    """The stored reply of ``model`` to ``messages`` in this sample; None if none is left."""
    if not _recorded:
        return None
    sample = store_as(_Sample)
    calls = _recorded.get((sample.model, (sample.id, sample.epoch)), [])
    asked = (str(model), model.role, _said(messages))
    for at, call in enumerate(calls):
        if (call.model, call.role, _said(call.input)) == asked:
            del calls[at]
            note = call.model_copy(update={"cache": "read", "call": None})
            transcript().info(note.model_dump(mode="json", exclude_none=True), source=REPLAYED)
            return call.output
    return None


def calls_in(events: Iterable[Event]) -> list[ModelEvent]:
    """The calls in a sample's log, including replayed ones."""
    calls = []
    for event in events:
        if isinstance(event, InfoEvent) and event.source == REPLAYED:
            calls.append(ModelEvent.model_validate(event.data))
        elif isinstance(event, ModelEvent):
            calls.append(event)
    return calls


def _said(messages: Sequence[ChatMessage]) -> list[str]:
    """Key of a call: the replies so far and the new messages, without pictures."""
    replies = [message.text for message in messages if message.role == "assistant"]
    last = messages[-1]
    if isinstance(last.content, str):
        return [*replies, last.content]
    texts = [part.text for part in last.content if isinstance(part, ContentText)]
    return [*replies, *texts[-1:]]
