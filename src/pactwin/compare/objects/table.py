"""Scores of answers about objects in the terminal: a table for each of the two kinds."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pactwin.compare.cautions import cautions, coverage_cell
from pactwin.compare.metrics import Score

if TYPE_CHECKING:
    from rich.table import Table

PROPERTY_COLUMNS = {
    "property_mean_accuracy": "mean of types (95 %)",
    "property_accuracy": "accuracy",
    "property_chance": "chance",
    "property_corrected": "corrected",
    "property_accuracy_strict": "strict",
    "property_consistency": "views",
    "property_coverage": "cover",
}
AFFORDANCE_COLUMNS = {
    "affordance_f1": "F1 (95 %)",
    "affordance_precision": "precision",
    "affordance_recall": "recall",
    "affordance_all": "all named",
    "affordance_any": "any named",
    "affordance_coverage": "cover",
}


def object_tables(scores: Sequence[Score]) -> list["Table"]:
    """The pooled scores, a row per model, best first; no table for what was not asked."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    tables = []
    for title, columns in (("properties", PROPERTY_COLUMNS), ("affordances", AFFORDANCE_COLUMNS)):
        ranked = ranked_by(scores, next(iter(columns)))
        if not ranked:
            continue
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        table.add_column(title, overflow="fold", ratio=1, vertical="bottom")
        for head in columns.values():
            table.add_column(head, justify="right", no_wrap=True)
        for model, found in ranked:
            cells = (_cell(found.get(metric), key=i == 0) for i, metric in enumerate(columns))
            table.add_row(escape(model), *cells)
        kind = next(iter(columns)).partition("_")[0]
        measured = {
            model: (found.get(f"{kind}_coverage"), found.get(f"{kind}_completeness"))
            for model, found in ranked
        }
        table.caption, table.caption_justify = cautions(measured), "left"
        tables.append(table)
    return tables


def ranked_by(scores: Sequence[Score], headline: str) -> list[tuple[str, dict[str, Score]]]:
    """Pooled scores {metric: score} of each model of which ``headline``'s kind was asked.

    By falling ``headline``, or where there is none (one property alone) by falling accuracy.
    """
    prefix = headline.partition("_")[0] + "_"
    models: dict[str, dict[str, Score]] = {}
    for score in scores:
        if score.is_pooled and score.metric.startswith(prefix):
            models.setdefault(score.model, {})[score.metric] = score

    def key(item: tuple[str, dict[str, Score]]) -> tuple[float, str]:
        best = item[1].get(headline) or item[1].get("property_accuracy")
        return (1.0 if best is None or best.value is None else -best.value), item[0]

    return sorted(models.items(), key=key)


def _cell(score: Score | None, *, key: bool) -> str:
    if score is None or score.value is None:
        return "-"
    if score.metric.endswith("coverage"):
        return coverage_cell(score)
    if key and score.low is not None and score.high is not None:
        return f"[bold]{score.value:.2f}[/bold] [dim]{score.low:5.2f} {score.high:5.2f}[/dim]"
    return f"{score.value:.2f}"
