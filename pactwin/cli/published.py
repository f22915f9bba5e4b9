"""``pactwin compare --as-published``: scores by the rules of published benchmarks."""

from collections.abc import Sequence
from pathlib import Path

import typer

from pactwin.cli.outputs import check_outputs, write_records
from pactwin.cli.tables import add_row, console, plain_table
from pactwin.compare import read_asked
from pactwin.suite import InvalidInputError, Suite
from pactwin.tasks import logs_in, score_as_published


def print_as_published(
    suite: Path | None,
    logs: Sequence[Path],
    verifier: str | None,
    judge_self: bool,
    log_dir: Path,
    json_file: Path | None,
    force: bool,
) -> None:
    """Print and write scores by the rules of the benchmark that a suite was imported from.

    ``suite`` may be None if the logs name it.
    """
    check_outputs([json_file], [suite, *logs], force=force)
    opened = _suite_of(logs) if suite is None else Suite.open(suite)
    tables, left_out = score_as_published(opened, logs, verifier, judge_self, log_dir)
    if json_file is not None:
        write_records(json_file, tables)
    note = ""
    for scores in tables:
        words = [head for head in scores.heads if isinstance(scores.rows[0][head], str)]
        table = plain_table(words, [head for head in scores.heads if head not in words])
        for row in scores.rows:
            add_row(table, *map(_shown, row.values()))
        if scores.note and scores.note != note:
            typer.echo(scores.note)
        note, table.title = scores.note, scores.title
        console().print(table)
    if left_out:
        typer.echo(left_out, err=True)


def _suite_of(logs: Sequence[Path]) -> Suite:
    """The one suite that the logs name."""
    _, found = read_asked(logs_in(logs), None) if logs else ([], [])
    if len(found) != 1:
        raise InvalidInputError(f"--as-published needs one suite, {len(found)} found: give --suite")
    return found[0]


def _shown(value: str | int | float | None) -> str | None:
    """A cell of scores: counts are whole numbers, shares are fractions."""
    if isinstance(value, float):
        return f"{value:.2%}"
    return f"{value:,}" if isinstance(value, int) else value
