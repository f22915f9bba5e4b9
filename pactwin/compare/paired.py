"""Paired tests: the same questions answered by two models, or by one model in two views.

Each kind declares what is compared: the correctness of answers that count. For constraints it is
the feasibility answer, which all forms share; over twins, a difference in this accuracy is half a
difference in informedness. (The state ``correct`` would not suffice: for ``choice`` and ``open`` it
also needs the right constraint, which makes a correct "no" harder than a correct "yes".) Several
epochs of a question count as their mean.

The test flips the sign of whole clusters' differences and the interval is clustered (see
``intervals``), so that questions about one pair, or object, do not count as independent. P values
are corrected by Holm's method (Scandinavian Journal of Statistics 6, 1979) within each call's
family of tests.

``pairs_needed`` follows from the variance between clusters: this number of pairs detects a
difference of 10 points at the 5 % level with a power of 80 %.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from pactwin.compare.frame import answer_frame
from pactwin.compare.intervals import LEVEL, clustered_difference, sign_flip_p
from pactwin.compare.scores import kind_of_rows
from pactwin.tasks import Row


@dataclass(frozen=True, slots=True)
class PairedTest:
    """``first`` against ``second`` on the ``n`` questions, of ``pairs`` pairs, that both answered.

    ``within`` is the model if two views are compared, empty if two models are. ``difference`` is
    the first's share of correct answers minus the second's, with its 95 % interval; ``p_holm`` is
    ``p`` corrected for the family. ``pairs`` counts clusters: objects for questions about objects.
    ``only_first`` and ``only_second`` count questions that only one side answered correctly; with
    epochs, fractions. ``pairs_needed`` is None if no pair differs, because the variance is then
    unknown.
    """

    within: str
    first: str
    second: str
    n: int
    pairs: int
    only_first: float
    only_second: float
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    pairs_needed: int | None = None


NOTEWORTHY = 0.1
"""Smallest difference of two shares that a comparison should be able to detect."""
POWER = 0.8

Couples = Iterable[tuple[str, str]] | None
"""Names to compare with each other; None compares every two."""


def compare_models(rows: Sequence[Row], couples: Couples = None) -> list[PairedTest]:
    """Compare every two models, or ``couples``, on questions both answered in the same view.

    The rows are of one kind.
    """
    if not rows:
        return []
    wide = right_answers(rows).unstack("model")
    return holm(_tests(wide, "", couples))


def compare_views(rows: Sequence[Row]) -> list[PairedTest]:
    """Compare every two views of each model, on questions it answered in both."""
    if not rows:
        return []
    groups = right_answers(rows).unstack("view").groupby(level="model")
    return holm([test for model, mine in groups for test in _tests(mine, str(model), None)])


def right_answers(rows: Sequence[Row], *, strict: bool = False) -> pd.Series:
    """Share of correct answers by model, cluster, question and view, over epochs.

    Answers that do not count are left out; with ``strict`` they are incorrect.
    """
    frame = answer_frame(rows)
    right, counts = kind_of_rows(rows).scoring.compared
    if not strict:
        frame = frame[frame[counts] == 1]
    shares = frame.assign(share=frame[right].astype(float) * frame[counts])
    return shares.groupby(["model", "cluster", "question", "view"]).share.mean()


def paired_test(
    within: str, first: str, second: str, a: np.ndarray, b: np.ndarray, clusters: np.ndarray
) -> PairedTest:
    """Test shares of correct answers ``a`` against ``b``, both (n,), given their clusters.

    Its ``p_holm`` is still the uncorrected ``p``.
    """
    cluster = pd.factorize(clusters)[0]
    gain = np.asarray(a, float) - np.asarray(b, float)
    only_first, only_second = (
        np.bincount(cluster, weights=np.maximum(sign * gain, 0.0)) for sign in (1, -1)
    )
    size = np.bincount(cluster)
    low, high = clustered_difference(only_first, only_second, size)
    p = sign_flip_p(only_first - only_second)
    counts = float(only_first.sum()), float(only_second.sum())
    return PairedTest(
        within=within, first=first, second=second, n=len(gain), pairs=len(size),
        only_first=counts[0], only_second=counts[1], difference=(counts[0] - counts[1]) / len(gain),
        low=low, high=high, p=p, p_holm=p,
        pairs_needed=_pairs_needed(only_first - only_second, size),
    )  # fmt: skip


def _pairs_needed(gains: np.ndarray, size: np.ndarray) -> int | None:
    if len(size) < 2 or not gains.any():
        return None
    deviations = (gains - gains.sum() / size.sum() * size) / size.mean()
    spread = float(np.std(deviations, ddof=1))
    if spread == 0:
        return None
    quantiles = stats.norm.ppf((1 + LEVEL) / 2) + stats.norm.ppf(POWER)
    return math.ceil((quantiles * spread / NOTEWORTHY) ** 2)


def holm(tests: list[PairedTest]) -> list[PairedTest]:
    """Correct the tests' p values as one family (Holm): the smallest times n, the next times n - 1.

    It equals statsmodels' ``multipletests``, which runs the garbage collector at each call.
    """
    if not tests:
        return []
    p = np.array([test.p for test in tests])
    order = np.argsort(p)
    corrected = np.empty_like(p)
    raised = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected[order] = np.minimum(raised, 1)
    return [replace(t, p_holm=float(c)) for t, c in zip(tests, corrected, strict=True)]


def _tests(wide: pd.DataFrame, within: str, couples: Couples) -> list[PairedTest]:
    """Tests between the columns (sides) of ``wide``, one row per question."""
    tests = []
    for first, second in combinations(wide.columns, 2) if couples is None else couples:
        both = wide.reindex(columns=[first, second]).dropna()
        if not both.empty:
            a, b = (both[side].to_numpy() for side in (first, second))
            clusters = both.index.get_level_values("cluster")
            tests.append(paired_test(within, str(first), str(second), a, b, clusters))
    return tests
