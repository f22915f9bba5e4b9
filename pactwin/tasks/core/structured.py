"""Answers as JSON objects: schemas for providers, and parsing.

Each kind declares a record of its answer, whose field descriptions instruct the model. A JSON reply
is validated by that record only; any other reply is parsed as text.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

from inspect_ai.util import json_schema
from pydantic import Field, ValidationError, create_model

from pactwin.solvers import Problem, json_objects, strip_reasoning
from pactwin.suite import Record, one_line

_OPENS_JSON = re.compile(r"\s*(?:```(?:json)?\s*)?[{\[]")

THINKING = "thinking"
"""First field of a reply that should think before it answers; the parser ignores it."""
_THOUGHT = {"type": "string", "description": "what speaks for and against, before the answer"}


class JsonAnswer(Record):
    """An answer as a JSON object; each field has a description for the model."""

    def text(self) -> str:
        """The answer as text that the text parser reads unambiguously."""
        return self.model_dump_json()


class ConfidentAnswer(JsonAnswer):
    """Yes, no or unsure, and a probability."""

    answer: Literal["yes", "no", "unsure"] = Field(
        description='"yes", "no" or "unsure" (right counts 1, unsure 0, wrong -3)'
    )
    probability: float = Field(
        ge=0,
        le=100,
        description="how likely it is that it can be done, from 0 to 100; half of all situations "
        "like this one can be done",
    )

    def text(self) -> str:
        """The two lines of a textual reply."""
        return f"Answer: {self.answer}\nProbability: {self.probability:g}"


class ItemsAnswer(JsonAnswer):
    """A list of names or uses."""

    items: tuple[str, ...]

    def text(self) -> str:
        """One bullet per item."""
        return "\n".join(f"- {one_line(item)}" for item in self.items) or "none"


def letter_answer(letters: Sequence[str], description: str) -> type[JsonAnswer]:
    """Schema for one of ``letters``."""
    letter: Any = Literal[tuple(letters)]
    return create_model(
        "LetterAnswer", __base__=JsonAnswer, answer=(letter, Field(description=description))
    )


def letters_answer(letters: Sequence[str], description: str) -> type[JsonAnswer]:
    """Schema for any number of ``letters``."""
    letter: Any = Literal[tuple(letters)]
    several: Any = tuple[letter, ...]
    return create_model(
        "LettersAnswer", __base__=JsonAnswer, answer=(several, Field(description=description))
    )


def items_answer(description: str) -> type[ItemsAnswer]:
    """Schema for a list described by ``description``."""
    return create_model(
        "NamedItems",
        __base__=ItemsAnswer,
        items=(tuple[str, ...], Field(description=description)),
    )


def answer_schema(answer: type[JsonAnswer], *, thinks: bool = False) -> dict[str, Any]:
    """JSON schema of a reply; with ``thinks`` its first field is for thoughts."""
    schema = json_schema(answer).model_dump(exclude_none=True)
    if thinks:
        schema["properties"] = {THINKING: _THOUGHT, **schema["properties"]}
        schema["required"] = [THINKING, *schema["required"]]
    return schema


def read_json(reply: str, answer: type[JsonAnswer]) -> JsonAnswer | Problem | None:
    """Parse the answer in the last JSON object of ``reply``; None without JSON.

    Truncated JSON, or JSON that violates the schema, is a Problem.
    """
    said = strip_reasoning(reply)
    records = [record for record, _ in json_objects(said)]
    if not records:
        return Problem.MISFIT if _OPENS_JSON.match(said) else None
    try:
        return answer.model_validate({k: v for k, v in records[-1].items() if k != THINKING})
    except ValidationError:
        return Problem.MISFIT
