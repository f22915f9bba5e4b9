"""Commands that need the rig or a rehearsed one: ``rig calibrate`` and ``mirror capture``."""

from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors, negative
from pactwin.cli.options import (
    RawSeconds,
    RecordedIn,
    RigPath,
    RobotChoice,
    RobotMapping,
    RobotModelPath,
    SceneName,
    SuitePath,
)
from pactwin.cli.suites import with_trials


@handle_errors
def calibrate(
    rig: RigPath,
    ruler_mm: Annotated[
        float, typer.Option(help="Measured length of the 100 mm ruler along the table's edge.")
    ],
    ruler_away_mm: Annotated[
        float, typer.Option(help="Measured length of the 100 mm ruler away from the edge.")
    ],
    frames: Annotated[int, typer.Option(min=1, max=200, help="Pictures per camera.")] = 10,
    lens: Annotated[
        int, typer.Option(min=0, max=50, help="Board poses to calibrate lenses with first.")
    ] = 0,
    measured_twice: Annotated[
        bool,
        typer.Option("--measured-twice", help="Both rulers were measured again: depth is wrong."),
    ] = False,
    recorded: RecordedIn = None,
) -> None:
    """Find the camera poses from the calibration board."""
    from pactwin.hardware import Bench, read_rig, write_calibration
    from pactwin.real import calibrate as calibrated
    from pactwin.real import check_picture_size, checked_ruler_mm

    opened = read_rig(rig)
    check_picture_size(opened)
    checked_ruler_mm(ruler_mm, ruler_away_mm)
    with Bench(opened, recorded_in=recorded) as bench:
        elsewhere = []
        if lens:
            bench.set_undistortion({})
        for number in range(lens):
            ask = f"lay the board at another place ({number + 1} of {lens}), then press Enter"
            typer.prompt(ask, default="", show_default=False)
            elsewhere.append(bench.grab())
        if lens:
            ask = "lay the board where it belongs, then press Enter"
            typer.prompt(ask, default="", show_default=False)
        rulers_mm = ruler_mm, ruler_away_mm
        found = calibrated(bench, rulers_mm, frames, elsewhere, measured_twice=measured_twice)
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


@handle_errors
def capture(
    suite: SuitePath,
    scene: SceneName,
    rig: RigPath,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of captures.")],
    notes: Annotated[str, typer.Option(help="Free notes, stored with the capture.")] = "",
    retake: Annotated[
        bool, typer.Option("--retake", help="Capture it again; earlier captures are kept.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", hidden=True)] = False,
    mcap: RawSeconds = None,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
) -> None:
    """Check a scene on the table and store its frames."""
    from pactwin.hardware import Bench, read_rig
    from pactwin.real import (
        capture_folder,
        check_table,
        raw_path,
        write_capture,
        write_mcap,
    )
    from pactwin.sim import rebuild_layout

    opened = with_trials(suite)
    RobotChoice(None, robot_model, robot_mapping).load(rendering=False)
    one, other = opened.pair_of(scene)
    scene = one.id
    layout, twin = rebuild_layout(one), rebuild_layout(other)
    where = capture_folder(out, scene, again=retake or again)
    known = read_rig(rig)
    for camera in known.cameras:
        known.calibrated(camera.name)
    with Bench(known) as bench:
        frame_set = bench.grab(thorough=True)
        frame_set.check_robot(known)
        if mcap is not None:
            typer.echo(write_mcap(raw_path(out, where.name), known, bench.frame_sets(mcap)))
    found = check_table(layout, twin, known, frame_set.frames)
    suite_hash = opened.info.content_hash
    folder = write_capture(
        out, scene, suite_hash, known, frame_set, found, notes, again=retake or again
    )
    rehearsed = " (rehearsal)" if known.rehearsal else ""
    typer.echo(f"{folder}: pictures {frame_set.skew_ms:.0f} ms apart{rehearsed}")
    if not found.ok:
        raise negative(f"{folder}: stored, but not as planned: {'; '.join(found.wrong)}")
