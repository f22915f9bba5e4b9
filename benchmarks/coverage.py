"""How often 95 % intervals cover the truth, and tests reject it, on simulated clustered answers.

Every setting is RUNS experiments. Asked are 93.5 to 96.5 % from 100 pairs on, at least 93 % of
fewer pairs or skewed rates, and tests that reject at most 5 % (with two standard errors of 10,000
runs, 5.44 %). A setting beyond that, as a few of so many are by chance, is simulated anew ten
times as often, and that counts. The seeds are 0, and 1 for what is simulated anew. The short form,
and that every metric of every kind is made of what is simulated, are in
``tests/compare/test_coverage.py``.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np
from clustered_answers import (
    ESTIMATORS,
    difference_counts,
    estimated_cell,
    informedness_counts,
    mirrored_scores,
)
from rich.console import Console
from rich.table import Table

from pactwin.compare.estimates import estimate
from pactwin.compare.intervals import clustered_difference, clustered_informedness, sign_flip_p
from pactwin.compare.prediction_powered import prediction_powered

RUNS = 2000
PAIRS = (20, 50, 200)
ANSWERS = (1, 4, 24)
ALIKE = (0.05, 0.3, 0.8)
RATES = ((0.6, 0.7), (0.9, 0.5), (0.97, 0.1), (0.97, 0.95), (0.8, 0.98))
DIFFERENCES = ((0.25, 0.15), (0.2, 0.2), (0.08, 0.02), (0.5, 0.0))
SKEWED = 0.1
"""A rate nearer to 0 or 1 is skewed."""

Experiment = Callable[[np.random.Generator], bool]
Setting = tuple[tuple[object, ...], bool, Experiment]
"""Its parameters, whether its rates are skewed, and one experiment."""


def run() -> None:
    """Print a row per statistic and number of pairs, and every setting beyond what is asked."""
    console = Console(width=120)
    table = Table(title=f"share in % of {RUNS:,} runs a setting")
    for head in ("statistic", "pairs", "settings", "least", "mean", "most", "near 95", "beyond"):
        table.add_column(head, justify="left" if head == "statistic" else "right")
    statistics: list[tuple[str, Callable[[int], Iterator[Setting]]]] = [
        ("informedness", _informedness),
        ("paired difference", _difference),
        ("prediction-powered score", _ppi),
        ("rejected by the clustered McNemar test", _level),
        *((f"estimator: {name}", partial(_estimated, name)) for name in ESTIMATORS),
    ]
    for name, settings in statistics:
        for pairs in PAIRS:
            found, beyond = [], []
            for parameters, skewed, experiment in settings(pairs):
                low, high = (0.0, 0.0544) if settings is _level else _asked(pairs, skewed)
                share = _share(experiment, RUNS, seed=0)
                if not low <= share <= high:
                    share = _share(experiment, 10 * RUNS, seed=1)
                found.append(share)
                if not low <= share <= high:
                    beyond.append(f"{name}, {pairs} pairs, {parameters}: {share:.2%}")
            numbers = (f"{100 * x:.1f}" for x in (min(found), np.mean(found), max(found)))
            near = sum(0.935 <= share <= 0.965 for share in found)
            table.add_row(name, *map(str, (pairs, len(found), *numbers, near, len(beyond))))
            for line in beyond:
                console.print(line)
    console.print(table)


def _estimated(name: str, clusters: int) -> Iterator[Setting]:
    """What every kind's metrics are made of, whatever is counted."""

    def covers(
        name: str, rate: float, alike: float, answers: int, rng: np.random.Generator
    ) -> bool:
        cell, estimator, truth = estimated_cell(rng, name, rate, alike, answers, clusters)
        found = estimate(cell, estimator)
        if found is None or found[1] is None:
            return True  # nothing was there to be measured, and nothing is claimed
        return found[1][0] <= truth <= found[1][1]

    for setting in product((0.2, 0.5, 0.8, 0.95), ALIKE, (1, 4, 12)):
        yield setting, _is_skewed(setting[0]), partial(covers, name, *setting)


def _asked(pairs: int, skewed: bool) -> tuple[float, float]:
    return (0.93, 1.0) if skewed or pairs < 100 else (0.935, 0.965)


def _is_skewed(*rates: float) -> bool:
    return any(rate < SKEWED or rate > 1 - SKEWED for rate in rates)


def _share(experiment: Experiment, runs: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return float(np.mean([experiment(rng) for _ in range(runs)]))


def _informedness(pairs: int) -> Iterator[Setting]:
    def covers(
        rates: tuple[float, float], alike: float, answers: int, rng: np.random.Generator
    ) -> bool:
        low, high = clustered_informedness(*informedness_counts(rng, rates, alike, answers, pairs))
        return low <= sum(rates) - 1 <= high

    for setting in product(RATES, ALIKE, ANSWERS):
        yield setting, _is_skewed(*setting[0]), partial(covers, *setting)


def _difference(pairs: int) -> Iterator[Setting]:
    def covers(
        rates: tuple[float, float], alike: float, answers: int, rng: np.random.Generator
    ) -> bool:
        low, high = clustered_difference(*difference_counts(rng, rates, alike, answers, pairs))
        return low <= rates[0] - rates[1] <= high

    for setting in product(DIFFERENCES, ALIKE, ANSWERS):
        yield setting, _is_skewed(*setting[0]), partial(covers, *setting)


def _ppi(pairs: int) -> Iterator[Setting]:
    def covers(rate: float, faithful: float, answers: int, rng: np.random.Generator) -> bool:
        found = prediction_powered(*mirrored_scores(rng, rate, faithful, answers, pairs, 400))
        return found.low <= rate <= found.high

    for setting in product((0.5, 0.8, 0.95), (0.3, 0.8), (1, 6)):
        yield setting, _is_skewed(setting[0]), partial(covers, *setting)


def _level(pairs: int) -> Iterator[Setting]:
    def rejects(rate: float, alike: float, answers: int, rng: np.random.Generator) -> bool:
        first, second, _ = difference_counts(rng, (rate, rate), alike, answers, pairs)
        return sign_flip_p(first - second) <= 0.05

    for setting in product((0.02, 0.1, 0.3), ALIKE, ANSWERS):
        yield setting, _is_skewed(setting[0]), partial(rejects, *setting)
