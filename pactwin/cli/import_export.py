"""``pactwin import``, ``export``, ``as-published``: published data and rules, other formats."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import ImportedSuite, JsonPath, SuitePath
from pactwin.cli.outputs import ENTITIES, IMPORT_REPORT, SCORES, check_outputs, write_records

if TYPE_CHECKING:
    from rich.table import Table

    from pactwin.suite import ProgressCallback, Suite, SuiteInfo
    from pactwin.tasks import ImportReport, PublishedCell, RowReport


NewFolder = Annotated[Path, typer.Argument(metavar="OUT", help="New folder.")]


@handle_errors
def import_pacbench(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of PAC Bench's data.")],
    out: ImportedSuite,
    consensus: Annotated[
        Literal["unanimous", "majority", "all"],
        typer.Option(help="Agreement among annotators that a question needs."),
    ] = "majority",
) -> None:
    """Make a suite of PAC Bench's data; report its issues."""
    from pactwin.cli.progress import steps
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.tasks import import_pacbench, import_report_path

    check_outputs([(import_report_path(out), IMPORT_REPORT)], [path])
    with steps() as progress:
        info, report = import_pacbench(path, out, consensus, progress)
    if report.issues_by_kind:
        console().print(_issues_table(report))
    sources = {count.source for count in report.counts if count.found}
    differing = [c for c in report.counts if c.source in sources and not c.agrees]
    if differing:
        table = plain_table(["counts that differ"], ["found", "published"])
        for count in differing:
            published = " or ".join(f"{n:,}" for n in count.published)
            add_row(table, count.what, f"{count.found:,}", published)
        console().print(table)
    rows = sum(table.rows for table in report.tables.values())
    used = sum(table.used for table in report.tables.values())
    pictures = report.pictures
    typer.echo(
        f"{used:,} of {rows:,} rows and {pictures.used:,} of {pictures.rows:,} pictures are in the "
        f"suite; {import_report_path(out)} tells of every other"
    )
    counts = ", ".join(f"{info.counts[key]:,} {key}" for key in ("scenes", "views", "questions"))
    typer.echo(f"{out}: {counts}; {info.content_hash}")


@handle_errors
def import_macgyver(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of MacGyver's three files.")],
    out: ImportedSuite,
) -> None:
    """Make a suite of MacGyver's problems and rated answers."""
    from pactwin.tasks import import_macgyver

    _import(import_macgyver, path, out, {"questions": "problems"})


@handle_errors
def import_phystool(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of PhysTool-Bench's data.")],
    out: ImportedSuite,
) -> None:
    """Make a suite of PhysTool-Bench's pictures and tasks."""
    from pactwin.tasks import import_phystool

    _import(import_phystool, path, out, {key: key for key in ("scenes", "views", "questions")})


@handle_errors
def import_creativitybench(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of CreativityBench's files.")],
    out: ImportedSuite,
) -> None:
    """Make a suite of CreativityBench's tasks and entities."""
    from pactwin.tasks import creative_entities_path, import_creativitybench

    check_outputs([(creative_entities_path(out), ENTITIES)], [path])
    _import(import_creativitybench, path, out, {"questions": "tasks"})


def _import(
    importer: "Callable[[Path, Path, ProgressCallback], tuple[SuiteInfo, RowReport]]",
    path: Path,
    out: Path,
    counted: dict[str, str],
) -> None:
    """Import, say what was odd, and how many rows of each file are in the suite.

    ``counted`` says what the suite's counts are called, as far as they are told.
    """
    from pactwin.cli.progress import steps
    from pactwin.cli.tables import console
    from pactwin.tasks import import_report_path

    report_path = import_report_path(out)
    check_outputs([(report_path, IMPORT_REPORT)], [path])
    with steps() as progress:
        info, report = importer(path, out, progress)
    if report.issues_by_kind:
        console().print(_issues_table(report))
    for file, count in report.files.items():
        typer.echo(f"{file}: {count.used:,} of {count.rows:,} rows were taken")
    typer.echo(f"{report_path} tells of every row that is odd")
    counts = ", ".join(f"{info.counts[key]:,} {name}" for key, name in counted.items())
    typer.echo(f"{out}: {counts}; {info.content_hash}")


@handle_errors
def export_pacbench(suite: SuitePath, out: NewFolder) -> None:
    """Write a suite in PAC Bench's layout."""
    from pactwin.cli.progress import steps
    from pactwin.suite import Suite
    from pactwin.tasks import export_pacbench

    with steps() as progress:
        written = export_pacbench(Suite.open(suite), out, progress)
    left_out = f"; {written.not_asked} scenes no view of which can answer were left out"
    typer.echo(
        f"{out}: {written.pictures:,} pictures, {written.rows:,} rows"
        f"{left_out if written.not_asked else ''}"
    )


@handle_errors
def export_hub(suite: SuitePath, out: NewFolder) -> None:
    """Write a suite for Hugging Face datasets (Parquet)."""
    from pactwin.suite import export_hub

    _export(export_hub, suite, out)


@handle_errors
def export_coco(suite: SuitePath, out: NewFolder) -> None:
    """Write a suite's boxes and masks in COCO's format."""
    from pactwin.suite import export_coco

    _export(export_coco, suite, out)


@handle_errors
def export_training(
    suite: SuitePath,
    out: NewFolder,
    held_out: Annotated[
        Path | None,
        typer.Option(metavar="SUITE", help="Suite for tests, with which nothing may be shared."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides orders and errors.")] = 0,
    teacher: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Model that writes the replies; default: a script."),
    ] = None,
    log_dir: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the teacher's log.")
    ] = Path("logs"),
) -> None:
    """Write SFT and DPO rows about pictured uses of things."""
    from functools import partial

    from pactwin.tasks import ask_teacher, export_training

    teach = None if teacher is None else partial(ask_teacher, teacher, log_dir)
    written = export_training(suite, held_out, out, seed, teach)
    typer.echo(f"{out}: " + ", ".join(f"{count:,} {name}" for name, count in written.items()))


def _export(
    export: "Callable[[Suite, Path, ProgressCallback], dict[str, int]]", suite: Path, out: Path
) -> None:
    from pactwin.cli.progress import steps
    from pactwin.suite import Suite

    with steps() as progress:
        written = export(Suite.open(suite), out, progress)
    typer.echo(f"{out}: " + ", ".join(f"{count:,} {name}" for name, count in written.items()))


@handle_errors
def as_published(
    suite: SuitePath,
    logs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="LOG...", help="Inspect logs, or folders of them; not for MacGyver."
        ),
    ] = None,
    verifier: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Model that judges whether a reply is right."),
    ] = None,
    judge_self: Annotated[
        bool, typer.Option("--judge-self", help="Allow a model to verify its own answers.")
    ] = False,
    log_dir: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the verifier's log.")
    ] = Path("verifier-logs"),
    json_file: JsonPath = None,
) -> None:
    """Score answers by a benchmark's own rules, beside ours."""
    from rich.markup import escape

    from pactwin.cli.tables import console
    from pactwin.suite import InvalidInputError, Suite
    from pactwin.tasks import is_creativitybench, is_macgyver, is_phystool, score_as_published

    check_outputs([(json_file, SCORES)], [suite, *(logs or ())])
    opened = Suite.open(suite)
    if is_macgyver(opened):
        from pactwin.cli.macgyver import print_published

        return print_published(opened, json_file)
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


def _print_creativity(suite: "Suite", logs: list[Path], json_file: Path | None) -> None:
    """CreativityBench's own shares, with how many answers of those asked for each is over."""
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.tasks import UseRow, logs_in, read_rows, require_asked, score_as_creativitybench

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


def _print_phystool(suite: "Suite", logs: list[Path], json_file: Path | None) -> None:
    """PhysTool-Bench's own numbers, with how many answers of those asked for each is over."""
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.tasks import ToolRow, logs_in, read_rows, require_asked, score_as_phystool

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


def _beside(cells: "Iterable[PublishedCell]") -> "Table":
    """Published and corrected scores side by side, with what each is over."""
    from pactwin.cli.tables import add_row, plain_table

    heads = ("as published", "right/rows", "corrected", "answered/asked")
    table = plain_table(["source", "cell"], heads)
    for cell in cells:
        rows = None if cell.published is None else f"{cell.right:,}/{cell.rows:,}"
        values = (cell.published, cell.corrected)
        published, corrected = (None if value is None else f"{value:.1%}" for value in values)
        over = f"{cell.answered:,}/{cell.asked:,}"
        add_row(table, cell.source, cell.cell, published, rows, corrected, over)
    return table


def _issues_table(report: "ImportReport | RowReport") -> "Table":
    """How often each issue was found: in the suite all the same, or skipped."""
    from pactwin.cli.tables import add_row, plain_table

    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for issue in report.issues:
        found[issue.kind.value][issue.lost] += 1
    table = plain_table(["issue"], ["kept", "skipped"])
    for kind, (kept, lost) in sorted(found.items(), key=lambda item: -sum(item[1])):
        add_row(table, kind, f"{kept:,}" if kept else "", f"{lost:,}" if lost else "")
    return table
