"""Read the published files (ModalityDance/PhysTool-Bench, MIT), query by query.

``corrected_tools.json`` holds the gold answers, ``generation_checkpoint.json`` the picture of each
query, ``final_matching_info.json`` the names that a judge considered equal. A query is one of two
scenes (slots) of a combination of tools: its key is (original id, slot).
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter

from pactwin.suite import InvalidInputError, read_json
from pactwin.tasks.published.issues import IssueKind, IssueLog
from pactwin.tasks.published.records import MAX_BYTES, read_records

TRUTH = "corrected_tools.json"
PICTURES = "generation_checkpoint.json"
MATCHES = "final_matching_info.json"


Text = Annotated[str, Field(pattern=r"\S")]
Id = Annotated[str, BeforeValidator(lambda value: str(value) if type(value) is int else value)]


class _Taxonomy(BaseModel):
    target_tools: list[Text] = Field(min_length=1)
    target_steps: list[Annotated[int, Field(strict=True, ge=1, le=100)]]
    negative_tools: list[Text] = []


class QueryRecord(BaseModel):
    """Gold answer of one query as published; its key is that of the match files."""

    id: Id
    slot: int = 0
    task_instruct: Text
    ordered: bool = True
    shuffled_available_tools: list[Text] = Field(min_length=1)
    refined_taxonomy: _Taxonomy

    @property
    def key(self) -> str:
        """Id and slot."""
        return f"{self.id}_slot_{self.slot}"


class PictureRecord(BaseModel):
    """The picture of a query, as published."""

    original_id: Id
    slot: int = 0
    image_path: Text
    task_instruct: str = ""

    @property
    def key(self) -> str:
        """Id and slot of the query."""
        return f"{self.original_id}_slot_{self.slot}"


@dataclass
class Queries:
    """All usable queries in file order: records, picture paths and matches by key."""

    records: dict[str, QueryRecord] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)
    matches: dict[str, dict[str, str]] = field(default_factory=dict)


def read_queries(folder: Path, issues: IssueLog) -> Queries:
    """Read the queries of the three files; issues go to ``issues``.

    Raises InvalidInputError for a folder without the file of gold answers, and for a file that is
    not JSON of its kind.
    """
    if not (folder / TRUTH).is_file():
        raise InvalidInputError(f"{folder} is not PhysTool-Bench's data: there is no {TRUTH} in it")
    found = Queries()
    for row, query in read_records(QueryRecord, folder / TRUTH, issues):
        if _is_sound(query, row, found, issues):
            found.records[query.key] = query
    for row, picture in read_records(PictureRecord, folder / PICTURES, issues):
        if picture.key not in found.records:
            issues.skip(IssueKind.UNKNOWN_ID, PICTURES, picture.key, row)
        elif picture.key in found.pictures:
            issues.skip(IssueKind.REPEATED_ID, PICTURES, picture.key, row)
        else:
            found.pictures[picture.key] = picture.image_path
            if picture.task_instruct.strip() != found.records[picture.key].task_instruct.strip():
                issues.note(IssueKind.OTHER_TEXT, PICTURES, picture.key, row, picture.task_instruct)
    _read_matches(folder / MATCHES, found, issues)
    return found


def _is_sound(query: QueryRecord, row: int, found: Queries, issues: IssueLog) -> bool:
    """Whether the query can be asked; its issues are noted in any case."""
    targets = query.refined_taxonomy.target_tools
    steps = query.refined_taxonomy.target_steps
    if query.key in found.records:
        issues.skip(IssueKind.REPEATED_ID, TRUTH, query.key, row)
        return False
    if len(steps) != len(targets) or min(steps) != 1 or set(steps) != {*range(1, max(steps) + 1)}:
        issues.skip(IssueKind.BAD_STEPS, TRUTH, query.key, row, f"{steps} of {len(targets)}")
        return False
    lower = [name.strip().lower() for name in targets]
    for name in sorted({name for name in lower if lower.count(name) > 1}):
        issues.note(IssueKind.REPEATED_TARGET, TRUTH, query.key, row, name)
    names = {*query.shuffled_available_tools, *targets, *query.refined_taxonomy.negative_tools}
    for name in sorted(name for name in names if "," in name):
        issues.note(IssueKind.COMMA, TRUTH, query.key, row, name)
    shown = {name.strip().lower() for name in query.shuffled_available_tools}
    for name in sorted(set(lower) - shown):
        issues.note(IssueKind.NOT_SHOWN, TRUTH, query.key, row, name)
    return True


def _read_matches(path: Path, found: Queries, issues: IssueLog) -> None:
    """Names that a judge considered the same, over all models."""
    if not path.is_file():
        issues.note(IssueKind.MISSING_FILE, path.name)
        return
    kind = TypeAdapter(dict[str, dict[str, str]])
    for row, (key, pairs) in enumerate(
        read_json(kind, path, "a JSON object of matches", MAX_BYTES).items(), start=1
    ):
        issues.count_rows(path.name)
        query = found.records.get(key)
        if query is None:
            issues.skip(IssueKind.UNKNOWN_ID, path.name, key, row)
            continue
        known = {name.strip().lower() for name in query.refined_taxonomy.target_tools}
        for said, name in pairs.items():
            if name.strip().lower() not in known:
                issues.note(IssueKind.UNKNOWN_MATCH, path.name, key, row, f"{said} = {name}")
        found.matches[key] = pairs
