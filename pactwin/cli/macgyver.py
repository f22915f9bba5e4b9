"""Tables of MacGyver's published answers."""

from collections.abc import Iterable
from pathlib import Path

import typer
from rich.table import Table

from pactwin.cli.tables import add_row, console, plain_table
from pactwin.suite import Suite, write_file
from pactwin.tasks import (
    CATEGORIES,
    Tally,
    difficulty_table,
    published_table,
    published_tallies,
)


def print_published(suite: Suite, json_file: Path | None) -> None:
    """Score the released answers by the paper's rules, and by ours; write the former as JSON."""
    questions = list(suite.questions())
    lines = published_table(questions)
    if json_file is not None:
        rows = ",\n".join(line.model_dump_json() for line in lines)
        write_file(json_file, f"[\n{rows}\n]\n")
        typer.echo(json_file)
    out = console()
    heads = ("problems", "answers", *CATEGORIES, "correct", "one draw")
    table = plain_table(["as published", "rule", "override"], heads)
    for line in lines:
        spread = None if line.spread is None else f"{line.drawn:.1%}, sd {line.spread:.1%}"
        shares = (f"{line.shares[c]:.1%}" for c in CATEGORIES)
        words = (line.system, line.rule, "yes" if line.override else "")
        numbers = (f"{line.problems:,}", f"{line.answers:,}")
        add_row(table, *words, *numbers, *shares, f"{line.correct:.1%}", spread)
    out.print(table)
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
