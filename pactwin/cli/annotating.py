"""``pactwin annotate``: people answer a suite's questions in Label Studio."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import typer
from rich.table import Table

from pactwin.cli.tables import add_row, console, plain_table
from pactwin.policies import MAJORITY, PEOPLE, PersonAnswer, annotators_of
from pactwin.suite import Record, Suite, new_folder
from pactwin.tasks import (
    Effort,
    FieldAgreement,
    efforts,
    field_agreements,
    read_exports,
    run_eval,
    votes_on,
    write_projects,
)

ANSWERS, VOTES, AGREEMENT, EFFORT = "answers", "votes", "agreement", "effort"


def export(suite: Path, out: Path, view: str, seed: int) -> None:
    """Write the projects and say how to go on."""
    made = write_projects(Suite.open(suite), out, view, seed)
    for project, tasks in made.items():
        typer.echo(f"{out / project}: interface.xml, {tasks} tasks")
    typer.echo(
        "In Label Studio make a project for each, paste interface.xml as its labelling interface "
        "(Custom template), import the task files, and export annotations as JSON."
    )


def read(suite: Path, exports: Sequence[Path], out: Path, log_dir: Path | None) -> None:
    """Write answers, votes, agreement and effort as JSONL, print the last two; score people."""
    opened = Suite.open(suite)
    answers = read_exports(opened, exports)
    questions = {question.id: question for question in opened.questions()}
    agreed, effort = field_agreements(answers, questions), efforts(answers)
    new_folder(out)
    _write(out, ANSWERS, answers)
    _write(out, VOTES, votes_on(answers, questions))
    _write(out, AGREEMENT, agreed)
    _write(out, EFFORT, effort)
    if agreed:
        console().print(_agreement_table(agreed))
    console().print(_effort_table(effort))
    if log_dir is not None:
        _score(suite, answers, out, log_dir)


def _score(suite: Path, answers: Sequence[PersonAnswer], out: Path, log_dir: Path) -> None:
    people = annotators_of(answers)
    names = [MAJORITY, *people] if len(people) > 1 else list(people)
    logs = run_eval(
        suite,
        [f"{PEOPLE}/{name}" for name in names],
        log_dir=log_dir,
        views=",".join(sorted({answer.view for answer in answers})),
        model_args={"answers": str((out / f"{ANSWERS}.jsonl").resolve())},
    )
    for log in logs:
        typer.echo(log)


def _write(out: Path, name: str, records: Iterable[Record]) -> None:
    path = out / f"{name}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(record.model_dump_json() + "\n" for record in records)
    typer.echo(path)


def _agreement_table(rows: Iterable[FieldAgreement]) -> Table:
    heads = ("questions", "unanimous", "majority", "split", "Cohen's κ", "Fleiss' κ", "people")
    table = plain_table(["asked"], heads)
    for row in rows:
        counts = (row.questions, row.unanimous, row.majority, row.split)
        kappas = (None if kappa is None else f"{kappa:.3f}" for kappa in (row.cohen, row.fleiss))
        add_row(table, row.field, *counts, *kappas, row.raters)
    return table


def _effort_table(rows: Iterable[Effort]) -> Table:
    table = plain_table(["annotator"], ("questions", "answered", "pages", "median s/page"))
    for row in rows:
        seconds = None if row.median_s is None else f"{row.median_s:.1f}"
        add_row(table, row.annotator, row.questions, row.answered, row.pages, seconds)
    return table
