import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from pactwin.compare.intervals import (
    clustered_difference,
    clustered_informedness,
    clustered_rate,
    mean_interval,
    pair_interval,
    resample_weights,
    shrunken_size,
    wilson,
    wilson_with,
)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_that_of_statsmodels_and_holds_the_estimate(counts: tuple[int, int]) -> None:
    count, n = counts
    low, high = wilson(count, n)
    assert (low, high) == pytest.approx(proportion_confint(count, n, method="wilson"), abs=1e-12)
    same = wilson_with(count / n, n, float(stats.norm.ppf(0.975)))
    assert same == pytest.approx((low, high), abs=1e-12)
    assert 0 <= low <= count / n <= high <= 1


def test_copies_of_every_answer_tell_nothing_more() -> None:
    rng = np.random.default_rng(0)
    yes, no = (rng.random((2, 50)) < 0.7).astype(int)
    one = np.ones(50)
    once = clustered_informedness(yes, one, no, one)
    assert clustered_informedness(3 * yes, 3 * one, 3 * no, 3 * one) == pytest.approx(once)
    differing = clustered_difference(yes * (1 - no), no * (1 - yes), one)
    copied = clustered_difference(3 * yes * (1 - no), 3 * no * (1 - yes), 3 * one)
    assert copied == pytest.approx(differing)


def test_a_cluster_without_answers_tells_nothing() -> None:
    rng = np.random.default_rng(3)
    yes, no = (rng.random((2, 12)) < 0.7).astype(int)
    one, strata = np.ones(12), np.repeat([0, 1], 6)

    def with_empty(counts: np.ndarray) -> np.ndarray:
        return np.append(counts, 0)

    for before, after in ((None, None), (strata, with_empty(strata))):
        found = clustered_informedness(
            with_empty(yes), with_empty(one), with_empty(no), with_empty(one), after
        )
        assert found == pytest.approx(clustered_informedness(yes, one, no, one, before))


def test_variances_are_those_of_a_survey_of_clusters() -> None:
    """Against the textbook's formula of a ratio estimator, where few clusters play no part."""
    rng = np.random.default_rng(5)
    sizes, others = rng.integers(1, 9, (2, 3000))
    first, second, _ = rng.multinomial(sizes, rng.dirichlet([2, 1, 3], 3000)).T
    yes = rng.binomial(others, 0.8)

    def linear(tops: np.ndarray, bottoms: np.ndarray) -> np.ndarray:
        return (tops - tops.sum() / bottoms.sum() * bottoms) / bottoms.sum()

    rate, other = first.sum() / sizes.sum(), yes.sum() / others.sum()
    for (low, high), value, parts in (
        (clustered_rate(first, sizes), rate, linear(first, sizes)),
        (
            clustered_difference(first, second, sizes),
            rate - second.sum() / sizes.sum(),
            linear(first - second, sizes),
        ),
        (
            clustered_informedness(yes, others, first, sizes),
            other + rate - 1,
            linear(yes, others) + linear(first, sizes),
        ),
    ):
        assert high - low == pytest.approx(2 * 1.96 * np.sqrt(np.sum(parts**2)), rel=0.01)
        assert (low + high) / 2 == pytest.approx(value, abs=1e-3)


def test_few_independent_answers_are_counted_as_agresti_and_others_do() -> None:
    """One question a cluster: one more of each kind, and the quantile of Student's t.

    Agresti and Caffo, The American Statistician 54 (2000); Agresti and Min, Statistics in Medicine
    24 (2005). Spread over as many clusters, answers tell as if they were one fewer.
    """
    n, b, c = 40, 14, 4
    first, second = (np.resize(np.repeat([1, 0], [k, n - k]), n) for k in (b, c))
    second = second[::-1]
    low, high = clustered_difference(first, second, np.ones(n))
    p, q, z = (b + 1) / (n + 2), (c + 1) / (n + 2), stats.t.ppf(0.975, n - 1)
    half = z * np.sqrt((p + q - (p - q) ** 2) / (n + 2))
    assert (low, high) == pytest.approx((p - q - half, p - q + half), abs=0.006)
    yes, no = first, 1 - second
    low, high = clustered_informedness(yes, np.ones(n), no, np.ones(n))
    q = (n - c + 1) / (n + 2)
    assert (low + high) / 2 == pytest.approx(p + q - 1, abs=0.006)


@pytest.mark.parametrize(("strata", "degrees"), [([0] * 8, 7), ([0, 0, 1, 1, 2, 2, 3, 3], 4)])
def test_degrees_of_freedom_are_clusters_less_strata(strata: list[int], degrees: int) -> None:
    tops, bottoms = np.array([3, 1, 5, 2, 4, 4, 0, 2]), np.full(8, 6)
    rate = tops.sum() / 48
    codes = np.array(strata)
    means = np.array([tops[codes == code].mean() for code in codes])
    sizes = np.array([np.sum(codes == code) for code in codes])
    deviations = (tops - means) / 48 * np.sqrt(sizes / (sizes - 1))
    n = shrunken_size(deviations, rate * (1 - rate))
    expected = wilson_with(rate, n, float(stats.t.ppf(0.975, degrees)))
    assert clustered_rate(tops, bottoms, codes) == pytest.approx(expected)


def test_strata_that_differ_do_not_widen_an_interval() -> None:
    tops = np.array([9, 10, 9, 10, 1, 0, 1, 0] * 4)
    strata = np.array([0, 0, 0, 0, 1, 1, 1, 1] * 4)
    bottoms = np.full(32, 10)
    low, high = clustered_rate(tops, bottoms, strata)
    wide_low, wide_high = clustered_rate(tops, bottoms)
    assert high - low < 0.5 * (wide_high - wide_low)


def test_resamples_in_which_the_statistic_is_undefined_are_left_out() -> None:
    samples = np.linspace(0, 1, 2001)
    holed = np.concatenate([samples, np.full(50, np.nan)])
    assert pair_interval(0.5, holed, 20) == pair_interval(0.5, samples, 20)


def test_pairs_that_all_agree_leave_as_much_doubt_as_their_number() -> None:
    same = np.full(2000, 1.0)
    doubt = 1.0 - wilson(30, 30)[0]
    assert pair_interval(1.0, same, 30) == pytest.approx((1.0 - doubt, 1.0 + doubt))
    assert pair_interval(1.0, same, 300)[0] > pair_interval(1.0, same, 30)[0]


def test_the_interval_of_a_mean_is_students_unless_clusters_are_skewed() -> None:
    half = np.random.default_rng(0).normal(0, 2, 12)
    values = 3 + np.concatenate([half, -half, [0.0]])
    expected = stats.t.interval(0.95, 24, values.mean(), stats.sem(values))
    assert mean_interval(values, np.ones(25)) == pytest.approx(expected)
    skewed = np.exp(values)
    low, high = mean_interval(skewed, np.ones(25))
    below, above = stats.t.interval(0.95, 24, skewed.mean(), stats.sem(skewed))
    assert low == pytest.approx(below), "nothing is taken away"
    assert high > above, "what is rare and large may not have been seen"
    t, by = (skewed.mean() - high) / stats.sem(skewed), stats.skew(skewed) / 5
    hall = t + by * t**2 / 3 + by**2 * t**3 / 27 + by / 6
    assert hall == pytest.approx(-stats.t.ppf(0.975, 24))
    assert mean_interval(-skewed, np.ones(25)) == pytest.approx((-high, -low))


def test_the_interval_of_a_mean_over_clusters_of_unlike_size_is_that_of_a_ratio() -> None:
    """Its variance is that of what each cluster leaves over, as in a survey of clusters."""
    sizes = np.array([1, 4, 2, 7, 3, 5])
    sums = np.array([2.0, 9.0, 3.0, 20.0, 4.0, 12.0])
    mean = sums.sum() / sizes.sum()
    error = np.sqrt(6 / 5 * np.sum((sums - mean * sizes) ** 2)) / sizes.sum()
    half = stats.t.ppf(0.975, 5) * error
    low, high = mean_interval(sums, sizes)
    assert low == pytest.approx(mean - half)
    assert mean + half <= high < mean + 2 * half
    assert mean_interval(3 * sizes, sizes) == pytest.approx((3.0, 3.0)), "all alike: no doubt"


@pytest.mark.parametrize("n", [6, 12, 40])
def test_the_bootstrap_of_a_mean_gives_students_interval(n: int) -> None:
    """Resampled means spread as normal ones do, but by sqrt((n - 1) / n) too little."""
    spread = 0.1
    samples = stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000) * spread * np.sqrt((n - 1) / n)
    half = stats.t.ppf(0.975, n - 1) * spread
    low, high = pair_interval(0.5, 0.5 + samples, n)
    assert (0.5 - low, high - 0.5) == pytest.approx((half, half), rel=0.01)


def test_a_difference_seen_from_the_other_side_is_its_opposite() -> None:
    first, second = np.array([3, 1, 5, 2, 4, 4]), np.array([1, 0, 0, 2, 1, 0])
    low, high = clustered_difference(first, second, np.full(6, 6))
    assert clustered_difference(second, first, np.full(6, 6)) == pytest.approx((-high, -low))


def test_clusters_that_all_agree_are_bounded_by_one_answer_more_on_either_side() -> None:
    """No cluster differs, so that n is their number: Bonett and Price's interval, with t."""
    n, ones = 9, np.ones(9)
    a, b = (n + 1) / (n + 2), 1 / (n + 2)
    half = stats.t.ppf(0.975, n - 1) * np.sqrt((a + b - (a - b) ** 2) / (n + 2))
    low, high = clustered_difference(ones, 0 * ones, ones)
    assert (low, high) == pytest.approx((a - b - half, 1.0))
    q = (n + 1) / (n + 2)
    half = stats.t.ppf(0.975, n - 1) * np.sqrt(2 * q * (1 - q) / (n + 2))
    low, high = clustered_informedness(ones, ones, ones, ones)
    assert (low, high) == pytest.approx((2 * q - 1 - half, 1.0))


def test_few_clusters_that_tell_draw_the_effective_size_towards_their_number() -> None:
    """One counts against the square of how many tell; of many, their variance alone does."""
    for telling in (1, 3, 50):
        deviations = np.where(np.arange(100) < telling, 0.1, 0.0)
        ratio = telling * 0.1**2 * 100 / 0.25
        expected = 100 * (telling**2 + 1) / (telling**2 * ratio + 1)
        assert shrunken_size(deviations, 0.25) == pytest.approx(expected)
    assert expected == pytest.approx(100 / ratio, rel=0.01)


def test_two_clusters_have_students_interval_and_hardly_skewed_ones_nearly() -> None:
    low, high = mean_interval(np.array([1.0, 2.0]), np.ones(2))
    assert (low, high) == pytest.approx(stats.t.interval(0.95, 1, loc=1.5, scale=0.5))
    values = np.append(np.arange(20.0), 23.0)  # its skewness is 0.15
    even = stats.t.interval(0.95, 20, loc=values.mean(), scale=stats.sem(values))
    low, high = mean_interval(values, np.ones(21))
    assert low <= even[0]
    assert high > even[1]


def test_each_resample_draws_as_many_clusters_as_there_are() -> None:
    weights = resample_weights(7, 400, np.random.default_rng(2))
    assert weights.shape == (400, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert weights.mean(axis=0) == pytest.approx(np.ones(7), abs=0.2)
