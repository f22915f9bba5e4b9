"""``pactwin eval`` and ``pactwin compare``: answers, scores, and the gate for CI."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from pactwin.cli.asking import Bars
from pactwin.cli.boundary import found
from pactwin.cli.tables import console
from pactwin.compare import METRICS, Score, compare_logs, gate, object_tables, score_table
from pactwin.tasks import read_rows, run_eval


def evaluate(
    suite: Path,
    models: Sequence[str],
    log_dir: Path,
    fail_under: Sequence[str],
    **options: Any,
) -> None:
    """Ask, then print where the logs are and the scores.

    Exit code 1 if a gate fails, or if the budget left questions out. ``options`` are those of
    :func:`pactwin.tasks.run_eval`.
    """
    _check_conditions(fail_under)
    with Bars() as bars:
        logs = run_eval(suite, models, log_dir=log_dir, listener=bars, **options)
    bars.tell_replayed(fresh=bool(options.get("fresh")))
    if any(asked.failed for asked in bars.asked.values()):
        bars.tell_errors(read_rows(logs))
    stopped = (
        f"stopped at --max-cost: {bars.left_out} questions were not asked; the same command with "
        "--resume and more money goes on"
    )
    if not logs:
        raise found(stopped)
    for log in logs:
        typer.echo(log)
    _tell(compare_logs(logs), fail_under)
    if bars.left_out:
        raise found(stopped)


def compare(
    logs: Sequence[Path],
    suites: Sequence[Path],
    out: Path | None,
    json_file: Path | None,
    fail_under: Sequence[str],
    published: Path | None = None,
) -> None:
    """Print scores and write what is asked for; exit code 1 if a gate fails."""
    _check_conditions(fail_under)
    scores = compare_logs(logs, out, json_file, suites or None, published)
    for written in (out, json_file):
        if written is not None:
            typer.echo(written)
    _tell(scores, fail_under)


def _check_conditions(fail_under: Sequence[str]) -> None:
    """Find mistakes in the gate before anything is paid for."""
    for condition in fail_under:
        gate([], condition)


def _tell(scores: Sequence[Score], fail_under: Sequence[str]) -> None:
    out = console()
    if any(score.metric in METRICS for score in scores):
        out.print(score_table(scores))
    for table in object_tables(scores):
        out.print(table)
    violations = [v for condition in fail_under for v in gate(scores, condition)]
    if violations:
        raise found("; ".join(str(violation) for violation in violations))
