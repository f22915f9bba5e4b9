"""``pactwin import`` and ``export``: published data, other formats."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import Force, ImportedSuite, SceneName, SuitePath, suite_folder
from pactwin.cli.outputs import check_outputs
from pactwin.tasks import BENCHMARKS

if TYPE_CHECKING:
    from rich.table import Table

    from pactwin.tasks import ImportReport


NewFolder = Annotated[Path, typer.Argument(metavar="OUT", help="New folder.")]
FlatViews = Annotated[
    str,
    typer.Option(help="Views of the rows, as of pactwin eval: head,side; each; head+side; joint."),
]


@handle_errors
def import_published(
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCHMARK", help=f"One of {', '.join(BENCHMARKS)}.")
    ],
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the published data.")],
    out: ImportedSuite,
    consensus: Annotated[
        Literal["unanimous", "majority", "all"] | None,
        typer.Option(help="Agreement among annotators that a question needs; default: majority."),
    ] = None,
    force: Force = False,
) -> None:
    """Import a published benchmark as a suite; report its faults."""
    from pactwin.cli.progress import steps
    from pactwin.cli.tables import add_row, console, plain_table
    from pactwin.tasks import import_published, import_report_path

    report_path = import_report_path(out)
    check_outputs([report_path], [path], force=force or out.exists())
    with steps() as progress:
        info, report = import_published(benchmark, path, out, consensus, progress)
    if report.issues_by_kind:
        console().print(_issues_table(report))
    differing = [count for count in report.counts if count.found not in count.published]
    if differing:
        table = plain_table(["counts that differ"], ["found", "published"])
        for count in differing:
            published = " or ".join(f"{n:,}" for n in count.published)
            add_row(table, count.what, f"{count.found:,}", published)
        console().print(table)
    for file, taken in (*report.files.items(), ("pictures", report.pictures)):
        if taken.rows:
            typer.echo(f"{file}: {taken.used:,} of {taken.rows:,} are in the suite")
    typer.echo(f"{report_path} lists the others")
    counts = {key: info.counts[key] for key in ("scenes", "views", "questions")}
    typer.echo(f"{out}: {_counts(counts)}; {info.content_hash}")


@handle_errors
def export_pacbench(suite: SuitePath, out: NewFolder) -> None:
    """Write a suite in PAC Bench's layout."""
    from pactwin.cli.progress import steps
    from pactwin.suite import Suite
    from pactwin.tasks import export_pacbench

    with steps() as progress:
        written = export_pacbench(Suite.open(suite), out, progress)
    found = _counts({"pictures": written.pictures, "rows": written.rows})
    left_out = f"; left out without an answerable view: {written.not_asked:,}"
    typer.echo(f"{out}: {found}{left_out if written.not_asked else ''}")


@handle_errors
def export_hub(
    suite: SuitePath,
    out: NewFolder,
    views: FlatViews = "each",
    license: Annotated[
        str | None,
        typer.Option(metavar="ID", help="License as the Hub names it; default: by origin."),
    ] = None,
) -> None:
    """Write a suite for Hugging Face datasets (Parquet)."""
    from functools import partial

    from pactwin.tasks import export_hub

    _export(partial(export_hub, views=views, license=license), suite, out)


Forms = Annotated[
    str | None,
    typer.Option(metavar="FORMS", help="Forms of question, joined by commas; default: all."),
]


@handle_errors
def export_lmms_eval(
    suite: SuitePath, out: NewFolder, views: FlatViews = "each", forms: Forms = None
) -> None:
    """Write tasks for lmms-eval."""
    _export_harness("lmms-eval", suite, out, views, forms)


@handle_errors
def export_inspect(
    suite: SuitePath, out: NewFolder, views: FlatViews = "each", forms: Forms = None
) -> None:
    """Write an Inspect task that runs without pactwin."""
    _export_harness("inspect", suite, out, views, forms)


@handle_errors
def export_verifiers(
    suite: SuitePath, out: NewFolder, views: FlatViews = "each", forms: Forms = None
) -> None:
    """Write an environment for verifiers: one reward per twin pair."""
    _export_harness("verifiers", suite, out, views, forms)


@handle_errors
def export_vlmevalkit(
    suite: SuitePath, out: NewFolder, views: FlatViews = "each", forms: Forms = None
) -> None:
    """Write tables for VLMEvalKit with a scoring script."""
    _export_harness("vlmevalkit", suite, out, views, forms)


def _export_harness(target: str, suite: Path, out: Path, views: str, forms: str | None) -> None:
    from functools import partial

    from pactwin.tasks import export_harness

    _export(partial(export_harness, target=target, views=views, forms=forms), suite, out)


@handle_errors
def export_coco(suite: SuitePath, out: NewFolder) -> None:
    """Write a suite's boxes and masks in COCO's format."""
    from pactwin.suite import export_coco

    _export(export_coco, suite, out)


@handle_errors
def export_lerobot(
    source: Annotated[
        Path,
        typer.Argument(
            parser=suite_folder, metavar="FROM", help="Suite, or folder of episodes of pactwin run."
        ),
    ],
    out: NewFolder,
) -> None:
    """Write episodes or captures as a LeRobotDataset v3."""
    from pactwin.cli.progress import steps
    from pactwin.suite import export_lerobot

    with steps() as progress:
        written = export_lerobot(source, out, progress)
    typer.echo(f"{out}: " + _counts(written))


@handle_errors
def export_mjcf(suite: SuitePath, scene: SceneName, out: NewFolder) -> None:
    """Write a simulated scene as MJCF that plain MuJoCo opens.

    It includes the robot, the objects and the cameras of its pictures.
    """
    from pactwin.sim import export_mjcf
    from pactwin.suite import InvalidInputError, Suite

    if out.exists():
        raise InvalidInputError(f"{out} exists: name a new folder")
    export_mjcf(Suite.open(suite).scene(scene), out)
    typer.echo(f"to open it: python -m mujoco.viewer --mjcf={out / 'scene.xml'}")


@handle_errors
def export_training(
    suite: SuitePath,
    out: NewFolder,
    held_out: Annotated[
        Path | None,
        typer.Option(metavar="SUITE", help="Test suite; rows share nothing with it."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of orders and errors.")] = 0,
    teacher: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Model that writes the replies; default: a script."),
    ] = None,
    log_dir: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the teacher's log.")
    ] = Path("logs"),
) -> None:
    """Write SFT and DPO rows about creative uses."""
    from functools import partial

    from pactwin.tasks import ask_teacher, export_training

    teach = None if teacher is None else partial(ask_teacher, teacher, log_dir)
    written = export_training(suite, held_out, out, seed, teach)
    typer.echo(f"{out}: " + _counts(written))


def _export(export: "Callable[..., dict[str, int]]", suite: Path, out: Path) -> None:
    from pactwin.cli.progress import steps
    from pactwin.suite import Suite

    with steps() as progress:
        written = export(Suite.open(suite), out, progress=progress)
    typer.echo(f"{out}: " + _counts(written))


def _counts(written: Mapping[str, int]) -> str:
    from pactwin.suite import counted

    return ", ".join(counted(count, name) for name, count in written.items())


def _issues_table(report: "ImportReport") -> "Table":
    """Counts of each issue, for rows in the suite and for skipped ones."""
    from pactwin.cli.tables import add_row, plain_table

    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for issue in report.issues:
        found[issue.kind.value][issue.lost] += 1
    table = plain_table(["issue"], ["kept", "skipped"])
    for kind, (kept, lost) in sorted(found.items(), key=lambda item: -sum(item[1])):
        add_row(table, kind, f"{kept:,}" if kept else "", f"{lost:,}" if lost else "")
    return table
