"""People's answers to a suite's questions, and their consensus."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from pactwin.catalogue import normalise_affordance
from pactwin.suite import Number, OpaqueId, Record, read_lines

Agreed = Literal["unanimous", "majority", "split", "single", "none"]
Key = tuple[str, str]
"""Question id and view condition."""


class PersonAnswer(Record):
    """One person's answer to one question under one view condition.

    ``annotator`` is a pseudonym. ``answer`` is an option's text, ``yes`` or ``no``, empty without
    an answer; ``items`` are those of a list. ``page`` is the id of the first question shown on the
    same page, ``seconds`` the time for the page.
    """

    question_id: OpaqueId
    view: str
    annotator: str = Field(pattern=r"^a[1-9][0-9]*$")
    answer: str = ""
    items: tuple[str, ...] = ()
    page: OpaqueId
    seconds: Annotated[Number, Field(ge=0)] | None = None

    @property
    def says(self) -> bool:
        """Return False if the person was asked but gave no answer."""
        return bool(self.answer or self.items)


@dataclass(frozen=True)
class Consensus:
    """The consensus of several answers to one question; empty if no answer has a majority.

    ``votes`` counts answers, for a list item by item.
    """

    agreed: Agreed
    votes: Mapping[str, int]
    answer: str = ""
    items: tuple[str, ...] = ()


def consensus_of(given: Sequence[PersonAnswer]) -> Consensus:
    """The answer of more than half of the people; for lists, the items of more than half.

    Items are compared as affordances if the catalogue knows them, else literally.
    """
    said = [answer for answer in given if answer.says]
    if any(answer.items for answer in said):
        lists = [frozenset(map(_item, answer.items)) for answer in said]
        votes = Counter(item for items in lists for item in sorted(items))
        kept = tuple(sorted(item for item, n in votes.items() if 2 * n > len(said)))
        return Consensus(_agreed(lists, bool(kept)), votes, items=kept)
    votes = Counter(answer.answer for answer in said)
    top = next((text for text, n in votes.items() if 2 * n > len(said)), "")
    return Consensus(_agreed([answer.answer for answer in said], bool(top)), votes, answer=top)


def _agreed(said: Sequence[object], majority: bool) -> Agreed:
    if len(said) < 2:
        return "single" if said else "none"
    if len(set(said)) == 1:
        return "unanimous"
    return "majority" if majority else "split"


def _item(text: str) -> str:
    return normalise_affordance(text) or " ".join(text.casefold().split())


def by_question(answers: Iterable[PersonAnswer]) -> dict[Key, tuple[PersonAnswer, ...]]:
    """Answers by question id and view condition, in the order given."""
    found: dict[Key, list[PersonAnswer]] = defaultdict(list)
    for answer in answers:
        found[answer.question_id, answer.view].append(answer)
    return {key: tuple(given) for key, given in found.items()}


def annotators_of(answers: Iterable[PersonAnswer]) -> tuple[str, ...]:
    """Names of the annotators, in order."""
    return tuple(sorted({a.annotator for a in answers}, key=lambda name: int(name[1:])))


def read_person_answers(path: Path | str) -> list[PersonAnswer]:
    """Read the answers in a JSONL file; InvalidInputError names line and key of a bad one."""
    return read_lines(PersonAnswer, path, "answers of people")
