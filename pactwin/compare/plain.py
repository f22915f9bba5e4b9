"""Tables as plain text."""

from dataclasses import dataclass

from pactwin.compare.ranking import Ranking
from pactwin.compare.scores import Score


@dataclass(frozen=True)
class PlainTable:
    """A table of strings; ``first`` is the heading of the first column, which names the rows."""

    title: str
    first: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def value_cell(score: Score | None, *, bounded: bool = False) -> str:
    """The value, with its interval if ``bounded``; a dash if there is none."""
    if score is None or score.value is None:
        return "-"
    if bounded and score.low is not None and score.high is not None:
        return f"{score.value:z.2f} ({score.low:z.2f} {score.high:z.2f})"
    return f"{score.value:z.2f}"


def plain_table(found: Ranking) -> PlainTable:
    """A ranking as text; the first column also shows its number of units.

    Models whose scores do not suffice for conclusions are marked.
    """
    rows = []
    for model, cells in found.rows:
        shown = [value_cell(cells.get(c), bounded=i == 0) for i, c in enumerate(found.columns)]
        first = cells.get(found.columns[0])
        name = f"{model} [!]" if any(s.caution for s in cells.values()) else model
        rows.append((name, "-" if first is None else f"{first.n:,}", *shown))
    heads = ("n", *(c.head for c in found.columns))
    return PlainTable(found.title, "Model", heads, tuple(rows), found.table.note)
