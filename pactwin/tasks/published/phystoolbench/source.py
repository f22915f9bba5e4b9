"""The published files (ModalityDance/PhysTool-Bench, MIT), query by query.

``corrected_tools.json`` says what is true, ``generation_checkpoint.json`` which picture belongs to
which query, ``final_matching_info.json`` which names a judge took for the same. A query is one of
two scenes (slots) of a combination of tools: its key is (original id, slot).
"""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from pactwin.suite import InvalidInputError, first_fault, read_json
from pactwin.tasks.core.import_issues import RowIssueLog

TRUTH = "corrected_tools.json"
PICTURES = "generation_checkpoint.json"
MATCHES = "final_matching_info.json"
MAX_BYTES = 256 * 2**20


class IssueKind(StrEnum):
    """What can be odd about a file or a query."""

    MISSING_FILE = "file missing"
    BAD_RECORD = "not a record of the kind"
    REPEATED_KEY = "two queries of one id and slot"
    NO_PICTURE = "no picture is named"
    MISSING_PICTURE = "picture missing"
    OUTSIDE = "picture outside the folder"
    HUGE_PICTURE = "picture too large"
    BROKEN_PICTURE = "not a readable picture"
    NO_TRUTH = "picture without a query"
    OTHER_TASK = "task reads otherwise beside the picture"
    BAD_STEPS = "steps do not fit the tools"
    REPEATED_TARGET = "tool needed more than once"
    COMMA = "name with a comma"
    NOT_SHOWN = "needed tool is not among those shown"
    UNKNOWN_MATCH = "match with a tool that is not needed"
    UNKNOWN_QUERY = "matches of no query"


Text = Annotated[str, Field(pattern=r"\S")]
Id = Annotated[str, BeforeValidator(lambda value: str(value) if type(value) is int else value)]


class _Taxonomy(BaseModel):
    target_tools: list[Text] = Field(min_length=1)
    target_steps: list[Annotated[int, Field(strict=True, ge=1, le=100)]]
    negative_tools: list[Text] = []


class QueryRecord(BaseModel):
    """What is true of one query, as published."""

    id: Id
    slot: int = 0
    task_instruct: Text
    ordered: bool = True
    shuffled_available_tools: list[Text] = Field(min_length=1)
    refined_taxonomy: _Taxonomy

    @property
    def key(self) -> str:
        """Original id and slot, as the files of matches write them."""
        return f"{self.id}_slot_{self.slot}"

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that it holds."""
        taxonomy = self.refined_taxonomy
        return (*self.shuffled_available_tools, *taxonomy.target_tools, *taxonomy.negative_tools)


class PictureRecord(BaseModel):
    """The picture of a query, as published."""

    original_id: Id
    slot: int = 0
    image_path: Text
    task_instruct: str = ""

    @property
    def key(self) -> str:
        """Original id and slot, as the files of matches write them."""
        return f"{self.original_id}_slot_{self.slot}"


@dataclass
class Published:
    """All queries that can be used, in file order, with their pictures and known matches by key."""

    queries: dict[str, QueryRecord] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)
    matches: dict[str, dict[str, str]] = field(default_factory=dict)


def read_published(folder: Path, issues: RowIssueLog) -> Published:
    """The queries of the three files; what is odd about them goes to ``issues``.

    Raises InvalidInputError for a folder without the file of truths, and for a file that is not
    JSON of its kind.
    """
    if not (folder / TRUTH).is_file():
        raise InvalidInputError(f"{folder} is not PhysTool-Bench's data: there is no {TRUTH} in it")
    found = Published()
    for row, record in _records(folder / TRUTH, issues):
        query = _read(QueryRecord, record, TRUTH, row, issues)
        if query is not None and _is_sound(query, row, found, issues):
            found.queries[query.key] = query
    for row, record in _records(folder / PICTURES, issues):
        picture = _read(PictureRecord, record, PICTURES, row, issues)
        if picture is None:
            continue
        if picture.key not in found.queries:
            issues.skip(IssueKind.NO_TRUTH, PICTURES, picture.key, row)
        elif picture.key in found.pictures:
            issues.skip(IssueKind.REPEATED_KEY, PICTURES, picture.key, row)
        else:
            found.pictures[picture.key] = picture.image_path
            if picture.task_instruct.strip() != found.queries[picture.key].task_instruct.strip():
                issues.note(IssueKind.OTHER_TASK, PICTURES, picture.key, row, picture.task_instruct)
    _read_matches(folder / MATCHES, found, issues)
    return found


def _records(path: Path, issues: RowIssueLog) -> list[tuple[int, Any]]:
    """The members of a JSON list with their numbers from 1; none of a file that is not there."""
    if not path.is_file():
        issues.note(IssueKind.MISSING_FILE, path.name)
        return []
    records = read_json(TypeAdapter(list[Any]), path, "a JSON list of records", MAX_BYTES)
    for _ in records:
        issues.count_row(path.name)
    return list(enumerate(records, start=1))


def _read(
    kind: type[BaseModel], record: Any, file: str, row: int, issues: RowIssueLog
) -> Any:  # an instance of ``kind``
    try:
        return kind.model_validate(record)
    except ValidationError as error:
        issues.skip(IssueKind.BAD_RECORD, file, "", row, first_fault(error))
        return None


def _is_sound(query: QueryRecord, row: int, found: Published, issues: RowIssueLog) -> bool:
    """Whether the query can be asked; what is odd about it is said in any case."""
    targets = query.refined_taxonomy.target_tools
    steps = query.refined_taxonomy.target_steps
    if query.key in found.queries:
        issues.skip(IssueKind.REPEATED_KEY, TRUTH, query.key, row)
        return False
    if len(steps) != len(targets) or min(steps) != 1 or set(steps) != {*range(1, max(steps) + 1)}:
        issues.skip(IssueKind.BAD_STEPS, TRUTH, query.key, row, f"{steps} of {len(targets)}")
        return False
    lower = [name.strip().lower() for name in targets]
    for name in sorted({name for name in lower if lower.count(name) > 1}):
        issues.note(IssueKind.REPEATED_TARGET, TRUTH, query.key, row, name)
    for name in sorted({name for name in query.names if "," in name}):
        issues.note(IssueKind.COMMA, TRUTH, query.key, row, name)
    shown = {name.strip().lower() for name in query.shuffled_available_tools}
    for name in sorted(set(lower) - shown):
        issues.note(IssueKind.NOT_SHOWN, TRUTH, query.key, row, name)
    return True


def _read_matches(path: Path, found: Published, issues: RowIssueLog) -> None:
    """Names that a judge took for the same, of all models together."""
    if not path.is_file():
        issues.note(IssueKind.MISSING_FILE, path.name)
        return
    kind = TypeAdapter(dict[str, dict[str, str]])
    for row, (key, pairs) in enumerate(
        read_json(kind, path, "a JSON object of matches", MAX_BYTES).items(), start=1
    ):
        issues.count_row(path.name)
        query = found.queries.get(key)
        if query is None:
            issues.skip(IssueKind.UNKNOWN_QUERY, path.name, key, row)
            continue
        known = {name.strip().lower() for name in query.refined_taxonomy.target_tools}
        for said, name in pairs.items():
            if name.strip().lower() not in known:
                issues.note(IssueKind.UNKNOWN_MATCH, path.name, key, row, f"{said} = {name}")
        found.matches[key] = pairs
