"""Text of others, made safe to show."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pactwin.suite import one_line, printable

STEERING = "\x1b[2J\x1b]0;x\x07\x00\r\u202e\u2066\x9b31m"


@given(st.text(), st.text())
def test_nothing_is_left_that_steers(before: str, after: str) -> None:
    shown = printable(before + STEERING + after)
    controls = {c for c in shown if unicodedata.category(c) in ("Cc", "Cs")}
    assert controls <= {"\n", "\t"}
    assert not set(shown) & set("\u202e\u2066")
    assert len(one_line(before + STEERING + after).splitlines()) == 1


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_what_can_be_read_stays(text: str) -> None:
    assert printable(text) == text
    assert one_line(text) == " ".join(text.split())
