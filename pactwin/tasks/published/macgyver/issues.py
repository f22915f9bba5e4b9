"""What an import of MacGyver can find odd."""

from enum import StrEnum

from pactwin.tasks.core.import_issues import RowReport


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


class MacgyverReport(RowReport):
    """All that an import found: written beside the suite as JSON.

    ``values`` counts what stands in each column that holds one of a few values; ``published`` has
    the numbers that the paper gives where they differ from the release.
    """

    values: dict[str, dict[str, int]]
    published: dict[str, str]
    uses: dict[str, int]
