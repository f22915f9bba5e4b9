"""Agreement of model rankings in simulation and on captures (Pearson's r, mean rank violation).

Both are defined as in SimplerEnv (Li et al., arXiv:2405.05941), over the models' mean scores. The
interval of r is Fisher's; it treats the models as a sample and is very wide for few models. The
interval of the rank violation resamples pairs; values near 0 are biased upwards by it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pactwin.compare.intervals import LEVEL, RESAMPLES, Interval, resample_weights

FEWEST_MODELS = 3


@dataclass(frozen=True, slots=True)
class AcrossModels:
    """``real`` and ``sim`` are mean scores by model on the same ``pairs``, chance 0.5.

    ``r`` is None if all models score equally on one side. ``rank_violation`` is in units of the
    real score: 0 if simulation ranks every two models as captures do.
    """

    pairs: int
    real: dict[str, float]
    sim: dict[str, float]
    r: float | None
    r_interval: Interval | None
    rank_violation: float
    violation_interval: Interval


def across_models(
    scores: Mapping[str, tuple[np.ndarray, np.ndarray]], seed: int = 0
) -> AcrossModels | None:
    """Agreement from {model: (real, sim)} scores of the same pairs; None for too few models."""
    if len(scores) < FEWEST_MODELS:
        return None
    real, sim = (np.array([both[side] for both in scores.values()]) for side in (0, 1))
    pairs = real.shape[1]
    if pairs == 0:
        return None
    weights = resample_weights(pairs, RESAMPLES, np.random.default_rng(seed)) / pairs
    resampled = [mean_maximum_rank_violation(real @ w, sim @ w) for w in weights]
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    means = real.mean(axis=1), sim.mean(axis=1)
    r, interval = _pearson(*means)
    value = mean_maximum_rank_violation(*means)
    return AcrossModels(
        pairs=pairs,
        real=dict(zip(scores, map(float, means[0]), strict=True)),
        sim=dict(zip(scores, map(float, means[1]), strict=True)),
        r=r,
        r_interval=interval,
        rank_violation=value,
        violation_interval=(min(float(low), value), max(float(high), value)),
    )


def mean_maximum_rank_violation(real: np.ndarray, sim: np.ndarray) -> float:
    """Mean over models of the largest real score difference to a model that simulation misranks."""
    otherwise = (sim[:, None] > sim[None, :]) != (real[:, None] > real[None, :])
    return float(np.mean(np.max(np.abs(real[:, None] - real[None, :]) * otherwise, axis=1)))


def _pearson(real: np.ndarray, sim: np.ndarray) -> tuple[float | None, Interval | None]:
    if np.ptp(real) == 0 or np.ptp(sim) == 0:
        return None, None
    found = stats.pearsonr(sim, real)
    if len(real) < 4:  # Fisher's interval has no width to give
        return float(found.statistic), None
    interval = found.confidence_interval(LEVEL)
    return float(found.statistic), (float(interval.low), float(interval.high))
