"""Tables of lists of tools, for the terminal and the page."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pactwin.compare.counts import POOLED
from pactwin.compare.metrics import Score
from pactwin.compare.plain import PlainTable, models_by, value_cell
from pactwin.compare.ranking import ranked, ranking_table
from pactwin.compare.tools.metrics import ToolScore

if TYPE_CHECKING:
    from rich.table import Table

TITLES = {
    "recognition": "All that the picture shows",
    "plan": "Tools of a task, in order",
    "named_plan": "The same, with the names of all tools told",
}
_LISTS = {
    "f1": "F1 (95 %)",
    "f1_strict": "strict",
    "f1_of_means": "F1 of means",
    "precision": "precision",
    "recall": "recall",
    "exact": "exact",
    "coverage": "cover",
}
_PLANS = {
    "complete": "complete (95 %)",
    "complete_strict": "strict",
    "exact": "exact",
    "f1": "F1",
    "sr1": "SR@1",
    "sr2": "SR@2",
    "sr3": "SR@3",
    "sr3_all": "SR@3 of all",
    "order": "order",
    "twins": "twins",
    "coverage": "cover",
}
_FAILURES = {
    "failure_exact": "exact match",
    "failure_extra": "extra only",
    "failure_order": "out of order",
    "failure_missing": "missing only",
    "failure_substitute": "substitute",
    "substitute_shown": "strays shown",
    "substitute_made_up": "made up",
    "missed_seen": "missed, but seen",
    "lost_in_planning": "lost in planning",
    "lost_in_seeing": "in seeing",
}
_LOSSES = (
    "Classes exclude each other. What is named instead of missed tools (substitute) is shown, or "
    "made up. Missed, but seen: missed tools that the system named when asked for all. Lost in "
    "planning: not complete with all names told either; in seeing: what telling the names adds."
)
_NOTES = {
    "recognition": (
        "Means over pictures, of answers; strict: of all that was asked. F1 of means is that of "
        "mean precision and mean recall."
    ),
    "plan": (
        "Complete: all tools in an order that works. SR@k: the first k tools are right, of ordered "
        "tasks with at least k tools; of all: of all ordered tasks. Order: pairs rightly ordered. "
        "Twins: pairs of scenes, one without a tool that is needed, both answered exactly."
    ),
}


def tool_tables(scores: Sequence[Score]) -> list["Table"]:
    """The pooled scores for the terminal, best first, a table per kind of question."""
    tables = []
    for kind, title in TITLES.items():
        columns = {f"{kind}_{metric}": head for metric, head in _columns(kind).items()}
        rows = ranked((s for s in scores if s.metric.startswith(f"{kind}_")), *columns)
        if rows:
            tables.append(ranking_table(title.lower(), columns, rows, f"{kind}_"))
    return tables


def tool_section(scores: Sequence[Score]) -> tuple[PlainTable, ...]:
    """What the page shows; empty if no lists were asked for."""
    mine = [score for score in scores if isinstance(score, ToolScore)]
    tables = [_table(title, kind, mine, _columns(kind)) for kind, title in TITLES.items()]
    for kind in ("plan", "named_plan"):
        tables.append(_table(f"{TITLES[kind]}: how plans fail", kind, mine, _FAILURES, _LOSSES))
    for kind, columns in (("recognition", _LISTS), ("plan", _PLANS)):
        for tools in sorted({s.tools for s in mine if s.metric.startswith(kind)} - {POOLED}):
            title = f"{TITLES[kind]}: {tools} of them"
            tables.append(_table(title, kind, mine, columns, tools=tools))
        for domain in sorted({s.domain for s in mine if s.metric.startswith(kind)} - {POOLED}):
            tables.append(_table(f"{TITLES[kind]}: {domain}", kind, mine, columns, domain=domain))
    return tuple(table for table in tables if table.rows)


def _columns(kind: str) -> dict[str, str]:
    return _LISTS if kind == "recognition" else _PLANS


def _table(
    title: str,
    kind: str,
    scores: Sequence[ToolScore],
    columns: dict[str, str],
    note: str = "",
    *,
    domain: str = POOLED,
    tools: str = POOLED,
) -> PlainTable:
    cells = {
        (score.model, score.metric): score
        for score in scores
        if (score.domain, score.view, score.tools) == (domain, POOLED, tools)
    }
    first = f"{kind}_{next(iter(columns))}"
    rows = []
    for model in models_by(cells, first):
        if (model, first) in cells:
            found = [cells.get((model, f"{kind}_{metric}")) for metric in columns]
            shown = [value_cell(score, bounded=at == 0) for at, score in enumerate(found)]
            rows.append((model, f"{cells[model, first].n:,}", *shown))
    heads = ("n", *columns.values())
    return PlainTable(title, "System", heads, tuple(rows), note or _NOTES.get(kind, ""))
