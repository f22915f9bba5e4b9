"""``pactwin eval`` and ``pactwin compare``: answers, scores, and the gate for CI."""

from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console

from pactwin.cli.boundary import found
from pactwin.compare import Score, gate, score, score_table
from pactwin.tasks import read_answers, run_eval


def evaluate(
    suite: Path,
    models: Sequence[str],
    views: str,
    form: str,
    limit: int | None,
    log_dir: Path,
    fail_under: Sequence[str],
) -> None:
    """Ask, then print scores and where the logs are; exit code 1 if a gate fails."""
    _check_conditions(fail_under)
    logs = run_eval(suite, models, log_dir=log_dir, views=views, form=form, limit=limit)
    scores = score(read_answers(logs))
    _print(scores)
    for log in logs:
        typer.echo(log)
    _apply(scores, fail_under)


def _check_conditions(fail_under: Sequence[str]) -> None:
    """Find mistakes in the gate before anything is paid for."""
    for condition in fail_under:
        gate([], condition)


def _apply(scores: Sequence[Score], fail_under: Sequence[str]) -> None:
    violations = [v for condition in fail_under for v in gate(scores, condition)]
    if violations:
        raise found("; ".join(str(violation) for violation in violations))


def _print(scores: Sequence[Score]) -> None:
    Console().print(score_table(scores))
