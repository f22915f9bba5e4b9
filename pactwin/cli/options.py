"""Arguments and options of several commands, and groups of commands."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pactwin.cli.boundary import handle_errors

if TYPE_CHECKING:
    from pactwin.sim import RobotModel


def group(text: str = "") -> typer.Typer:
    """A group of commands with the help ``text``."""
    return typer.Typer(help=text, no_args_is_help=True, rich_markup_mode="rich")


@handle_errors
def suite_folder(place: str) -> Path:
    """Folder of the suite at a path or URL; a suite at a URL is downloaded to the cache."""
    from pactwin.suite import is_url, local_copy

    if not is_url(place):
        return Path(place)
    from pactwin.cli.progress import steps

    with steps() as progress:
        return local_copy(place, progress)


SuitePath = Annotated[
    Path,
    typer.Argument(parser=suite_folder, metavar="SUITE", help="Folder or URL of the suite."),
]
SceneName = Annotated[
    str,
    typer.Argument(metavar="SCENE", help="Number of the scene in pactwin ls, or its id."),
]
LogPaths = Annotated[
    list[Path], typer.Argument(metavar="LOG...", help="Inspect logs, or folders of them.")
]
JsonPath = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="JSON file to write, all figures.")
]
RecordedIn = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="DIR", help="Recordings in place of cameras, or a capture's folder."
    ),
]
RigPath = Annotated[
    Path,
    typer.Option("--rig", metavar="FILE", help="Rig file; see pactwin rig init."),
]
RawSeconds = Annotated[
    float | None,
    typer.Option(
        "--mcap",
        min=0.1,
        max=60,
        metavar="SECONDS",
        help="Also store raw streams of this length as MCAP.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write over files that exist.")]
PicturePath = Annotated[Path, typer.Option(metavar="FILE", help="PNG file to write.")]


@handle_errors
def _fixed_by(context: typer.Context, name: str | None) -> str | None:
    """Let an edition's request stand in for the options that are not given."""
    if name is not None:
        from pactwin.suite import edition_suite

        context.default_map = edition_suite(name, context.info_name or "").options()
    return name


# Of commands that make suites.
NewSuite = Annotated[
    str,
    typer.Option("--out", metavar="DIR", help="Folder or URL; an unfinished suite is resumed."),
]
ImportedSuite = Annotated[
    Path,
    typer.Option("--out", metavar="DIR", help="Suite to write; an unfinished one is resumed."),
]
Seed = Annotated[int, typer.Option(min=0, help="Random seed.")]
OpenSeed = Annotated[int | None, typer.Option("--seed", min=0, help="Random seed.")]
SecretSeed = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Key file to draw the seed from, instead of --seed."),
]
EditionName = Annotated[
    str | None,
    typer.Option(
        "--edition",
        metavar="NAME",
        is_eager=True,  # before the options that it fixes
        callback=_fixed_by,
        help="Make this edition's suite, as 2026-12: it fixes what decides the content.",
    ),
]
NotIn = Annotated[
    str | None,
    typer.Option("--not-in", metavar="EDITION", help="Refuse seeds and scenes of this edition."),
]
PictureSize = Annotated[str, typer.Option(metavar="WxH", help="Width and height in pixels.")]
EngineName = Annotated[
    Literal["local", "ray"], typer.Option(help="Where scenes are rendered; the suite is the same.")
]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Address of a Ray cluster; default: start Ray here."),
]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Worker processes; default: 1, or all CPUs with Ray.")
]

# Robots.
RobotName = Annotated[
    str | None, typer.Option("--robot", help="Built-in robot, g1 or panda; default: g1.")
]
RobotModelPath = Annotated[
    str | None,
    typer.Option(metavar="PATH", help="MJCF file of another robot, or menagerie:FOLDER/FILE."),
]
RobotMapping = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="YAML mapping of --robot-model; default: the built-in one."),
]

# Models and scores.
FailUnder = Annotated[
    list[str] | None,
    typer.Option(
        metavar="METRIC=VALUE",
        help="Exit with 1 if a model's overall METRIC is lower, e.g. informedness=0.3. Repeatable.",
    ),
]


@dataclass(frozen=True)
class RobotChoice:
    """Values of ``--robot``, ``--robot-model`` and ``--robot-mapping``."""

    name: str | None
    model: str | None
    mapping: Path | None

    def load(self, *, rendering: bool = True) -> "tuple[str, RobotModel | None]":
        """Name of the robot and, if it is the user's own, its model.

        ``rendering`` says that this process may render it later: reading a model imports MuJoCo,
        which fixes the OpenGL backend. Raises InvalidInputError if the options contradict each
        other or the files are wrong.
        """
        from pactwin.sim import ensure_gl, load_robot_model, robot_names
        from pactwin.suite import InvalidInputError, unknown_name

        if self.model is None:
            if self.mapping is not None:
                raise InvalidInputError("--robot-mapping needs the --robot-model that it maps")
            name = self.name or "g1"
            if name not in robot_names():
                raise unknown_name("robot", name, robot_names())
            return name, None
        if self.name is not None:
            raise InvalidInputError("give either --robot or --robot-model, not both")
        if rendering:
            ensure_gl()
        model = load_robot_model(self.model, self.mapping)
        return model.name, model
