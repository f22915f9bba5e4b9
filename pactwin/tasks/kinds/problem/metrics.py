"""Scores of answers to problems stated in words; categories A, B and C are correct.

Ungraded answers are no answers. ``_override`` counts a solution to a problem that people call
unsolvable, by the ratings of their own answers, as F, as in the paper's table.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pactwin.tasks.core.metrics import ClusterMean, Metric, Rate, ScoreTable, Scoring, columns
from pactwin.tasks.kinds.problem.records import ProblemRow
from pactwin.tasks.kinds.problem.scoring import CATEGORIES, CORRECT_CATEGORIES, overridden

if TYPE_CHECKING:
    import pandas as pd

_RULES = ("best", "majority", "majority_or_tie")
DIFFICULTY = {
    "1.1": ("solvable", "efficient"),
    "1.2": ("solvable", "inefficient"),
    "1.3": ("solvable", "infeasible"),
    "1.4": ("solvable", "called unsolvable"),
    "2.1": ("unsolvable", "called so with the right reason"),
    "2.2": ("unsolvable", "called so with a wrong reason"),
    "2.3": ("unsolvable", "solved"),
}
"""Sub-categories of answers in the paper."""
_CODES = {
    True: {"A": "1.1", "B": "1.2", "D": "1.3", "E": "1.3", "F": "1.4"},
    False: {"C": "2.1", "D": "2.2", "E": "2.2", "F": "2.3"},
}
_OVERRIDE = "_override"


def difficulty(row: ProblemRow) -> str:
    """Sub-category of a graded answer in the paper; empty if ungraded or without one.

    1.x are solvable problems: efficient, inefficient, infeasible, called unsolvable. 2.x are
    unsolvable ones: called so for the right reason, for a wrong one, solved.
    """
    return _CODES[row.solvable].get(row.category, "")


def _measured(row: ProblemRow) -> Mapping[str, Any]:
    graded = bool(row.category)
    changed = overridden(row.category) if row.held_unsolvable and graded else row.category
    found: dict[str, Any] = {
        "answered": int(graded),
        "right": int(row.category in CORRECT_CATEGORIES),
        f"right{_OVERRIDE}": int(changed in CORRECT_CATEGORIES),
        "says_status": int(row.says_solvable is not None),
        "status_right": int(row.says_solvable == row.solvable),
    }
    if code := difficulty(row):
        found |= {f"difficulty_{code}": 1, f"difficulty_{code[0]}": 1}
    for suffix, category in (("", row.category), (_OVERRIDE, changed)):
        found |= {f"is_{c}{suffix}": int(category == c) for c in CATEGORIES}
    return found


def _of_problems(frame: "pd.DataFrame", rows: Sequence[Any]) -> Iterator["pd.DataFrame"]:
    """One unit per problem with a graded answer: any answer correct, majority correct."""
    graded = frame[frame.answered == 1]
    keys = ["model", "cluster", "domain", "view"]
    for suffix in ("", _OVERRIDE):
        units = graded.groupby(keys, as_index=False).agg(share=(f"right{suffix}", "mean"))
        share = units.share
        yield units[keys].assign(
            **{
                f"problems{suffix}": 1,
                f"best{suffix}": (share > 0).astype(int),
                f"majority{suffix}": (share > 0.5).astype(int),
                f"majority_or_tie{suffix}": (share >= 0.5).astype(int),
            }
        )


_LABELS = {
    "accuracy": ("Correct", "Mean over problems of the share of answers that is correct."),
    "best": ("Best", "Share of problems with any correct answer."),
    "majority": ("Majority", "Share of problems with more correct answers than others."),
    "majority_or_tie": ("Majority or tie", "The same, ties counted as correct."),
}


def _metrics() -> Iterator[Metric]:
    for suffix in ("", _OVERRIDE):
        right = f"right{suffix}"
        mean = ClusterMean(right, "answered")
        yield Metric(f"accuracy{suffix}", mean, ("asked",), *_LABELS["accuracy"])
        yield Metric(f"accuracy_strict{suffix}", ClusterMean(right, "asked"), label="strict")
        for rule in _RULES:
            rate = Rate(f"{rule}{suffix}", f"problems{suffix}")
            yield Metric(f"{rule}{suffix}", rate, (f"problems{suffix}",), *_LABELS[rule])
        for category in CATEGORIES:
            yield Metric(
                f"share_{category}{suffix}",
                ClusterMean(f"is_{category}{suffix}", "answered"),
                ("answered",),
                category,
                "Mean over problems of the share of this category.",
            )
    yield Metric(
        "status",
        Rate("status_right", "says_status"),
        ("says_status",),
        "Status",
        "Share of answers that say rightly whether it can be solved, of those that say it.",
    )


def _difficulty() -> Iterator[Metric]:
    for code, words in DIFFICULTY.items():
        total = f"difficulty_{code[0]}"
        yield Metric(
            f"difficulty_{code}",
            Rate(f"difficulty_{code}", total),
            (total,),
            code,
            f"Share of the graded answers to {words[0]} problems that are {words[1]}.",
        )


def _rules(suffix: str = "") -> str:
    heads = {"accuracy": "correct", "accuracy_strict": "strict", "best": "best"}
    heads |= {"majority": "majority", "majority_or_tie": "or tie"}
    return " | ".join(f"{name}{suffix}: {head}" for name, head in heads.items())


_BRIEF = "accuracy: correct | accuracy_strict: strict | best | majority | coverage: graded"
_SHARES = " | ".join(("accuracy: correct", *(f"share_{c}: {c}" for c in CATEGORIES)))
_RULES_NOTE = (
    "Correct: mean over problems of the share of correct answers. Strict: no answer counts as "
    "wrong. Best: any answer correct. Majority: more correct than not; or tie: at least as many. "
    "Status: says rightly whether it can be solved. Graded: of asked."
)

SCORING = Scoring(
    title="Problems",
    prefix="problem_",
    metrics=(*_metrics(), *_difficulty()),
    tables=(
        ScoreTable("Problems", columns(_BRIEF), _RULES_NOTE, brief=True),
        ScoreTable("Problems by category", columns(_SHARES), by=("domain",), brief=True),
        ScoreTable(
            "By rule",
            columns(f"{_rules()} | status | coverage: graded"),
            _RULES_NOTE,
        ),
        ScoreTable(
            "By rule, with the override",
            columns(_rules(_OVERRIDE)),
            "A solution to a problem that people hold unsolvable, by the ratings of their own "
            "answers, counts as F, as in the paper's table.",
        ),
        ScoreTable(
            "Difficulty",
            columns(" | ".join(f"difficulty_{code}: {code}" for code in DIFFICULTY)),
            "; ".join(f"{code} {words[0]}, {words[1]}" for code, words in DIFFICULTY.items()) + ".",
        ),
    ),
    truth=lambda row: "solvable" if row.solvable else "unsolvable",
    said=lambda row: row.category,
    measured=_measured,
    further=_of_problems,
    axes=("domain", "view"),
    splits=((), ("domain",)),
    right="the answer is correct",
    clusters="problems",
    judged=True,
    facts={
        "feasible": lambda row: row.solvable,
        "says_feasible": lambda row: row.says_solvable,
    },
)
