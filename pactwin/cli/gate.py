"""``pactwin gate``: harm, lost work and questions of a robot that acts on answers."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import Force, JsonPath, LogPaths, SuitePath
from pactwin.cli.outputs import check_outputs


@handle_errors
def gate(
    suite: SuitePath,
    logs: LogPaths,
    form: Annotated[
        Literal["yes_no", "choice", "open"], typer.Option(help="Form of question that decides.")
    ] = "yes_no",
    question: Annotated[
        float,
        typer.Option("--question-cost", min=0, help="Cost of asking a person, in completed tasks."),
    ] = 0.2,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Page to write, with curves of utility.")
    ] = None,
    json_file: JsonPath = None,
    force: Force = False,
    old_question: Annotated[float | None, typer.Option("--question", min=0, hidden=True)] = None,
) -> None:
    """Show the harm and lost work of acting on answers."""
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.compare import gate_rows, probability_rows, write_gate_json, write_gate_page
    from pactwin.suite import InvalidInputError, Suite
    from pactwin.tasks import AnswerRow, logs_in, read_rows, require_asked

    if old_question is not None:
        typer.echo("pactwin: `--question` is now `--question-cost`", err=True)
        question = old_question
    check_outputs([out, json_file], [suite, *logs], force=force)
    opened = Suite.open(suite)
    # Log by log, because a model may have been asked twice.
    read = (row for log in logs_in(logs) for row in read_rows([log]))
    rows = [row for row in read if isinstance(row, AnswerRow) and row.form == form]
    if not rows:
        raise InvalidInputError(f"the logs hold no {form} answers about constraints")
    require_asked(opened, rows)
    found = gate_rows(opened, rows, question=question)
    middle = len(found[0].utility) // 2
    cost = found[0].utility[middle].harm_cost
    heads = ("calls", "harm (95 %)", "work lost", "asked", f"utility at {cost:g}")
    table = plain_table(["per 100 tasks", "rule"], heads)
    for row in found:
        harm = f"{row.harm.value:.1f} {row.harm.low:5.1f} {row.harm.high:5.1f}"
        parts = (f"{part.value:.1f}" for part in (row.work_lost, row.questions))
        add_row(
            table, row.rule, row.kind, row.calls, harm, *parts, f"{row.utility[middle].value:+.2f}"
        )
    console().print(table)
    acting = probability_rows(opened, rows, question=question)
    if acting:
        told = ("ask above", "act above", "answers", "as said", "recalibrated", "saves (95 %)")
        table = plain_table([f"acting by probability, harm costs {cost:g}"], told)
        for one in acting:
            if one.harm_cost == cost:
                above = ("-" if p is None else f"{p:.0%}" for p in (one.ask_above, one.act_above))
                utility = (f"{u:+.2f}" for u in (one.answered, one.as_said, one.recalibrated))
                saved = f"{one.saved:+.2f} {one.saved_low:+.2f} {one.saved_high:+.2f}"
                add_row(table, one.rule, *above, *utility, saved)
        console().print(table)
    if out is not None:
        write_gate_page(opened, found, out, question, acting)
        typer.echo(out)
    if json_file is not None:
        write_gate_json([*found, *acting], json_file)
        typer.echo(json_file)
