"""A kind's tables of scores: a row per model, best first."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pactwin.compare.scores import Score
from pactwin.compare.warnings import coverage_cell, warning_caption
from pactwin.tasks import COMMON, COMPLETENESS, COVERAGE, EPOCHS, KINDS, Column, ScoreTable

if TYPE_CHECKING:
    from rich.table import Table

Cells = dict[Column, Score]
"""One model's scores by table column."""


@dataclass(frozen=True)
class Ranking:
    """One table of a kind, with measured columns only, and models best first.

    ``place`` is the cell (axis, value) of a repeated table, None for the pooled one. ``measured``
    holds each model's pooled coverage and completeness.
    """

    kind: str
    table: ScoreTable
    place: tuple[str, str] | None
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, Cells], ...]
    measured: dict[str, tuple[Score | None, Score | None]]

    @property
    def title(self) -> str:
        """The table's title with its cell."""
        title = self.table.title
        if self.table is EPOCHS:
            title = f"{KINDS[self.kind].scoring.title} over epochs"
        return f"{title}: {self.place[1]}" if self.place else title

    def label(self, column: Column) -> str:
        """The metric's label if there is room; otherwise the column's heading."""
        if column.cell:
            return column.head
        scoring = KINDS[self.kind].scoring
        labels = {metric.name: metric.label for metric in (*scoring.metrics, *COMMON)}
        return labels[column.metric] or column.head


def pooled(scores: Iterable[Score]) -> dict[str, dict[str, Score]]:
    """Scores over all cells: {model: {metric: score}}."""
    models: dict[str, dict[str, Score]] = {}
    for score in scores:
        if score.is_pooled:
            models.setdefault(score.model, {})[score.metric] = score
    return models


def rankings(scores: Sequence[Score], *, brief: bool = False) -> list[Ranking]:
    """Tables of every kind that was asked, in the order of the registry.

    With ``brief`` only the short tables; otherwise all, some repeated for each value of an axis.
    Tables without scores besides the coverage are left out.
    """
    found = []
    for kind, declared in KINDS.items():
        mine = [s for s in scores if s.kind == kind]
        for table in (*declared.scoring.tables, EPOCHS) if mine else ():
            if brief and not table.brief:
                continue
            found.append(ranking(kind, table, mine))
            for axis in () if brief else table.by:
                values = sorted(
                    {s.at(axis) for s in mine if len(s.cell) == 1 and s.cell[0][0] == axis}
                )
                if len(values) > 1:
                    found += [ranking(kind, table, mine, (axis, value)) for value in values]
    return [one for one in found if one.rows]


def headline(kind: str, scores: Sequence[Score]) -> Ranking:
    """The first table of a kind."""
    mine = [s for s in scores if s.kind == kind]
    return ranking(kind, KINDS[kind].scoring.tables[0], mine)


def ranking(
    kind: str, table: ScoreTable, scores: Sequence[Score], place: tuple[str, str] | None = None
) -> Ranking:
    """One table of the scores of its kind.

    Models are sorted by the first column, highest first, then by name; those without a value come
    last.
    """
    prefix = KINDS[kind].scoring.prefix
    there = () if place is None else (place,)
    wanted: dict[tuple[str, frozenset], list[Column]] = {}
    for column in table.columns:
        key = f"{prefix}{column.metric}", frozenset((*column.cell, *there))
        wanted.setdefault(key, []).append(column)
    models: dict[str, Cells] = {}
    for s in scores:
        for column in wanted.get((s.metric, frozenset(s.cell)), ()):
            models.setdefault(s.model, {})[column] = s
    existing = {c for cells in models.values() for c in cells if c.metric != COVERAGE}
    if not existing:
        models = {}
    columns = tuple(c for c in table.columns if any(c in cells for cells in models.values()))

    def falling(item: tuple[str, Cells]) -> tuple[float, str]:
        best = next((item[1][c] for c in columns if c in item[1]), None)
        return (math.inf if best is None or best.value is None else -best.value), item[0]

    everything = pooled(scores)
    measured = {
        model: (
            everything.get(model, {}).get(f"{prefix}{COVERAGE}"),
            everything.get(model, {}).get(f"{prefix}{COMPLETENESS}"),
        )
        for model in models
    }
    rows = tuple(sorted(models.items(), key=falling))
    return Ranking(kind, table, place, columns, rows, measured)


def empty_table(first: str, heads: Iterable[str]) -> "Table":
    """A table without rows: a column of names, which may wrap, followed by columns of numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column(first, overflow="fold", ratio=1, vertical="bottom")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def terminal_table(found: Ranking) -> "Table":
    """A ranking for the terminal, with an interval in the first column.

    Caveats of models follow below.
    """
    from rich.markup import escape

    heads = [f"{c.head} (95 %)" if i == 0 else c.head for i, c in enumerate(found.columns)]
    table = empty_table(found.title.lower(), heads)
    for model, cells in found.rows:
        shown = (_cell(cells.get(c), c, key=i == 0) for i, c in enumerate(found.columns))
        table.add_row(escape(model), *shown)
    cautions = sorted({s.caution for _, cells in found.rows for s in cells.values() if s.caution})
    lines = [warning_caption(found.measured), *map(escape, cautions)]
    table.caption, table.caption_justify = "\n".join(filter(None, lines)) or None, "left"
    return table


def _cell(score: Score | None, column: Column, *, key: bool) -> str:
    if score is None or score.value is None:
        return "-"
    if column.metric == COVERAGE:
        return coverage_cell(score)
    if key and score.low is not None and score.high is not None:
        return f"[bold]{score.value:z.2f}[/bold] [dim]{score.low:z5.2f} {score.high:z5.2f}[/dim]"
    return f"{score.value:z.2f}"
