"""How often intervals of a ladder's bias and noise hold the truth, and how wide they are.

Every setting is RUNS experiments: ladders of nine steps, answers in one or three views, lapses of
2 % on both sides. Thresholds of scenes spread as much as one observer is noisy, or not at all. A
step is the standard deviation of both together, which is the unit of all that is printed. Asked are
93 to 97 %. The seed is 0.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.stats import norm

from pactwin.compare.estimates import Cell, Estimate, estimate
from pactwin.compare.intervals import Interval
from pactwin.tasks import Fitted
from pactwin.tasks.kinds.ladder.curve import fit_curve

RUNS = 500
LADDERS = (15, 30, 60)
VIEWS = (1, 3)
SPREADS = (0.0, 1.0)
"""Spread of thresholds between scenes, in units of an observer's noise within one scene."""
BIAS, LAPSE = 0.5, 0.02
X = np.linspace(-4.0, 4.0, 9)
_FITTED = (
    Fitted("x", "yes", "n", fit_curve, "bias", "plain"),
    Fitted("x", "yes", "n", fit_curve, "noise", "log"),
)


def run() -> None:
    """Print a row per setting."""
    table = Table(title=f"{RUNS} runs a setting; x in steps")
    heads = ("ladders", "views", "spread", "bias held", "noise held", "no curve", "bias ±", "JND ×")
    for head in heads:
        table.add_column(head, justify="right")
    for ladders, views, spread in product(LADDERS, VIEWS, SPREADS):
        rng = np.random.default_rng(0)
        runs = [answered(rng, ladders, views, spread) for _ in range(RUNS)]
        bias = [found for (_, found, _), _ in runs if found is not None]
        noise = [found for _, (_, found, _) in runs if found is not None]
        table.add_row(
            *(f"{ladders}", f"{views}", f"{spread:g}"),
            *(f"{100 * held(found, true):.1f}" for found, true in ((bias, BIAS), (noise, 1.0))),
            f"{RUNS - len(noise)}",
            f"{np.mean([(high - low) / 2 for low, high in bias]):.2f}",
            f"{np.exp(np.mean([np.log(high / low) / 2 for low, high in noise])):.2f}",
        )
    Console(width=100).print(table)


def answered(
    rng: np.random.Generator, ladders: int, views: int, spread: float
) -> tuple[Estimate, Estimate]:
    """Estimates of bias and noise from one simulated run."""
    within = 1 / np.sqrt(1 + spread**2)
    cluster = np.repeat(np.arange(ladders), len(X) * views)
    x = np.tile(np.repeat(X, views), ladders)
    threshold = BIAS + spread * within * rng.standard_normal(ladders)[cluster]
    yes = rng.random(len(x)) < LAPSE + (1 - 2 * LAPSE) * norm.cdf((x - threshold) / within)
    counts = np.column_stack([x, yes, np.ones_like(x)])
    cell = Cell(counts, {"x": 0, "yes": 1, "n": 2}, cluster, np.zeros(len(x), int), {})
    bias, noise = (estimate(cell, fitted) for fitted in _FITTED)
    assert bias is not None and noise is not None
    return bias, noise


def held(found: Sequence[Interval], true: float) -> float:
    """The share of intervals that hold ``true``."""
    return float(np.mean([low <= true <= high for low, high in found]))
