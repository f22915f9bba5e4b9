"""95 % intervals that respect twin pairs.

Answers about one pair (two twins, several views and forms) are not independent, so whatever pools
them is bootstrapped by resampling whole pairs. The interval is the expanded percentile interval of
Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69 (2015):
the plain percentile interval is too short by about sqrt((n - 1) / n) and uses the normal where
Student's t belongs, so the two quantiles are taken further out. On simulated clustered answers with
10 pairs it covered 94 % where percentile and BCa intervals covered 90 %; from 40 pairs on the three
agree (a test repeats part of this).

Where every pair gives the same result there is nothing to resample and a bootstrap interval has no
width, however few the pairs; those cases use Wilson's interval with the pair as the unit.
"""

import math
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


def expanded_percentile(samples: np.ndarray, n_clusters: int) -> Interval:
    """The expanded percentile interval of a bootstrap distribution over ``n_clusters`` >= 2.

    ``samples`` has shape (resamples,); resamples in which the statistic is undefined are NaN and
    are left out.
    """
    tail = _expanded_tail(n_clusters)
    low, high = np.quantile(samples[~np.isnan(samples)], [tail, 1 - tail])
    return float(low), float(high)


@cache
def _expanded_tail(n_clusters: int) -> float:
    scale = np.sqrt(n_clusters / (n_clusters - 1))
    return float(stats.norm.cdf(-scale * stats.t.ppf((1 + LEVEL) / 2, n_clusters - 1)))


def sum_interval(values: Interval, intervals: tuple[Interval, Interval]) -> Interval:
    """Interval of the sum of two estimates from the interval of each.

    Newcombe's square-and-add (Statistics in Medicine 17, 1998, method 10), for a sum instead of a
    difference.
    """
    total = sum(values)
    below = math.hypot(*(v - low for v, (low, _) in zip(values, intervals, strict=True)))
    above = math.hypot(*(high - v for v, (_, high) in zip(values, intervals, strict=True)))
    return total - below, total + above
