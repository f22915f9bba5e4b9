"""``pactwin import``, ``export``, ``as-published``: other people's layouts and rules."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path

import typer
from rich.markup import escape
from rich.table import Table

from pactwin.cli.progress import steps
from pactwin.cli.tables import add_row, console, plain_table
from pactwin.suite import ProgressCallback, Suite, export_coco, export_hub
from pactwin.tasks import (
    Consensus,
    ImportReport,
    PublishedCell,
    export_pacbench,
    import_pacbench,
    import_report_path,
    score_as_published,
)

Export = Callable[[Suite, Path, ProgressCallback], dict[str, int]]


def read_pacbench(path: Path, out: Path, consensus: Consensus) -> None:
    """Import, then say what is in the suite, what was odd, which counts are not as published."""
    with steps() as progress:
        info, report = import_pacbench(path, out, consensus, progress)
    if report.oddities:
        console().print(_oddities(report))
    sources = {count.source for count in report.counts if count.found}
    differing = [c for c in report.counts if c.source in sources and not c.agrees]
    if differing:
        table = plain_table(["counts that differ"], ["found", "published"])
        for count in differing:
            published = " or ".join(f"{n:,}" for n in count.published)
            add_row(table, count.what, f"{count.found:,}", published)
        console().print(table)
    rows = sum(table.rows for table in report.tables.values())
    used = sum(table.used for table in report.tables.values())
    pictures = report.pictures
    typer.echo(
        f"{used:,} of {rows:,} rows and {pictures.used:,} of {pictures.rows:,} pictures are in the "
        f"suite; {import_report_path(out)} tells of every other"
    )
    counts = ", ".join(f"{info.counts[key]:,} {key}" for key in ("scenes", "views", "questions"))
    typer.echo(f"{out}: {counts}; {info.content_hash}")


def write_pacbench(suite: Path, out: Path) -> None:
    """Export in PAC Bench's layout."""
    with steps() as progress:
        written = export_pacbench(Suite.open(suite), out, progress)
    left_out = f"; {written.not_asked} scenes no view of which can answer were left out"
    typer.echo(
        f"{out}: {written.pictures:,} pictures, {written.rows:,} rows"
        f"{left_out if written.not_asked else ''}"
    )


def write_hub(suite: Path, out: Path) -> None:
    """Export for Hugging Face datasets."""
    _export(export_hub, suite, out)


def write_coco(suite: Path, out: Path) -> None:
    """Export in COCO's format."""
    _export(export_coco, suite, out)


def _export(export: Export, suite: Path, out: Path) -> None:
    with steps() as progress:
        written = export(Suite.open(suite), out, progress)
    typer.echo(f"{out}: " + ", ".join(f"{count:,} {name}" for name, count in written.items()))


def as_published(
    path: Path,
    logs: Sequence[Path],
    verifier: str | None,
    judge_self: bool,
    log_dir: Path,
    json_file: Path | None,
) -> None:
    """Score answers by the published rules; print them beside our scores."""
    cells = score_as_published(Suite.open(path), logs, verifier, judge_self, log_dir)
    if json_file is not None:
        lines = ",\n".join(cell.model_dump_json() for cell in cells)
        json_file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        typer.echo(json_file)
    out = console()
    for (model, kind, metric), some in groupby(cells, lambda c: (c.model, c.kind, c.metric)):
        out.print(f"[bold]{escape(model)}[/bold] · {kind} · {metric.replace('_', ' ')}")
        out.print(_beside(some))
    if verifier is None:
        typer.echo(
            "without --verifier only properties are scored as published, by exact reading", err=True
        )


def _beside(cells: Iterable[PublishedCell]) -> Table:
    """Published and corrected scores side by side, with what each is over."""
    heads = ("as published", "right/rows", "corrected", "answered/asked")
    table = plain_table(["source", "cell"], heads)
    for cell in cells:
        rows = None if cell.published is None else f"{cell.right:,}/{cell.rows:,}"
        values = (cell.published, cell.corrected)
        published, corrected = (None if value is None else f"{value:.1%}" for value in values)
        over = f"{cell.answered:,}/{cell.asked:,}"
        add_row(table, cell.source, cell.cell, published, rows, corrected, over)
    return table


def _oddities(report: ImportReport) -> Table:
    """How often each oddity was found: in the suite all the same, or set aside."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for finding in report.findings:
        found[finding.oddity.value][finding.lost] += 1
    table = plain_table(["odd"], ["kept", "set aside"])
    for oddity, (kept, lost) in sorted(found.items(), key=lambda item: -sum(item[1])):
        add_row(table, oddity, f"{kept:,}" if kept else "", f"{lost:,}" if lost else "")
    return table
