"""The commands that read and write other people's layouts, and score by other people's rules."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pactwin.cli.arguments import LogPaths, SuitePath, group
from pactwin.cli.boundary import shown

reading = group("Make suites of other people's data.")
writing = group("Write suites in other layouts.")

ExportPath = Annotated[Path, typer.Argument(metavar="OUT", help="New folder.")]


@reading.command("pacbench")
@shown
def import_pacbench(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="Folder of PAC Bench's data.")],
    out: Annotated[Path, typer.Option(help="Suite to write; a half-written one is resumed.")],
    consensus: Annotated[
        Literal["unanimous", "majority", "all"],
        typer.Option(help="Ask where all annotators agree, where more than half do, or all."),
    ] = "majority",
) -> None:
    """Make a suite of PAC Bench's published data, and a report of all that is odd in them."""
    from pactwin.cli.publishing import read_pacbench as run

    run(path, out, consensus)


@writing.command("pacbench")
@shown
def export_pacbench(suite: SuitePath, out: ExportPath) -> None:
    """Write a suite in the layout of PAC Bench's data."""
    from pactwin.cli.publishing import write_pacbench as run

    run(suite, out)


@writing.command("hf")
@shown
def export_hub(suite: SuitePath, out: ExportPath) -> None:
    """Write a suite for Hugging Face's datasets: Parquet with pictures."""
    from pactwin.cli.publishing import write_hub as run

    run(suite, out)


@writing.command("coco")
@shown
def export_coco(suite: SuitePath, out: ExportPath) -> None:
    """Write a suite in COCO's format: boxes and masks of its objects."""
    from pactwin.cli.publishing import write_coco as run

    run(suite, out)


@shown
def as_published(
    suite: SuitePath,
    logs: LogPaths,
    verifier: Annotated[
        str | None, typer.Option(help="Model that says of each reply whether it is right.")
    ] = None,
    judge_self: Annotated[
        bool, typer.Option("--judge-self", help="Let a model verify answers of its own.")
    ] = False,
    log_dir: Annotated[Path, typer.Option(help="Folder of the verifier's log.")] = Path(
        "verifier-logs"
    ),
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write every cell as rows.")
    ] = None,
) -> None:
    """Score answers to an imported suite by PAC Bench's own rules, beside ours."""
    from pactwin.cli.publishing import as_published as run

    run(suite, logs, verifier, judge_self, log_dir, json_file)
