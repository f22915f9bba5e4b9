"""``pactwin mirror session``: guides an operator through a suite, on a page or in the terminal."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import (
    PictureSize,
    RawSeconds,
    RecordedIn,
    RobotChoice,
    RobotMapping,
    RobotModelPath,
    Seed,
    SuitePath,
)
from pactwin.cli.suites import with_trials


@handle_errors
def session(
    suite: SuitePath,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of captures; resumes a session in it.")
    ],
    rig: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Rig file; see pactwin rig init.")
    ] = None,
    rehearse: Annotated[
        bool, typer.Option("--rehearse", help="Simulate the rig and the operator.")
    ] = False,
    recorded: RecordedIn = None,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Use the terminal instead of a web page.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address of the page.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0: any.")] = 8490,
    mcap: RawSeconds = None,
    seed: Seed = 0,
    size: PictureSize = "1280x720",
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
) -> None:
    """Guide an operator through a suite's scenes on a table."""
    from pactwin.cli.mirror import tell_selection
    from pactwin.cli.progress import steps
    from pactwin.cli.session_terminal import guide
    from pactwin.hardware import Bench, read_rig
    from pactwin.real import (
        LiveBench,
        Session,
        color_settings,
        select_pairs,
        serve,
        session_app,
    )
    from pactwin.sim import rebuild_layout, verdict_on
    from pactwin.suite import SESSION_FOLDER, InvalidInputError

    opened = with_trials(suite)
    RobotChoice(None, robot_model, robot_mapping).load(rendering=False)
    if (rig is None) != rehearse:
        raise InvalidInputError("give either --rig or --rehearse")
    with ExitStack() as stack:
        mock = None
        if rig is None:
            from pactwin.cli.make import parse_size
            from pactwin.real import MockRig  # needs the simulator

            width, height = parse_size(size, 360)
            rig = out / SESSION_FOLDER / f"rehearsal-{seed}-{width}x{height}.yaml"
            mock = stack.enter_context(MockRig(suite, rig, seed, (width, height)))
        known = read_rig(rig)
        for camera in known.cameras:
            known.calibrated(camera.name)
        settings = color_settings(out)
        live = LiveBench(lambda: Bench(known, settings, recorded))
        stack.callback(live.close)
        with steps() as progress:
            selection = select_pairs(opened, rebuild_layout, known, progress, verdict_on)
        tell_selection(opened, selection)
        raw = None if mcap is None else (lambda: live.frame_sets(mcap))
        played = Session(opened, known, out, rebuild_layout, live.grab, raw, selection.scenes)
        guided = stack.enter_context(played)
        if terminal:
            guide(guided, mock)
        else:
            app = session_app(guided, live, mock.set_up if mock else None)
            serve(app, host, port, typer.echo)
