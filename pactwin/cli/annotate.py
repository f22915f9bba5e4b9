"""``pactwin people``: people answer a suite's questions in Label Studio."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import SuitePath

if TYPE_CHECKING:
    from rich.table import Table

    from pactwin.solvers import PersonAnswer
    from pactwin.tasks import AnnotatorEffort, FieldAgreement


ANSWERS, VOTES, AGREEMENT, EFFORT = "answers", "votes", "agreement", "effort"


@handle_errors
def write(
    suite: SuitePath,
    out: Annotated[Path, typer.Argument(metavar="DIR", help="New folder of the projects.")],
    view: Annotated[
        str,
        typer.Option(
            metavar="CAMERAS", help="View condition shown to people: cameras joined by +."
        ),
    ],
    seed: Annotated[int, typer.Option(min=0, help="Seed of the order of tasks.")] = 0,
) -> None:
    """Write a suite's questions as Label Studio projects."""
    from pactwin.suite import Suite
    from pactwin.tasks import write_projects

    made = write_projects(Suite.open(suite), out, view, seed)
    for project, tasks in made.items():
        typer.echo(f"{out / project}: interface.xml, {tasks} tasks")
    typer.echo(
        "In Label Studio make a project for each, paste interface.xml as its labelling interface "
        "(Custom template), import the task files, and export annotations as JSON."
    )


@handle_errors
def read(
    suite: SuitePath,
    exports: Annotated[
        list[Path], typer.Argument(metavar="EXPORT...", help="Label Studio's JSON exports.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="New folder of the answers.")],
    log_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder of Inspect logs; given, annotators are scored like models."
        ),
    ] = None,
) -> None:
    """Read people's answers: agreement, effort and scores."""
    from pactwin.cli.tables import console
    from pactwin.suite import Record, Suite, new_folder
    from pactwin.tasks import (
        annotator_efforts,
        field_agreements,
        read_exports,
        require_writable_logs,
        votes_on,
    )

    opened = Suite.open(suite)
    answers = read_exports(opened, exports)
    if log_dir is not None:
        require_writable_logs(log_dir)
    questions = {question.id: question for question in opened.questions()}
    agreed, effort = field_agreements(answers, questions), annotator_efforts(answers)
    records: dict[str, Iterable[Record]] = {
        ANSWERS: answers,
        VOTES: votes_on(answers, questions),
        AGREEMENT: agreed,
        EFFORT: effort,
    }
    with new_folder(out) as folder:
        for name, rows in records.items():
            lines = "".join(f"{row.model_dump_json()}\n" for row in rows)
            (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    for name in records:
        typer.echo(out / f"{name}.jsonl")
    if agreed:
        console().print(_agreement_table(agreed))
    console().print(_effort_table(effort))
    if log_dir is not None:
        _score(suite, answers, out, log_dir)


def _score(suite: Path, answers: "Sequence[PersonAnswer]", out: Path, log_dir: Path) -> None:
    from pactwin.solvers import MAJORITY, PEOPLE, annotators_of
    from pactwin.tasks import EvalRequest, run_eval

    people = annotators_of(answers)
    names = [MAJORITY, *people] if len(people) > 1 else list(people)
    request = EvalRequest(
        suite=suite,
        models=tuple(f"{PEOPLE}/{name}" for name in names),
        log_dir=log_dir,
        views=",".join(sorted({answer.view for answer in answers})),
        model_args={"answers": str((out / f"{ANSWERS}.jsonl").resolve())},
    )
    logs = run_eval(request)
    for log in logs:
        typer.echo(log)


def _agreement_table(rows: "Iterable[FieldAgreement]") -> "Table":
    from pactwin.cli.tables import add_row, plain_table

    heads = ("questions", "unanimous", "majority", "split", "Cohen's κ", "Fleiss' κ", "people")
    table = plain_table(["asked"], heads)
    for row in rows:
        counts = (row.questions, row.unanimous, row.majority, row.split)
        kappas = (None if kappa is None else f"{kappa:.3f}" for kappa in (row.cohen, row.fleiss))
        add_row(table, row.field, *counts, *kappas, row.raters)
    return table


def _effort_table(rows: "Iterable[AnnotatorEffort]") -> "Table":
    from pactwin.cli.tables import add_row, plain_table

    table = plain_table(["annotator"], ("questions", "answered", "pages", "median s/page"))
    for row in rows:
        seconds = None if row.median_s is None else f"{row.median_s:.1f}"
        add_row(table, row.annotator, row.questions, row.answered, row.pages, seconds)
    return table
