from itertools import product
from math import comb

import numpy as np
import pytest
from made_up import always, make_rows, noisy, oracle
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from pactwin.compare import PairedTest, compare_models, compare_views
from pactwin.compare.intervals import FLIPS, sign_flip_p
from pactwin.compare.paired import holm
from pactwin.suite import Constraint


def mcnemar_by_hand(b: int, c: int) -> float:
    """Two-sided exact binomial test of b successes in b + c tosses of a fair coin."""
    n = b + c
    tail = sum(comb(n, k) for k in range(min(b, c) + 1)) / 2**n
    return min(1.0, 2 * tail)


def only(tests: list[PairedTest]) -> PairedTest:
    assert len(tests) == 1
    return tests[0]


def test_of_one_question_a_pair_the_test_is_mcnemars_exact_one() -> None:
    def wrong_on(pairs: set[int]):
        return lambda d, pair, feasible, v, f: (feasible == (pair not in pairs), None)

    rows = [
        row
        for model, wrong in {"a": {0}, "b": {0, 1, 2, 3, 4}}.items()
        for row in make_rows(
            wrong_on(wrong),
            model=model,
            pairs=12,
            views=("head",),
            forms=("yes_no",),
            domains=("support",),
        )
    ]
    test = only(compare_models([row for row in rows if row.truth_feasible]))
    assert (test.first, test.second, test.n, test.pairs) == ("a", "b", 12, 12)
    assert (test.only_first, test.only_second) == (4, 0)
    assert test.p == pytest.approx(mcnemar([[7, 4], [0, 1]], exact=True).pvalue)
    assert test.difference == pytest.approx(4 / 12)
    assert test.low < 0 < test.difference < test.high
    twins = only(compare_models(rows))
    assert (twins.n, twins.pairs, twins.only_first) == (24, 12, 8)
    assert twins.p == pytest.approx(test.p), "both twins of a pair alike tell nothing more"


def test_mcnemar_of_clusters_is_the_share_of_all_signs_that_go_as_far() -> None:
    sums = np.array([3, -1, 2, 0, 4, 1, -2, 5, 1])
    signs = np.array(list(product((-1, 1), repeat=len(sums))))
    expected = np.mean(np.abs(signs @ np.abs(sums)) >= abs(sums.sum()))
    assert sign_flip_p(sums) == pytest.approx(expected)
    assert sign_flip_p(np.zeros(4)) == 1.0
    single = np.array([1] * 9 + [-1] * 2 + [0] * 30)
    assert sign_flip_p(single) == pytest.approx(mcnemar_by_hand(9, 2))
    assert sign_flip_p(np.ones(200)) == pytest.approx(2.0**-199)


def test_swapping_sides_turns_the_difference_round() -> None:
    rows = make_rows(noisy(1), model="a") + make_rows(noisy(2, skill=0.8), model="b")
    one = only(compare_models(rows, [("a", "b")]))
    other = only(compare_models(rows, [("b", "a")]))
    assert one.p == other.p
    assert one.difference == -other.difference
    assert (one.only_first, one.only_second) == (other.only_second, other.only_first)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_constant_answers_do_not_differ() -> None:
    """Although "no" also needs the right constraint to be scored correct in two of three forms."""
    rows = make_rows(always(True), model="yes") + make_rows(always(False), model="no")
    test = only(compare_models(rows))
    assert test.p == 1.0
    assert test.difference == 0.0
    assert test.low < 0 < test.high  # no pair differs: resampling would feign certainty


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_holm_is_that_of_statsmodels(n: int) -> None:
    """To the last digit, ties and ones included."""
    p = np.random.default_rng(n).choice([0.0, 1e-9, 0.01, 0.02, 0.5, 1.0, *np.linspace(0, 1, 9)], n)
    tests = [PairedTest("", "a", "b", 1, 1, 0, 0, 0, 0, 0, float(x), float(x)) for x in p]
    expected = multipletests(p, method="holm")[1]
    assert [test.p_holm for test in holm(tests)] == expected.tolist()
    assert holm([]) == []


def test_only_questions_that_both_answered_count() -> None:
    silent = make_rows(noisy(1, silent=0.5), model="a", pairs=4)
    test = only(compare_models(silent + make_rows(oracle, model="b", pairs=4)))
    assert test.n == sum(r.predicted_feasible is not None for r in silent) < len(silent)


def test_views_are_compared_within_each_model() -> None:
    def blind_from_the_side(d, pair, feasible, view, f):
        return (feasible if view == "head" else False), Constraint.COVERED

    rows = make_rows(blind_from_the_side, model="a", views=("head", "side"))
    rows += make_rows(oracle, model="b", views=("head", "side"))
    a, b = compare_views(rows)
    assert (a.within, a.first, a.second) == ("a", "head", "side")
    assert a.only_second == 0
    assert a.only_first == a.n / 2
    assert b.p == 1.0


def test_nothing_to_compare_gives_no_tests() -> None:
    rows = make_rows(oracle, views=("head",))
    assert compare_models(rows) == []
    assert compare_views(rows) == []
    assert compare_models(rows, [("m", "absent")]) == []


def test_flips_at_random_agree_with_all_flips() -> None:
    """Differences without a common fraction are flipped at random; all signs are listed here."""
    sums = np.array([0.9, 0.4, -0.3, 0.7, 0.2, 0.5, -0.1]) * np.pi
    signs = np.array(list(product((-1, 1), repeat=len(sums))))
    exact = np.mean(np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9)
    assert sign_flip_p(sums) == pytest.approx(exact, abs=0.015)
    assert sign_flip_p(np.linspace(1, 2, 40) * np.pi) == 1 / (FLIPS + 1)  # it is never 0
