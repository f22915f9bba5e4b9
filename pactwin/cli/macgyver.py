"""Tables of MacGyver's published answers, and of how judges agree with their ratings."""

import json
from collections.abc import Iterable
from pathlib import Path

import typer
from rich.table import Table

from pactwin.cli.outputs import write_records
from pactwin.cli.tables import add_row, console, plain_table
from pactwin.compare import judge_agreement
from pactwin.suite import InvalidInputError, Suite, write_file
from pactwin.tasks import (
    CATEGORIES,
    Tally,
    difficulty_table,
    grade_published,
    is_macgyver,
    judge_name,
    published_table,
    published_tallies,
)


def print_published(suite: Suite, json_file: Path | None) -> None:
    """Score the released answers by the paper's rules, and by ours; write the former as JSON."""
    questions = list(suite.questions())
    lines = published_table(questions)
    if json_file is not None:
        write_records(json_file, lines)
    out = console()
    words = ("as published", "rule", "override")
    table = plain_table(words, ("problems", "answers", "correct", "one draw", "sd"))
    categories = plain_table(words, (*CATEGORIES, "correct"))
    for line in lines:
        names = (line.system, line.rule, "yes" if line.override else "")
        numbers = (f"{line.problems:,}", f"{line.answers:,}")
        draw = (None if share is None else f"{share:.1%}" for share in (line.drawn, line.spread))
        add_row(table, *names, *numbers, f"{line.correct:.1%}", *draw)
        shares = (f"{line.shares[c]:.1%}" for c in CATEGORIES)
        add_row(categories, *names, *shares, f"{line.correct:.1%}")
    out.print(table)
    out.print(categories)
    for title, options in (
        ("by our rules", {"override": False}),
        ("by our rules, override", {"override": True}),
        ("each text once, worst label", {"override": False, "distinct": True}),
    ):
        out.print(_tallies(title, published_tallies(questions, **options)))
    study = plain_table(["difficulty study (GPT-4)"], ("answers", "of", "share"))
    for row in difficulty_table(questions):
        share = f"{row.count / row.n:.1%}" if row.n else None
        add_row(study, row.label, f"{row.count:,}", f"{row.n:,}", share)
    out.print(study)


def _tallies(title: str, tallies: Iterable[tuple[str, Tally]]) -> Table:
    heads = ("problems", "answers", "average", "one draw", "sd", "best", "majority", "or tie")
    table = plain_table([title], heads)
    for name, found in tallies:
        values = (found.average, found.drawn, found.spread, found.best)
        votes = (found.majority, found.majority_or_tie)
        shares = (f"{value:.1%}" for value in (*values, *votes))
        add_row(table, name, f"{found.problems:,}", f"{found.answers:,}", *shares)
    return table


def print_agreement(
    path: Path, judge: str | None, votes: int, answers: int, log_dir: Path, json_file: Path | None
) -> None:
    """Have published answers graded; print and write how that agrees with people's ratings."""
    suite = Suite.open(path)
    if not is_macgyver(suite):
        raise InvalidInputError(f"{path} has no answers that people rated: import MacGyver's")
    if judge is None:
        raise InvalidInputError("name the judge to compare with --judge")
    graded = grade_published(suite, judge, votes=votes, answers=answers, log_dir=log_dir)
    found = judge_agreement(judge_name(judge, votes), graded)
    if json_file is not None:
        write_file(json_file, json.dumps([found.model_dump(mode="json")], indent=1) + "\n")
        typer.echo(json_file)
    table = plain_table([found.judge], ("value", "95 %", "answers"))
    named = {"accuracy": found.accuracy, "correct or not": found.correct, "kappa": found.kappa}
    named |= {f"recall {c}": found.recall[c] for c in CATEGORIES}
    named |= {f"precision {c}": found.precision[c] for c in CATEGORIES}
    for name, e in named.items():
        value = None if e.value is None else f"{e.value:.3f}"
        bounds = None if e.low is None or e.high is None else f"{e.low:.3f} to {e.high:.3f}"
        add_row(table, name, value, bounds, e.n)
    console().print(table)
    typer.echo(f"{found.by_rule} graded by rule, without the judge; {found.failed} failed")
