"""``pactwin mirror rehearse``: a capture session without hardware."""

from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import (
    PictureSize,
    RobotChoice,
    RobotMapping,
    RobotModelPath,
    Seed,
    SuitePath,
)
from pactwin.cli.suites import with_trials


@handle_errors
def rehearse(
    suite: SuitePath,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder to write; an unfinished one is resumed.")
    ],
    seed: Seed = 0,
    size: PictureSize = "1280x720",
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
) -> None:
    """Rehearse a capture session: the rig is simulated with known disturbances."""
    from pactwin.cli.make import parse_size
    from pactwin.cli.progress import steps
    from pactwin.real import rehearse as rehearsed
    from pactwin.sim import ensure_gl

    opened = with_trials(suite)
    RobotChoice(None, robot_model, robot_mapping).load()
    ensure_gl()
    with steps() as progress:
        info, found = rehearsed(opened, out, seed, parse_size(size, 360), progress)
    for name, (mm, degrees) in found.cameras.items():
        typer.echo(f"{name}: {mm:.1f} mm and {degrees:.2f} degrees off its true pose")
    typer.echo(
        f"objects: {found.within(5.0):.0%} measured within 5 mm, 95 % within "
        f"{found.quantile_mm(0.95):.1f} mm"
    )
    typer.echo(f"false alarms: {len(found.alarms)} of {found.checked} things")
    for alarm in found.alarms:
        typer.echo(f"  {alarm}")
    numbers = opened.numbers()
    for scene, why in sorted(found.unverified.items(), key=lambda item: numbers[item[0]]):
        typer.echo(f"scene {numbers[scene]} is left out: {why}")
    counts = ", ".join(f"{info.counts[key]} {key}" for key in ("pairs", "scenes", "questions"))
    typer.echo(f"{out / 'captured'} (rehearsal): {counts}; {info.content_hash}")
