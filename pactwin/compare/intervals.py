"""95 % intervals and tests that respect clusters: twin pairs, or objects.

Answers about one pair (two twins, several views and forms) are not independent. Formulas that count
answers give intervals that are too narrow. Here a statistic's variance comes from its clusters'
influences (the delta method for ratios of sums, within strata). It gives the effective sample size,
the number of independent answers with the same variance (Rao and Scott, Biometrics 48, 1992). The
interval is a well-tested one for that many independent answers, with Student's t in place of the
normal:

- a rate: Wilson's (for surveys: Franco et al., J. Survey Statistics and Methodology 7, 2019);
- informedness, a sum of two rates: an answer of either kind added to both, after Agresti and
  Caffo, The American Statistician 54 (2000);
- a paired difference: one added to either side, after Bonett and Price, J. Educational and
  Behavioral Statistics 37 (2012).

A variance estimated from few differing clusters may be far too small, and is 0 if none differs. Its
ratio to the variance of one independent answer per cluster is therefore shrunk towards 1. The
weight of 1 is one against the square of the number of informative clusters, which follows from the
fourth moment, as the degrees of freedom of a variance do. ``benchmarks/coverage.py`` measures the
coverage; ``tests/compare/test_coverage.py`` repeats a part of it.
"""

from functools import cache

import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

LEVEL = 0.95
RESAMPLES = 2000
FLIPS = 9999

Interval = tuple[float, float]


@cache
def wilson(count: float, n: float) -> Interval:
    """Wilson's score interval of ``count`` successes among ``n`` > 0 independent units."""
    low, high = proportion_confint(count, n, alpha=1 - LEVEL, method="wilson")
    # At 0 and n the bounds are 0 and 1 up to rounding; an interval holds its estimate.
    return min(float(low), count / n), max(float(high), count / n)


def clustered_rate(
    tops: np.ndarray, bottoms: np.ndarray, strata: np.ndarray | None = None
) -> Interval:
    """Interval of sum(tops) / sum(bottoms), clipped to 0..1; one count of each per cluster.

    ``strata`` number the stratum that each cluster was drawn from. ``bottoms`` has a sum > 0.
    """
    used = bottoms > 0
    tops, bottoms = tops[used], bottoms[used]
    answers = bottoms.sum()
    rate = float(tops.sum() / answers)
    influence = (tops - rate * bottoms) / answers
    return rate_from_influence(rate, influence, None if strata is None else strata[used])


def rate_from_influence(
    rate: float, influence: np.ndarray, strata: np.ndarray | None = None
) -> Interval:
    """Wilson's interval of a rate with the effective sample size from ``influence``.

    ``influence`` is the influence of each cluster on the rate.
    """
    n, quantile = _effective_size(influence, rate * (1 - rate), strata)
    return wilson_with(rate, n, quantile)


def mean_interval(sums: np.ndarray, sizes: np.ndarray) -> Interval:
    """Interval of sum(sums) / sum(sizes) for any quantity, from sums per cluster.

    It is Student's interval; if the clusters' influences are skewed, it is widened by Hall's
    transformation (J. Royal Statistical Society B 54, 1992), because among few very different
    clusters the largest may be missing from the sample.
    """
    mean = float(sums.sum() / sizes.sum())
    deviations, degrees = _within((sums - mean * sizes) / sizes.sum(), None)
    error, n = float(np.sqrt(np.sum(deviations**2))), len(sums)
    half = _quantile(degrees)
    if n < 3 or error < 1e-12 * max(1.0, abs(mean)):
        return mean - half * error, mean + half * error
    skew = float(stats.skew(deviations))
    shifted = 1 + skew * (np.array([half, -half]) / np.sqrt(n) - skew / (6 * n))
    far = 3 * np.sqrt(n) / skew * (np.cbrt(shifted) - 1) if abs(skew) > 1e-6 else (half, -half)
    return mean - max(half, float(far[0])) * error, mean - min(-half, float(far[1])) * error


def jackknifed(value: float, without: np.ndarray) -> Interval:
    """Student's interval of ``value`` from its values with each cluster left out in turn.

    A variance dominated by few clusters is often far too small. The degrees of freedom follow from
    the effective number of clusters in it. The factor 1.5 is a compromise: intervals of ladders'
    bias and noise cover 93 to 98 % with it, 95 to 99 % with 1, and 89 to 97 % with n - 1 degrees of
    freedom (``benchmarks/thresholds.py``, 500 runs per setting).
    """
    n = len(without)
    squares = (without - without.mean()) ** 2
    error = np.sqrt((n - 1) / n * squares.sum())
    telling = squares.sum() ** 2 / (squares**2).sum() if error > 0 else n
    degrees = min(max(1.5 * telling - 1, 2.0), n - 1.0)
    half = float(stats.t.ppf((1 + LEVEL) / 2, degrees) * error)
    return value - half, value + half


def wilson_with(rate: float, n: float, quantile: float) -> Interval:
    """Wilson's interval of a rate over ``n`` independent units, with a given quantile."""
    weight = quantile**2 / n
    middle = (rate + weight / 2) / (1 + weight)
    half = np.sqrt(weight * rate * (1 - rate) + weight**2 / 4) / (1 + weight)
    return min(float(max(middle - half, 0.0)), rate), max(float(min(middle + half, 1.0)), rate)


def clustered_informedness(
    yes: np.ndarray,
    feasible: np.ndarray,
    no: np.ndarray,
    infeasible: np.ndarray,
    strata: np.ndarray | None = None,
) -> Interval:
    """Interval of sum(yes) / sum(feasible) + sum(no) / sum(infeasible) - 1; counts per cluster.

    Neither denominator may be 0.
    """
    used = (feasible > 0) | (infeasible > 0)
    yes, feasible, no, infeasible = (part[used] for part in (yes, feasible, no, infeasible))
    sensitivity, specificity = yes.sum() / feasible.sum(), no.sum() / infeasible.sum()
    influence = (yes - sensitivity * feasible) / feasible.sum()
    influence = influence + (no - specificity * infeasible) / infeasible.sum()
    spread = sensitivity * (1 - sensitivity) + specificity * (1 - specificity)
    n, quantile = _effective_size(influence, spread, None if strata is None else strata[used])
    first, second = ((n * rate + 1) / (n + 2) for rate in (sensitivity, specificity))
    half = quantile * np.sqrt((first * (1 - first) + second * (1 - second)) / (n + 2))
    return _holding(sensitivity + specificity - 1, first + second - 1, half)


def clustered_difference(
    first: np.ndarray, second: np.ndarray, size: np.ndarray, strata: np.ndarray | None = None
) -> Interval:
    """Interval of (sum(first) - sum(second)) / sum(size): a paired difference of two rates.

    Among each cluster's ``size`` > 0 questions, only the first side answered ``first`` correctly,
    and only the second side ``second``.
    """
    answers = size.sum()
    only_first, only_second = first.sum() / answers, second.sum() / answers
    difference = only_first - only_second
    influence = (first - second - difference * size) / answers
    n, quantile = _effective_size(influence, only_first + only_second - difference**2, strata)
    a, b = (n * only_first + 1) / (n + 2), (n * only_second + 1) / (n + 2)
    half = quantile * np.sqrt((a + b - (a - b) ** 2) / (n + 2))
    return _holding(difference, a - b, half)


def sign_flip_p(sums: np.ndarray) -> float:
    """Two-sided p of the hypothesis that both sides are equal: the clustered McNemar test.

    ``sums`` are each cluster's difference: questions answered correctly by the first side alone
    minus those by the second alone. If both sides are equal, they could have swapped all their
    answers about a cluster, so every sign is as likely as its opposite, and the test is exact. With
    one question per cluster it is McNemar's exact test (Psychometrika 12, 1947). Differences that
    are not multiples of a common fraction, for example with unequal numbers of epochs, are flipped
    FLIPS times at random.
    """
    sums = sums[np.abs(sums) > 1e-9]
    if not len(sums):
        return 1.0
    whole = _as_whole_numbers(sums)
    if whole is None:
        signs = np.random.default_rng(0).integers(0, 2, (FLIPS, len(sums))) * 2 - 1
        as_far = np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9
        return float((as_far.sum() + 1) / (FLIPS + 1))
    sums = whole
    sizes, counts = np.unique(np.abs(sums), return_counts=True)
    total = int(sizes @ counts)
    # How much of the total is positive, by the discrete Fourier transform of its distribution.
    turn = np.exp(2j * np.pi * np.outer(np.arange(total + 1) / (total + 1), sizes))
    chances = np.fft.fft(np.prod(((1 + turn) / 2) ** counts, axis=1)).real / (total + 1)
    seen = abs(int(sums.sum()))
    as_far = np.abs(2 * np.arange(total + 1) - total) >= seen
    least = 2.0 ** (1 - int(counts.sum()))  # of all signs alike; the transform rounds at 1e-16
    return float(min(1.0, max(chances[as_far].sum(), least)))


def _as_whole_numbers(sums: np.ndarray) -> np.ndarray | None:
    """``sums`` times the smallest factor that makes them integers; None if that is large."""
    for scale in range(1, 61):
        scaled = sums * scale
        whole = np.rint(scaled)
        if np.abs(scaled - whole).max() < 1e-6:
            return whole.astype(np.int64) if np.abs(whole).sum() < 100_000 else None
    return None


def _effective_size(
    influence: np.ndarray, spread: float, strata: np.ndarray | None
) -> tuple[float, float]:
    """Effective number of independent answers, and the quantile of Student's t to use.

    ``spread`` is the variance of the statistic's estimate from one independent answer, times one.
    """
    deviations, degrees = _within(influence, strata)
    return shrunken_size(deviations, spread), _quantile(degrees)


def shrunken_size(deviations: np.ndarray, spread: float) -> float:
    """The effective sample size from a variance shrunk towards that of independent answers.

    The squares of ``deviations`` sum to the variance.
    """
    n = len(deviations)
    squares = deviations**2
    ratio = squares.sum() * n / spread if spread > 0 else 0.0
    if ratio < 1e-12:  # no cluster differs, but for rounding
        return float(n)
    telling = squares.sum() ** 2 / (squares**2).sum()
    return float(n * (telling**2 + 1) / (telling**2 * ratio + 1))


def _within(influence: np.ndarray, strata: np.ndarray | None) -> tuple[np.ndarray, int]:
    """Deviations within strata whose squares sum to the variance, and degrees of freedom."""
    codes = np.zeros(len(influence), int) if strata is None else strata
    codes = np.unique(codes, return_inverse=True)[1]
    sizes = np.bincount(codes)[codes]
    means = np.bincount(codes, weights=influence)[codes] / sizes
    alone = sizes == 1  # nothing to compare with but the rest
    scale = np.sqrt(sizes / np.maximum(sizes - 1, 1))
    deviations = np.where(alone, influence, (influence - means) * scale)
    return deviations, max(1, len(influence) - int(codes.max()) - 1)


@cache
def _quantile(degrees: int) -> float:
    return float(stats.t.ppf((1 + LEVEL) / 2, degrees))


def _holding(value: float, middle: float, half: float) -> Interval:
    """``middle`` ± ``half`` within -1 and 1, and not without the estimate itself."""
    low, high = max(middle - half, -1.0), min(middle + half, 1.0)
    return min(float(low), float(value)), max(float(high), float(value))


def resample_weights(n_clusters: int, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Number of draws of each cluster per resample: (resamples, n_clusters); rows sum to n."""
    return rng.multinomial(n_clusters, np.full(n_clusters, 1 / n_clusters), size=resamples)


def pair_interval(value: float, samples: np.ndarray, n_pairs: int) -> Interval:
    """Interval of ``value`` from its bootstrap distribution over ``n_pairs`` >= 1 clusters.

    The expanded percentile interval of Hesterberg, "What Teachers Should Know About the Bootstrap",
    The American Statistician 69 (2015). ``samples`` has shape (resamples,); resamples in which the
    statistic is undefined are NaN and left out. If all samples are equal, Wilson's upper limit for
    0 of n bounds the share of clusters that might differ, and the interval extends by that to both
    sides, if necessary beyond the range.
    """
    samples = samples[~np.isnan(samples)]
    if np.ptp(samples) < 1e-12:
        _, share = wilson(0, n_pairs)
        return value - share, value + share
    return expanded_percentile(samples, n_pairs)


def expanded_percentile(samples: np.ndarray, n_clusters: int) -> Interval:
    """The expanded percentile interval of ``samples`` (resamples,) over ``n_clusters`` >= 2."""
    tail = _expanded_tail(n_clusters)
    low, high = np.quantile(samples, [tail, 1 - tail])
    return float(low), float(high)


@cache
def _expanded_tail(n_clusters: int) -> float:
    scale = np.sqrt(n_clusters / (n_clusters - 1))
    return float(stats.norm.cdf(-scale * _quantile(n_clusters - 1)))
