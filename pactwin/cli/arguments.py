"""Arguments and options that several commands take, and groups of commands."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pactwin.cli.boundary import shown


def group(text: str) -> typer.Typer:
    """A group of commands, explained by ``text``."""
    return typer.Typer(help=text, no_args_is_help=True, rich_markup_mode=None, add_completion=False)


@shown
def suite_folder(place: str) -> Path:
    """The folder of the suite at a path or URL; a suite at a URL is copied into the cache."""
    from pactwin.cli.suites import fetched

    return fetched(place)


SuitePath = Annotated[
    Path,
    typer.Argument(parser=suite_folder, metavar="SUITE", help="Folder or URL of the suite."),
]
LogPaths = Annotated[list[Path], typer.Argument(metavar="LOG...", help="Logs, or their folders.")]

# Of commands that make suites.
NewSuite = Annotated[
    str,
    typer.Option("--out", metavar="DIR", help="Folder or URL; a half-written suite is resumed."),
]
Seed = Annotated[int, typer.Option(min=0, help="All that is drawn follows from it.")]
PictureSize = Annotated[str, typer.Option(metavar="WxH", help="Pixels of the pictures.")]
EngineName = Annotated[
    Literal["local", "ray"], typer.Option(help="Who draws; the suite is the same.")
]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Ray cluster; default: Ray started here."),
]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Processes here; default: 1, or all CPUs for Ray.")
]

# Robots.
RobotName = Annotated[str | None, typer.Option("--robot", help="g1 (default) or panda.")]
RobotModelPath = Annotated[
    str | None,
    typer.Option(metavar="PATH", help="MJCF of a robot, or menagerie:FOLDER/FILE."),
]
RobotMapping = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="YAML that maps --robot-model; default: ours for its name."),
]

# Models and scores.
ReasoningEffort = Annotated[
    Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None,
    typer.Option(help="How much a reasoning model thinks."),
]
FailUnder = Annotated[
    list[str] | None,
    typer.Option(
        metavar="METRIC=VALUE",
        help="Exit with 1 if a model's pooled metric is below, as informedness=0.3. Repeatable.",
    ),
]
