"""The report's section that puts scores by PAC Bench's own rules beside ours."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pactwin.suite import read_json
from pactwin.tasks import PublishedCell

_CELLS = TypeAdapter(list[PublishedCell])


@dataclass(frozen=True)
class PublishedTable:
    """One kind and metric: a line per source and cell, for each model the two scores side by side.

    ``summaries`` are the lines that pool or average a source; ``cells`` are all others.
    """

    title: str
    models: tuple[str, ...]
    summaries: tuple[tuple[str, str], ...]
    cells: tuple[tuple[str, str], ...]
    by_model: dict[tuple[str, str, str], PublishedCell]


def read_published(path: Path) -> list[PublishedCell]:
    """What ``pactwin compare --as-published --json`` wrote; InvalidInputError for anything else."""
    return read_json(_CELLS, path, "what `pactwin compare --as-published --json` writes")


def published_tables(cells: Sequence[PublishedCell]) -> list[PublishedTable]:
    """A table per kind and metric, in the order of ``cells``."""
    groups: dict[tuple[str, str], list[PublishedCell]] = {}
    for cell in cells:
        groups.setdefault((cell.kind, cell.metric), []).append(cell)
    return [_table(f"{kind}: {metric}", some) for (kind, metric), some in groups.items()]


def _table(title: str, cells: Sequence[PublishedCell]) -> PublishedTable:
    lines = dict.fromkeys((cell.source, cell.cell) for cell in cells)
    pooling = {(cell.source, cell.cell) for cell in cells if cell.pools}
    return PublishedTable(
        title=title,
        models=tuple(dict.fromkeys(cell.model for cell in cells)),
        summaries=tuple(line for line in lines if line in pooling),
        cells=tuple(line for line in lines if line not in pooling),
        by_model={(cell.model, cell.source, cell.cell): cell for cell in cells},
    )
