"""Paired tests: the same questions answered by two models, or by one model in two views.

What is compared is whether the feasibility answer is right, the part of an answer that all forms
share; over twins, a difference in this accuracy is half a difference in informedness. (The state
``correct`` would not do: on ``choice`` and ``open`` it also needs the right constraint, which makes
"no" harder to get right than "yes".)

McNemar's exact test (Psychometrika 12, 1947) looks only at the questions of which one side got one
right and the other wrong. It takes questions as independent; ours come in twin pairs, so its p is
off where many questions share a pair, mostly too small. The interval of the difference resamples
whole pairs and does not have this fault: trust a difference if both agree. P values are corrected
after Holm (Scandinavian Journal of Statistics 6, 1979) within each call's family of tests.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from pactwin.compare.counts import answer_frame
from pactwin.compare.intervals import RESAMPLES, pair_interval, resample_weights
from pactwin.tasks import AnswerRow


@dataclass(frozen=True, slots=True)
class PairedTest:
    """``first`` against ``second`` on the ``n`` questions whose feasibility both answered.

    ``within`` is the model when two views are compared, empty when two models are. ``difference``
    is the first's accuracy in feasibility minus the second's, with its 95 % interval; ``p_holm`` is
    ``p`` corrected for the family.
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


def compare_models(
    rows: Sequence[AnswerRow],
    couples: Iterable[tuple[str, str]] | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[PairedTest]:
    """Every two models, or the named ``couples``, on questions both answered in the same view."""
    if not rows:
        return []
    wide = _wide(rows, ["pair", "question", "view"], "model")
    if couples is None:
        couples = combinations(wide.columns, 2)
    return _holm(_tests(wide, "", couples, resamples, seed))


def compare_views(
    rows: Sequence[AnswerRow], *, resamples: int = RESAMPLES, seed: int = 0
) -> list[PairedTest]:
    """Every two views of each model, on the questions it answered in both."""
    if not rows:
        return []
    wide = _wide(rows, ["model", "pair", "question"], "view")
    tests: list[PairedTest] = []
    for model, mine in wide.groupby(level="model"):
        couples = combinations(wide.columns, 2)
        tests.extend(_tests(mine, str(model), couples, resamples, seed))
    return _holm(tests)


def _wide(rows: Sequence[AnswerRow], index: list[str], column: str) -> pd.DataFrame:
    """1 right, 0 wrong, NaN no feasibility answer: a row per question, a column per side."""
    frame = answer_frame(rows)
    frame = frame[frame.says_yes | frame.says_no]
    right = (frame.says_yes == frame.feasible).astype(float)
    return frame.assign(right=right).pivot(index=index, columns=column, values="right")


def _tests(
    wide: pd.DataFrame,
    within: str,
    couples: Iterable[tuple[str, str]],
    resamples: int,
    seed: int,
) -> list[PairedTest]:
    tests = []
    for first, second in couples:
        both = wide.reindex(columns=[first, second]).dropna()
        if both.empty:
            continue
        a, b = both[first].to_numpy() == 1, both[second].to_numpy() == 1
        only_first, only_second = int((a & ~b).sum()), int((~a & b).sum())
        table = [[int((a & b).sum()), only_first], [only_second, int((~a & ~b).sum())]]
        p = min(1.0, float(mcnemar(table, exact=True).pvalue))
        pair = pd.factorize(both.index.get_level_values("pair"))[0]
        n_pairs = int(pair.max()) + 1
        gain = np.bincount(pair, weights=a.astype(float) - b)
        size = np.bincount(pair)
        weights = resample_weights(n_pairs, resamples, np.random.default_rng(seed))
        difference = (only_first - only_second) / len(both)
        low, high = pair_interval(difference, (weights @ gain) / (weights @ size), n_pairs)
        tests.append(
            PairedTest(
                within=within,
                first=str(first),
                second=str(second),
                n=len(both),
                pairs=n_pairs,
                only_first=only_first,
                only_second=only_second,
                difference=difference,
                low=max(low, -1.0),
                high=min(high, 1.0),
                p=p,
                p_holm=p,
            )
        )
    return tests


def _holm(tests: list[PairedTest]) -> list[PairedTest]:
    if not tests:
        return []
    corrected = multipletests([t.p for t in tests], method="holm")[1]
    return [replace(t, p_holm=float(p)) for t, p in zip(tests, corrected, strict=True)]
