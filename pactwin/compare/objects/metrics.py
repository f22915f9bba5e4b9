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

Intervals: Wilson where each object contributes at most one unit; otherwise a bootstrap that
resamples whole objects with all their questions and pictures. See ``compare/intervals.py``.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd

from pactwin.compare.counts import POOLED
from pactwin.compare.intervals import RESAMPLES, pair_interval, resample_weights, wilson
from pactwin.compare.metrics import ObjectScore, planned_questions
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


def score_objects(
    rows: Sequence[ObjectRow], *, resamples: int = RESAMPLES, seed: int = 0
) -> list[ObjectScore]:
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
        n = max(int(mine.asked.sum()), planned[str(kind)][str(model)])
        scores.append(_completeness(str(model), str(kind), int(mine.asked.sum()), n))
        for split in _SPLITS:
            if kind == "affordance" and {"topic", "observability"} & set(split):
                continue
            for names, cell in _split(mine, split):
                place = dict.fromkeys(_AXES, POOLED) | names
                for metric, value, bounds, n in _measure(cell, str(kind), resamples, seed):
                    low, high = bounds or (None, None)
                    scores.append(
                        ObjectScore(
                            model=str(model), form=POOLED, metric=metric,
                            value=value, low=low, high=high, n=n, **place,
                        )
                    )  # fmt: skip
    return scores


def _completeness(model: str, kind: str, asked: int, planned: int) -> ObjectScore:
    """How much of a run there is: no estimate, so its interval is a point."""
    share = asked / planned
    return ObjectScore(
        model=model, domain=POOLED, view=POOLED, form=POOLED, topic=POOLED, observability=POOLED,
        metric=OBJECT_COMPLETENESS[kind], value=share, low=share, high=share, n=planned,
    )  # fmt: skip


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


def _measure(cell: pd.DataFrame, kind: str, resamples: int, seed: int) -> Iterator[_Measured]:
    """Every metric of ``kind`` that something was asked for in ``cell``."""
    table = _per_object(cell)
    objects = table.sum(axis=1)
    weights = _weights(len(objects), resamples, seed)
    for metric, (top, bottom) in OBJECT_RATES.items():
        if metric.startswith(kind) and objects[:, _COLUMN[_asked(bottom)]].any():
            yield metric, *_rate(objects, weights, top, bottom)
    if kind == "affordance":
        yield F1, *_f1(objects, weights)
    elif table.shape[1] > 1:
        yield MEAN, *_mean(table, weights)


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


@lru_cache(maxsize=64)
def _weights(n: int, resamples: int, seed: int) -> np.ndarray:
    """Resampling weights (resamples, n), the same for all cells with ``n`` objects."""
    return resample_weights(n, resamples, np.random.default_rng([seed, n])).astype(float)


_Estimate = tuple[float | None, tuple[float, float] | None, int]


def _rate(objects: np.ndarray, weights: np.ndarray, top: str, bottom: str) -> _Estimate:
    tops, bottoms = objects[:, _COLUMN[top]], objects[:, _COLUMN[bottom]]
    n = int(bottoms.sum())
    if n == 0:
        return None, None, 0
    value = float(tops.sum() / n)
    if top == "chance":
        return value, None, n
    if bottom in _UNITS and top not in ("gain", "gain_strict") and bottoms.max() <= 1:
        return value, wilson(int(tops.sum()), n), n
    low, high = pair_interval(value, _ratio(weights @ tops, weights @ bottoms), (bottoms > 0).sum())
    least = -1.0 if top.startswith("gain") else 0.0
    return value, (max(low, least), min(high, 1.0)), n


def _f1(objects: np.ndarray, weights: np.ndarray) -> _Estimate:
    right, items, covered, accepted = (
        objects[:, _COLUMN[name]] for name in ("items_right", "items", "covered", "accepted")
    )
    n = int(accepted.sum())
    if n == 0:
        return None, None, 0

    def f1(*sums: np.ndarray) -> np.ndarray:
        precision, recall = _ratio(sums[0], sums[1]), _ratio(sums[2], sums[3])
        return np.nan_to_num(_ratio(2 * precision * recall, precision + recall))

    value = float(f1(*(np.array([c.sum()]) for c in (right, items, covered, accepted)))[0])
    samples = f1(*(weights @ c for c in (right, items, covered, accepted)))
    low, high = pair_interval(value, samples, (accepted > 0).sum())
    return value, (max(low, 0.0), min(high, 1.0)), n


def _mean(table: np.ndarray, weights: np.ndarray) -> _Estimate:
    """Mean over properties; resamples in which a property has no answer leave it out."""
    tops, bottoms = table[:, :, _COLUMN["right"]], table[:, :, _COLUMN["answered"]]
    measured = bottoms.sum(axis=0) > 0
    if not measured.any():
        return None, None, 0
    value = float(np.mean(tops.sum(axis=0)[measured] / bottoms.sum(axis=0)[measured]))
    samples = np.nanmean(_ratio(weights @ tops, weights @ bottoms)[:, measured], axis=1)
    low, high = pair_interval(value, samples, len(table))
    return value, (max(low, 0.0), min(high, 1.0)), int(bottoms.sum())


def _ratio(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    return np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=bottom > 0)
