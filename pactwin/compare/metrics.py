"""Scores of constraint answers, per model, domain, view and form, with 95 % intervals.

Units and meaning (``_strict`` counts an asked question without an answer as wrong; the plain value
leaves it out, so read it beside ``coverage``):

==================== ==============================================================================
sensitivity          share of feasible scenes answered "feasible"
specificity          share of infeasible scenes answered "not feasible"
informedness         sensitivity + specificity - 1 (Youden, Cancer 3, 1950). The headline: 0 for any
                     answer that does not depend on the picture, 1 for a perfect one
balanced_accuracy    (sensitivity + specificity) / 2
pair_accuracy        share of pair x view x form in which both twins were answered correctly
reason_accuracy      share of infeasible scenes whose deciding constraint was named, over the forms
                     that ask for it (choice, open); "feasible" names none and counts as wrong
view_consistency     share of questions, asked in two or more single views and answered in all of
                     them, whose feasibility answer is the same throughout, right or wrong. Exists
                     only where views pool
accuracy             share of answers that are correct as their form asks: in ``choice`` and
                     ``open`` an infeasible scene also needs the right constraint
set_informedness     of options that are true of one twin alone, in ``checklist``, ``outcome`` and
                     ``repair``: share named where true + share left out where false - 1. 0 for any
                     answer that does not depend on the picture
coverage             answered / asked
completeness         asked / planned, over all runs of the model: below 1 where a run was cut short,
                     or stopped at its budget. Pooled only; no estimate, so its interval is a point
==================== ==============================================================================

``yes_no``, ``choice`` and ``open`` predict feasibility: ``yes_no`` says it, in ``choice`` it is
whether "nothing prevents it" was chosen, and an ``open`` answer is read by the scorer of its task.
An answer that was understood but says nothing about feasibility is left out of the first four and,
strictly, wrong; an open reply that says no, but not clearly why, counts in them and in view
consistency although it is no answer. The other forms ask for sets and count in none of these.
Pooled values weigh every asked question the same.

Intervals: Wilson where each pair contributes at most one unit, so that units are independent;
otherwise from the variance between pairs of a domain, as the suite was drawn. Where domains pool,
those with fewer than FEWEST_PAIRS pairs count as one: a domain with one pair would never vary, and
one with two says too little of how much. See ``intervals``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pactwin.compare.counts import COUNTS, POOLED, PairCounts, answer_frame, count
from pactwin.compare.intervals import (
    Interval,
    clustered_informedness,
    clustered_rate,
    wilson,
)
from pactwin.tasks import AnswerRow, Row

RATES = {
    "sensitivity": ("feasible_yes", "feasible"),
    "sensitivity_strict": ("feasible_yes", "feasible_asked"),
    "specificity": ("infeasible_no", "infeasible"),
    "specificity_strict": ("infeasible_no", "infeasible_asked"),
    "pair_accuracy": ("pairs_right", "pairs"),
    "pair_accuracy_strict": ("pairs_right", "pairs_asked"),
    "reason_accuracy": ("reasons_right", "reasons"),
    "reason_accuracy_strict": ("reasons_right", "reasons_asked"),
    "view_consistency": ("scenes_same", "scenes"),
    "view_consistency_strict": ("scenes_same", "scenes_asked"),
    "accuracy": ("correct", "answered"),
    "accuracy_strict": ("correct", "asked"),
    "coverage": ("answered", "asked"),
    "set_sensitivity": ("contested_named", "contested_true"),
    "set_sensitivity_strict": ("contested_named", "contested_true_asked"),
    "set_specificity": ("contested_left", "contested_false"),
    "set_specificity_strict": ("contested_left", "contested_false_asked"),
}
# The sum of two rates, times a scale, plus an offset.
SUMS = {
    "informedness": ("sensitivity", "specificity", 1.0, -1.0),
    "informedness_strict": ("sensitivity_strict", "specificity_strict", 1.0, -1.0),
    "set_informedness": ("set_sensitivity", "set_specificity", 1.0, -1.0),
    "set_informedness_strict": ("set_sensitivity_strict", "set_specificity_strict", 1.0, -1.0),
    "balanced_accuracy": ("sensitivity", "specificity", 0.5, 0.0),
    "balanced_accuracy_strict": ("sensitivity_strict", "specificity_strict", 0.5, 0.0),
}
FEWEST_PAIRS = 5
COMPLETENESS = "completeness"
METRICS = (*SUMS, *RATES, COMPLETENESS)

_COLUMN = {name: i for i, name in enumerate(COUNTS)}


@dataclass(frozen=True, slots=True)
class Score:
    """One metric of one model in one cell; ``all`` in domain, view or form where the cell pools.

    ``value`` is None where nothing was answered; ``low`` and ``high`` bound the 95 % interval;
    ``n`` is the number of units in the denominator.
    """

    model: str
    domain: str
    view: str
    form: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n: int

    @property
    def is_pooled(self) -> bool:
        """Whether it pools all there is of its model."""
        return self.domain == self.view == self.form == POOLED

    @property
    def gated_value(self) -> float | None:
        """What a gate compares with its limit."""
        return self.value


@dataclass(frozen=True, slots=True)
class ObjectScore(Score):
    """One metric of answers about objects, further by property and by what a picture tells of it.

    ``topic`` is the property asked about, ``observability`` says whether a label is ``visible``,
    ``inferable`` or ``hidden``; both are ``all`` where the cell pools, as ``form`` always is.
    """

    topic: str
    observability: str

    @property
    def is_pooled(self) -> bool:
        """Whether it pools all there is of its model."""
        return self.domain == self.view == self.topic == self.observability == POOLED


def score(rows: Sequence[AnswerRow]) -> list[Score]:
    """Every metric of every model in every cell that was asked, pooled cells first.

    Depends on the set of rows, not on their order. Raises InvalidInputError for no rows, or for a
    question that a model answered twice in the same view.
    """
    scores: list[Score] = []
    planned = planned_questions(rows)
    for counts in count(answer_frame(rows)):
        scores.extend(_score_model(counts))
        asked = int(counts.values[:, 0, 0, _COLUMN["asked"]].sum())
        scores.append(Score(*completeness(counts.model, COMPLETENESS, asked, planned)))
    return scores


def completeness(
    model: str, metric: str, asked: int, planned: Mapping[str, int]
) -> tuple[str, str, str, str, str, float, float, float, int]:
    """The fields of a score: how much of a model's runs there is, of what was ``planned``."""
    n = max(asked, planned[model])
    share = asked / n
    return model, POOLED, POOLED, POOLED, metric, share, share, share, n


def planned_questions(rows: Sequence[Row]) -> dict[str, int]:
    """How many questions each model was to be asked, in all its runs."""
    runs = {(row.model, row.run_id): row.planned for row in rows}
    planned: dict[str, int] = {}
    for (model, _), questions in runs.items():
        planned[model] = planned.get(model, 0) + questions
    return planned


def _score_model(counts: PairCounts) -> Iterator[Score]:
    domains = sorted(set(counts.domains))
    sizes = {domain: int(np.sum(counts.domains == domain)) for domain in domains}
    large = [domain for domain in domains if sizes[domain] >= FEWEST_PAIRS]
    strata = np.array([large.index(d) if d in large else -1 for d in counts.domains])
    for domain in (POOLED, *domains):
        rows = slice(None) if domain == POOLED else counts.domains == domain
        for v, view in enumerate(counts.views):
            for f, form in enumerate(counts.forms):
                cell = _Cell(counts.values[rows, v, f], strata[rows])
                for metric in (*SUMS, *RATES):
                    if cell.applies(metric):
                        value, interval, n = cell.score(metric)
                        low, high = interval or (None, None)
                        yield Score(counts.model, domain, view, form, metric, value, low, high, n)


class _Cell:
    """One cell's counts: ``pairs`` (pairs, COUNTS), and the stratum of each."""

    def __init__(self, pairs: np.ndarray, strata: np.ndarray) -> None:
        self.pairs = pairs
        self.strata = strata
        self.sums = pairs.sum(axis=0)

    def applies(self, metric: str) -> bool:
        """Whether anything was asked that the metric is about."""
        if metric in SUMS:
            return all(self.applies(part) for part in SUMS[metric][:2])
        strict = metric.removesuffix("_strict") + "_strict"
        return bool(self.sums[_COLUMN[RATES.get(strict, RATES[metric])[1]]])

    def score(self, metric: str) -> tuple[float | None, Interval | None, int]:
        """Value, interval and number of units."""
        if metric in RATES:
            return self._rate(metric)
        return self._sum(metric)

    def _rate(self, metric: str) -> tuple[float | None, Interval | None, int]:
        tops, bottoms = self._counts(metric)
        count, n = int(tops.sum()), int(bottoms.sum())
        if n == 0:
            return None, None, 0
        if bottoms.max() <= 1:
            return count / n, wilson(count, n), n
        return count / n, clustered_rate(tops, bottoms, self.strata), n

    def _sum(self, metric: str) -> tuple[float | None, Interval | None, int]:
        first, second, scale, offset = SUMS[metric]
        counts = (*self._counts(first), *self._counts(second))
        top_a, n_a, top_b, n_b = (int(count.sum()) for count in counts)
        if n_a == 0 or n_b == 0:
            return None, None, n_a + n_b
        # Exact, so that answers which do not depend on the picture score 0 and not 1e-17.
        total = float(Fraction(top_a, n_a) + Fraction(top_b, n_b))
        value = scale * total + offset
        low, high = clustered_informedness(*counts, self.strata)
        bounds = tuple(scale * (bound + 1) + offset for bound in (low, high))
        return value, (min(bounds[0], value), max(bounds[1], value)), n_a + n_b

    def _counts(self, rate: str) -> tuple[np.ndarray, np.ndarray]:
        top, bottom = (self.pairs[:, _COLUMN[name]] for name in RATES[rate])
        return top, bottom
