"""Scores in the terminal, and the gate that continuous integration asks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pactwin.compare.cautions import cautions, coverage_cell
from pactwin.compare.metrics import COMPLETENESS, METRICS, Score
from pactwin.compare.objects import OBJECT_METRICS
from pactwin.suite import InvalidInputError, unknown_name

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


def pooled(scores: Sequence[Score]) -> dict[str, dict[str, Score]]:
    """The scores over all domains, views and forms: {model: {metric: score}}."""
    table: dict[str, dict[str, Score]] = {}
    for s in scores:
        if s.is_pooled:
            table.setdefault(s.model, {})[s.metric] = s
    return table


def gate(scores: Sequence[Score], condition: str) -> list[Violation]:
    """The models that fail ``METRIC=VALUE``; empty if all pass.

    Every model's pooled value must be at least VALUE; a metric that could not be measured fails.
    Raises InvalidInputError for an unknown metric or a value that is not a number.
    """
    metric, _, text = condition.partition("=")
    known = (*METRICS, *OBJECT_METRICS)
    if metric not in known:
        raise unknown_name("metric", metric, known)
    try:
        limit = float(text)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        raise InvalidInputError(f"{condition!r} is not METRIC=VALUE with a number, as {metric}=0.3")
    violations = []
    for model, found in pooled(scores).items():
        value = found[metric].value if metric in found else None
        if value is None or value < limit:
            violations.append(Violation(model, metric, value, limit))
    return violations


def score_table(scores: Sequence[Score]) -> "Table":
    """The pooled headline scores, a row per model, best first; fits 100 columns."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("model", overflow="fold", ratio=1, vertical="bottom")
    for metric in HEADLINE:
        table.add_column(_SHORT[metric], justify="right", no_wrap=True)
    for model, found in ranked(scores):
        table.add_row(escape(model), *(_cell(found.get(metric)) for metric in HEADLINE))
    measured = {
        model: (found.get("coverage"), found.get(COMPLETENESS)) for model, found in ranked(scores)
    }
    table.caption, table.caption_justify = cautions(measured), "left"
    return table


def ranked(scores: Sequence[Score]) -> list[tuple[str, dict[str, Score]]]:
    """Pooled scores about constraints by falling informedness, unmeasured last, ties by name."""

    def key(item: tuple[str, dict[str, Score]]) -> tuple[float, str]:
        headline = item[1].get("informedness")
        value = -math.inf if headline is None or headline.value is None else headline.value
        return -value, item[0]

    about_constraints = [s for s in scores if s.metric in METRICS]
    return sorted(pooled(about_constraints).items(), key=key)


def _cell(score: Score | None) -> str:
    if score is None or score.value is None:
        return "-"
    if score.metric == "coverage":
        return coverage_cell(score)
    if score.metric == "informedness":
        return f"[bold]{score.value:.2f}[/bold] [dim]{score.low:5.2f} {score.high:5.2f}[/dim]"
    return f"{score.value:.2f}"
