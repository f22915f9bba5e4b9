"""Replies that correct themselves, and short forms, in several languages: the last word counts."""

from pathlib import Path

import pytest

from pactwin.catalogue import PROPERTIES
from pactwin.policies import parse_category, parse_reply
from pactwin.suite import parse_yaml

LABELLED = parse_yaml(
    (Path(__file__).parents[1] / "data" / "revised_answers.yaml").read_bytes(), "labelled"
)
OPTIONS = ("The lid.", "It is far.", "It fits.", "Nothing prevents it.")


@pytest.mark.parametrize(("reply", "label"), LABELLED["yes_no"].items())
def test_yes_or_no(reply: str, label: bool | None) -> None:
    assert parse_reply("yes_no", reply).feasible is label


@pytest.mark.parametrize("language", LABELLED["words"])
def test_a_word_alone_is_an_answer_in_many_languages(language: str) -> None:
    for words, label in zip(LABELLED["words"][language], (True, False), strict=True):
        for word in words:
            assert parse_reply("yes_no", word).feasible is label, word


@pytest.mark.parametrize(("reply", "label"), LABELLED["choice"].items())
def test_a_choice(reply: str, label: str | None) -> None:
    expected = None if label is None else OPTIONS["ABCD".index(label)]
    assert parse_reply("choice", reply, OPTIONS).option == expected


@pytest.mark.parametrize("letter", "abcdfgh")  # "e," is a word of other languages
def test_a_letter_may_come_first_and_be_explained(letter: str) -> None:
    options = [f"Reason {number}." for number in range(8)]
    assert parse_reply("choice", f"{letter}; by far", options).option in options


@pytest.mark.parametrize(("reply", "label"), LABELLED["category"].items())
def test_a_category(reply: str, label: str) -> None:
    assert parse_category(reply, PROPERTIES["WEIGHT"]).category == label


@pytest.mark.parametrize(("reply", "label"), LABELLED["open"].items())
def test_an_open_answer(reply: str, label: str) -> None:
    answer = parse_reply("open", reply)
    assert answer.problem is None
    assert answer.constraint == label
