"""Read label files: CSV and PSV of uncertain quality; a broken line affects no other line."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pactwin.suite import InvalidInputError, read_untrusted
from pactwin.tasks.published.issues import IssueKind, IssueLog

_MAX_BYTES = 256 * 2**20
_LONGEST_RECORD_LINES = 50
_BOMS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


@dataclass(frozen=True)
class TableRow:
    """One data row: its file, the number of its first line, and its fields by lower-case column."""

    file: str
    line: int
    fields: dict[str, str]

    @property
    def place(self) -> tuple[str, str, int]:
        """Position of the row for issues: file, no id, line."""
        return self.file, "", self.line

    def __getitem__(self, column: str) -> str:
        return self.fields.get(column, "")


@dataclass(frozen=True)
class Table:
    """A label file; ``columns`` is empty without a usable header."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    text: str


def read_table(path: Path, file: str, needed: Sequence[str], issues: IssueLog) -> Table:
    """Read all complete rows of a label file; others are skipped with a reason.

    ``file`` is its name in issues; its suffix determines the separator. Raises InvalidInputError if
    it cannot be read or is implausibly large.
    """
    try:
        data = read_untrusted(path, _MAX_BYTES)
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    separator = "|" if file.endswith(".psv") else ","
    lines = _lines(data, file, issues)
    header = next(_records(lines, separator, 0, file, IssueLog()), None)
    columns = tuple(name.strip().lower() for name in header[1]) if header else ()
    records = _records(lines, separator, len(columns), file, issues)
    next(records, None)
    issues.count_rows(file, 0)
    whole = bool(columns) and all(name in columns for name in needed)
    if not whole:
        missing = [name for name in needed if name not in columns]
        issues.skip(IssueKind.BAD_HEADER, file, what=", ".join(missing))
    rows: list[TableRow] = []
    for line, values in records:
        issues.count_rows(file)
        if not whole:
            issues.skip(IssueKind.BAD_HEADER, file, row=line)
        elif _misfits(values, columns, needed):
            issues.skip(IssueKind.BAD_ROW, file, row=line, what=separator.join(values))
        else:
            fields = {c: v.strip() for c, v in zip(columns, values, strict=False)}
            rows.append(TableRow(file, line, fields))
    return Table(file, columns, tuple(rows), "\n".join(lines))


def _misfits(values: Sequence[str], columns: Sequence[str], needed: Sequence[str]) -> bool:
    """Whether a row has more fields than columns, or lacks a required field."""
    too_many = any(value.strip() for value in values[len(columns) :])
    return too_many or any(column in needed for column in columns[len(values) :])


def _lines(data: bytes, file: str, issues: IssueLog) -> list[str]:
    """Lines of text; if it is not UTF-8 it is read as Latin-1, which defines every byte.

    Latin-1 has a character for every byte."""
    encoding = next((name for bom, name in _BOMS.items() if data.startswith(bom)), None)
    if encoding is not None:
        issues.note(IssueKind.BAD_ENCODING, file, what=encoding)
        return data.decode(encoding, errors="replace").splitlines()
    lines = []
    raw = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for number, line in enumerate(raw.split(b"\n"), start=1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = line.decode("latin-1")
            issues.note(IssueKind.BAD_ENCODING, file, row=number, what=text)
        if "\0" in text:
            text = text.replace("\0", "")
            issues.note(IssueKind.NUL_BYTE, file, row=number, what=text)
        lines.append(text)
    return lines


def _records(
    lines: Sequence[str], separator: str, n_columns: int, file: str, issues: IssueLog
) -> Iterator[tuple[int, list[str]]]:
    """Number of the first line and fields of each non-blank record.

    A quoted field may go over several lines if that makes a whole row. Where it does not, its
    quotation mark is read as if it were a letter, so that it does not swallow the rest of the file.
    """
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        for end in range(at + 1, min(at + _LONGEST_RECORD_LINES, len(lines)) + 1):
            fields = _parsed("\n".join(lines[at:end]), separator)
            if fields is not None and (end == at + 1 or len(fields) == n_columns):
                break
        else:
            issues.note(IssueKind.BAD_QUOTES, file, row=at + 1, what=lines[at])
            fields, end = lines[at].split(separator), at + 1
        yield at + 1, fields
        at = end


def _parsed(text: str, separator: str) -> list[str] | None:
    """Fields of one record; None if a quotation mark is not closed, or closed wrongly."""
    try:
        (fields,) = csv.reader([text], delimiter=separator, strict=True)
    except csv.Error:
        return None
    except ValueError:  # none, or more than one
        return None
    return fields
