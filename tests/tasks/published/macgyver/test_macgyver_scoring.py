"""Rules by which several answers or votes become one figure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.tasks.kinds.problem.scoring import (
    CATEGORIES,
    CORRECT_CATEGORIES,
    condense,
    one_per_text,
    overridden,
    tally,
)

category = st.sampled_from(CATEGORIES)
problems = st.dictionaries(
    st.integers(0, 20).map(str),
    st.lists(st.sampled_from([*CATEGORIES, ""]), min_size=1),
    min_size=1,
)


@given(problems)
def test_tallies_keep_their_order(by_problem: dict[str, list[str]]) -> None:
    found = tally(by_problem, np.random.default_rng(0))
    rated = sum(1 for given in by_problem.values() for c in given if c)
    if found is None:
        assert rated == 0
        return
    assert found.answers == rated
    assert found.answers + found.unrated == sum(map(len, by_problem.values()))
    assert sum(found.shares.values()) == pytest.approx(1)
    assert found.single == pytest.approx(found.average)
    assert found.majority <= found.majority_or_tie <= found.best
    assert found.average <= found.best + 1e-12
    assert 0 <= found.drawn <= 1


@given(st.dictionaries(st.integers(0, 9).map(str), category, min_size=1))
def test_with_one_answer_each_all_rules_are_one(by_problem: dict[str, str]) -> None:
    found = tally({id: [c] for id, c in by_problem.items()}, np.random.default_rng(0))
    assert found is not None
    right = sum(c in CORRECT_CATEGORIES for c in by_problem.values()) / len(by_problem)
    values = (found.single, found.drawn, found.best, found.majority, found.majority_or_tie)
    assert values == pytest.approx([right] * 5)
    assert found.spread == 0


def test_the_two_rules_of_ties_differ_by_the_ties() -> None:
    found = tally({"a": ["A", "E"], "b": ["A"], "c": ["F", "F", "B"]}, np.random.default_rng(0))
    assert found is not None
    assert (found.majority, found.majority_or_tie, found.best) == pytest.approx((1 / 3, 2 / 3, 1))


@given(category)
def test_overriding_takes_solutions_and_leaves_the_rest(c: str) -> None:
    assert overridden(c) == ("F" if c in "ABD" else c)


@given(st.lists(category, min_size=1, max_size=7))
def test_condensed_votes(votes: list[str]) -> None:
    found = condense(votes)
    assert found in votes
    assert found == condense(votes[::-1])
    if len(set(votes)) == 1:
        assert found == votes[0]
    works = sum(v in "AB" for v in votes)
    if works > len(votes) / 2:
        assert found == ("B" if "B" in votes else "A"), "the worst of the votes on efficiency"
    for other in "CDEF":
        if votes.count(other) > len(votes) / 2:
            assert found == other


@pytest.mark.parametrize(
    ("votes", "found"),
    [
        ("AAB", "B"),
        ("AAA", "A"),
        ("ABE", "B"),
        ("AEE", "E"),
        ("ADE", "E"),
        ("CCF", "C"),
        ("CF", "F"),
    ],
)
def test_condensed_by_hand(votes: str, found: str) -> None:
    assert condense(list(votes)) == found


def test_a_text_is_counted_once_by_its_worst_rating() -> None:
    answers = [("x", "A"), ("x", "D"), ("y", ""), ("y", "B"), ("z", "")]
    assert one_per_text(answers) == ["D", "B", ""]
