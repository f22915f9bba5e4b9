"""MacGyver's files, whole and with every known fault: nothing is lost, each fault is reported."""

import json
import os
from collections import Counter
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from macgyver_data import (
    FAULTS,
    PROBLEM_COLUMNS,
    WHOLE_BENCHMARK,
    WHOLE_PROBLEMS,
    faulty,
    sheet,
    write,
)

from pactwin.suite import InvalidInputError, Suite, check_suite
from pactwin.tasks import import_published, import_report_path
from pactwin.tasks.published.issues import IssueKind, IssueLog
from pactwin.tasks.published.macgyver import source, workbook
from pactwin.tasks.published.macgyver.source import BENCHMARK_FILE, PROBLEMS, read_files


def test_every_row_is_in_the_suite(tmp_path: Path) -> None:
    write(tmp_path / "data")
    info, report = import_published("macgyver", tmp_path / "data", tmp_path / "suite")
    assert check_suite(tmp_path / "suite") == []
    questions = {q.topic: q for q in Suite.open(tmp_path / "suite").questions()}
    assert [*questions] == [row[0] for row in WHOLE_PROBLEMS]
    assert info.counts["views"] == 0
    for id, _, flag, _, solution, label in WHOLE_PROBLEMS:
        question = questions[id]
        assert question.truth == {"Yes": "solvable", "No": "unsolvable"}[flag]
        assert (question.answers[0].text, question.answers[0].rating) == (solution, label)
        rated = [(a.source, a.rating, a.text) for a in question.answers if a.source != HUMAN][1:]
        valid = label in ("efficient", "inefficient", "correct_right_reason")
        assert question.rationale == (solution if valid else "")
        published = WHOLE_BENCHMARK.get(id, [])
        assert rated == [(r["model"], r["annotation"], r["solution"]) for r in published]
    (claimed,) = [a for a in questions["13"].answers if a.source == HUMAN]
    assert (claimed.claim, claimed.rating) == ("solvable", "")
    assert set(report.issues_by_kind) == {IssueKind.NO_REFERENCE}


HUMAN = source.HUMAN


def test_every_fault_is_reported_and_every_row_accounted_for(tmp_path: Path) -> None:
    _, report = import_published("macgyver", faulty(tmp_path / "data"), tmp_path / "suite")
    found = Counter((issue.kind.name, issue.lost) for issue in report.issues)
    assert {
        o.name: (found[o.name, False], found[o.name, True])
        for o in map(IssueKind, report.issues_by_kind)
    } == FAULTS
    questions = list(Suite.open(tmp_path / "suite").questions())
    assert check_suite(tmp_path / "suite") == []
    answers = Counter(a.source for q in questions for a in q.answers)
    assert report.files[source.PROBLEMS].used == len(questions) == answers.pop(source.PROBLEMS)
    assert report.files[source.HUMAN].used == answers.pop(source.HUMAN)
    assert report.files[source.BENCHMARK_FILE].used == answers.total()
    rows = {"PROBLEMS": 15, "HUMAN": 5, "BENCHMARK_FILE": 16}
    for name, n in rows.items():
        count = report.files[getattr(source, name)]
        assert (count.rows, count.used + count.skipped) == (n, n)
    again = json.loads(import_report_path(tmp_path / "suite").read_text(encoding="utf-8"))
    assert len(again["issues"]) == len(report.issues)


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda d: (d / source.PROBLEMS).unlink(), "there is no problem_solution_pair.xlsx"),
        (lambda d: (d / source.PROBLEMS).write_bytes(b"PK no"), "no readable workbook"),
        (lambda d: sheet(d / source.PROBLEMS, PROBLEM_COLUMNS[:-1], ()), "no column 'Label'"),
        (lambda d: (d / source.BENCHMARK_FILE).write_text("["), "is not JSON"),
        (lambda d: (d / source.BENCHMARK_FILE).write_text("[]"), "not an object of ids"),
        (lambda d: (d / source.BENCHMARK_FILE).write_text('{"11": 3}'), "has no list of answers"),
        (lambda d: (d / source.BENCHMARK_FILE).write_text("[" * 100_000), "is not JSON"),
    ],
)
def test_what_is_not_the_data_is_one_line(break_it, message: str, tmp_path: Path) -> None:
    data = write(tmp_path / "data")
    break_it(data)
    with pytest.raises(InvalidInputError, match=message) as error:
        import_published("macgyver", data, tmp_path / "suite")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "suite" / "suite.json").exists()


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
