"""Workbooks with intent: nothing hangs, nothing fills the memory, no row is lost by a claim."""

import os
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from macgyver_data import WHOLE_PROBLEMS, write

from pactwin.suite import InvalidInputError, Suite
from pactwin.tasks import import_published
from pactwin.tasks.published.issues import IssueLog
from pactwin.tasks.published.macgyver import workbook
from pactwin.tasks.published.macgyver.source import BENCHMARK_FILE, PROBLEMS, read_files

SHEET, STYLES = "xl/worksheets/sheet1.xml", "xl/styles.xml"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write(tmp_path / "data") / PROBLEMS


def change(book: Path, part: str, old: str, new: str) -> None:
    with ZipFile(book) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert old.encode() in parts[part]
    parts[part] = parts[part].replace(old.encode(), new.encode(), 1)
    with ZipFile(book, "w", ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


@pytest.mark.parametrize("claimed", ["A1:A1", "A1:F3", "A1:XFD1048576", "C3:D4"])
def test_what_a_sheet_claims_to_hold_loses_no_row(book: Path, claimed: str) -> None:
    change(book, SHEET, '<dimension ref="A1:F8"', f'<dimension ref="{claimed}"')
    rows = workbook.read_cells(book)
    assert [list(cells[:6]) for _, cells in rows[1:]] == WHOLE_PROBLEMS


ENTITIES = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9))
FORMAT = f'<numFmts count="1"><numFmt numFmtId="170" formatCode="{"[" * 100_000}"/></numFmts>'
HOSTILE = {
    "a row far away": (SHEET, '<row r="2"', '<row r="999999999999"', "more than 100,000 rows"),
    "one row too many": (SHEET, '<row r="2"', '<row r="100001"', "more than 100,000 rows"),
    "a bomb": (SHEET, "<sheetData>", "<sheetData>" + " " * workbook.MAX_BYTES, "would unpack to"),
    "entities": (SHEET, "<worksheet", f'<!DOCTYPE x [<!ENTITY a0 "zzzzzzzzzz">{ENTITIES}]>'
                 "<worksheet a='&a8;'", "no readable workbook"),
    "a file of ours": (SHEET, "<worksheet", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
                       "<worksheet a='&a;'", "no readable workbook"),
    "a format of brackets": (STYLES, "<fonts", f"{FORMAT}<fonts", "bytes of styles"),
    "a number of 5,000 digits": (SHEET, '<row r="2"', f'<row r="{"9" * 5000}"', "no readable"),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_workbook_is_one_line(book: Path, what: str) -> None:
    part, old, new, says = HOSTILE[what]
    change(book, part, old, new)
    with pytest.raises(InvalidInputError, match=says) as error:
        workbook.read_cells(book)
    assert "\n" not in str(error.value)
    assert str(book) in str(error.value)
    assert len(str(error.value)) < 1000


def test_characters_that_no_file_can_hold_are_kept_as_escapes(tmp_path: Path) -> None:
    strange = {"11": [{"model": "Prolific", "solution": "Use \ud83d it."}], "\ud800": []}
    data = write(tmp_path / "data", benchmark=strange)
    import_published("macgyver", data, tmp_path / "suite")
    answers = [
        answer.text for q in Suite.open(tmp_path / "suite").questions() for answer in q.answers
    ]
    assert "Use \\ud83d it." in answers


@pytest.mark.parametrize("name", [PROBLEMS, BENCHMARK_FILE])
@pytest.mark.parametrize(
    "spoil", [lambda path: os.truncate(path, 2**40), lambda path: path.write_bytes(b"[" * 2**25)]
)
def test_a_file_far_larger_than_published_is_not_read(book, name, spoil):
    spoil(book.parent / name)
    with pytest.raises(InvalidInputError, match="larger than 16 MiB"):
        read_files(book.parent, IssueLog())
