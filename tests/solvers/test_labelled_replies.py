"""Replies that people labelled: none is misread, and few stay unread."""

from collections import Counter

import pytest
from labelled import DATA, WRITTEN, labelled

from pactwin.solvers import parse_reply
from pactwin.suite import parse_yaml

MISREAD = {"A: The ball is out of reach"}
"""A letter with the words of another option, a little changed."""
LANGUAGES = parse_yaml((DATA / "revised_answers.yaml").read_bytes(), "labelled")["words"]


def test_replies_written_by_hand_are_read_or_refused_for_the_reason_told() -> None:
    found = [(row, row.reading()) for row in labelled(WRITTEN)]
    assert len(found) > 250
    assert [(r.kind, r.reply, got, r.label) for r, got in found if got != r.label] == []


@pytest.mark.parametrize(
    ("file", "unread"),
    [
        ("unseen_replies", 0.12),
        ("voices_replies", 0.09),
        ("further_replies", 0.05),
        ("revised_answers", 0.0),
        ("open_answers", 0.12),
    ],
)
def test_no_labelled_reply_is_misread_and_few_stay_unread(file: str, unread: float) -> None:
    found = [(row, row.read()) for row in labelled(file)]
    assert len(found) > 100
    wrong = [(r.kind, r.reply, got) for r, got in found if got not in (None, r.label)]
    assert [row for row in wrong if row[1] not in MISREAD] == []
    states = Counter(got is None and row.label is not None for row, got in found)
    assert states[True] <= unread * len(found)


def test_a_word_alone_is_an_answer_in_many_languages() -> None:
    assert len(LANGUAGES) > 10
    for words in LANGUAGES.values():
        for said, label in zip(words, (True, False), strict=True):
            assert {word: parse_reply("yes_no", word).feasible for word in said} == dict.fromkeys(
                said, label
            )


def test_a_letter_may_come_first_and_be_explained() -> None:
    options = [f"Reason {number}." for number in range(8)]
    for letter, option in zip("abcdfgh", options[:4] + options[5:], strict=True):
        # "e," is a word of other languages.
        assert parse_reply("choice", f"{letter}; by far", options).option == option
