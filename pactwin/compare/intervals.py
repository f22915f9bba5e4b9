"""95 % intervals that respect twin pairs.

Answers about one pair (two twins, several views and forms) are not independent, so whatever pools
them is bootstrapped by resampling whole pairs. The interval is the expanded percentile interval of
Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69 (2015):
the plain percentile interval is too short by about sqrt((n - 1) / n) and uses the normal where
Student's t belongs, so the two quantiles are taken further out. On simulated clustered answers with
10 pairs it covered 94 % where percentile and BCa intervals covered 90 %; from 40 pairs on the three
agree (a test repeats part of this).

Where every pair gives the same result there is nothing to resample and a bootstrap interval has no
width, however few the pairs. There, Wilson's upper limit for 0 of n bounds the share of pairs that
might behave otherwise, and the interval reaches that far to both sides.
"""

from functools import cache

import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

LEVEL = 0.95
RESAMPLES = 2000

Interval = tuple[float, float]


@cache
def wilson(count: float, n: float) -> Interval:
    """Wilson's score interval of ``count`` successes among ``n`` > 0 independent units."""
    low, high = proportion_confint(count, n, alpha=1 - LEVEL, method="wilson")
    # At 0 and n the bounds are 0 and 1 up to rounding; an interval holds its estimate.
    return min(float(low), count / n), max(float(high), count / n)


def resample_weights(n_clusters: int, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """How often each cluster is drawn in each resample: (resamples, n_clusters), rows sum to n."""
    return rng.multinomial(n_clusters, np.full(n_clusters, 1 / n_clusters), size=resamples)


def pair_interval(value: float, samples: np.ndarray, n_pairs: int) -> Interval:
    """Interval of ``value`` from its bootstrap distribution over ``n_pairs`` >= 1 twin pairs.

    ``samples`` has shape (resamples,); resamples in which the statistic is undefined are NaN and
    are left out. The bounds may leave the statistic's range where all pairs agree.
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
    return float(stats.norm.cdf(-scale * stats.t.ppf((1 + LEVEL) / 2, n_clusters - 1)))
