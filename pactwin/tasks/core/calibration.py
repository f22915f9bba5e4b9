"""Scores of probabilities from a table of feasible scenes per stated probability.

Every function takes rising probabilities ``p`` (k,) and counts ``ones`` and ``n`` (..., k) of
feasible scenes and of all scenes, and returns (...): one value per resample. Where ``p`` chooses
the action, p = 0.5 is a coin flip, and answers of equal confidence have a random order.
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import digamma

ECE_BINS = 10
_DRAWS = 200


def recalibrated(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Share of feasible scenes at each ``p`` by isotonic regression, (k,); one row."""
    asked = n > 0
    if not asked.any():
        return np.full(len(p), np.nan)
    fitted = isotonic_regression(ones[asked] / n[asked], weights=n[asked]).x
    return np.interp(p, p[asked], fitted)


def miscalibration(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Miscalibration: Brier score minus recalibrated one (Dimitriadis et al., PNAS 118, 2021)."""
    return _brier(p, ones, n) - _recalibrated_brier(p, ones, n)


def discrimination(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Discrimination: the base rate's Brier score minus the recalibrated one."""
    return uncertainty(p, ones, n) - _recalibrated_brier(p, ones, n)


def uncertainty(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Brier score of the base rate."""
    rate = ones.sum(-1) / n.sum(-1)
    return rate * (1 - rate)


def calibration_error(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Expected calibration error over ten equal bins."""
    bins = np.minimum((p * ECE_BINS).astype(int), ECE_BINS - 1)
    inside = np.eye(ECE_BINS)[bins]
    return np.abs((ones - n * p) @ inside).sum(-1) / n.sum(-1)


def floor_of(score: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """Expected ``score`` if every stated probability is true."""

    def floor(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
        drawn = np.random.default_rng(0).binomial(n.astype(int), p, (_DRAWS, len(p)))
        return score(p, drawn, np.broadcast_to(n, drawn.shape)).mean()

    return floor


def risk_coverage_area(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Mean error of the most confident answers, averaged over coverages (AURC)."""
    errors, sizes = _by_confidence(p, ones, n)
    so_far, asked = _before(errors), _before(sizes)
    rate = np.divide(errors, sizes, out=np.zeros_like(errors), where=sizes > 0)
    harmonic = digamma(asked + sizes + 1) - digamma(asked + 1)
    areas = rate * sizes + (so_far - rate * asked) * harmonic
    return areas.sum(-1) / n.sum(-1)


def generalized_risk_area(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Mean share of undetected errors, averaged over coverages (AUGRC, arXiv 2407.01032)."""
    errors, sizes = _by_confidence(p, ones, n)
    areas = _before(errors) * sizes + errors * (sizes + 1) / 2
    return areas.sum(-1) / n.sum(-1) ** 2


def selective_accuracy(coverage: float) -> Callable[..., np.ndarray]:
    """Accuracy of the most confident answers that make up the share ``coverage``."""

    def accuracy(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
        errors, sizes = _by_confidence(p, ones, n)
        asked = coverage * n.sum(-1, keepdims=True)
        rate = np.divide(errors, sizes, out=np.zeros_like(errors), where=sizes > 0)
        taken = np.clip(asked - _before(sizes), 0, sizes)
        return 1 - (rate * taken).sum(-1) / asked[..., 0]

    return accuracy


def _brier(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
    return (ones * (1 - p) ** 2 + (n - ones) * p**2).sum(-1) / n.sum(-1)


def _recalibrated_brier(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> np.ndarray:
    rows = np.broadcast_to(ones, np.shape(ones)).reshape(-1, len(p))
    sizes = np.broadcast_to(n, np.shape(ones)).reshape(-1, len(p))
    found = [
        _brier(recalibrated(p, one, size), one, size) for one, size in zip(rows, sizes, strict=True)
    ]
    return np.array(found).reshape(np.shape(ones)[:-1])


def _by_confidence(p: np.ndarray, ones: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Errors and answers at each confidence, the highest first."""
    wrong = np.where(p > 0.5, n - ones, np.where(p < 0.5, ones, n / 2))
    groups = np.unique(-np.abs(p - 0.5).round(9), return_inverse=True)[1]
    at = np.eye(groups.max() + 1)[groups]
    return wrong @ at, n @ at


def _before(counts: np.ndarray) -> np.ndarray:
    """The sum of the counts before each."""
    return np.cumsum(counts, axis=-1) - counts
