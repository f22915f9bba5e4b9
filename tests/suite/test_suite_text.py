"""Text of others, made safe to show."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.suite import one_line, plain_cell, printable, short_name

TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""All characters of Unicode's property Bidi_Control."""
STEERING = "\x1b[2J\x1b]0;x\x07\x00\r\u2028\u2029\x85\x9b31m" + TURNING


@given(st.text(), st.text())
def test_nothing_is_left_that_steers(before: str, after: str) -> None:
    shown = printable(before + STEERING + after)
    controls = {c for c in shown if unicodedata.category(c) in ("Cc", "Cs")}
    assert controls <= {"\n", "\t"}
    assert not set(shown) & set(TURNING)
    assert len(shown.splitlines()) <= shown.count("\n") + 1
    assert len(one_line(before + STEERING + after).splitlines()) == 1


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_what_can_be_read_stays(text: str) -> None:
    assert printable(text) == text
    assert one_line(text) == " ".join(text.split())


@given(st.text(), st.text())
def test_names_are_short_one_each_and_stay(one: str, other: str) -> None:
    for text in (one, "x" * 4000 + one, STEERING + one):
        shown = short_name(text)
        assert len(shown) <= 120
        assert shown == one_line(shown) == short_name(shown)
        assert shown == one_line(text) or f"({len(one_line(text)):,} characters, " in shown
    long = [short_name("x" * 4000 + text) for text in (one, other)]
    assert (long[0] == long[1]) == (one_line("x" + one) == one_line("x" + other))


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\uff1d1"])
def test_a_spreadsheet_calculates_nothing_of_what_others_wrote(formula: str) -> None:
    assert plain_cell(formula).startswith("'")
    assert plain_cell(f"no {formula}") == f"no {formula}"
