"""Paired tests: the same questions answered by two models, or by one model in two views.

What is compared is whether the feasibility answer is right, the part of an answer that all forms
share; over twins, a difference in this accuracy is half a difference in informedness. (The state
``correct`` would not do: on ``choice`` and ``open`` it also needs the right constraint, which makes
"no" harder to get right than "yes".)

The test flips the sign of whole pairs' differences and the interval is clustered by pair (see
``intervals``), so that questions which share a pair count for no more than they tell. P values are
corrected after Holm (Scandinavian Journal of Statistics 6, 1979) within each call's family of
tests. Answers about objects are compared likewise, objects for pairs.

How many pairs a comparison takes follows from how much its pairs vary: ``pairs_needed`` would show
a difference of 10 points, at the level of 5 %, four times in five.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.multitest import multipletests

from pactwin.compare.counts import answer_frame
from pactwin.compare.intervals import LEVEL, clustered_difference, sign_flip_p
from pactwin.compare.objects.frame import object_frame
from pactwin.tasks import AnswerRow, ObjectRow


@dataclass(frozen=True, slots=True)
class PairedTest:
    """``first`` against ``second`` on the ``n`` questions that both answered, of ``pairs`` pairs.

    ``within`` is the model when two views are compared, empty when two models are. ``difference``
    is the first's share of right answers minus the second's, with its 95 % interval; ``p_holm`` is
    ``p`` corrected for the family. Of questions about objects ``pairs`` counts the objects.
    ``pairs_needed`` is None where no pair differs: nothing is known of how much they vary.
    """

    within: str
    first: str
    second: str
    n: int
    pairs: int
    only_first: int
    only_second: int
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    pairs_needed: int | None = None


NOTEWORTHY = 0.1
"""The difference of two shares that a comparison should be able to show."""
POWER = 0.8

Couples = Iterable[tuple[str, str]] | None
"""What to compare with what; None is every two."""


def compare_models(rows: Sequence[AnswerRow], couples: Couples = None) -> list[PairedTest]:
    """Every two models, or the named ``couples``, on questions both answered in the same view."""
    if not rows:
        return []
    wide = _wide(_judged(rows), ["pair", "question", "view"], "model")
    return holm(_tests(wide, "", couples))


def compare_views(rows: Sequence[AnswerRow]) -> list[PairedTest]:
    """Every two views of each model, on the questions it answered in both."""
    if not rows:
        return []
    wide = _wide(_judged(rows), ["model", "pair", "question"], "view")
    groups = wide.groupby(level="model")
    return holm([test for model, mine in groups for test in _tests(mine, str(model), None)])


def compare_object_models(rows: Sequence[ObjectRow], couples: Couples = None) -> list[PairedTest]:
    """Every two models, or the named ``couples``, on questions about objects both answered.

    Right is the true category of a property, or all affordances named.
    """
    if not rows:
        return []
    frame = object_frame(rows)
    frame = frame[frame.answered > 0].rename(columns={"object": "pair"})
    return holm(_tests(_wide(frame, ["pair", "question", "view"], "model"), "", couples))


def paired_test(
    within: str, first: str, second: str, a: np.ndarray, b: np.ndarray, clusters: np.ndarray
) -> PairedTest:
    """One test of whether answers are right, ``a`` against ``b``, both (n,), with their clusters.

    Its ``p_holm`` is still ``p``.
    """
    cluster = pd.factorize(clusters)[0]
    only_first, only_second = (
        np.bincount(cluster, weights=only).astype(np.int64) for only in (a & ~b, ~a & b)
    )
    size = np.bincount(cluster)
    low, high = clustered_difference(only_first, only_second, size)
    p = sign_flip_p(only_first - only_second)
    counts = int(only_first.sum()), int(only_second.sum())
    return PairedTest(
        within=within, first=first, second=second, n=len(a), pairs=len(size),
        only_first=counts[0], only_second=counts[1], difference=(counts[0] - counts[1]) / len(a),
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
    """The tests, as one family."""
    if not tests:
        return []
    corrected = multipletests([t.p for t in tests], method="holm")[1]
    return [replace(t, p_holm=float(p)) for t, p in zip(tests, corrected, strict=True)]


def _judged(rows: Sequence[AnswerRow]) -> pd.DataFrame:
    """The answers that say something of feasibility; ``right`` is whether that is right."""
    frame = answer_frame(rows)
    frame = frame[frame.says_yes | frame.says_no]
    return frame.assign(right=frame.says_yes == frame.feasible)


def _wide(frame: pd.DataFrame, index: list[str], column: str) -> pd.DataFrame:
    """1 right, 0 wrong, NaN no answer: a row per question, a column per side."""
    frame = frame.assign(right=frame.right.astype(float))
    return frame.pivot(index=index, columns=column, values="right")


def _tests(wide: pd.DataFrame, within: str, couples: Couples) -> list[PairedTest]:
    tests = []
    for first, second in combinations(wide.columns, 2) if couples is None else couples:
        both = wide.reindex(columns=[first, second]).dropna()
        if not both.empty:
            a, b = (both[side].to_numpy() == 1 for side in (first, second))
            clusters = both.index.get_level_values("pair")
            tests.append(paired_test(within, str(first), str(second), a, b, clusters))
    return tests
