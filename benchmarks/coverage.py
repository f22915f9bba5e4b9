"""How often 95 % intervals cover the truth, and tests reject it, on simulated clustered answers.

Every line is RUNS experiments. The short form is ``tests/compare/test_coverage.py``.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from clustered_answers import difference_counts, informedness_counts, mirrored_scores

from pactwin.compare.intervals import clustered_difference, clustered_informedness, sign_flip_p
from pactwin.compare.prediction_powered import prediction_powered

RUNS = 1000
PAIRS = (20, 50, 100, 400)
ANSWERS = (1, 4, 24)
ALIKE = (0.05, 0.3, 0.8)
RATES = ((0.6, 0.7), (0.9, 0.5), (0.97, 0.1), (0.97, 0.95), (0.8, 0.98))
DIFFERENCES = ((0.25, 0.15), (0.2, 0.2), (0.08, 0.02), (0.5, 0.0))


def run() -> None:
    """Print a row per statistic and number of pairs: least and most coverage over all settings."""
    table = Table(title=f"coverage in % of 95 % intervals, {RUNS:,} runs a setting")
    for head in ("statistic", "pairs", "settings", "least", "mean", "most"):
        table.add_column(head, justify="left" if head == "statistic" else "right")
    for name, simulate in (
        ("informedness", _informedness),
        ("paired difference", _difference),
        ("prediction-powered score", _powered),
        ("rejected by the clustered McNemar test", _level),
    ):
        for pairs in PAIRS:
            found = 100 * np.array(list(simulate(pairs)))
            numbers = (f"{x:.1f}" for x in (found.min(), found.mean(), found.max()))
            table.add_row(name, str(pairs), str(len(found)), *numbers)
    Console().print(table)


def _share(experiment: Callable[[np.random.Generator], bool]) -> float:
    rng = np.random.default_rng(0)
    return float(np.mean([experiment(rng) for _ in range(RUNS)]))


def _informedness(pairs: int) -> Iterator[float]:
    for rates, alike, answers in product(RATES, ALIKE, ANSWERS):

        def covers(rng: np.random.Generator) -> bool:
            counts = informedness_counts(rng, rates, alike, answers, pairs)  # noqa: B023
            low, high = clustered_informedness(*counts)
            return low <= sum(rates) - 1 <= high  # noqa: B023

        yield _share(covers)


def _difference(pairs: int) -> Iterator[float]:
    for rates, alike, answers in product(DIFFERENCES, ALIKE, ANSWERS):

        def covers(rng: np.random.Generator) -> bool:
            counts = difference_counts(rng, rates, alike, answers, pairs)  # noqa: B023
            low, high = clustered_difference(*counts)
            return low <= rates[0] - rates[1] <= high  # noqa: B023

        yield _share(covers)


def _powered(pairs: int) -> Iterator[float]:
    for rate, faithful, answers in product((0.5, 0.8, 0.95), (0.3, 0.8), (1, 6)):

        def covers(rng: np.random.Generator) -> bool:
            scores = mirrored_scores(rng, rate, faithful, answers, pairs, 400)  # noqa: B023
            found = prediction_powered(*scores)
            return found.low <= rate <= found.high  # noqa: B023

        yield _share(covers)


def _level(pairs: int) -> Iterator[float]:
    for rate, alike, answers in product((0.02, 0.1, 0.3), ALIKE, ANSWERS):

        def rejects(rng: np.random.Generator) -> bool:
            first, second, _ = difference_counts(rng, (rate, rate), alike, answers, pairs)  # noqa: B023
            return sign_flip_p(first - second) <= 0.05

        yield _share(rejects)
