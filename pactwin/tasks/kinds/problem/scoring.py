"""Shares of grades over problems: of a single answer, the average, the best, the majority.

Categories are the paper's letters: A efficient, B inefficient, C correctly called unsolvable, D
partly correct, E incorrect, F wrong about solvability. A, B and C are correct.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.suite import Question

CATEGORIES = tuple("ABCDEF")
"""Categories from best to worst."""
CORRECT_CATEGORIES = ("A", "B", "C")
_OVERRIDDEN = frozenset("ABD")

RATINGS = {
    "correct_efficient": "A",
    "correct_inefficient": "B",
    "correct_unsolvable": "C",
    "wrong_partial_correct": "D",
    "wrong_entire_wrong_solution": "E",
    "wrong_fail_solvability_status": "F",
}
"""The benchmark's ratings, with the paper's letters."""

ByProblem = Mapping[str, Sequence[str]]
"""Categories of all answers to each problem; an unrated answer's is empty."""


@dataclass(frozen=True)
class Tally:
    """Grades of answers to ``problems`` problems; all values are shares of problems.

    ``shares`` are means over problems of each category's share of the rated answers; ``unrated`` is
    the number of others. ``single`` is the expected accuracy of one random answer per problem,
    ``spread`` its standard deviation over draws, and ``drawn`` one such draw. ``best`` counts
    problems with any correct answer; ``majority`` those with more correct answers than others,
    ``majority_or_tie`` those with at least as many.
    """

    problems: int
    answers: int
    unrated: int
    shares: dict[str, float]
    single: float
    spread: float
    drawn: float
    best: float
    majority: float
    majority_or_tie: float

    @property
    def average(self) -> float:
        """Mean over problems of the share of correct answers."""
        return sum(self.shares[category] for category in CORRECT_CATEGORIES)


def tally(by_problem: ByProblem, rng: np.random.Generator) -> Tally | None:
    """Count rated answers; None if there are none. ``rng`` draws the single answer."""
    rated = {id: [c for c in given if c] for id, given in sorted(by_problem.items())}
    rated = {id: given for id, given in rated.items() if given}
    if not rated:
        return None
    n = len(rated)
    right = [[category in CORRECT_CATEGORIES for category in given] for given in rated.values()]
    share = np.array([np.mean(r) for r in right])
    answers = sum(map(len, right))
    return Tally(
        problems=n,
        answers=answers,
        unrated=sum(map(len, by_problem.values())) - answers,
        shares=mean_shares(rated),
        single=float(share.mean()),
        spread=float(np.sqrt((share * (1 - share)).sum()) / n),
        drawn=float(np.mean([r[int(rng.integers(len(r)))] for r in right])),
        best=float((share > 0).mean()),
        majority=float((share > 0.5).mean()),
        majority_or_tie=float((share >= 0.5).mean()),
    )


def mean_shares(rated: ByProblem) -> dict[str, float]:
    """Mean over problems of the share of each grade."""
    return {
        category: float(np.mean([list(g).count(category) / len(g) for g in rated.values()]))
        for category in CATEGORIES
    }


def best_of(categories: Sequence[str]) -> str:
    """The best of several grades, in the paper's order."""
    return min(categories, key=CATEGORIES.index)


def worst_of(categories: Sequence[str]) -> str:
    """The worst of several grades."""
    return max(categories, key=CATEGORIES.index)


def condense(votes: Sequence[str]) -> str:
    """Combine several votes on one answer into a grade by the paper's rule for its raters.

    If most votes call it a working solution, the worst of these votes decides whether it is
    efficient; everything else is decided by the majority, and ties by the worse.
    """
    pooled = ["B" if vote == "A" else vote for vote in votes]
    won = worst_of([c for c in pooled if pooled.count(c) == max(map(pooled.count, pooled))])
    return worst_of([vote for vote in votes if vote in "AB"]) if won == "B" else won


def overridden(category: str) -> str:
    """Grade of an answer to a problem that people call unsolvable: a solution is wrong."""
    return "F" if category in _OVERRIDDEN else category


def held_unsolvable(question: Question) -> bool:
    """Return whether raters accepted a person's "unsolvable" and no person's solution.

    Table 5 of the paper uses this instead of the problem's flag, without saying so.
    """
    rated = {RATINGS.get(a.rating) for a in question.answers if a.source == "Prolific"}
    return "C" in rated and not rated & {"A", "B"}


def one_per_text(answers: Sequence[tuple[str, str]]) -> list[str]:
    """Categories of (text, category), repeated texts once with their worst label."""
    worst: dict[str, str] = {}
    for text, category in answers:
        if category:
            worst[text] = worst_of([worst.get(text) or category, category])
        else:
            worst.setdefault(text, category)
    return list(worst.values())
