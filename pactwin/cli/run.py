"""``pactwin run``: the simulated robot carries out a model's answer."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import (
    Force,
    RobotChoice,
    RobotMapping,
    RobotModelPath,
    SceneName,
    SuitePath,
)
from pactwin.cli.outputs import check_outputs

if TYPE_CHECKING:
    from pactwin.hardware import Rig
    from pactwin.sim import Episode
    from pactwin.suite import Camera, Scene


_SAID = {
    "yes": "yes: the robot carries it out",
    "no": "no: the robot does nothing",
    "ask": "neither yes nor no: a person would be asked",
}
_REHEARSED_PX = (640, 360)


@dataclass(frozen=True)
class _Asked:
    """The suite and the scene that the model is asked about; ``seen`` is its source.

    ``begin`` carries the action out, None where nothing moves.
    """

    suite: Path
    scene: str
    seen: str
    begin: "Callable[[], Episode] | None"


@handle_errors
def run(
    suite: SuitePath,
    scene: SceneName,
    model: Annotated[
        str,
        typer.Option(metavar="MODEL", help="Model, as Inspect names it, or pactwin/BASELINE."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of video, log and outcome; default: SCENE."),
    ] = None,
    view: Annotated[
        str, typer.Option(metavar="CAMERA", help="Camera whose picture the model is asked about.")
    ] = "head",
    rig: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Ask about the current picture of this rig; nothing moves."
        ),
    ] = None,
    rehearse: Annotated[
        bool,
        typer.Option("--rehearse", help="Ask about the picture of a simulated rig; its arm moves."),
    ] = False,
    film: Annotated[
        str | None,
        typer.Option(
            metavar="CAMERAS", help="Cameras of the video, as head+side, or none; default: two."
        ),
    ] = None,
    height: Annotated[
        int, typer.Option(min=32, max=1080, help="Height of the video in pixels.")
    ] = 240,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    force: Force = False,
) -> None:
    """Ask a model about a scene; carry out its decision."""
    from pactwin.sim import motion_record
    from pactwin.suite import MOTION_FILE, InvalidInputError, Suite, write_file
    from pactwin.tasks import AnswerRow, EvalRequest, read_rows, require_answers, run_eval

    if rig is not None and rehearse:
        raise InvalidInputError("give either --rig or --rehearse, not both")
    check_outputs([(out or Path(scene)) / "episode.json"], [suite], force=force)
    planned = Suite.open(suite).scene(scene)
    folder = Path(planned.id) if out is None else out
    record = folder / "episode.json"
    check_outputs([record], [suite], force=force)
    RobotChoice(None, robot_model, robot_mapping).load()
    cameras = [] if rig is not None else _film_cameras(planned, film, height)
    with _asked(suite, planned, view, folder, rig, rehearse=rehearse) as asked:
        request = EvalRequest(
            suite=asked.suite,
            models=(model,),
            log_dir=folder / "logs",
            kind="constraint",
            form="yes_no",
            views=view,
            scene=asked.scene,
        )
        logs = run_eval(request)
    (row,) = [row for row in read_rows(logs) if isinstance(row, AnswerRow)]
    require_answers([row])
    decision = {True: "yes", False: "no", None: "ask"}[row.predicted_feasible]
    episode = asked.begin() if decision == "yes" and asked.begin is not None else None
    verdict = planned.decided
    typer.echo(f"is it feasible? {verdict.action}")
    stays = decision == "yes" and episode is None
    typer.echo(f"{model} says {'yes: a real robot is not moved' if stays else _SAID[decision]}")
    found: dict[str, Any] = {
        "scene": planned.id,
        "twin": planned.twin_id,
        "robot": planned.robot,
        "action": verdict.action,
        "seen": asked.seen,
        "model": model,
        "view": view,
        "state": row.state.value,
        "decision": decision,
        "feasible": verdict.feasible,
        "constraint": verdict.constraint.value,
    }
    if episode is not None:
        found |= {"episode": episode.record(), "agrees": episode.done == verdict.feasible}
        found["film"] = [camera.name for camera in cameras]
        for line in episode.lines():
            typer.echo(line)
        said = "feasible" if verdict.feasible else verdict.constraint.value
        typer.echo(f"the scene's verdict: {said}; {'agrees' if found['agrees'] else 'DIFFERS'}")
    write_file(record, json.dumps(found, indent=1) + "\n")
    typer.echo(record)
    if episode is not None:  # a failing video loses no outcome
        motion = folder / MOTION_FILE
        write_file(motion, motion_record(episode.moments).model_dump_json() + "\n")
        typer.echo(motion)
        _show(planned, episode, cameras, folder)


def _film_cameras(scene: "Scene", names: str | None, height: int) -> "list[Camera]":
    """Cameras of the video; checked before a model is asked."""
    from pactwin.sim import ensure_gl, video_cameras

    there = [seen.camera.name for seen in scene.views[:2]]
    wanted = there if names is None else [] if names == "none" else names.split("+")
    cameras = video_cameras(scene, tuple(wanted), height)
    if cameras:
        ensure_gl()
    return cameras


@contextmanager
def _asked(
    suite: Path, planned: "Scene", view: str, folder: Path, rig: Path | None, *, rehearse: bool
) -> "Iterator[_Asked]":
    """The picture that the model is asked about: the scene's, or a rig's."""
    from pactwin.hardware import read_rig

    if rig is not None:
        yield _observed(suite, planned, view, folder, read_rig(rig), None)
        return
    from pactwin.real import MockRig
    from pactwin.sim import as_pose, ensure_gl, prepare_episode

    begin = prepare_episode(planned)  # faults of the scene come first
    if not rehearse:
        yield _Asked(suite, planned.id, "sim", begin)
        return
    ensure_gl()
    played = folder / "rig.yaml"
    with MockRig(suite, played, 0, _REHEARSED_PX, calibrated=False) as hands:
        hands.set_up(planned.id)
        poses = {name: as_pose(pose) for name, pose in hands.poses().items()}
        begin = prepare_episode(planned, poses)
        yield _observed(suite, planned, view, folder, read_rig(played), begin)


def _observed(
    suite: Path,
    planned: "Scene",
    view: str,
    folder: Path,
    rig: "Rig",
    begin: "Callable[[], Episode] | None",
) -> _Asked:
    """The current picture of the rig, as a suite in ``folder``."""
    from pactwin.hardware import Bench
    from pactwin.real import ReadOnlyRobot, write_observed
    from pactwin.suite import Suite

    with Bench(rig) as bench:
        seen = ReadOnlyRobot(bench).observe()
    made = write_observed(Suite.open(suite), planned.id, seen, view, rig, folder / "seen")
    return _Asked(folder / "seen", made, "real" if rig.rehearsal is None else "rehearsal", begin)


def _show(scene: "Scene", episode: "Episode", cameras: "list[Camera]", folder: Path) -> None:
    """Write the video, and a Rerun recording if Rerun is installed."""
    from pactwin.sim import write_recording, write_video

    if cameras:
        path = folder / "episode.mp4"
        write_video(scene, episode, cameras, path)
        typer.echo(path)
    if find_spec("rerun") is not None:
        write_recording(folder / "episode.rrd", episode.layout.items, episode.moments)
        typer.echo(folder / "episode.rrd")
