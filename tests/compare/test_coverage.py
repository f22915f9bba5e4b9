"""What is called a 95 % interval covers the truth so often, and what is called a test keeps 5 %."""

import numpy as np
import pytest
from clustered_answers import (
    ESTIMATORS,
    difference_counts,
    estimated_cell,
    informedness_counts,
    mirrored_scores,
)

from pactwin.compare.estimates import estimate
from pactwin.compare.intervals import clustered_difference, clustered_informedness, sign_flip_p
from pactwin.compare.prediction_powered import prediction_powered
from pactwin.tasks import COMMON, KINDS, Constant, Fitted, Smooth, SumOfRates, Tabled

RUNS = 1000
# One standard error of a coverage of 95 % in so many runs is 0.7 %.
ROOM = 0.01


def least(pairs: int) -> float:
    return (0.935 if pairs >= 100 else 0.93) - ROOM


def most(pairs: int, skewed: bool) -> float:
    """Skewed rates and few pairs may be covered more often, for they come in few steps."""
    return 0.965 + ROOM if pairs >= 100 and not skewed else 1.0


@pytest.mark.parametrize("pairs", [20, 100])
@pytest.mark.parametrize("rates", [(0.6, 0.7), (0.97, 0.95), (0.97, 0.1)])
def test_informedness(pairs: int, rates: tuple[float, float]) -> None:
    rng = np.random.default_rng(1)
    found = [
        clustered_informedness(*informedness_counts(rng, rates, 0.6, 8, pairs)) for _ in range(RUNS)
    ]
    covered = np.mean([low <= sum(rates) - 1 <= high for low, high in found])
    assert least(pairs) <= covered <= most(pairs, max(rates) > 0.9)


@pytest.mark.parametrize("pairs", [20, 100])
@pytest.mark.parametrize("rates", [(0.25, 0.15), (0.5, 0.0), (0.06, 0.02)])
def test_paired_difference(pairs: int, rates: tuple[float, float]) -> None:
    rng = np.random.default_rng(2)
    found = [
        clustered_difference(*difference_counts(rng, rates, 0.6, 8, pairs)) for _ in range(RUNS)
    ]
    covered = np.mean([low <= rates[0] - rates[1] <= high for low, high in found])
    assert least(pairs) <= covered <= most(pairs, min(rates) < 0.1)


@pytest.mark.parametrize(("pairs", "rate"), [(20, 0.8), (50, 0.9), (100, 0.5)])
def test_prediction_powered_score(pairs: int, rate: float) -> None:
    rng = np.random.default_rng(3)
    drawn = (mirrored_scores(rng, rate, 0.5, 4, pairs, 400) for _ in range(RUNS))
    found = [prediction_powered(*scores) for scores in drawn]
    covered = np.mean([score.low <= rate <= score.high for score in found])
    assert least(pairs) <= covered <= most(pairs, rate > 0.8)


@pytest.mark.parametrize("pairs", [10, 60])
def test_clustered_mcnemar_keeps_its_level(pairs: int) -> None:
    rng = np.random.default_rng(4)
    drawn = (difference_counts(rng, (0.2, 0.2), 0.6, 8, pairs) for _ in range(RUNS))
    p = np.array([sign_flip_p(first - second) for first, second, _ in drawn])
    assert np.mean(p <= 0.05) <= 0.05 + ROOM
    assert np.mean(p <= 0.05) >= 0.02, "a test that never rejects keeps any level"


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_of_every_kind(name: str) -> None:
    """Answers of a cluster are alike: intervals that took them for independent would miss."""
    rng = np.random.default_rng(6)
    covered = []
    for _ in range(RUNS // 2):
        cell, estimator, truth = estimated_cell(rng, name, 0.7, 0.5, 8, 30)
        found = estimate(cell, estimator)
        assert found is not None and found[1] is not None
        covered.append(found[1][0] <= truth <= found[1][1])
    assert np.mean(covered) >= 0.93 - 1.5 * ROOM


def test_every_metric_of_every_kind_is_made_of_what_is_simulated() -> None:
    """Sums of two rates are :func:`test_informedness`; a constant has no interval.

    Fitted curves are in ``test_ladder_scores.py``, tables in ``test_probabilities.py``.
    """
    rng = np.random.default_rng(7)
    simulated = [estimated_cell(rng, name, 0.7, 0.5, 8, 30)[1] for name in ESTIMATORS]
    types = {type(e) for e in simulated} | {SumOfRates, Constant, Fitted, Tabled}
    functions = {e.function for e in simulated if isinstance(e, Smooth)}
    for kind in KINDS.values():
        for metric in (*kind.scoring.metrics, *COMMON):
            made_of = metric.estimator
            assert type(made_of) in types, (kind.name, metric.name)
            assert not isinstance(made_of, Smooth) or made_of.function in functions, metric.name
