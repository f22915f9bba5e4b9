"""Agreement of a judge's grades with people's, and a test of whether it suffices."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter

from pactwin.compare.intervals import (
    RESAMPLES,
    Interval,
    pair_interval,
    resample_weights,
    wilson,
)
from pactwin.suite import InvalidInputError, Record, read_json
from pactwin.tasks import CATEGORIES, CORRECT_CATEGORIES, GradedAnswer, Row

LEAST_AGREEMENT = 0.6
"""Weighted kappa that a judge's lower bound must reach: "substantial" agreement starts here (Landis
and Koch, Biometrics 33, 1977)."""


class Estimate(Record):
    """A figure with its 95 % interval, over ``n`` answers; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None
    n: int


class JudgeAgreement(Record):
    """Agreement of grades with labels. Intervals resample problems.

    ``judge`` names model, rubric and votes; ``failed`` answers have no grade and count nowhere
    else; ``by_rule`` needed no judge. ``accuracy`` is the share with the same category, ``correct``
    the share on whose correctness both agree. ``kappa`` is Cohen's, with linear weights in the
    order A to F. ``recall`` and ``precision`` are by category, with the labels as truth.
    """

    judge: str
    answers: int
    failed: int
    by_rule: int
    accuracy: Estimate
    correct: Estimate
    kappa: Estimate
    recall: dict[str, Estimate]
    precision: dict[str, Estimate]


def judge_agreement(
    judge: str, graded: Sequence[GradedAnswer], *, resamples: int = RESAMPLES, seed: int = 0
) -> JudgeAgreement:
    """Agreement figures of graded answers; InvalidInputError if no answer has a grade."""
    done = [g for g in graded if g.grade]
    if not done:
        raise InvalidInputError(f"{judge} has graded nothing")
    problems = {id: i for i, id in enumerate(sorted({g.question_id for g in done}))}
    counts = np.zeros((len(problems), len(CATEGORIES), len(CATEGORIES)))
    for g in done:
        at = problems[g.question_id], CATEGORIES.index(g.label), CATEGORIES.index(g.grade)
        counts[at] += 1
    weights = resample_weights(len(problems), resamples, np.random.default_rng(seed))
    drawn = (weights @ counts.reshape(len(problems), -1)).reshape(-1, *counts.shape[1:])
    whole = counts.sum(axis=0)
    right = np.array([c in CORRECT_CATEGORIES for c in CATEGORIES])
    same = right[:, None] == right[None, :]

    def bounded(value: float, samples: np.ndarray, lowest: float) -> Estimate:
        if np.isnan(value):
            return Estimate(value=None, low=None, high=None, n=len(done))
        low, high = pair_interval(value, samples, len(problems))
        return Estimate(value=value, low=max(low, lowest), high=min(high, 1.0), n=len(done))

    def share(mask: np.ndarray) -> Estimate:
        value = float((whole * mask).sum() / whole.sum())
        return bounded(value, (drawn * mask).sum(axis=(1, 2)) / drawn.sum(axis=(1, 2)), 0.0)

    return JudgeAgreement(
        judge=judge,
        answers=len(done),
        failed=len(graded) - len(done),
        by_rule=sum(g.by_rule for g in done),
        accuracy=share(np.eye(len(CATEGORIES))),
        correct=share(same),
        kappa=bounded(float(weighted_kappa(whole)), weighted_kappa(drawn), -1.0),
        recall={c: _rate(whole[i, i], whole[i].sum()) for i, c in enumerate(CATEGORIES)},
        precision={c: _rate(whole[i, i], whole[:, i].sum()) for i, c in enumerate(CATEGORIES)},
    )


def weighted_kappa(table: np.ndarray) -> np.ndarray:
    """Cohen's kappa with linear weights of tables (..., k, k); NaN if chance agreement is 1."""
    k = table.shape[-1]
    distance = np.abs(np.arange(k)[:, None] - np.arange(k)[None, :])
    n = table.sum(axis=(-2, -1), keepdims=True)
    expected = table.sum(axis=-1, keepdims=True) * table.sum(axis=-2, keepdims=True) / n
    observed = (distance * table).sum(axis=(-2, -1))
    chance = (distance * expected).sum(axis=(-2, -1))
    ratio = np.divide(observed, chance, out=np.full(np.shape(chance), np.nan), where=chance > 0)
    return 1 - ratio


def _rate(both: float, n: float) -> Estimate:
    if not n:
        return Estimate(value=None, low=None, high=None, n=0)
    bounds: Interval = wilson(int(both), int(n))
    return Estimate(value=both / n, low=bounds[0], high=bounds[1], n=int(n))


def read_agreements(path: Path) -> list[JudgeAgreement]:
    """Read a file of ``pactwin people agreement --json``; InvalidInputError for any other."""
    what = "what `pactwin people agreement --json` writes of problems"
    return read_json(TypeAdapter(list[JudgeAgreement]), path, what)


@dataclass(frozen=True)
class JudgeTrust:
    """Measured agreements, and ``least``, the minimum of a judge's lower bound."""

    agreements: tuple[JudgeAgreement, ...] = ()
    least: float = LEAST_AGREEMENT

    def verdict(self, judge: str) -> tuple[bool, str]:
        """Return whether the grades of ``judge`` suffice for conclusions, and the reason."""
        found = next((a for a in self.agreements if a.judge == judge), None)
        if found is None:
            return False, (
                f"not for conclusions: how far {judge} agrees with people is not known; measure it "
                "with pactwin people agreement and name its --json file with --agreement"
            )
        kappa = found.kappa
        if kappa.value is None or kappa.low is None:
            return False, f"not for conclusions: the kappa of {judge} is undefined"
        figures = (
            f"weighted kappa {kappa.value:.2f} ({kappa.low:.2f} to {kappa.high:.2f}) with people, "
            f"over {found.answers} published answers"
        )
        if kappa.low < self.least:
            return False, (
                f"not for conclusions: {judge} has a {figures}; its lower bound is under "
                f"{self.least:g}"
            )
        return True, f"graded by {judge}: {figures}"

    def caution(self, rows: Sequence[Row]) -> str:
        """The reason why ``rows`` do not suffice for conclusions; empty if they do."""
        judges = sorted({judge for row in rows if (judge := getattr(row, "judge", ""))})
        said = [self.verdict(judge) for judge in judges]
        return "; ".join(why for trusted, why in said if not trusted)
