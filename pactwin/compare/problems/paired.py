"""Paired tests: the same problems answered by two systems.

The difference of a problem is that of the shares of correct answers. Its sign is flipped at random
for whole problems, which is exact if two systems that are alike could have swapped their answers;
with one answer each this is McNemar's exact test. P values are corrected after Holm.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.stats import permutation_test
from statsmodels.stats.multitest import multipletests

from pactwin.compare.intervals import RESAMPLES, pair_interval, resample_weights
from pactwin.compare.problems.agreement import JudgeTrust
from pactwin.compare.problems.metrics import categories_of, is_published
from pactwin.tasks import CORRECT, ProblemRow

_FLIPS = 9999


@dataclass(frozen=True, slots=True)
class ProblemTest:
    """``first`` against ``second`` on the ``n`` problems that both have graded answers to."""

    first: str
    second: str
    n: int
    difference: float
    low: float
    high: float
    p: float
    p_holm: float


def compare_systems(
    rows: Sequence[ProblemRow],
    trust: JudgeTrust | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[ProblemTest]:
    """Every two systems of which at least one was evaluated, not only published.

    A system whose judge cannot be trusted is left out: a test is a conclusion.
    """
    shares: dict[str, dict[str, float]] = {}
    published = {row.model for row in rows if is_published(row)}
    for model in sorted({row.model for row in rows}):
        mine = [row for row in rows if row.model == model]
        if (trust or JudgeTrust()).caution(mine):
            continue
        graded = {
            id: [c in CORRECT for c in given if c]
            for id, given in categories_of(mine, override=False).items()
        }
        shares[model] = {id: float(np.mean(right)) for id, right in graded.items() if right}
    tests = []
    for first, second in combinations(shares, 2):
        both = sorted(shares[first].keys() & shares[second].keys())
        if not both or {first, second} <= published:
            continue
        gains = np.array([shares[first][id] - shares[second][id] for id in both])
        weights = resample_weights(len(both), resamples, np.random.default_rng(seed))
        value = float(gains.mean())
        low, high = pair_interval(value, weights @ gains / len(both), len(both))
        p = _p_value(gains, seed)
        tests.append(
            ProblemTest(first, second, len(both), value, max(low, -1.0), min(high, 1.0), p, p)
        )
    if not tests:
        return []
    corrected = multipletests([t.p for t in tests], method="holm")[1]
    return [replace(t, p_holm=float(p)) for t, p in zip(tests, corrected, strict=True)]


def _p_value(gains: np.ndarray, seed: int) -> float:
    """Two-sided; exact where the signs that count can all be tried."""
    gains = gains[gains != 0]
    if gains.size < 2:  # either sign is as far from none
        return 1.0
    found = permutation_test(
        (gains,),
        lambda x, axis: x.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=_FLIPS,
        rng=np.random.default_rng(seed),
    )
    return min(1.0, float(found.pvalue))
