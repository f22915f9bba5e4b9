"""What an import of published data finds odd: a row is used or skipped, never lost."""

from collections import Counter
from enum import StrEnum

from pydantic import Field

from pactwin.suite import Record

_LONGEST = 200
"""Characters of a field that an issue quotes; file and row lead to the rest."""


class RowIssue(Record):
    """One issue. ``row`` is the number of a row in its file, or under its id (from 1).

    ``lost`` is True where the row is not in the suite; else it is, and is merely odd.
    """

    kind: StrEnum
    file: str
    id: str = ""
    row: int = 0
    what: str = ""
    lost: bool = False


class FileCount(Record):
    """How many data rows a file has, how many are in the suite, how many were skipped."""

    rows: int = 0
    used: int = 0
    skipped: int = 0


class IssueReport(Record):
    """What an import found: written beside the suite as JSON."""

    issues: tuple[Record, ...] = Field(repr=False)


class RowReport(IssueReport):
    """All that an import found, row by row."""

    files: dict[str, FileCount]
    issues_by_kind: dict[str, int]
    issues: tuple[RowIssue, ...] = Field(repr=False)


class RowIssueLog:
    """Gathers issues while an import goes on."""

    def __init__(self) -> None:
        self.all: list[RowIssue] = []
        self._rows: Counter[str] = Counter()

    def note(self, kind: StrEnum, file: str, id: str = "", row: int = 0, what: str = "") -> None:
        """Something odd about what is in the suite all the same."""
        self.all.append(RowIssue(kind=kind, file=file, id=id, row=row, what=_quoted(what)))

    def skip(self, kind: StrEnum, file: str, id: str, row: int, what: str = "") -> None:
        """A row that is not in the suite, and why; said once of each row."""
        self.all.append(
            RowIssue(kind=kind, file=file, id=id, row=row, what=_quoted(what), lost=True)
        )

    def count_row(self, file: str) -> None:
        """There is one more row in ``file``."""
        self._rows[file] += 1

    def counts(self) -> dict[str, FileCount]:
        """Rows of each file, by whether they are in the suite."""
        lost = Counter(issue.file for issue in self.all if issue.lost)
        return {
            file: FileCount(rows=rows, used=rows - lost[file], skipped=lost[file])
            for file, rows in self._rows.items()
        }

    def report(self) -> RowReport:
        """All of it, the most frequent kind of issue first."""
        kinds = Counter(issue.kind.value for issue in self.all)
        return RowReport(
            files=self.counts(),
            issues_by_kind=dict(kinds.most_common()),
            issues=tuple(self.all),
        )


def _quoted(text: str) -> str:
    return text[:_LONGEST].encode(errors="backslashreplace").decode()
