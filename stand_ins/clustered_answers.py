"""Answers in clusters with known rates, drawn as often as a simulation of coverage needs them."""

from collections.abc import Callable

import numpy as np

from pactwin.compare.estimates import Cell
from pactwin.tasks import ClusterMean, Estimator, Mean, MeanOfRates, Rate, Smooth
from pactwin.tasks.kinds.lists.metrics import f1_of_means
from pactwin.tasks.kinds.objects.metrics import f1


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


CHANCE = 1 / 3
"""What a guess gets right among three options."""
TOPICS = 4

Units = tuple[dict[str, np.ndarray], Estimator, float]
"""Counts by name, a row per answer; what is made of them; and its true value."""


def _share(rng: np.random.Generator, chance: np.ndarray) -> np.ndarray:
    """A value in [0, 1] per answer, in fifths, whose mean is its cluster's chance."""
    return rng.binomial(5, chance) / 5


def _rate(rng: np.random.Generator, chance: np.ndarray, rate: float) -> Units:
    top = (rng.random(len(chance)) < chance).astype(float)
    return {"top": top, "n": np.ones_like(top)}, Rate("top", "n"), rate


def _mean_share(rng: np.random.Generator, chance: np.ndarray, rate: float) -> Units:
    top = _share(rng, chance)
    return {"top": top, "n": np.ones_like(top)}, Rate("top", "n"), rate


def _gain(rng: np.random.Generator, chance: np.ndarray, rate: float) -> Units:
    right = (rng.random(len(chance)) < chance).astype(float)
    gain = (right - CHANCE) / (1 - CHANCE)
    truth = (rate - CHANCE) / (1 - CHANCE)
    return {"top": gain, "n": np.ones_like(gain)}, Rate("top", "n", lowest=-1.0), truth


def _quantity(rng: np.random.Generator, chance: np.ndarray, rate: float) -> Units:
    top = 1.0 + rng.poisson(5 * chance)
    return {"top": top, "n": np.ones_like(top)}, Mean("top", "n"), 1 + 5 * rate


def _cluster_mean(rng: np.random.Generator, chance: np.ndarray, rate: float) -> Units:
    top = (rng.random(len(chance)) < chance).astype(float)
    return {"top": top, "n": np.ones_like(top)}, ClusterMean("top", "n"), rate


def _mean_of_rates(rng: np.random.Generator, chance: np.ndarray, rate: float) -> Units:
    top = (rng.random(len(chance)) < chance).astype(float)
    return {"top": top, "n": np.ones_like(top)}, MeanOfRates("top", "n", "topic"), rate


def _f1(rng: np.random.Generator, chance: np.ndarray, rate: float) -> Units:
    accepted = rng.integers(1, 5, len(chance)).astype(float)
    covered = rng.binomial(accepted.astype(int), chance).astype(float)
    items = covered + rng.poisson(1.0, len(chance))
    counts = {"right": covered, "items": items, "covered": covered, "accepted": accepted}
    expected = np.array([2.5 * rate, 2.5 * rate + 1.0, 2.5 * rate, 2.5])
    return counts, Smooth(tuple(counts), f1), float(f1(expected))


def _f1_of_means(rng: np.random.Generator, chance: np.ndarray, rate: float) -> Units:
    precision, recall = _share(rng, chance), _share(rng, chance)
    counts = {"precision": precision, "recall": recall, "n": np.ones_like(recall)}
    return counts, Smooth(tuple(counts), f1_of_means), rate


ESTIMATORS: dict[str, Callable[[np.random.Generator, np.ndarray, float], Units]] = {
    "rate": _rate,
    "mean of shares": _mean_share,
    "gain over chance": _gain,
    "mean of a quantity": _quantity,
    "mean over clusters": _cluster_mean,
    "mean of rates": _mean_of_rates,
    "F1": _f1,
    "F1 of means": _f1_of_means,
}
"""What metrics of all kinds are made of."""


def estimated_cell(
    rng: np.random.Generator, name: str, rate: float, alike: float, answers: int, clusters: int
) -> tuple[Cell, Estimator, float]:
    """A cell of simulated answers, an estimator, and what it should find."""
    size = sizes(rng, answers, clusters)
    cluster = np.repeat(np.arange(clusters), size)
    chance = chances(rng, rate, alike, clusters)[cluster]
    counts, estimator, truth = ESTIMATORS[name](rng, chance, rate)
    topic = np.arange(len(cluster)) % TOPICS
    place = {count: at for at, count in enumerate(counts)}
    values = np.column_stack(list(counts.values()))
    cell = Cell(values, place, cluster, np.zeros(len(cluster), int), {"topic": topic})
    return cell, estimator, truth
