"""MacGyver's files, whole and with every known fault: nothing is lost, each fault is reported."""

import json
from collections import Counter
from pathlib import Path

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
from pactwin.tasks.published.issues import IssueKind
from pactwin.tasks.published.macgyver import source


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
        published = WHOLE_BENCHMARK.get(id, [])
        assert rated == [(r["model"], r["annotation"], r["solution"]) for r in published]
    (claimed,) = [a for a in questions["13"].answers if a.source == HUMAN]
    assert (claimed.claim, claimed.rating) == ("solvable", "")
    assert set(report.issues_by_kind) == {IssueKind.NO_REFERENCE}


HUMAN = source.HUMAN


def test_only_answers_rated_as_valid_are_references(tmp_path: Path) -> None:
    write(tmp_path / "data")
    import_published("macgyver", tmp_path / "data", tmp_path / "suite")
    for question in Suite.open(tmp_path / "suite").questions():
        given = question.answers[0]
        valid = given.rating in ("efficient", "inefficient", "correct_right_reason")
        assert question.rationale == (given.text if valid else "")
        assert question.rationale != "" or not valid


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


def test_markup_is_cleaned_and_words_are_kept() -> None:
    assert source.clean("One. <br>\nTwo.<br/>Three.\r\rFour. \n") == "One.\nTwo.\nThree.\n\nFour."
    assert source.clean("a < b, c > d") == "a < b, c > d"


def test_values_are_counted_by_column(tmp_path: Path) -> None:
    _, report = import_published("macgyver", write(tmp_path / "data"), tmp_path / "suite")
    labels = Counter(row[5] for row in WHOLE_PROBLEMS)
    assert report.values[f"{source.PROBLEMS}: Label"] == labels
    models = Counter(r["model"] for records in WHOLE_BENCHMARK.values() for r in records)
    assert report.values[f"{source.BENCHMARK_FILE}: model"] == models


def test_a_repeated_key_of_the_benchmark_loses_no_record(tmp_path: Path) -> None:
    records = json.dumps(WHOLE_BENCHMARK["21"])
    write(tmp_path / "data", benchmark=f'{{"21": {records}, "21": {records}}}')
    _, report = import_published("macgyver", tmp_path / "data", tmp_path / "suite")
    assert report.files[source.BENCHMARK_FILE].used == 2 * len(WHOLE_BENCHMARK["21"])
    assert report.issues_by_kind[IssueKind.REPEATED_ANSWER] == len(WHOLE_BENCHMARK["21"])


def test_files_that_may_be_missing_are_named(tmp_path: Path) -> None:
    write(tmp_path / "data")
    (tmp_path / "data" / source.HUMAN).unlink()
    _, report = import_published("macgyver", tmp_path / "data", tmp_path / "suite")
    assert [f.file for f in report.issues if f.kind is IssueKind.MISSING_FILE] == [source.HUMAN]


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
