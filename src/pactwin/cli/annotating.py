"""``pactwin annotate``: people answer a suite's questions in Label Studio."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

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
    console = Console()
    if agreed:
        console.print(_agreement_table(agreed))
    console.print(_effort_table(effort))
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
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("asked", overflow="fold")
    for head in ("questions", "unanimous", "majority", "split", "Cohen's κ", "Fleiss' κ", "people"):
        table.add_column(head, justify="right")
    for row in rows:
        counts = (row.questions, row.unanimous, row.majority, row.split)
        kappas = ("-" if kappa is None else f"{kappa:.3f}" for kappa in (row.cohen, row.fleiss))
        raters = "-" if row.raters is None else str(row.raters)
        table.add_row(escape(row.field), *map(str, counts), *kappas, raters)
    return table


def _effort_table(rows: Iterable[Effort]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("annotator")
    for head in ("questions", "answered", "pages", "median s/page"):
        table.add_column(head, justify="right")
    for row in rows:
        seconds = "-" if row.median_s is None else f"{row.median_s:.1f}"
        table.add_row(row.annotator, str(row.questions), str(row.answered), str(row.pages), seconds)
    return table
