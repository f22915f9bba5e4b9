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

    ``gold_entity`` and ``gold_part`` are the gold answer, ``candidates`` the names of all objects,
    and ``published_id`` an imported question's id in its data. ``similar`` are pairs (object, part)
    that were judged to serve alike.
    """

    kind: Literal["creative_use"] = "creative_use"
    gold_entity: str
    gold_part: str
    candidates: tuple[str, ...]
    published_id: str = ""
    similar: tuple[tuple[str, str], ...] = ()


class UseOutcome(AnswerStatus):
    """The outcome of a creative-use question.

    ``entity`` and ``part`` are the names in the reply, ``found_entity`` and ``found_part`` the
    candidate and part that they mean, empty without a match; ``use`` is the intended use.
    ``relation`` is ``gold``, the judged similarity of the chosen part to the gold part,
    ``unjudged``, or ``hallucination`` for objects that are absent. ``explored`` are the inspected
    objects, in order; if parts are inspected too, ``trace`` says what each reply inspected:
    nothing, an object, or a part. ``judge`` names the judge and its rubric, if any; ``grades`` are
    its marks, 0 to 2, ``error`` is the main error of an incorrect choice, and ``errors`` are all of
    them.
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
