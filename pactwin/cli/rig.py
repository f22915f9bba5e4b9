"""``pactwin rig``: the rig file, and checks of the rig."""

from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors, negative
from pactwin.cli.options import Force, RecordedIn, RigPath
from pactwin.cli.outputs import check_outputs


@handle_errors
def init(
    interface: Annotated[str, typer.Option(metavar="NAME", help="Network interface of the robot.")],
    head: Annotated[
        str | None, typer.Option(metavar="SERIAL", help="Serial number of the head camera.")
    ] = None,
    side: Annotated[
        str | None, typer.Option(metavar="SERIAL", help="Serial number of the side camera.")
    ] = None,
    variant: Annotated[
        str, typer.Option(help="The G1's joints: 29dof, 29dof_lock_waist or 23dof.")
    ] = "29dof",
    out: Annotated[Path, typer.Option(metavar="FILE", help="Rig file to write.")] = Path(
        "rig.yaml"
    ),
    force: Force = False,
) -> None:
    """Write a rig file, or list the cameras that are connected."""
    from pydantic import ValidationError

    from pactwin.hardware import Rig, connected_cameras, write_rig
    from pactwin.suite import InvalidInputError, first_fault

    check_outputs([out], [], force=force)
    if head is None or side is None:
        found = ", ".join(f"{serial} ({name})" for serial, name in connected_cameras().items())
        raise InvalidInputError(
            f"say which camera is which with --head and --side; connected: {found or 'none'}"
        )
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


@handle_errors
def record(
    rig: RigPath,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for NAME.db3 of each camera.")],
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="Length of the recording.")] = 2.0,
) -> None:
    """Record the cameras, for pactwin mirror check --from."""
    from pactwin.hardware import read_rig
    from pactwin.hardware import record as recorded

    for name, count in recorded(read_rig(rig), out, seconds).items():
        typer.echo(f"{out / f'{name}.db3'}: {count} pairs of pictures")


@handle_errors
def check(
    rig: RigPath,
    board: Annotated[bool, typer.Option(help="The calibration board lies on the table.")] = True,
    recorded: RecordedIn = None,
) -> None:
    """List the faults of the rig: cameras, board, robot, network."""
    from pactwin.hardware import check_bench, read_rig

    wrong = []
    for finding in check_bench(read_rig(rig), board=board, recorded_in=recorded):
        mark = typer.style("ok   ", fg="green") if finding.ok else typer.style("fault", fg="red")
        typer.echo(f"{mark} {finding.subject:<14} {finding.message}")
        if not finding.ok:
            wrong.append(finding.subject)
    if wrong:
        raise negative(f"{rig}: not ready: {', '.join(wrong)}")
