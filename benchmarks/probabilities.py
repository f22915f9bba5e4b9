"""How often intervals of scores of probabilities hold the truth.

Every setting is RUNS experiments. Both twins of a pair are seen in one or four views, with evidence
of d' 1.5 whose noise is half that of the scene and half that of the view. A model says the log odds
of the evidence, or three times them. Truths are the scores of 400,000 pairs. Asked are 93 to 97 %.
The seed is 0.
"""

from itertools import product

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.special import expit

from pactwin.compare.estimates import Cell, estimate
from pactwin.tasks import Tabled
from pactwin.tasks.core.probabilities import PROBABILITY_METRICS

RUNS = 500
PAIRS = (20, 50, 200)
VIEWS = (1, 4)
FACTORS = {"calibrated": 1.0, "overconfident": 3.0}
SEPARATION = 1.5
MANY = 400_000
METRICS = {
    metric.name.removeprefix("stated_"): metric.estimator
    for metric in PROBABILITY_METRICS
    if metric.name.removeprefix("stated_")
    in ("delta_p", "brier", "miscalibration", "discrimination", "aurc", "augrc")
}
COUNTS = ("stated_p", "stated_ones", "stated_n", "stated_squared", "stated_gap", "stated_twins")


def run() -> None:
    """Print a row per setting."""
    table = Table(title=f"{RUNS} runs a setting; share of intervals that hold the truth, %")
    for head in ("model", "pairs", "views", *METRICS):
        table.add_column(head, justify="right")
    for model, pairs, views in product(FACTORS, PAIRS, VIEWS):
        held = coverage(model, pairs, views, RUNS)
        table.add_row(model, f"{pairs}", f"{views}", *(f"{100 * held[m]:.1f}" for m in METRICS))
    Console(width=110).print(table)


def coverage(model: str, pairs: int, views: int, runs: int) -> dict[str, float]:
    """The share of intervals of each metric that hold the truth."""
    rng = np.random.default_rng(0)
    many = answers(rng, MANY, 1, FACTORS[model], clusters=1)
    true = {name: _value(many, name) for name in METRICS}
    held = dict.fromkeys(METRICS, 0)
    for _ in range(runs):
        cell = answers(rng, pairs, views, FACTORS[model])
        for name, estimator in METRICS.items():
            found = estimate(cell, estimator)
            assert found is not None and found[1] is not None
            held[name] += found[1][0] <= true[name] <= found[1][1]
    return {name: count / runs for name, count in held.items()}


def answers(
    rng: np.random.Generator, pairs: int, views: int, factor: float, clusters: int | None = None
) -> Cell:
    """Counts of each answer, and of each couple of twins in a view; pairs are the clusters."""
    truth = np.broadcast_to(np.array([0.0, 1.0])[:, None], (pairs, 2, views))
    noise = (rng.standard_normal((pairs, 2, views)) + rng.standard_normal((pairs, 2, 1))) / 2**0.5
    p = expit(factor * SEPARATION * (noise + SEPARATION * (truth - 0.5)))
    number = np.arange(pairs) % (clusters or pairs)
    cluster = np.broadcast_to(number[:, None, None], truth.shape)
    one, none = np.ones(truth.size), np.zeros(truth.size)
    said = [p.round(3).ravel(), truth.ravel(), one, ((p - truth) ** 2).ravel(), none, none]
    gap = (p[:, 1] - p[:, 0]).ravel()
    nothing, couple = np.zeros(gap.size), np.ones(gap.size)
    couples = [nothing, nothing, nothing, nothing, gap, couple]
    values = np.hstack([np.stack(said), np.stack(couples)]).T
    of = np.concatenate([cluster.ravel(), cluster[:, 0].ravel()])
    place = {count: at for at, count in enumerate(COUNTS)}
    return Cell(values, place, of, np.zeros(len(of), int), {})


def _value(cell: Cell, name: str) -> float:
    """The score itself, without an interval."""
    estimator = METRICS[name]
    if not isinstance(estimator, Tabled):
        return cell.total(estimator.columns[0]) / cell.total(estimator.columns[1])
    grid, tables = cell.tables(estimator.columns)
    return float(estimator.function(grid, *tables.sum(axis=1)))
