"""Prediction-powered inference: the real score from a few real and many simulated pairs.

The method is that of Angelopoulos et al., Science 382 (2023), with the weight of Angelopoulos,
Duchi and Zrnic, arXiv:2311.01453: the copied pairs give the correlation of simulated and real
scores, and the scores of all other simulated pairs then reduce the variance. A pair is one unit,
whatever its number of answers. The interval is Wilson's with the effective sample size of
``intervals``, and Student's t with two degrees of freedom fewer than real pairs, because two means
and a weight were fitted to them.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from pactwin.compare.intervals import LEVEL, shrunken_size, wilson_with
from pactwin.suite import InvalidInputError

MIN_REAL_PAIRS = 5


@dataclass(frozen=True, slots=True)
class PpiScore:
    """Estimated real score (0 to 1) from ``n_real`` real and ``n_sim`` simulated-only pairs.

    ``correlation`` is that of real and simulated scores of the same pairs; ``weight`` is the fitted
    weight of the simulation. ``saved`` is the number of additional real pairs with the same effect.
    """

    value: float
    low: float
    high: float
    n_real: int
    n_sim: int
    correlation: float
    weight: float
    saved: float


def prediction_powered(real: np.ndarray, copied: np.ndarray, simulated: np.ndarray) -> PpiScore:
    """Estimate the mean real score; all scores are means over a pair, from 0 to 1.

    ``real`` (n,) and ``copied`` (n,) are scores of the same pairs, on the table and in simulation;
    ``simulated`` (N,) are scores of pairs that were not copied. The copied pairs must have been
    drawn from all pairs without looking at scores. Raises InvalidInputError for fewer than
    MIN_REAL_PAIRS real pairs, or fewer than two others.
    """
    n, others = len(real), len(simulated)
    if n < MIN_REAL_PAIRS or others < 2:
        raise InvalidInputError(
            f"a prediction-powered score takes {MIN_REAL_PAIRS} real pairs and 2 that are only "
            f"simulated: there are {n} and {others}"
        )
    everything = np.concatenate([copied, simulated])
    variance = float(np.var(everything, ddof=1))
    covariance = float(np.cov(real, copied)[0, 1])
    weight = covariance / variance / (1 + n / others) if variance > 0 else 0.0
    value = float(np.mean(real) - weight * (np.mean(copied) - np.mean(simulated)))
    value = min(max(value, 0.0), 1.0)
    residual = (real - np.mean(real)) - weight * (copied - np.mean(copied))
    error = np.sum(residual**2) / (n - 2) / n + weight**2 * np.var(simulated, ddof=1) / others
    own = np.sum(residual**2)
    deviations = residual * np.sqrt(error / own) if own > 0 else residual
    size = shrunken_size(deviations, value * (1 - value))
    low, high = wilson_with(value, size, float(stats.t.ppf((1 + LEVEL) / 2, n - 2)))
    varies = np.ptp(real) > 0 and np.ptp(copied) > 0
    correlation = float(np.corrcoef(real, copied)[0, 1]) if varies else 0.0
    effective = n * (n + others) / (n + (1 - correlation**2) * others)
    return PpiScore(value, low, high, n, others, correlation, weight, effective - n)
