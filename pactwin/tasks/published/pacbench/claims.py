"""What a verifier is asked by the published rules, and how its words are read."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

Rule = Literal["property", "all_correct", "at_least_one", "answer", "check"]


class Claim(NamedTuple):
    """A reply to be held against ``truth`` by ``rule``; for ``check`` that is the question."""

    rule: Rule
    truth: str
    reply: str


class PublishedVerdict(StrEnum):
    """What a verifier can end in. Only the first counts as right."""

    CORRECT = "CORRECT"
    INCORRECT = "INCORRECT"
    UNCERTAIN = "UNCERTAIN"
    ERROR = "ERROR"


Verdicts = Mapping[Claim, PublishedVerdict]


def read_published_verdict(rule: Rule, said: str) -> PublishedVerdict:
    """The published reading of a verifier's words: right only if nothing in them says wrong."""
    binary = rule in ("property", "answer")
    right, wrong = ("CORRECT", "INCORRECT") if binary else ("TRUE", "FALSE")
    text = said.upper()
    if wrong in text:
        return PublishedVerdict.INCORRECT
    return PublishedVerdict.CORRECT if right in text else PublishedVerdict.UNCERTAIN
