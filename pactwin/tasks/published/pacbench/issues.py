"""What an import found odd: a row or file is used or skipped with a reason, never lost."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Literal

from pydantic import Field

from pactwin.suite import Record
from pactwin.tasks.core.import_issues import IssueReport
from pactwin.tasks.published.pacbench.layout import PUBLISHED_COUNTS

_LONGEST = 200
"""Characters of a row or name that an issue quotes; the line's number leads to the rest."""


class IssueKind(StrEnum):
    """What can be odd about a row, a label file or a picture."""

    # Tables
    MISSING_FILE = "label file missing"
    UNKNOWN_FILE = "file of unknown purpose"
    BAD_HEADER = "columns missing"
    BAD_ENCODING = "not UTF-8"
    NUL_BYTE = "NUL byte"
    BAD_QUOTES = "quotation marks do not match"
    BAD_ROW = "not as many fields as columns"
    # Rows
    BLANK_FIELD = "blank field"
    BLANK_SLOT = "blank affordance slot"
    NON_ANSWER = "non-answer"
    ONLY_NON_ANSWERS = "nothing but non-answers"
    UNKNOWN_CATEGORY = "unknown category"
    UNKNOWN_PROPERTY = "unknown property"
    UNKNOWN_KEY = "key without known answer"
    REPEATED_ROW = "row stands there more than once"
    SAME_ANNOTATOR = "annotator answered more than once"
    TIE = "annotators tie"
    NO_CONSENSUS = "annotators disagree"
    UNSAFE_NAME = "name is no plain file name"
    NO_PICTURE = "picture missing"
    NOT_TOLD = "answer does not say what prevents it"
    # Pictures
    BROKEN_PICTURE = "not a readable picture"
    HUGE_PICTURE = "picture too large"
    WRONG_SUFFIX = "suffix of another format"
    SAME_PICTURE = "same bytes as another picture"
    MISSING_VIEW = "view missing"
    NO_QUESTION = "nothing is asked about it"
    LINK = "symbolic link"
    DS_STORE = ".DS_Store"


class ImportIssue(Record):
    """One issue. ``row`` is the number of the line, 0 where the file itself is meant.

    ``lost`` is True where the row or picture is not in the suite; else it is, and is merely odd.
    """

    kind: IssueKind
    file: str
    row: int = 0
    what: str = ""
    lost: bool


class TableCount(Record):
    """How many data rows a label file has, how many are in the suite, how many were skipped."""

    rows: int = 0
    used: int = 0
    skipped: int = 0


class CountComparison(Record):
    """A count beside the published ones, of which there may be several."""

    what: str
    found: int
    published: tuple[int, ...]

    @property
    def source(self) -> str:
        """The part of the data that is counted: the first word."""
        return self.what.partition(" ")[0]

    @property
    def agrees(self) -> bool:
        """Whether any of the published counts is what was found."""
        return self.found in self.published


class ImportReport(IssueReport):
    """All that an import found: written beside the suite as JSON.

    ``pictures`` counts the pictures found, those in the suite and those skipped.
    """

    consensus: Literal["unanimous", "majority", "all"]
    tables: dict[str, TableCount]
    pictures: TableCount
    issues_by_kind: dict[IssueKind, int]
    counts: tuple[CountComparison, ...]
    issues: tuple[ImportIssue, ...] = Field(repr=False)


class IssueLog:
    """Gathers issues while an import goes on."""

    def __init__(self) -> None:
        self.all: list[ImportIssue] = []
        self._lost_rows: set[tuple[str, int]] = set()

    def note(self, kind: IssueKind, file: str, row: int = 0, what: str = "") -> None:
        """Something odd about what is in the suite all the same."""
        self._add(kind, file, row, what, lost=False)

    def skip(self, kind: IssueKind, file: str, row: int = 0, what: str = "") -> None:
        """A row or a file that is not in the suite, and why."""
        if row:
            if (file, row) in self._lost_rows:
                return  # the first reason stands
            self._lost_rows.add((file, row))
        self._add(kind, file, row, what, lost=True)

    def _add(self, kind: IssueKind, file: str, row: int, what: str, lost: bool) -> None:
        named = file.encode(errors="backslashreplace").decode()
        said = what[:_LONGEST].encode(errors="backslashreplace").decode()
        self.all.append(ImportIssue(kind=kind, file=named, row=row, what=said, lost=lost))

    def lost_rows(self, file: str) -> int:
        """How many rows of a file were skipped."""
        return sum(1 for name, _ in self._lost_rows if name == file)

    def report(
        self,
        consensus: Literal["unanimous", "majority", "all"],
        rows: Mapping[str, int],
        pictures: TableCount,
        counts: Mapping[str, int],
    ) -> ImportReport:
        """The whole, ``counts`` beside the published ones; ``rows`` are those of each table."""
        tables = {}
        for file, number in rows.items():
            lost = self.lost_rows(file)
            tables[file] = TableCount(rows=number, used=number - lost, skipped=lost)
        return ImportReport(
            consensus=consensus,
            tables=tables,
            pictures=pictures,
            issues_by_kind=dict(Counter(f.kind for f in self.all).most_common()),
            counts=tuple(_compared(counts)),
            issues=tuple(self.all),
        )


def _compared(counts: Mapping[str, int]) -> Iterable[CountComparison]:
    for what, published in PUBLISHED_COUNTS.items():
        yield CountComparison(what=what, found=counts.get(what, 0), published=published)
