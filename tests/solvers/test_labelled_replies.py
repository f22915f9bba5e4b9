"""Replies that people labelled: none is misread, and few stay unread."""

from collections import Counter

import pytest
from labelled import DATA, labelled

from pactwin.solvers import parse_reply
from pactwin.suite import parse_yaml

MISREAD = {"A: The ball is out of reach"}
"""A letter with the words of another option, a little changed."""
LANGUAGES = parse_yaml((DATA / "revised_answers.yaml").read_bytes(), "labelled")["words"]


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
    wrong = [(r.kind, r.reply, got) for r, got in found if got not in (None, r.label)]
    assert [row for row in wrong if row[1] not in MISREAD] == []
    states = Counter(got is None and row.label is not None for row, got in found)
    assert states[True] <= unread * len(found)


def test_there_are_many_of_them_of_every_kind() -> None:
    kinds = Counter(row.kind for row in labelled("unseen_replies"))
    assert sum(kinds.values()) >= 200
    assert min(kinds.values()) >= 10
    assert len(kinds) == 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_alone_is_an_answer_in_many_languages(language: str) -> None:
    for words, label in zip(LANGUAGES[language], (True, False), strict=True):
        for word in words:
            assert parse_reply("yes_no", word).feasible is label, word


@pytest.mark.parametrize("letter", "abcdfgh")  # "e," is a word of other languages
def test_a_letter_may_come_first_and_be_explained(letter: str) -> None:
    options = [f"Reason {number}." for number in range(8)]
    assert parse_reply("choice", f"{letter}; by far", options).option in options
