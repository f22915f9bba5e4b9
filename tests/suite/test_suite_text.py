"""Text of others, made safe to show."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pactwin.suite import one_line, printable

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
