"""``pactwin make ladders``: one quantity stepped through its limit."""

from functools import partial
from typing import Annotated

import typer

from pactwin.cli.boundary import handle_errors
from pactwin.cli.options import (
    Address,
    EditionName,
    EngineName,
    NewSuite,
    NotIn,
    OpenSeed,
    PictureSize,
    RobotChoice,
    RobotMapping,
    RobotModelPath,
    RobotName,
    SecretSeed,
    Workers,
)

_LEAST_PX = 160


@handle_errors
def ladders(
    out: NewSuite,
    ladders: Annotated[int, typer.Option(min=1, help="Number of ladders, over all quantities.")],
    seed: OpenSeed = None,
    secret_seed: SecretSeed = None,
    quantities: Annotated[
        str,
        typer.Option(
            help="Comma-separated: balance, clearance, gap, grip_width, overhang, reach, slope, "
            "tilt, weight; or all."
        ),
    ] = "all",
    steps: Annotated[int, typer.Option(min=7, max=11, help="Steps of each ladder.")] = 9,
    robot: RobotName = None,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    cameras: Annotated[
        str, typer.Option(help="Comma-separated: front, agent, side, head; or all.")
    ] = "all",
    size: PictureSize = "640x480",
    edition: EditionName = None,
    not_in: NotIn = None,
    engine: EngineName = "local",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Step one quantity of a scene through its limit."""
    from pactwin.cli.make import (
        choose_engine,
        parse_names,
        parse_size,
        print_summary,
        seeded,
        write_suite,
    )
    from pactwin.sim import LadderSuiteConfig, camera_names, draw_ladder_batch, quantity_names
    from pactwin.tasks import make_ladder_questions

    width_px, height_px = parse_size(size, _LEAST_PX)
    wanted = parse_names("quantity", quantities, quantity_names())
    views = parse_names("camera", cameras, camera_names())
    rendering = choose_engine(engine, address, workers)
    name, model = RobotChoice(robot, robot_model, robot_mapping).load(
        rendering=rendering.renders_here
    )
    asked = LadderSuiteConfig(
        seed=seed or 0,
        ladders=ladders,
        quantities=wanted,
        steps=steps,
        robot=name,
        robot_model=model,
        cameras=views,
        width_px=width_px,
        height_px=height_px,
    )
    config, request = seeded(asked, seed, secret_seed, out)
    info = write_suite(
        out,
        "ladders",
        request,
        ("ladders", ladders),
        partial(draw_ladder_batch, config),
        make_ladder_questions,
        rendering,
        edition=edition,
        not_in=not_in,
    )
    print_summary(out, info, "ladders")
