"""Scores in the terminal, and the gate that continuous integration asks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pactwin.compare.counts import POOLED
from pactwin.compare.creative.metrics import USE_METRICS
from pactwin.compare.metrics import METRICS, Score
from pactwin.compare.objects.metrics import OBJECT_METRICS
from pactwin.compare.problems.metrics import PROBLEM_METRICS, ProblemScore
from pactwin.compare.ranking import Ranked, pooled, ranked, ranking_table
from pactwin.compare.tools.metrics import TOOL_METRICS
from pactwin.suite import SET_FORMS, InvalidInputError, unknown_name

if TYPE_CHECKING:
    from rich.table import Table

LABELS = {
    "informedness": "Informedness",
    "informedness_strict": "strict",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "pair_accuracy": "Pair accuracy",
    "reason_accuracy": "Reason accuracy",
    "view_consistency": "View consistency",
    "coverage": "Coverage",
}
"""The headline metrics and their column heads."""

HEADLINE = tuple(LABELS)

_SHORT = {
    "informedness": "informedness (95 %)",
    "informedness_strict": "strict",
    "sensitivity": "sens.",
    "specificity": "spec.",
    "pair_accuracy": "pairs",
    "reason_accuracy": "reason",
    "view_consistency": "views",
    "coverage": "cover",
}


@dataclass(frozen=True, slots=True)
class Violation:
    """A model whose pooled ``value`` of ``metric`` is under the limit, or None: not measured."""

    model: str
    metric: str
    value: float | None
    limit: float

    def __str__(self) -> str:
        found = "was not measured" if self.value is None else f"is {self.value:.3f}"
        return f"{self.model}: {self.metric} {found}, under the limit {self.limit:g}"


def gate(scores: Sequence[Score], condition: str) -> list[Violation]:
    """The models that fail ``METRIC=VALUE``; empty if all pass.

    Every model's pooled value must be at least VALUE; a metric that could not be measured fails.
    Raises InvalidInputError for an unknown metric or a value that is not a number.
    """
    metric, _, text = condition.partition("=")
    known = (*METRICS, *OBJECT_METRICS, *PROBLEM_METRICS, *TOOL_METRICS, *USE_METRICS)
    if metric not in known:
        raise unknown_name("metric", metric, known)
    try:
        limit = float(text)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        raise InvalidInputError(f"{condition!r} is not METRIC=VALUE with a number, as {metric}=0.3")
    violations = []
    evaluated = (s for s in scores if not (isinstance(s, ProblemScore) and s.published))
    for model, found in pooled(evaluated).items():
        value = found[metric].gated_value if metric in found else None
        if value is None or value < limit:
            violations.append(Violation(model, metric, value, limit))
    return violations


def score_table(scores: Sequence[Score]) -> "Table":
    """The pooled headline scores, a row per model, best first; fits 100 columns."""
    return ranking_table("model", _SHORT, ranked_constraints(scores))


def set_table(scores: Sequence[Score]) -> "Table | None":
    """Pooled set informedness of each form that asks for sets, a row per model, if any was asked.

    Best first by the first of these forms; ``exact`` is the share of answers that are the very set.
    """
    models: dict[str, dict[str, Score]] = {}
    for s in scores:
        if s.domain == s.view == POOLED and s.form in SET_FORMS:
            names = {"set_informedness": s.form, "accuracy": f"{s.form} exact"}
            if s.metric in names:
                models.setdefault(s.model, {})[names[s.metric]] = s
    if not models:
        return None
    asked = [form for form in SET_FORMS if any(form in found for found in models.values())]
    columns = {form: form for form in asked} | {f"{form} exact": "exact" for form in asked}
    for model, found in pooled(scores).items():
        if model in models:
            models[model] |= {m: found[m] for m in ("coverage", "completeness") if m in found}

    def falling(entry: tuple[str, dict[str, Score]]) -> tuple[float, str]:
        best = entry[1].get(asked[0])
        return (math.inf if best is None or best.value is None else -best.value), entry[0]

    return ranking_table("model: set informedness", columns, sorted(models.items(), key=falling))


def ranked_constraints(scores: Sequence[Score]) -> Ranked:
    """Pooled scores about constraints by falling informedness, unmeasured last, ties by name."""
    return ranked((s for s in scores if s.metric in METRICS), "informedness")
