"""The table of choices which part of which thing could serve."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pactwin.compare.creative.metrics import USE_METRICS
from pactwin.compare.metrics import Score
from pactwin.compare.plain import PlainTable
from pactwin.compare.ranking import ranked, ranking_table

if TYPE_CHECKING:
    from rich.table import Table

_COLUMNS = {
    "creative_gold": "gold (95 %)",
    "creative_gold_strict": "strict",
    "creative_entity": "thing",
    "creative_exact": "exact",
    "creative_similar": "similar",
    "creative_hallucination": "not there",
    "creative_turns": "turns",
    "creative_explored": "seen",
    "creative_coverage": "cover",
}
_NOTE = (
    "Gold: the thing and the part that are meant, by the same name. Similar: another part that was "
    "judged to serve alike. Not there: names nothing that is there. Seen: different things looked "
    "at. Strict: no answer counts as wrong."
)


def use_table(scores: Sequence[Score]) -> "Table | None":
    """The pooled scores for the terminal, best first; None if no such questions were asked."""
    rows = ranked((s for s in scores if s.metric in USE_METRICS), *_COLUMNS)
    return ranking_table("part that could serve", _COLUMNS, rows, "creative_") if rows else None


def use_section(scores: Sequence[Score]) -> tuple[PlainTable, ...]:
    """What the page shows: all together, then by domain; empty if no such questions were asked."""
    mine = [score for score in scores if score.metric in USE_METRICS]
    tables = []
    for domain in sorted({score.domain for score in mine}, key=lambda name: (name != "all", name)):
        cells = {(s.model, s.metric): s for s in mine if s.domain == domain}
        models = sorted({model for model, _ in cells}, key=lambda m: (-_value(cells, m), m))
        rows = tuple((m, *(_cell(cells.get((m, metric))) for metric in _COLUMNS)) for m in models)
        title = "All situations" if domain == "all" else f"Of tier {domain}"
        tables.append(PlainTable(title, "System", tuple(_COLUMNS.values()), rows, _NOTE))
    return tuple(tables)


def _value(cells: dict[tuple[str, str], Score], model: str) -> float:
    score = cells.get((model, "creative_gold"))
    return -1.0 if score is None or score.value is None else score.value


def _cell(score: Score | None) -> str:
    if score is None or score.value is None:
        return "-"
    if score.metric == "creative_gold" and score.low is not None and score.high is not None:
        return f"{score.value:.2f} ({score.low:.2f} {score.high:.2f})"
    return f"{score.value:.2f}"
