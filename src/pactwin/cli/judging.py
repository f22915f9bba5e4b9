"""``pactwin judge-agreement``: how well open answers are read, against labels given by hand."""

import json
from pathlib import Path

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pactwin.tasks import Agreement, measure_agreement


def run(labels: Path, judge: str | None, log_dir: Path, json_file: Path | None) -> None:
    """Print a row per reader; write the same as JSON if asked to."""
    found = measure_agreement(labels, judge, log_dir=log_dir)
    if json_file is not None:
        rows = [agreement.model_dump(mode="json") for agreement in found]
        json_file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        typer.echo(json_file)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("reader", overflow="fold")
    for head in ("answers", "failed", "accuracy", "kappa", "definite", "misread"):
        table.add_column(head, justify="right")
    for agreement in found:
        table.add_row(*_cells(agreement))
    Console().print(table)


def _cells(found: Agreement) -> list[str]:
    kappa = "-" if found.kappa is None else f"{found.kappa:.3f}"
    counts = (str(found.n), str(found.failed), f"{found.accuracy:.3f}", kappa)
    return [escape(found.reader), *counts, str(found.definite), str(found.misread)]
