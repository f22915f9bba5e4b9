"""Commands that need the bench, or the process that plays it: ``calibrate`` and ``capture``."""

from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import RigPath, group

commands = group()


@commands.command()
@handle_errors
def calibrate(
    rig: RigPath,
    ruler_mm: Annotated[
        float, typer.Option(help="Length of the mat's printed ruler of 100 mm, as measured.")
    ],
    shots: Annotated[int, typer.Option(min=1, max=200, help="Pictures per camera.")] = 10,
) -> None:
    """Find where the cameras are, by the mat, and write it into the rig file."""
    from pactwin.hardware import Bench, read_rig, write_calibration
    from pactwin.real import calibrate as calibrated

    opened = read_rig(rig)
    with Bench(opened) as bench:
        found = calibrated(bench, ruler_mm, shots)
    write_calibration(rig, found.calibration)
    for name, camera in found.calibration.cameras.items():
        typer.echo(
            f"{name}: {camera.corners} corners, reprojection {camera.reprojection_px:.2f} px, "
            f"depth times {camera.depth_scale:.4f}"
        )
        if name in found.off:
            mm, degrees = found.off[name]
            typer.echo(f"{name}: {mm:.0f} mm and {degrees:.1f} degrees from joints and URDF")
    rehearsed = " (rehearsal)" if opened.rehearsal else ""
    typer.echo(f"{rig}: calibration {found.calibration.id}{rehearsed}")
