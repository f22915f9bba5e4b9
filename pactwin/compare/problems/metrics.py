"""Scores of answers to problems, per system and domain, with 95 % intervals.

Correct are the categories A, B and C. Answers that nobody graded are left out, save in ``_strict``:

============================ ======================================================================
problem_accuracy             mean over problems of the share of answers that is correct, which is
                             also what one answer per problem, drawn at random, has on average
problem_accuracy_strict      the same, with no answer counted as wrong
problem_single               one seeded draw per problem; its bounds are two standard deviations of
                             draws around the mean, not an interval of the estimate
problem_best                 share of problems with any correct answer
problem_majority             share of problems with more correct answers than others
problem_majority_or_tie      the same, ties counted as correct
problem_share_A ... _F       mean over problems of the share of a category
problem_status               share of answers that say rightly whether it can be solved, of those
                             that say it
problem_coverage             graded answers / asked
problem_completeness         asked / planned, over all runs
problem_calls, _tokens_in,   means per answer of calls and tokens, and the sum of what they cost;
_tokens_out, _cost_usd       no interval
============================ ======================================================================

With ``override`` a solution to a problem that people hold unsolvable counts as F. Intervals: Wilson
where each problem contributes one unit, else a bootstrap over problems.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.compare.counts import POOLED
from pactwin.compare.intervals import (
    RESAMPLES,
    Interval,
    pair_interval,
    resample_weights,
    wilson,
)
from pactwin.compare.metrics import Score, completeness, planned_questions
from pactwin.compare.problems.agreement import JudgeTrust
from pactwin.suite import InvalidInputError
from pactwin.tasks import CATEGORIES, CORRECT, ProblemRow, overridden, tally

_VOTED = ("best", "majority", "majority_or_tie")
_COSTS = {"calls": "calls", "tokens_in": "tokens_in", "tokens_out": "tokens_out"}
PROBLEM_METRICS = (
    "problem_accuracy",
    "problem_accuracy_strict",
    "problem_single",
    *(f"problem_{rule}" for rule in _VOTED),
    *(f"problem_share_{category}" for category in CATEGORIES),
    "problem_status",
    "problem_coverage",
    "problem_completeness",
    *(f"problem_{cost}" for cost in (*_COSTS, "cost_usd")),
)


@dataclass(frozen=True, slots=True)
class ProblemScore(Score):
    """One metric of answers to problems.

    ``published`` systems were scored from released answers. ``caution`` says why no conclusion may
    rest on a score, empty where one may.
    """

    override: bool
    published: bool
    caution: str

    @property
    def is_pooled(self) -> bool:
        """Whether it pools all there is of its system, by the problems' own flags."""
        return self.domain == POOLED and not self.override

    @property
    def gated_value(self) -> float | None:
        """The value, None where no conclusion may rest on it."""
        return None if self.caution else self.value


def score_problems(
    rows: Sequence[ProblemRow],
    trust: JudgeTrust | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[ProblemScore]:
    """Every metric of every system in every domain; InvalidInputError for answers given twice."""
    systems: dict[str, list[ProblemRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda r: (r.model, r.suite_hash, r.question_id, r.epoch)):
        systems[row.model].append(row)
    planned = planned_questions(rows)
    scores: list[ProblemScore] = []
    for model, mine in systems.items():
        known = {(row.suite_hash, row.question_id, row.epoch) for row in mine}
        if len(known) < len(mine):
            raise InvalidInputError(f"{model!r} answered {len(mine) - len(known)} problems twice")
        more = (is_published(mine[0]), (trust or JudgeTrust()).caution(mine))
        for domain in (POOLED, *sorted({row.domain for row in mine})):
            cell = [row for row in mine if domain in (row.domain, POOLED)]
            for override in (False, True):
                for metric, value, bounds, n in _measure(cell, override, resamples, seed):
                    low, high = bounds or (None, None)
                    place = (model, domain, POOLED, POOLED, metric, value, low, high, n)
                    scores.append(ProblemScore(*place, override, *more))
        whole = completeness(model, "problem_completeness", len(mine), planned)
        scores.append(ProblemScore(*whole, False, *more))
    return scores


def is_published(row: ProblemRow) -> bool:
    """Whether a row is a released answer, not one that was asked for."""
    return row.strategy == "published"


def categories_of(rows: Sequence[ProblemRow], *, override: bool) -> dict[str, list[str]]:
    """The categories of all answers to each problem, in order of epochs; not graded is empty."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        changed = override and row.held_unsolvable and row.category
        category = overridden(row.category) if changed else row.category
        found[f"{row.suite_hash}/{row.question_id}"].append(category)
    return dict(found)


def _measure(
    rows: Sequence[ProblemRow], override: bool, resamples: int, seed: int
) -> Iterator[tuple[str, float | None, Interval | None, int]]:
    by_problem = categories_of(rows, override=override)
    graded = {id: [c for c in given if c] for id, given in by_problem.items()}
    graded = {id: given for id, given in graded.items() if given}
    found = tally(by_problem, np.random.default_rng(seed))
    rng = np.random.default_rng([seed, len(graded)])
    weights = resample_weights(max(1, len(graded)), resamples, rng)

    def mean(values: list[list[bool]], weights: np.ndarray) -> tuple[float, Interval, int]:
        shares = np.array([np.mean(v) for v in values])
        value, n = float(shares.mean()), len(values)
        if all(len(v) == 1 for v in values):
            return value, wilson(int(shares.sum()), n), n
        low, high = pair_interval(value, weights @ shares / n, n)
        return value, (max(low, 0.0), min(high, 1.0)), n

    if found is not None:
        right = [[c in CORRECT for c in given] for given in graded.values()]
        yield "problem_accuracy", *mean(right, weights)
        bounds = found.single - 2 * found.spread, found.single + 2 * found.spread
        yield "problem_single", found.drawn, bounds, found.problems
        for rule in _VOTED:
            share = getattr(found, rule)
            count = round(share * found.problems)
            yield f"problem_{rule}", share, wilson(count, found.problems), found.problems
        for category in CATEGORIES:
            is_it = [[c == category for c in given] for given in graded.values()]
            yield f"problem_share_{category}", *mean(is_it, weights)
    else:
        yield "problem_accuracy", None, None, 0
    every = resample_weights(len(by_problem), resamples, np.random.default_rng([seed, 1]))
    strict = [[c in CORRECT for c in given] for given in by_problem.values()]
    yield "problem_accuracy_strict", *mean(strict, every)
    says = [row.says_solvable == row.solvable for row in rows if row.says_solvable is not None]
    if says:
        yield "problem_status", sum(says) / len(says), wilson(sum(says), len(says)), len(says)
    n_graded = sum(map(len, graded.values()))
    yield "problem_coverage", n_graded / len(rows), wilson(n_graded, len(rows)), len(rows)
    for name, field in _COSTS.items():
        known = [v for row in rows if (v := getattr(row, field)) is not None]
        if known and any(known):
            yield f"problem_{name}", float(np.mean(known)), None, len(known)
    costs = [row.cost_usd for row in rows if row.cost_usd is not None]
    if costs:
        yield "problem_cost_usd", sum(costs), None, len(costs)
