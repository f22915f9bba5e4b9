"""Label files of any bytes: no line takes others with it, and every row is used or skipped."""

import csv
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.catalogue import PROPERTIES
from pactwin.tasks.published.issues import IssueLog
from pactwin.tasks.published.pacbench.layout import NON_ANSWERS, category_of, read_published_choice
from pactwin.tasks.published.pacbench.tables import Table, read_table

FIELDS = st.text(st.characters(exclude_characters="\0\r\n", codec="utf-8"), max_size=12)


def read(data: bytes, name: str = "t.csv", needed: tuple[str, ...] = ("image", "choice")) -> tuple:
    issues = IssueLog()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return read_table(path, name, needed, issues), issues


@given(st.binary(max_size=300))
def test_any_bytes_are_accounted_for(data: bytes) -> None:
    table: Table
    table, issues = read(b"image,choice\n" + data)
    assert issues.files()["t.csv"].rows == len(table.rows) + issues.lost_rows("t.csv")
    for row in table.rows:
        assert set(row.fields) <= {"image", "choice"}


@given(st.lists(st.tuples(FIELDS, FIELDS), max_size=8), st.sampled_from([",", "|"]))
def test_what_csv_writes_is_read(rows: list[tuple[str, str]], separator: str) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerows([("Image ", " CHOICE"), *rows])
    name = "t.psv" if separator == "|" else "t.csv"
    table, _ = read(text.getvalue().encode(), name)
    kept = [(a.strip(), b.strip()) for a, b in rows]
    found = [(row["image"], row["choice"]) for row in table.rows]
    blank = {("", "")}  # a line of nothing but separators and blanks may be a blank line
    assert [pair for pair in found if pair not in blank] == [p for p in kept if p not in blank]


@given(st.binary(max_size=60), st.integers(0, 3))
def test_a_bad_line_leaves_the_others(bad: bytes, at: int) -> None:
    good = [b"a,Light", b"b,Heavy", b"c,Medium"]
    bad = bad.replace(b"\n", b" ").replace(b"\r", b" ")
    table, _ = read(b"\n".join([b"image,choice", *good[:at], bad, *good[at:]]))
    found = [(row["image"], row["choice"]) for row in table.rows]
    if b'"' not in bad:  # which may open a field that goes on
        assert {("a", "Light"), ("b", "Heavy"), ("c", "Medium")} <= set(found)


def test_a_quoted_field_may_go_over_lines() -> None:
    table, issues = read(b'image,choice\na,"Light:\nFeatherweight"\nb,Heavy\n')
    assert [row["choice"] for row in table.rows] == ["Light:\nFeatherweight", "Heavy"]
    assert [row.line for row in table.rows] == [2, 4]
    assert issues.all == []


@pytest.mark.parametrize("name", list(PROPERTIES))
def test_choices_are_read_in_any_spelling(name: str) -> None:
    for category in PROPERTIES[name]:
        spelled = (category, category.upper(), category.replace("-", " "), f" {category} : x, y")
        for text in spelled:
            choice = read_published_choice(name, text)
            assert choice is not None
            assert category_of(choice) == category
    for text in (*NON_ANSWERS, "don’t know", "NOT APPLICABLE"):
        choice = read_published_choice(name, text)
        assert choice in NON_ANSWERS
        assert category_of(choice) is None
    assert read_published_choice(name, "Enormous") is None
    assert read_published_choice(name, "") is None
