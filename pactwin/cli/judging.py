"""``pactwin judge-agreement``: how well open answers are read, against labels given by hand."""

import json
from pathlib import Path

import typer

from pactwin.cli.tables import add_row, console, plain_table
from pactwin.tasks import measure_agreement


def run(labels: Path, judge: str | None, log_dir: Path, json_file: Path | None) -> None:
    """Print a row per reader; write the same as JSON if asked to."""
    found = measure_agreement(labels, judge, log_dir=log_dir)
    if json_file is not None:
        rows = [agreement.model_dump(mode="json") for agreement in found]
        json_file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        typer.echo(json_file)
    heads = ("answers", "failed", "accuracy", "kappa", "definite", "misread")
    table = plain_table(["reader"], heads)
    for a in found:
        kappa = None if a.kappa is None else f"{a.kappa:.3f}"
        add_row(table, a.reader, a.n, a.failed, f"{a.accuracy:.3f}", kappa, a.definite, a.misread)
    console().print(table)
