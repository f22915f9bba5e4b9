"""Issues of an import: the affected rows are used, or skipped with a reason."""

from collections import Counter
from enum import StrEnum

from pydantic import Field

from pactwin.suite import Record

_MAX_QUOTED = 200
"""Characters of a field that an issue quotes; file and row lead to the rest."""


class IssueKind(StrEnum):
    """Kinds of issues with a file, a row or a picture, in any benchmark."""

    # Files
    MISSING_FILE = "file missing"
    UNKNOWN_FILE = "file of unknown purpose"
    DS_STORE = ".DS_Store"
    LINK = "symbolic link"
    BAD_HEADER = "columns missing"
    BAD_ENCODING = "not UTF-8"
    NUL_BYTE = "NUL byte"
    BAD_QUOTES = "quotation marks do not match"
    BAD_ROW = "not as many fields as columns"
    # Rows
    BAD_RECORD = "not a record of the kind"
    BLANK_FIELD = "blank field"
    UNKNOWN_VALUE = "unknown value"
    MARKUP = "markup and line ends cleaned"
    NUMBER_AS_ID = "id is a number, in other rows it is text"
    REPEATED_ID = "id stands there more than once"
    REPEATED_ROW = "row stands there more than once"
    UNKNOWN_ID = "nothing has this id"
    OTHER_TEXT = "text differs from that under the same id"
    # Pictures
    NO_PICTURE = "picture missing"
    BROKEN_PICTURE = "not a readable picture"
    HUGE_PICTURE = "picture too large"
    WRONG_SUFFIX = "suffix of another format"
    SAME_PICTURE = "same bytes as another picture"
    MISSING_VIEW = "view missing"
    NO_QUESTION = "nothing is asked about it"
    UNSAFE_NAME = "name is no plain file name"
    # Votes of annotators
    NON_ANSWER = "non-answer"
    ONLY_NON_ANSWERS = "nothing but non-answers"
    SAME_ANNOTATOR = "annotator answered more than once"
    TIE = "annotators tie"
    NO_CONSENSUS = "annotators disagree"
    # Properties, affordances and constraints
    UNKNOWN_PROPERTY = "unknown property"
    UNKNOWN_CATEGORY = "unknown category"
    BLANK_SLOT = "blank affordance slot"
    UNKNOWN_KEY = "key without known answer"
    NO_REASON = "answer does not say what prevents it"
    # Problems and their answers
    REPEATED_PROBLEM = "same problem under another id"
    UNFIT_LABEL = "label of the other kind of problem"
    NO_REFERENCE = "no solution that was rated as valid"
    OTHER_CLAIM = "author contradicts the flag"
    NO_RATING = "answer without a rating"
    UNKNOWN_SYSTEM = "system that was not published"
    REPEATED_ANSWER = "same answer again, rated the same"
    RERATED_ANSWER = "same answer again, rated otherwise"
    # Tools of a task
    BAD_STEPS = "steps do not fit the tools"
    REPEATED_TARGET = "tool needed more than once"
    COMMA = "name with a comma"
    NOT_SHOWN = "needed tool is not among those shown"
    UNKNOWN_MATCH = "match with a tool that is not needed"
    # Parts of things
    NO_GOLD_ENTITY = "gold thing is not among the candidates"
    NO_GOLD_PART = "gold part is not described"
    REPEATED_ENTITY = "two candidates of one name"
    TAGGED = "description marks the gold part"
    GOLD_FIRST = "gold thing is listed first"
    UNDESCRIBED_PART = "part without a description"
    OTHER_PART = "affordance fits another part better"
    ABSENT_NAMED = "environment names a thing that is not there"
    NOT_NAMED = "environment does not name a candidate"
    NO_CONDITION = "condition missing"


class ImportIssue(Record):
    """One issue. ``row`` is the row's number in its file, or under its id; 0 is the whole file.

    ``lost`` is True if the row or picture is not in the suite; otherwise it is used despite the
    issue.
    """

    kind: IssueKind
    file: str
    id: str = ""
    row: int = 0
    what: str = ""
    lost: bool = False


class FileCount(Record):
    """Numbers of rows of a file: total, used in the suite, skipped."""

    rows: int = 0
    used: int = 0
    skipped: int = 0


class CountComparison(Record):
    """A count with the published counts for comparison; there may be several."""

    what: str
    found: int
    published: tuple[int, ...]


class ImportReport(Record):
    """Import report, written beside the suite as JSON.

    ``values`` counts the values of each column that has only a few. ``labels`` holds the original
    text of each label file, for exports of the suite ``data`` that write it back.
    """

    files: dict[str, FileCount]
    pictures: FileCount
    issues_by_kind: dict[IssueKind, int]
    values: dict[str, dict[str, int]] = Field(default_factory=dict)
    counts: tuple[CountComparison, ...] = ()
    data: str = ""
    labels: dict[str, str] = Field(default_factory=dict, repr=False)
    issues: tuple[ImportIssue, ...] = Field(repr=False)


class IssueLog:
    """Collects issues and row counts while data are read."""

    def __init__(self) -> None:
        self.all: list[ImportIssue] = []
        self._rows: Counter[str] = Counter()
        self._lost: set[tuple[str, str, int]] = set()

    def note(self, kind: IssueKind, file: str, id: str = "", row: int = 0, what: str = "") -> None:
        """Record an issue of something that is in the suite."""
        self._add(kind, file, id, row, what, lost=False)

    def skip(self, kind: IssueKind, file: str, id: str = "", row: int = 0, what: str = "") -> None:
        """Record a row or file that is not in the suite; only the first reason for a row counts."""
        if (file, id, row) in self._lost:
            return
        if row:
            self._lost.add((file, id, row))
        self._add(kind, file, id, row, what, lost=True)

    def count_rows(self, file: str, number: int = 1) -> None:
        """Add ``number`` rows of ``file``."""
        self._rows[file] += number

    def lost_rows(self, file: str) -> int:
        """Number of skipped rows of ``file``."""
        return sum(name == file for name, _, _ in self._lost)

    def files(self) -> dict[str, FileCount]:
        """Counts of rows by file."""
        return {
            file: FileCount(rows=rows, used=rows - lost, skipped=lost)
            for file, rows in self._rows.items()
            for lost in (self.lost_rows(file),)
        }

    def _add(self, kind: IssueKind, file: str, id: str, row: int, what: str, *, lost: bool) -> None:
        file, id, what = (
            text.encode(errors="backslashreplace").decode()
            for text in (file, id, what[:_MAX_QUOTED])
        )
        self.all.append(ImportIssue(kind=kind, file=file, id=id, row=row, what=what, lost=lost))
