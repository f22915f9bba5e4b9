"""``pactwin compare --as-published``: scores by the rules of published benchmarks."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import typer
from rich.markup import escape
from rich.table import Table

from pactwin.cli.outputs import check_outputs, write_records
from pactwin.cli.tables import add_row, console, plain_table
from pactwin.compare import read_asked
from pactwin.suite import InvalidInputError, Suite
from pactwin.tasks import (
    CATEGORIES,
    PublishedCell,
    Tally,
    ToolRow,
    UseRow,
    difficulty_table,
    is_creativitybench,
    is_macgyver,
    is_phystool,
    logs_in,
    published_table,
    published_tallies,
    read_rows,
    require_asked,
    score_as_creativitybench,
    score_as_phystool,
    score_as_published,
)


def print_as_published(
    suite: Path | None,
    logs: Sequence[Path],
    verifier: str | None,
    judge_self: bool,
    log_dir: Path,
    json_file: Path | None,
    force: bool,
) -> None:
    """Print scores by the rules of the benchmark that a suite was imported from, beside ours.

    ``suite`` may be None where the logs name it. MacGyver's answers come with its suite: no logs.
    """
    check_outputs([json_file], [suite, *logs], force=force)
    opened = _suite_of(logs) if suite is None else Suite.open(suite)
    if is_macgyver(opened):
        return _print_macgyver(opened, json_file)
    if not logs:
        raise InvalidInputError("name the logs whose answers are to be scored")
    if is_creativitybench(opened):
        return _print_creativity(opened, logs, json_file)
    if is_phystool(opened):
        return _print_phystool(opened, logs, json_file)
    cells = score_as_published(opened, logs, verifier, judge_self, log_dir)
    if json_file is not None:
        write_records(json_file, cells)
    out = console()
    for (model, kind, metric), some in groupby(cells, lambda c: (c.model, c.kind, c.metric)):
        out.print(f"[bold]{escape(model)}[/bold] · {kind} · {metric.replace('_', ' ')}")
        out.print(_beside(some))
    if verifier is None:
        typer.echo(
            "without --verifier only properties are scored as published, by exact reading", err=True
        )


def _suite_of(logs: Sequence[Path]) -> Suite:
    """The one suite that the logs name."""
    _, found = read_asked(logs_in(logs), None) if logs else ([], [])
    if len(found) != 1:
        raise InvalidInputError(f"--as-published needs one suite, {len(found)} found: give --suite")
    return found[0]


def _print_creativity(suite: Suite, logs: Sequence[Path], json_file: Path | None) -> None:
    """CreativityBench's own shares, with how many answers of those asked for each is over."""
    rows = read_rows(logs_in(logs))
    require_asked(suite, rows)
    scores = score_as_creativitybench(suite, [row for row in rows if isinstance(row, UseRow)])
    if json_file is not None:
        write_records(json_file, scores)
    for model, some in groupby(scores, lambda score: score.model):
        table = plain_table([model], ("share", "count", "answers", "asked"))
        for score in some:
            share = None if score.share is None else f"{score.share:.1%}"
            add_row(table, score.metric, share, score.count, score.n, score.asked)
        console().print(table)


def _print_phystool(suite: Suite, logs: Sequence[Path], json_file: Path | None) -> None:
    """PhysTool-Bench's own numbers, with how many answers of those asked for each is over."""
    rows = read_rows(logs_in(logs))
    require_asked(suite, rows)
    scores = score_as_phystool(suite, [row for row in rows if isinstance(row, ToolRow)])
    if json_file is not None:
        write_records(json_file, scores)
    for model, some in groupby(scores, lambda score: score.model):
        table = plain_table([model, "as published"], ("value", "answers", "asked"))
        for score in some:
            value = None if score.value is None else f"{score.value:.4f}"
            add_row(table, f"Task {score.task}", score.metric, value, score.n, score.asked)
        console().print(table)


def _beside(cells: Iterable[PublishedCell]) -> Table:
    """Published and corrected scores side by side, with what each is over."""

    heads = ("as published", "right/rows", "corrected", "answered/asked")
    table = plain_table(["source", "cell"], heads)
    for cell in cells:
        rows = None if cell.published is None else f"{cell.right:,}/{cell.rows:,}"
        values = (cell.published, cell.corrected)
        published, corrected = (None if value is None else f"{value:.1%}" for value in values)
        over = f"{cell.answered:,}/{cell.asked:,}"
        add_row(table, cell.source, cell.cell, published, rows, corrected, over)
    return table


def _print_macgyver(suite: Suite, json_file: Path | None) -> None:
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
