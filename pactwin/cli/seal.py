"""``pactwin challenge``: held-out suites whose answers only the organiser can decrypt."""

from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import Force, JsonPath, LogPaths, SuitePath
from pactwin.cli.outputs import check_outputs

KeyPath = Annotated[
    Path,
    typer.Option(
        metavar="FILE", help="The organiser's secret key; seal makes it if it is missing."
    ),
]


@handle_errors
def seal(
    suite: SuitePath,
    out: Annotated[Path, typer.Option(metavar="DIR", help="New folder for both parts.")],
    key: KeyPath,
) -> None:
    """Split a suite into questions and sealed answers."""
    from pactwin.suite import (
        InvalidInputError,
        counted,
        new_key,
        read_key,
        refuse_inside_suite,
        seal_suite,
        sealed_suite_path,
    )

    refuse_inside_suite(key)
    if key.resolve().is_relative_to(out.resolve()):
        raise InvalidInputError(f"{key} would be published with {out}: keep the key elsewhere")
    made = not key.exists()
    info = seal_suite(suite, out, new_key(key) if made else read_key(key))
    if made:
        typer.echo(f"{key}: a new secret key; grading needs it")
    asked = " about ".join(counted(info.counts[name], name) for name in ("questions", "scenes"))
    typer.echo(f"{sealed_suite_path(out)}: for contestants, {asked}, {info.content_hash[:12]}")


@handle_errors
def grade(
    sealed: Annotated[Path, typer.Argument(metavar="DIR", help="Folder that seal wrote.")],
    logs: LogPaths,
    key: KeyPath,
    ledger: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="List of graded logs; default: ledger.jsonl in DIR."),
    ] = None,
    json_file: JsonPath = None,
    force: Force = False,
) -> None:
    """Score submitted logs against sealed answers."""
    from pactwin.cli.tables import console
    from pactwin.compare import rankings, score_kinds, terminal_table, write_scores
    from pactwin.suite import ANSWERS, LEDGER, open_answers, read_key, refuse_inside_suite
    from pactwin.tasks import Row, grade_logs

    def keep(rows: list[Row]) -> None:
        """Write and print the scores before the ledger refuses to grade again."""
        scores = score_kinds(rows)
        if json_file is not None:
            write_scores(scores, json_file)
        for table in rankings(scores, brief=True):
            console().print(terminal_table(table))

    answers = open_answers(sealed, read_key(key))
    ledger = ledger or sealed / LEDGER
    refuse_inside_suite(ledger)
    check_outputs([json_file], [sealed / ANSWERS, key, ledger, *logs], force=force)
    grade_logs(sealed, logs, answers, ledger, keep)
    if json_file is not None:
        typer.echo(json_file)
