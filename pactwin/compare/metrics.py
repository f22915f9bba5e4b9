"""Scores of every kind of question, per model and cell, with 95 % intervals.

Each kind declares its metrics (:class:`pactwin.tasks.Scoring`). ``_strict`` counts an asked
question without an answer as incorrect; the plain value leaves it out, so read it together with
``coverage`` (answered / asked). ``completeness`` is asked / planned over all runs of a model: below
1 if a run was interrupted or stopped at its budget. It is no estimate, so its interval is a point.
Pooled values weight every asked question equally.

Strata with fewer than MIN_CLUSTERS clusters are merged, because one or two clusters cannot estimate
a variance.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from pactwin.compare.estimates import Cell, estimate
from pactwin.compare.frame import answer_frame, repeated
from pactwin.compare.scores import Score, by_kind, kind_of_rows, planned_questions
from pactwin.tasks import COMMON, COMPLETENESS, KINDS, POOLED, QuestionKind, Row, Tabled

MIN_CLUSTERS = 5


def score(rows: Sequence[Row], every: Sequence[Row] | None = None) -> list[Score]:
    """Compute every metric of every model in every cell; the rows are of one kind.

    ``every`` are the rows of all kinds, for metrics that need other kinds; by default ``rows``.
    Pooled cells come first. The result does not depend on the order of rows. Raises
    InvalidInputError for no rows, or for a question that a model answered twice.
    """
    frame = answer_frame(rows)
    kind = kind_of_rows(rows)
    units = _units(frame, kind, rows if every is None else every)
    planned = planned_questions(rows)
    asked = frame.groupby("model").asked.sum()
    scores: list[Score] = []
    for model, mine in units.groupby("model"):
        name = str(model)
        scores.extend(_score_model(name, mine, kind))
        n = max(int(asked[name]), planned[name])
        share = int(asked[name]) / n
        metric = f"{kind.scoring.prefix}{COMPLETENESS}"
        scores.append(Score(name, kind.name, metric, share, share, share, n))
    return scores


def score_kinds(rows: Sequence[Row]) -> list[Score]:
    """Compute the scores of every kind among ``rows``."""
    return [s for mine in by_kind(rows).values() for s in score(mine, rows)]


def metric_names() -> tuple[str, ...]:
    """Names of the metrics of all kinds."""
    return tuple(dict.fromkeys(n for kind in KINDS.values() for n in kind.scoring.names))


def _units(frame: pd.DataFrame, kind: QuestionKind, every: Sequence[Row]) -> pd.DataFrame:
    """Answers and all other units, one per row; counts that do not apply are 0."""
    scoring = kind.scoring
    further = [repeated(frame, scoring.axes), *scoring.further(frame, every)]
    units = pd.concat([frame, *(part for part in further if len(part))], ignore_index=True)
    counts = _counts(kind)
    units = units.reindex(columns=list(dict.fromkeys([*units.columns, *counts])))
    units[counts] = units[counts].astype(float).fillna(0.0)
    axes = list(scoring.axes)
    units[axes] = units[axes].fillna(POOLED)
    return units[["model", "cluster", *axes, *counts]]


def _counts(kind: QuestionKind) -> list[str]:
    """The columns that the kind's metrics read."""
    metrics = (*kind.scoring.metrics, *COMMON)
    return list(dict.fromkeys(c for m in metrics for c in (*m.estimator.columns, *m.asked)))


def _score_model(model: str, units: pd.DataFrame, kind: QuestionKind) -> Iterator[Score]:
    scoring, counts = kind.scoring, _counts(kind)
    values = units[counts].to_numpy()
    place = {name: at for at, name in enumerate(counts)}
    cluster = pd.factorize(units.cluster, sort=True)[0]
    stratum = _strata(units, scoring.stratum)
    groups = {axis: units[axis].to_numpy() for axis in scoring.axes}
    for split in scoring.splits:
        for names, chosen in _cells(units, split):
            cell = Cell(
                values[chosen],
                place,
                cluster[chosen],
                stratum[chosen],
                {axis: group[chosen] for axis, group in groups.items()},
            )
            for metric in (*scoring.metrics, *COMMON):
                asked = all(cell.total(count) for count in metric.asked)
                asked &= not split or not isinstance(metric.estimator, Tabled)
                found = estimate(cell, metric.estimator) if asked else None
                if found is not None:
                    value, interval, n = found
                    low, high = interval or (None, None)
                    name = f"{scoring.prefix}{metric.name}"
                    yield Score(model, kind.name, name, value, low, high, n, names)


def _strata(units: pd.DataFrame, axis: str) -> np.ndarray:
    """The stratum of each unit, as a number; small ones are -1."""
    if not axis:
        return np.zeros(len(units), int)
    sizes = units.drop_duplicates("cluster")[axis].value_counts()
    large = sorted(name for name, size in sizes.items() if size >= MIN_CLUSTERS)
    codes = {name: code for code, name in enumerate(large)}
    return units[axis].map(lambda name: codes.get(name, -1)).to_numpy()


def _cells(
    units: pd.DataFrame, split: tuple[str, ...]
) -> Iterator[tuple[tuple[tuple[str, str], ...], np.ndarray]]:
    """Each cell of a split: the axes that do not pool with their values, and its units' places."""
    if not split:
        yield (), np.arange(len(units))
        return
    for key, places in units.groupby(list(split)).indices.items():
        names = key if isinstance(key, tuple) else (key,)
        if not {POOLED, ""} & set(names):
            yield tuple(zip(split, map(str, names), strict=True)), places
