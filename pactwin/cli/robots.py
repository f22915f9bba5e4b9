"""Which robot a command is about; ``pactwin robot`` shows it."""

from dataclasses import dataclass
from pathlib import Path

import typer

from pactwin.sim import RobotModel, ensure_gl, load_robot_model, robot_names
from pactwin.suite import InvalidInputError, unknown_name


@dataclass(frozen=True)
class RobotChoice:
    """What ``--robot``, ``--robot-model`` and ``--robot-mapping`` said."""

    name: str | None
    model: str | None
    mapping: Path | None

    def load(self, *, drawing: bool = True) -> tuple[str, RobotModel | None]:
        """The robot's name and, for one of the user's, its model, read.

        ``drawing`` says that this process may draw it later. To read a model loads MuJoCo, which
        settles with what it draws.
        Raises InvalidInputError if the options contradict each other or the files are wrong.
        """
        if self.model is None:
            if self.mapping is not None:
                raise InvalidInputError("--robot-mapping needs the --robot-model that it maps")
            name = self.name or "g1"
            if name not in robot_names():
                raise unknown_name("robot", name, robot_names())
            return name, None
        if self.name is not None:
            raise InvalidInputError("give either --robot or --robot-model, not both")
        if drawing:
            ensure_gl()
        model = load_robot_model(self.model, self.mapping)
        return model.name, model


def run(choice: RobotChoice, out: Path) -> None:
    """Write the robot's picture to ``out`` and print what it is made of."""
    name, model = choice.load()
    ensure_gl()
    from pactwin.sim import render_robot_preview

    if model is not None:
        ours = "" if model.mapping else " (ours)"
        mapping = model.mapping or name.partition("@")[0]
        typer.echo(f"{model.model} with mapping {mapping}{ours}: sha256 {model.sha256}")
    portrait = render_robot_preview(name)
    for fact in portrait.facts:
        typer.echo(fact)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(portrait.png)
    typer.echo(out)
