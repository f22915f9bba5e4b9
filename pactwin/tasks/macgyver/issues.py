"""What an import of MacGyver found odd: a row is used or skipped with a reason, never lost."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from pydantic import Field

from pactwin.suite import Record, write_file

_LONGEST = 200
"""Characters of a field that an issue quotes; file and row lead to the rest."""


class IssueKind(StrEnum):
    """What can be odd about a file or a row."""

    MISSING_FILE = "file missing"
    NUMBER_AS_ID = "id is a number, in other rows it is text"
    MARKUP = "markup and line ends cleaned"
    BLANK_FIELD = "blank field"
    UNKNOWN_VALUE = "unknown value"
    REPEATED_ID = "id stands there more than once"
    REPEATED_PROBLEM = "same problem under another id"
    UNKNOWN_ID = "no problem has this id"
    OTHER_TEXT = "problem reads otherwise than under its id"
    UNFIT_LABEL = "label of the other kind of problem"
    NO_REFERENCE = "no solution that was rated as valid"
    OTHER_CLAIM = "author contradicts the flag"
    NO_RATING = "answer without a rating"
    UNKNOWN_SYSTEM = "system that was not published"
    REPEATED_ANSWER = "same answer again, rated the same"
    RERATED_ANSWER = "same answer again, rated otherwise"


class ImportIssue(Record):
    """One issue. ``row`` is the line of a sheet, or the record's number under its id (from 1).

    ``lost`` is True where the row is not in the suite; else it is, and is merely odd.
    """

    kind: IssueKind
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


class MacgyverReport(Record):
    """All that an import found: written beside the suite as JSON.

    ``values`` counts what stands in each column that holds one of a few values; ``published`` has
    the numbers that the paper gives where they differ from the release.
    """

    files: dict[str, FileCount]
    values: dict[str, dict[str, int]]
    published: dict[str, str]
    issues_by_kind: dict[IssueKind, int]
    uses: dict[str, int]
    issues: tuple[ImportIssue, ...] = Field(repr=False)


class IssueLog:
    """Gathers issues while an import goes on."""

    def __init__(self) -> None:
        self.all: list[ImportIssue] = []
        self._rows: Counter[str] = Counter()

    def note(self, kind: IssueKind, file: str, id: str = "", row: int = 0, what: str = "") -> None:
        """Something odd about what is in the suite all the same."""
        self.all.append(ImportIssue(kind=kind, file=file, id=id, row=row, what=_quoted(what)))

    def skip(self, kind: IssueKind, file: str, id: str, row: int, what: str = "") -> None:
        """A row that is not in the suite, and why; said once of each row."""
        self.all.append(
            ImportIssue(kind=kind, file=file, id=id, row=row, what=_quoted(what), lost=True)
        )

    def count_row(self, file: str) -> None:
        """There is one more row in ``file``."""
        self._rows[file] += 1

    def report(
        self,
        values: Mapping[str, Mapping[str, int]],
        published: Mapping[str, str],
        uses: Mapping[str, int],
    ) -> MacgyverReport:
        """The whole."""
        lost = Counter(issue.file for issue in self.all if issue.lost)
        return MacgyverReport(
            files={
                file: FileCount(rows=rows, used=rows - lost[file], skipped=lost[file])
                for file, rows in self._rows.items()
            },
            values={column: dict(counts) for column, counts in values.items()},
            published=dict(published),
            issues_by_kind=dict(Counter(issue.kind for issue in self.all).most_common()),
            uses=dict(uses),
            issues=tuple(self.all),
        )


def write_report(report: MacgyverReport, path: Path) -> None:
    """Write a report as JSON, one issue a line."""
    head = report.model_dump_json(indent=1, exclude={"issues"})[:-2]
    lines = ",\n".join(issue.model_dump_json() for issue in report.issues)
    write_file(path, f'{head},\n "issues": [\n{lines}\n ]\n}}\n')


def _quoted(text: str) -> str:
    return text[:_LONGEST].encode(errors="backslashreplace").decode()
