"""The published entity files: things, their parts, attributes and affordances.

A file is a JSON list or one record a line. What is safe is put right (spaces, neighbours that are
not there, a part told twice); whatever else is odd is said and left as it is.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from pactwin.suite import InvalidInputError, first_fault, parse_json, read_json, read_untrusted
from pactwin.tasks.core.import_issues import RowIssueLog
from pactwin.tasks.published.creativitybench.source import (
    MAX_BYTES,
    Affordance,
    IssueKind,
    Text,
    missing_conditions,
    words_of,
)

_LEVELS = range(6)
_LEVEL = re.compile(r"\s*(?:normal (0)|emergency ([1-5]))\b", re.IGNORECASE)
_KNOWN = {
    "visibility": ("visible", "partially visible", "hidden"),
    "availability": ("free", "partially blocked", "blocked"),
}
_PEEK_BYTES = 4096


def _joined(value: object) -> object:
    """Several recipients as one text."""
    return ", ".join(map(str, value)) if isinstance(value, list) else value


class PublishedAffordance(Affordance):
    """What a part could serve for, under which conditions, upon what, and when it fails."""

    example_recipient: Annotated[str, BeforeValidator(_joined)] = ""
    failure_case: str = ""

    @property
    def number(self) -> int | None:
        """0 where the part is made for it, 1 to 5 the better it does in need; None if unsaid."""
        found = _LEVEL.match(self.level)
        return int(found[1] or found[2]) if found else None


class PublishedPart(BaseModel):
    """One part, as published."""

    model_config = ConfigDict(str_strip_whitespace=True)

    part_name: Text
    connected_to: list[str] = []
    connection: str | list[Any] | dict[str, Any] = ""
    physical_attributes: dict[str, str] = {}
    state_attributes: dict[str, str] = {}
    functional_affordances: list[PublishedAffordance] = []

    @property
    def words(self) -> set[str]:
        """All words that tell of it."""
        told = (*self.physical_attributes.values(), *self.state_attributes.values())
        return words_of(" ".join((self.part_name.replace("_", " "), *told)))


class PublishedEntity(BaseModel):
    """One thing, as published."""

    model_config = ConfigDict(str_strip_whitespace=True)

    entity_name: Text
    scenario: str = ""
    parts: list[PublishedPart] = Field(min_length=1)


def creative_entities_path(out: Path) -> Path:
    """Where the things are that were imported with the suite at ``out``: beside it."""
    return out.with_name(out.name + ".entities.json")


def holds_entities(path: Path) -> bool:
    """Whether a file begins with a thing, not with a task; InvalidInputError if unreadable."""
    try:
        with path.open("rb") as file:
            start = file.read(_PEEK_BYTES)
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    return b'"entity_name"' in start and b'"task_id"' not in start


def read_entities(paths: Iterable[Path], issues: RowIssueLog) -> list[PublishedEntity]:
    """All things in ``paths``, in order; what is odd about them goes to ``issues``.

    Raises InvalidInputError for a file that cannot be read.
    """
    found: dict[tuple[str, str], PublishedEntity] = {}
    for path in paths:
        for row, record in enumerate(_records(path), start=1):
            issues.count_row(path.name)
            try:
                entity = PublishedEntity.model_validate(record)
            except ValidationError as error:
                issues.skip(IssueKind.BAD_RECORD, path.name, "", row, first_fault(error))
                continue
            key = entity.scenario, entity.entity_name
            if key in found:
                issues.skip(IssueKind.REPEATED_ID, path.name, entity.entity_name, row)
                continue
            found[key] = entity
            for kind, what in _repaired(entity):
                issues.note(kind, path.name, entity.entity_name, row, what)
    return list(found.values())


def _records(path: Path) -> Iterator[Any]:
    """The records of a list, or of its lines; of a line that is no JSON, its text."""
    try:
        data = read_untrusted(path, MAX_BYTES)
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    if data.lstrip().startswith(b"["):
        yield from read_json(TypeAdapter(list[Any]), path, "a JSON list of entities", MAX_BYTES)
        return
    for line in filter(bytes.strip, data.splitlines()):
        try:
            yield parse_json(line)
        except ValueError:
            yield str(line)


def _repaired(entity: PublishedEntity) -> Iterator[tuple[IssueKind, str]]:
    """What is odd about a thing; what is safe is put right."""
    by_name: dict[str, PublishedPart] = {}
    kept = []
    for part in entity.parts:
        if part == by_name.get(part.part_name):
            yield IssueKind.PART_TWICE, part.part_name
            continue
        if part.part_name in by_name:
            yield IssueKind.REPEATED_PART, part.part_name
        by_name.setdefault(part.part_name, part)
        kept.append(part)
    entity.parts = kept
    for part in kept:
        absent = [name for name in part.connected_to if name not in by_name]
        part.connected_to = [name for name in part.connected_to if name in by_name]
        for name in absent:
            yield IssueKind.ABSENT_NEIGHBOUR, f"{part.part_name}: {name}"
        for kind, what in _odd(part, [other for other in kept if other is not part]):
            yield kind, f"{part.part_name}: {what}"


def _odd(part: PublishedPart, others: list[PublishedPart]) -> Iterator[tuple[IssueKind, str]]:
    for name in ("physical_attributes", "state_attributes"):
        if not any(text.strip() for text in getattr(part, name).values()):
            yield IssueKind.UNDESCRIBED_PART, name
    for name, allowed in _KNOWN.items():
        said = part.state_attributes.get(name, "").strip().casefold()
        if said and not said.startswith(allowed):
            yield IssueKind.UNKNOWN_STATE, f"{name} {said}"
    levels = Counter(affordance.number for affordance in part.functional_affordances)
    if levels != Counter(_LEVELS):
        said = ", ".join(str(level) for level in levels.elements()) or "none"
        yield IssueKind.OTHER_LEVELS, said
    mine = part.words
    for affordance in part.functional_affordances:
        for condition in missing_conditions(affordance):
            yield IssueKind.NO_CONDITION, f"{affordance.affordance}: {condition}"
        if not affordance.belongs_to(mine, [other.words for other in others]):
            yield IssueKind.OTHER_PART, affordance.affordance
