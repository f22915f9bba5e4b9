"""Read a published JSON list record by record; a bad record affects no other."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from pactwin.suite import first_fault, read_json
from pactwin.tasks.published.issues import IssueKind, IssueLog

M = TypeVar("M", bound=BaseModel)

MAX_BYTES = 512 * 2**20


def read_records(kind: type[M], path: Path, issues: IssueLog) -> Iterator[tuple[int, M]]:
    """Number (from 1) and record of each valid member of the list at ``path``.

    A missing file is noted as an issue. InvalidInputError for one that is no JSON list.
    """
    if not path.is_file():
        issues.note(IssueKind.MISSING_FILE, path.name)
        return
    members = read_json(TypeAdapter(list[Any]), path, "a JSON list of records", MAX_BYTES)
    issues.count_rows(path.name, len(members))
    for row, member in enumerate(members, start=1):
        try:
            record = kind.model_validate(member)
        except ValidationError as error:
            issues.skip(IssueKind.BAD_RECORD, path.name, row=row, what=first_fault(error))
        else:
            yield row, record
