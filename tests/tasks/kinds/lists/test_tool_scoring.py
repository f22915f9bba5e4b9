"""Plans against counts made by hand: every class of failure, prefixes, orders, repetitions."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.tasks.kinds.lists.matching import differ_in_number, match_names
from pactwin.tasks.kinds.lists.scoring import Failure, Plan, named

# found, steps, class, (precision, recall), successes of the first 1, 2, 3
CASES = {
    "as it is": ((0, 1, 2), (1, 2, 3), Failure.EXACT, (1, 1), (1, 1, 1)),
    "one step, other order": ((0, 2, 1), (1, 2, 2), Failure.EXACT, (1, 1), (1, 1, 1)),
    "swapped": ((1, 0, 2), (1, 2, 3), Failure.ORDER, (1, 1), (0, 0, 0)),
    "swapped at the end": ((0, 2, 1), (1, 2, 3), Failure.ORDER, (1, 1), (1, 0, 0)),
    "swapped and extra": ((0, 2, None, 1), (1, 2, 3), Failure.ORDER, (3 / 4, 1), (1, 0, 0)),
    "extra at the end": ((0, 1, 2, None), (1, 2, 3), Failure.EXTRA, (3 / 4, 1), (1, 1, 1)),
    "extra at the start": ((None, 0, 1, 2), (1, 2, 3), Failure.EXTRA, (3 / 4, 1), (0, 0, 0)),
    "last missing": ((0, 1), (1, 2, 3), Failure.MISSING, (1, 2 / 3), (1, 1, 0)),
    "first missing": ((1, 2), (1, 2, 3), Failure.MISSING, (1, 2 / 3), (0, 0, 0)),
    "another instead": ((0, None, 2), (1, 2, 3), Failure.SUBSTITUTE, (2 / 3, 2 / 3), (1, 0, 0)),
    "nothing right": ((None, None), (1, 2), Failure.SUBSTITUTE, (0, 0), (0, 0, 0)),
    "nothing": ((), (1, 2), Failure.MISSING, (0, 0), (0, 0, 0)),
    "said twice": ((0, 1, None), (1, 2), Failure.EXTRA, (2 / 3, 1), (1, 1, 0)),
    "no order": ((1, 0), (1, 1), Failure.EXACT, (1, 1), (1, 1, 0)),
}


@pytest.mark.parametrize("case", CASES)
def test_a_plan_counts_as_it_does_by_hand(case: str) -> None:
    found, steps, failure, (precision, recall), successes = CASES[case]
    plan = Plan(found, steps)
    assert plan.failure is failure
    assert plan.completes is (failure in (Failure.EXACT, Failure.EXTRA))
    assert plan.is_exact is (failure is Failure.EXACT)
    assert (plan.counts.precision, plan.counts.recall) == (precision, recall)
    assert tuple(plan.succeeds_for(k) for k in (1, 2, 3)) == tuple(map(bool, successes))


def test_every_class_is_covered() -> None:
    assert {case[2] for case in CASES.values()} == set(Failure)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_right_are_exactly_the_orders_that_the_steps_allow(steps: list[int], random) -> None:
    right = [
        order for order in permutations(range(len(steps))) if Plan(order, tuple(steps)).is_exact
    ]
    allowed = 1
    for step in set(steps):
        for factor in range(1, steps.count(step) + 1):
            allowed *= factor
    assert len(right) == allowed
    order = random.choice(right)
    plan = Plan(order, tuple(steps))
    assert all(plan.succeeds_for(k) for k in range(1, len(steps) + 1))
    done, told, pairs = plan.ordered_pairs
    assert done == told == pairs
    if pairs:
        assert Plan(order[::-1], tuple(steps)).ordered_pairs[0] == 0


def test_f1_is_the_harmonic_mean() -> None:
    counts = named((0, None, 1, None), 3)
    p, r = counts.precision, counts.recall
    assert counts.f1 == pytest.approx(2 * p * r / (p + r))
    assert named((), 0).f1 == 0


NAMES = ("hammer", "claw hammer", "saw", "hacksaw", "tape", "tape measure", "knife", "brush")


@pytest.mark.parametrize(
    ("item", "name", "rule"),
    [
        ("Claw Hammer.", "claw hammer", "exact"),
        ("the claw-hammer", "claw hammer", "exact"),
        ("knives", "knife", "number"),
        ("brushes", "brush", "number"),
        ("batteries", "Battery", "number"),
        ("power drill", "drill", "synonym"),
    ],
)
def test_what_means_the_same_is_matched(item: str, name: str, rule: str) -> None:
    found = match_names([item], ["other", name], {"Power drill": "drill"})
    assert (found.found, found.rules) == ((1,), (rule,))


@pytest.mark.parametrize(
    ("item", "name"),
    [("saw", "hacksaw"), ("tape", "tape measure"), ("hammer", "claw hammer"), ("a", "saw"),
     ("phillips screwdriver", "slotted screwdriver"), ("glas", "glass cutter"), ("", "saw")],
)  # fmt: skip
def test_part_of_a_name_is_another_name(item: str, name: str) -> None:
    assert match_names([item], [name]).found == (None,)


@given(st.lists(st.sampled_from(NAMES), max_size=8), st.lists(st.sampled_from(NAMES), max_size=8))
def test_each_name_is_used_once_and_as_many_as_can_be(items: list[str], names: list[str]) -> None:
    found = match_names(items, names).found
    used = [index for index in found if index is not None]
    assert len(set(used)) == len(used) <= len(names)
    for name in set(names):
        both = min(items.count(name), names.count(name))
        assert sum(names[index] == name for index in used) == both


def test_an_equal_name_goes_before_a_synonym() -> None:
    # As published, the synonym that comes first takes the tool away.
    found = match_names(["wrench", "adjustable wrench"], ["adjustable wrench"],
                        {"wrench": "adjustable wrench"})  # fmt: skip
    assert found.found == (None, 0)


def test_number_is_not_likeness() -> None:
    assert differ_in_number("screws", "screw")
    assert not differ_in_number("glass", "glas") or differ_in_number("glas", "glass")
    assert not differ_in_number("saw", "saws and more")
    assert not differ_in_number("saw", "saw")
