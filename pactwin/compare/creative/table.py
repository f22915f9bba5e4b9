"""The table of choices which part of which thing could serve."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pactwin.compare.creative.judged import ERROR_METRICS
from pactwin.compare.creative.metrics import USE_METRICS
from pactwin.compare.metrics import Score
from pactwin.compare.plain import Cells, PlainTable, models_by, value_cell
from pactwin.compare.ranking import ranked, ranking_table
from pactwin.tasks import USE_ERRORS

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
    "creative_failed": "failed",
    "creative_coverage": "cover",
}
_NOTE = (
    "Gold: the thing and the part that are meant, by the same name. Similar: another part that was "
    "judged to serve alike. Not there: names nothing that is there. Seen: different things looked "
    "at. Strict: no answer counts as wrong. Failed: calls that failed, of all that was asked."
)
_EXPLORING = {
    "creative_turns": "turns",
    "creative_explored": "things",
    "creative_parts_explored": "parts",
    "creative_repeated": "thing again",
    "creative_parts_repeated": "part again",
    "creative_looked_first_right": "thing first, right",
    "creative_looked_first_wrong": "wrong",
    "creative_part_looked_first_right": "part first, right",
    "creative_part_looked_first_wrong": "wrong",
}
_FOUND = {
    "creative_density_things": "density, things",
    "creative_density_parts": "parts",
    "creative_progress_gold_thing": "progress, gold thing",
    "creative_progress_gold_part": "gold part",
    "creative_progress_similar_thing": "similar thing",
    "creative_progress_similar_part": "similar part",
}
_EXPLORING_NOTE = (
    "Over all runs but those whose calls failed; who never answered counts as wrong. Things and "
    "parts: mean numbers of different ones. Again: runs that look at one again. First: runs that "
    "looked at the right one before they chose right, or wrong."
)
_FOUND_NOTE = (
    "Density: of what was looked at, the share that is meant or like it. Progress: turn over all "
    "turns at which what is meant, or like it, was found."
)
_JUDGED = {
    "creative_judged": "judged",
    "creative_covers_environment": "environment",
    "creative_covers_use": "use",
    "creative_covers_recipient": "recipient",
    "creative_grounding": "grounded",
    "creative_feasibility": "feasible",
    "creative_feasibility_strict": "strict",
}
_ERRORS = {f"creative_{metric}": metric.removeprefix("error_") for metric in ERROR_METRICS}
_JUDGED_NOTE = (
    "By a judge: of right choices, how far the use covers the conditions there are, rests on what "
    "is known of the part, and could be carried out (0 to 1; strict: of all that was asked)."
)
_ERRORS_NOTE = (
    "By a judge, of all that was asked, the share that mainly errs so: "
    + "; ".join(f"{code} {text}" for code, text in USE_ERRORS.items())
    + "."
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
        title = "All situations" if domain == "all" else f"Of tier {domain}"
        tables.append(_table(title, cells, _COLUMNS, _NOTE))
        if domain == "all":
            tables += [
                _table(title, cells, columns, note)
                for title, columns, note, present in (
                    ("How they looked around", _EXPLORING, _EXPLORING_NOTE, "creative_turns"),
                    ("What they found", _FOUND, _FOUND_NOTE, "creative_density_things"),
                    ("How they would use it", _JUDGED, _JUDGED_NOTE, "creative_judged"),
                    ("How they err", _ERRORS, _ERRORS_NOTE, "creative_judged"),
                )
                if any(metric == present for _, metric in cells)
            ]
    return tuple(tables)


def _table(title: str, cells: Cells, columns: Mapping[str, str], note: str) -> PlainTable:
    rows = []
    for model in models_by(cells, "creative_gold"):
        found = {metric: cells.get((model, metric)) for metric in columns}
        shown = (value_cell(found[m], bounded=m == "creative_gold") for m in columns)
        rows.append((model, *shown))
    return PlainTable(title, "System", tuple(columns.values()), tuple(rows), note)
