import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from pactwin.compare.intervals import expanded_percentile, pair_interval, resample_weights, wilson


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_that_of_statsmodels_and_holds_the_estimate(counts: tuple[int, int]) -> None:
    count, n = counts
    low, high = wilson(count, n)
    assert (low, high) == pytest.approx(proportion_confint(count, n, method="wilson"), abs=1e-12)
    assert 0 <= low <= count / n <= high <= 1


def test_resampling_draws_as_many_clusters_as_there_are() -> None:
    weights = resample_weights(7, 500, np.random.default_rng(0))
    assert weights.shape == (500, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert np.array_equal(weights, resample_weights(7, 500, np.random.default_rng(0)))


@pytest.mark.parametrize(("pairs", "at_least"), [(10, 0.92), (40, 0.93)])
def test_expanded_percentiles_cover_where_plain_ones_fall_short(
    pairs: int, at_least: float
) -> None:
    """Informedness of clustered answers whose true value is known from the model they come from."""
    rng = np.random.default_rng(3)
    weights = resample_weights(pairs, 2000, rng) / pairs
    answers, runs, expanded, plain = 6, 600, 0, 0
    for _ in range(runs):
        ease = rng.uniform(0.2, 1.0, pairs)  # chance of "feasible" in the feasible twin: mean 0.6
        bias = rng.uniform(0.5, 1.0, pairs)  # chance of "infeasible" in the other: mean 0.75
        yes, no = rng.binomial(answers, ease), rng.binomial(answers, bias)
        samples = weights @ (yes / answers + no / answers - 1)
        low, high = expanded_percentile(samples, pairs)
        expanded += low <= 0.35 <= high
        low, high = np.quantile(samples, [0.025, 0.975])
        plain += low <= 0.35 <= high
    assert at_least <= expanded / runs <= 0.98
    assert plain < expanded


def test_resamples_in_which_the_statistic_is_undefined_are_left_out() -> None:
    samples = np.linspace(0, 1, 2001)
    holed = np.concatenate([samples, np.full(50, np.nan)])
    assert pair_interval(0.5, holed, 20) == pair_interval(0.5, samples, 20)


def test_pairs_that_all_agree_leave_as_much_doubt_as_their_number() -> None:
    same = np.full(2000, 1.0)
    assert pair_interval(1.0, same, 30)[0] == pytest.approx(wilson(30, 30)[0])
    assert pair_interval(1.0, same, 300)[0] > pair_interval(1.0, same, 30)[0]
