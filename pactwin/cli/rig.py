"""``pactwin rig``: the bench's file, and what is wrong with the bench."""

from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import group
from pactwin.cli.outputs import RIG, check_outputs

commands = group("Describe and check the capture rig.")


@commands.callback()
def _of_rig() -> None:
    """Describe and check the capture rig."""


@commands.command()
@handle_errors
def init(
    head: Annotated[str, typer.Option(metavar="SERIAL", help="Serial of the head camera.")],
    side: Annotated[str, typer.Option(metavar="SERIAL", help="Serial of the side camera.")],
    interface: Annotated[
        str, typer.Option(metavar="NAME", help="Network interface that the robot is on.")
    ],
    variant: Annotated[str, typer.Option(help="The G1's joints: 23dof or 29dof.")] = "29dof",
    out: Annotated[Path, typer.Option(metavar="FILE", help="Rig file to write.")] = Path(
        "rig.yaml"
    ),
) -> None:
    """Write a rig file with the usual values for the rest."""
    from pydantic import ValidationError

    from pactwin.hardware import Rig, write_rig
    from pactwin.suite import InvalidInputError, first_fault

    check_outputs([(out, RIG)], [])
    try:
        rig = Rig.model_validate(
            {
                "cameras": [
                    {"name": "head", "serial": head, "mount": "head"},
                    {"name": "side", "serial": side, "mount": "fixed"},
                ],
                "robot": {"variant": variant, "interface": interface},
            }
        )
    except ValidationError as error:
        raise InvalidInputError(first_fault(error)) from error
    write_rig(out, rig)
    typer.echo(out)
