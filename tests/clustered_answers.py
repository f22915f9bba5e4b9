"""Answers in clusters with known rates, drawn as often as a simulation of coverage needs them."""

import numpy as np


def chances(rng: np.random.Generator, rate: float, alike: float, clusters: int) -> np.ndarray:
    """Each cluster's chance: beta with mean ``rate`` and intraclass correlation ``alike``."""
    if not 0 < rate < 1:
        return np.full(clusters, rate)
    size = 1 / alike - 1
    return rng.beta(rate * size, (1 - rate) * size, clusters)


def sizes(rng: np.random.Generator, answers: int, clusters: int) -> np.ndarray:
    """Answers to each cluster: half of ``answers`` to all of them."""
    return rng.integers(max(1, answers // 2), answers + 1, clusters)


def informedness_counts(
    rng: np.random.Generator, rates: tuple[float, float], alike: float, answers: int, pairs: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Right and asked, of the feasible twins and of the others; both have the same questions."""
    asked = sizes(rng, answers, pairs)
    yes, no = (rng.binomial(asked, chances(rng, rate, alike, pairs)) for rate in rates)
    return yes, asked, no, asked


def difference_counts(
    rng: np.random.Generator, rates: tuple[float, float], alike: float, answers: int, pairs: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Right by the first side alone, by the second alone, and asked."""
    asked = sizes(rng, answers, pairs)
    differing = rng.binomial(asked, chances(rng, sum(rates), alike, pairs))
    first = rng.binomial(differing, chances(rng, rates[0] / sum(rates), alike, pairs))
    return first, differing - first, asked


def mirrored_scores(
    rng: np.random.Generator, rate: float, faithful: float, answers: int, real: int, others: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores of pairs: real, the same simulated, and others that are only simulated.

    In a share ``faithful`` of the copied pairs simulation and reality give the same answers.
    """
    ease = chances(rng, rate, 0.6, real + others)
    scores = rng.binomial(answers, ease) / answers
    again = rng.binomial(answers, ease[:real]) / answers
    return np.where(rng.random(real) < faithful, scores[:real], again), scores[:real], scores[real:]
