"""Answers that choose a part of an object, as flat records."""

from typing import Literal

from pydantic import Field

from pactwin.tasks.core.results import AnswerStatus, AskedFacts, Row
from pactwin.tasks.core.structured import JsonAnswer


class PartAnswer(JsonAnswer):
    """Schema of an answer."""

    entity: str = Field(min_length=1, description="the name of the thing, as it is written above")
    part: str = Field(min_length=1, description="the name of its part, as it is written above")
    use: str = Field(description="how to use the part, step by step")


class UseFacts(AskedFacts):
    """Sample metadata of a creative-use question.

    ``gold_entity`` and ``gold_part`` are the gold answer, ``candidates`` the names of all things,
    and ``published_id`` is what an imported question is called in its data. ``similar`` are the
    pairs (thing, part) that were judged to serve alike.
    """

    kind: Literal["creative_use"] = "creative_use"
    gold_entity: str
    gold_part: str
    candidates: tuple[str, ...]
    published_id: str = ""
    similar: tuple[tuple[str, str], ...] = ()


class UseOutcome(AnswerStatus):
    """The outcome of a creative-use question.

    ``entity`` and ``part`` are what the reply names, ``found_entity`` and ``found_part`` the
    candidate and part that it means, empty where it means none; ``use`` is how it would be used.
    ``relation`` is ``gold``, how like the gold part the chosen one was judged, ``unjudged``, or
    ``hallucination`` for what is not there. ``explored`` are the things looked at, in order; where
    parts are inspected too, ``trace`` says what each reply looked at: nothing, a thing, or a part
    of one. ``judge`` names the judge and its rubric, if one was asked; ``grades`` are its marks, 0
    to 2, ``error`` is what it mainly finds wrong with a wrong choice, and ``errors`` are all that.
    """

    entity: str = ""
    part: str = ""
    use: str = ""
    found_entity: str = ""
    found_part: str = ""
    relation: str = ""
    explored: tuple[str, ...] = ()
    trace: tuple[tuple[str, ...], ...] = ()
    judge: str = ""
    grades: dict[str, int] = Field(default_factory=dict)
    error: str = ""
    errors: tuple[str, ...] = ()


class UseRow(UseFacts, UseOutcome, Row):
    """One model's answer to one creative-use question."""
