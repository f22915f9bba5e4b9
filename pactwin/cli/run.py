"""``pactwin run``: a model's answer carried out by the robot, in simulation."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import SuitePath, group
from pactwin.cli.outputs import EPISODE, check_outputs

commands = group()

_SAID = {
    "yes": "yes: it is carried out",
    "no": "no: nothing is done",
    "ask": "neither yes nor no: a person is asked, nothing is done",
}


@commands.command()
@handle_errors
def run(
    suite: SuitePath,
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="Id of a simulated scene.")],
    model: Annotated[
        str,
        typer.Option(metavar="MODEL", help="Model, as Inspect names it, or pactwin/BASELINE."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of film, log and outcome; default: SCENE."),
    ] = None,
    view: Annotated[
        str, typer.Option(metavar="CAMERA", help="Camera whose picture the model is asked about.")
    ] = "head",
    film: Annotated[
        str | None,
        typer.Option(metavar="CAMERAS", help="As head+side, or none; default: the first two."),
    ] = None,
    height: Annotated[
        int, typer.Option(min=32, max=1080, help="Height of the film in pixels.")
    ] = 240,
) -> None:
    """Ask a model about a scene; carry out what it decides."""
    from pactwin.sim import (
        ensure_gl,
        film_cameras,
        film_episode,
        prepare_episode,
        write_recording,
    )
    from pactwin.suite import Suite, write_file
    from pactwin.tasks import AnswerRow, EvalRequest, read_rows, require_answers, run_eval

    folder = Path(scene) if out is None else out
    record = folder / "episode.json"
    check_outputs([(record, EPISODE)], [suite])
    asked_of = Suite.open(suite).scene(scene)
    there = [seen.camera.name for seen in asked_of.views[:2]]
    wanted = there if film is None else [] if film == "none" else film.split("+")
    cameras = film_cameras(asked_of, tuple(wanted), height)
    begin = prepare_episode(asked_of)
    if cameras:
        ensure_gl()
    request = EvalRequest(
        suite=suite,
        models=(model,),
        log_dir=folder / "logs",
        kind="constraint",
        form="yes_no",
        views=view,
        scene=scene,
    )
    logs = run_eval(request)
    (row,) = [row for row in read_rows(logs) if isinstance(row, AnswerRow)]
    require_answers([row])
    decision = {True: "yes", False: "no", None: "ask"}[row.predicted_feasible]
    verdict = asked_of.decided
    typer.echo(f"{verdict.action}?")
    typer.echo(f"{model} says {_SAID[decision]}")
    found: dict[str, Any] = {
        "scene": scene,
        "model": model,
        "view": view,
        "state": row.state.value,
        "decision": decision,
        "feasible": verdict.feasible,
        "constraint": verdict.constraint.value,
    }
    episode = begin() if decision == "yes" else None
    if episode is not None:
        found |= {"episode": episode.record(), "agrees": episode.done == verdict.feasible}
        for line in episode.lines():
            typer.echo(line)
        said = "feasible" if verdict.feasible else verdict.constraint.value
        typer.echo(f"the scene's verdict: {said}; {'agrees' if found['agrees'] else 'DIFFERS'}")
    write_file(record, json.dumps(found, indent=1) + "\n")
    typer.echo(record)
    if episode is not None and cameras:  # a film that fails costs no outcome
        path = folder / "episode.mp4"
        film_episode(asked_of, episode, cameras, path)
        typer.echo(path)
    if episode is not None and find_spec("rerun") is not None:
        write_recording(folder / "episode.rrd", episode.layout.items, episode.moments)
        typer.echo(folder / "episode.rrd")
