"""Models in order of a score, and the terminal's tables of them."""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pactwin.compare.metrics import Score
from pactwin.compare.warnings import coverage_cell, warning_caption

if TYPE_CHECKING:
    from rich.table import Table

Ranked = list[tuple[str, dict[str, Score]]]
"""Models, best first, each with its pooled scores by metric."""


def pooled(scores: Iterable[Score]) -> dict[str, dict[str, Score]]:
    """The scores over all domains, views and forms: {model: {metric: score}}."""
    models: dict[str, dict[str, Score]] = {}
    for score in scores:
        if score.is_pooled:
            models.setdefault(score.model, {})[score.metric] = score
    return models


def ranked(scores: Iterable[Score], *headlines: str) -> Ranked:
    """Models by the first of the metrics ``headlines`` that each has, falling.

    Those in which it was not measured come last; ties are in order of name.
    """

    def key(item: tuple[str, dict[str, Score]]) -> tuple[float, str]:
        model, found = item
        best = next((found[metric] for metric in headlines if metric in found), None)
        return (math.inf if best is None or best.value is None else -best.value), model

    return sorted(pooled(scores).items(), key=key)


def empty_table(first: str, heads: Iterable[str]) -> "Table":
    """A table without rows: a column of names, which may wrap, then columns of numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column(first, overflow="fold", ratio=1, vertical="bottom")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def ranking_table(title: str, columns: Mapping[str, str], rows: Ranked, kind: str = "") -> "Table":
    """A row per model, a column per metric {metric: head}, the first with its interval.

    Below it stands why to be careful with some models, by the metrics ``<kind>coverage`` and
    ``<kind>completeness``.
    """
    from rich.markup import escape

    table = empty_table(title, columns.values())
    for model, found in rows:
        cells = (_cell(found.get(metric), key=i == 0) for i, metric in enumerate(columns))
        table.add_row(escape(model), *cells)
    measured = {
        model: (found.get(f"{kind}coverage"), found.get(f"{kind}completeness"))
        for model, found in rows
    }
    table.caption, table.caption_justify = warning_caption(measured), "left"
    return table


def _cell(score: Score | None, *, key: bool) -> str:
    if score is None or score.value is None:
        return "-"
    if score.metric.endswith("coverage"):
        return coverage_cell(score)
    if key and score.low is not None and score.high is not None:
        return f"[bold]{score.value:.2f}[/bold] [dim]{score.low:5.2f} {score.high:5.2f}[/dim]"
    return f"{score.value:.2f}"
