"""``pactwin doctor --robot``: a picture and a description of a robot."""

from pathlib import Path

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import (
    Force,
    PicturePath,
    RobotChoice,
    RobotMapping,
    RobotModelPath,
    RobotName,
)
from pactwin.cli.outputs import check_outputs


@handle_errors
def draw_robot(
    name: RobotName = None,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    out: PicturePath = Path("robot.png"),
    force: Force = False,
) -> None:
    """Draw a robot at the table; list its parts and reach."""
    from pactwin.sim import ensure_gl, render_robot_preview
    from pactwin.suite import write_picture

    check_outputs([out], [Path(robot_model or "."), robot_mapping], force=force)
    robot_name, model = RobotChoice(name, robot_model, robot_mapping).load()
    ensure_gl()
    if model is not None:
        ours = "" if model.mapping else " (ours)"
        mapping = model.mapping or robot_name.partition("@")[0]
        typer.echo(f"{model.model} with mapping {mapping}{ours}: sha256 {model.sha256}")
    preview = render_robot_preview(robot_name)
    for fact in preview.facts:
        typer.echo(fact)
    write_picture(out, preview.picture)
    typer.echo(out)
