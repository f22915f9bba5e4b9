"""Scores of answers about objects, per model, property, view and domain, with 95 % intervals.

``_strict`` counts an asked question without an answer as wrong; the plain value leaves it out.

======================== ==========================================================================
property_accuracy        share of answers that are the true category
property_mean_accuracy   plain mean of the properties' accuracies, as published tables average
property_chance          accuracy expected of guessing evenly among the options
property_corrected       (accuracy - chance) / (1 - chance), question by question: 0 is guessing,
                         1 is perfect, below 0 is worse than guessing
property_consistency     share of questions, asked in two or more single views and answered in all
                         of them, that got the same category throughout, right or wrong
property_coverage        answered / asked
property_completeness    asked / planned, as of constraints; pooled only
affordance_all           share of answers that name every accepted affordance (PAC Bench)
affordance_any           share of answers that name any of them (PAC Bench)
affordance_precision     share of the different affordances named that are accepted ones
affordance_recall        share of the accepted affordances that are named
affordance_f1            harmonic mean of precision and recall
affordance_coverage      answered / asked
affordance_completeness  asked / planned
======================== ==========================================================================

Precision, recall and F1 are over all answers of a cell together; accepted affordances are what is
known of an object, not all that can be done with it, so precision is a lower bound.

Intervals: Wilson where each object contributes at most one unit; otherwise from the variance
between whole objects with all their questions and pictures. See ``compare/intervals.py``.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from pactwin.compare.counts import POOLED
from pactwin.compare.intervals import clustered_rate, rate_from_influence, wilson
from pactwin.compare.metrics import ObjectScore, completeness, planned_questions
from pactwin.compare.objects.frame import OBJECT_COUNTS, object_frame
from pactwin.tasks import ObjectRow

OBJECT_RATES: dict[str, tuple[str, str]] = {
    "property_accuracy": ("right", "answered"),
    "property_accuracy_strict": ("right", "asked"),
    "property_chance": ("chance", "asked"),
    "property_corrected": ("gain", "answered"),
    "property_corrected_strict": ("gain_strict", "asked"),
    "property_consistency": ("same", "compared"),
    "property_coverage": ("answered", "asked"),
    "affordance_all": ("right", "answered"),
    "affordance_all_strict": ("right", "asked"),
    "affordance_any": ("any", "answered"),
    "affordance_any_strict": ("any", "asked"),
    "affordance_precision": ("items_right", "items"),
    "affordance_recall": ("covered", "accepted"),
    "affordance_coverage": ("answered", "asked"),
}
MEAN, F1 = "property_mean_accuracy", "affordance_f1"
OBJECT_COMPLETENESS = {"property": "property_completeness", "affordance": "affordance_completeness"}
OBJECT_METRICS = (MEAN, *OBJECT_RATES, F1, *OBJECT_COMPLETENESS.values())

# What cells are split by; everything else pools.
_SPLITS: tuple[tuple[str, ...], ...] = (
    (),
    ("topic",),
    ("view",),
    ("observability",),
    ("domain",),
    ("topic", "view"),
    ("topic", "observability"),
    ("domain", "topic"),
    ("domain", "view"),
)
_AXES = ("domain", "view", "topic", "observability")
# Of one answer each, so that their units are independent if there is one per object.
_UNITS = {"answered", "asked", "compared"}
_COLUMN = {name: i for i, name in enumerate(OBJECT_COUNTS)}


def score_objects(rows: Sequence[ObjectRow]) -> list[ObjectScore]:
    """Every metric of every model in every cell that was asked, pooled cells first.

    Depends on the set of rows, not on their order. Raises InvalidInputError for no rows, or for a
    question that a model answered twice in the same view.
    """
    frame = object_frame(rows)
    scores: list[ObjectScore] = []
    planned = {
        kind: planned_questions([row for row in rows if row.kind == kind])
        for kind in OBJECT_COMPLETENESS
    }
    for (model, kind), mine in frame.groupby(["model", "kind"]):
        asked, metric = int(mine.asked.sum()), OBJECT_COMPLETENESS[str(kind)]
        share = completeness(str(model), metric, asked, planned[str(kind)])
        scores.append(ObjectScore(*share, POOLED, POOLED))
        for split in _SPLITS:
            if kind == "affordance" and {"topic", "observability"} & set(split):
                continue
            for names, cell in _split(mine, split):
                place = dict.fromkeys(_AXES, POOLED) | names
                for metric, value, bounds, n in _measure(cell, str(kind)):
                    low, high = bounds or (None, None)
                    scores.append(
                        ObjectScore(
                            model=str(model), form=POOLED, metric=metric,
                            value=value, low=low, high=high, n=n, **place,
                        )
                    )  # fmt: skip
    return scores


_Measured = tuple[str, float | None, tuple[float, float] | None, int]


def _split(
    frame: pd.DataFrame, by: tuple[str, ...]
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """The cells of a frame; questions across views only exist where views pool."""
    if "view" in by:
        frame = frame[frame.view != POOLED]
    if not by:
        yield {}, frame
        return
    for key, cell in frame.groupby(list(by)):
        names = dict(zip(by, map(str, key), strict=True))
        if "" not in names.values():
            yield names, cell


def _measure(cell: pd.DataFrame, kind: str) -> Iterator[_Measured]:
    """Every metric of ``kind`` that something was asked for in ``cell``."""
    table = _per_object(cell)
    objects = table.sum(axis=1)
    for metric, (top, bottom) in OBJECT_RATES.items():
        if metric.startswith(kind) and objects[:, _COLUMN[_asked(bottom)]].any():
            yield metric, *_rate(objects, top, bottom)
    if kind == "affordance":
        yield F1, *_f1(objects)
    elif table.shape[1] > 1:
        yield MEAN, *_mean(table)


def _per_object(cell: pd.DataFrame) -> np.ndarray:
    """Sums of ``OBJECT_COUNTS``, shape (objects, topics, counts), both in order of name."""
    names, row = np.unique(cell.object_code.to_numpy(), return_inverse=True)
    topics, column = np.unique(cell.topic_code.to_numpy(), return_inverse=True)
    table = np.zeros((len(names), len(topics), len(OBJECT_COUNTS)))
    np.add.at(table, (row, column), cell[list(OBJECT_COUNTS)].to_numpy())
    return table


def _asked(bottom: str) -> str:
    """The count that tells whether a rate is about anything in a cell."""
    return "compared_asked" if bottom == "compared" else "asked"


_Estimate = tuple[float | None, tuple[float, float] | None, int]


def _rate(objects: np.ndarray, top: str, bottom: str) -> _Estimate:
    tops, bottoms = objects[:, _COLUMN[top]], objects[:, _COLUMN[bottom]]
    n = int(bottoms.sum())
    if n == 0:
        return None, None, 0
    value = float(tops.sum() / n)
    if top == "chance":
        return value, None, n
    if top in ("gain", "gain_strict"):  # between -1 and 1
        low, high = clustered_rate((tops + bottoms) / 2, bottoms)
        return value, (min(2 * low - 1, value), max(2 * high - 1, value)), n
    if bottom in _UNITS and bottoms.max() <= 1:
        return value, wilson(int(tops.sum()), n), n
    return value, clustered_rate(tops, bottoms), n


def _f1(objects: np.ndarray) -> _Estimate:
    """F1, with the jackknife's influence of each object."""
    counts = objects[:, [_COLUMN[c] for c in ("items_right", "items", "covered", "accepted")]]
    used = counts[counts[:, 3] > 0]
    n = int(counts[:, 3].sum())
    if n == 0:
        return None, None, 0

    def f1(sums: np.ndarray) -> np.ndarray:
        precision, recall = _ratio(sums[..., 0], sums[..., 1]), _ratio(sums[..., 2], sums[..., 3])
        return np.nan_to_num(_ratio(2 * precision * recall, precision + recall))

    value = float(f1(counts.sum(axis=0)))
    without = f1(used.sum(axis=0) - used)
    influence = (without.mean() - without) * (len(used) - 1) / len(used)
    return value, rate_from_influence(value, influence), n


def _mean(table: np.ndarray) -> _Estimate:
    """Mean over properties of those with an answer."""
    tops, bottoms = table[:, :, _COLUMN["right"]], table[:, :, _COLUMN["answered"]]
    measured = bottoms.sum(axis=0) > 0
    if not measured.any():
        return None, None, 0
    tops, bottoms = tops[:, measured], bottoms[:, measured]
    rates = tops.sum(axis=0) / bottoms.sum(axis=0)
    influence = ((tops - rates * bottoms) / bottoms.sum(axis=0)).mean(axis=1)
    used = (bottoms > 0).any(axis=1)
    n = int(bottoms.sum())
    return float(rates.mean()), rate_from_influence(float(rates.mean()), influence[used]), n


def _ratio(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    return np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=bottom > 0)
