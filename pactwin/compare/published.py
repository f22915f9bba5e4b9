"""Scores by a benchmark's own rules, as ``pactwin compare --as-published --json`` wrote them."""

from pathlib import Path

from pydantic import ConfigDict, TypeAdapter

from pactwin.suite import Record, read_json
from pactwin.tasks import PublishedTable


class _Cell(Record):
    """A score as earlier versions stored it, for PAC Bench only: one cell of a table."""

    model_config = ConfigDict(extra="allow")
    kind: str
    metric: str
    published: float | None


_FILE = TypeAdapter(list[PublishedTable] | list[_Cell])


def read_published(path: Path) -> list[PublishedTable]:
    """Read a file of ``pactwin compare --as-published --json``; InvalidInputError for any other."""
    found = read_json(_FILE, path, "what `pactwin compare --as-published --json` writes")
    tables = [entry for entry in found if isinstance(entry, PublishedTable)]
    cells: dict[str, list[dict[str, str | int | float | None]]] = {}
    for cell in found:
        if isinstance(cell, _Cell):
            row = cell.model_dump(exclude={"kind", "metric"})
            cells.setdefault(f"{cell.kind}: {cell.metric}", []).append(row)
    return tables + [PublishedTable(title=t, rows=tuple(rows)) for t, rows in cells.items()]
