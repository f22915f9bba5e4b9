"""``pactwin make``: suites of twin pairs, objects, tools and recognition questions."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

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
    SuitePath,
    Workers,
)
from pactwin.cli.outputs import print_summary

if TYPE_CHECKING:
    from pydantic import JsonValue

    from pactwin.sim import CreativeSuiteConfig, Engine, SceneBatch, SuiteConfig
    from pactwin.suite import Question, Scene, SuiteInfo

C = TypeVar("C", bound="SuiteConfig | CreativeSuiteConfig")
_MAX_PX = 1920
_LEAST_PX = {"constraints": 160, "objects": 64, "tools": 320}
"""Minimum sides of pictures in px. In smaller ones objects rarely cover enough pixels."""


@handle_errors
def constraints(
    out: NewSuite,
    pairs: Annotated[int, typer.Option(min=1, help="Number of pairs, over all domains.")],
    seed: OpenSeed = None,
    secret_seed: SecretSeed = None,
    domains: Annotated[
        str,
        typer.Option(
            help="Comma-separated: balance, closure, occupancy, opening, order, reachability, "
            "size_mismatch, stability, support, two_hands; or all."
        ),
    ] = "all",
    robot: RobotName = None,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    cameras: Annotated[
        str, typer.Option(help="Comma-separated: front, agent, side, head; or all.")
    ] = "all",
    size: PictureSize = "640x480",
    room: Annotated[
        Literal["study", "kitchen"],
        typer.Option(help="The built-in study, or RoboCasa's kitchens (docs/robocasa.md)."),
    ] = "study",
    repairs: Annotated[
        bool, typer.Option("--repairs", help="Also try changes of scenes, for repair questions.")
    ] = False,
    depth_sensor: Annotated[
        Literal["none", "d435i"],
        typer.Option(help="Add this camera's noise and holes to the depth."),
    ] = "none",
    edition: EditionName = None,
    not_in: NotIn = None,
    engine: EngineName = "local",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Simulate twin pairs: an action is feasible in one scene only."""
    from pactwin.sim import (
        ConstraintSuiteConfig,
        camera_names,
        check_kitchens,
        domain_names,
        draw_pair,
    )
    from pactwin.tasks import make_twin_questions

    width_px, height_px = parse_size(size, _LEAST_PX["constraints"])
    wanted = parse_names("domain", domains, domain_names())
    views = parse_names("camera", cameras, camera_names())
    rendering = choose_engine(engine, address, workers)
    # The nodes of a cluster look after themselves; this machine need not be able to render.
    name, model = RobotChoice(robot, robot_model, robot_mapping).load(
        rendering=rendering.renders_here
    )
    if model is not None:
        from pactwin.sim import check_stands_free  # it loads the simulator

        check_stands_free(name)
    asked = ConstraintSuiteConfig(
        seed=seed or 0,
        pairs=pairs,
        domains=wanted,
        robot=name,
        robot_model=model,
        cameras=views,
        width_px=width_px,
        height_px=height_px,
        room=room,
        repairs=repairs,
    )
    config, request = seeded(asked, seed, secret_seed, out)
    if room == "kitchen" and rendering.renders_here:
        check_kitchens()
    draw = partial(draw_pair, config)
    if depth_sensor != "none":
        request["depth_sensor"] = depth_sensor
        draw = partial(_sensed, draw, depth_sensor)
    info = write_suite(
        out,
        "constraints",
        request,
        ("pairs", pairs),
        draw,
        make_twin_questions,
        rendering,
        edition=edition,
        not_in=not_in,
    )
    rejected = ", ".join(
        f"{domain} {sum(reasons.values())}" for domain, reasons in sorted(info.rejections.items())
    )
    notes = [f"draws rejected: {rejected or 'none'}"]
    if " + " in info.gl_renderer:
        notes.append(f"drawn by several OpenGL renderers: {info.gl_renderer}")
    print_summary(out, info, "pairs", notes)


@handle_errors
def objects(
    out: NewSuite,
    seed: OpenSeed = None,
    secret_seed: SecretSeed = None,
    kinds: Annotated[
        str,
        typer.Option("--kinds", "--categories", help="Comma-separated kinds of objects, or all."),
    ] = "all",
    assets: Annotated[
        str,
        typer.Option(
            help="Source of the objects: builtin, tools, robosuite, robocasa, or a folder with "
            "your own MJCF models at KIND/NAME/model.xml."
        ),
    ] = "builtin",
    background: Annotated[
        Literal["plain", "transparent", "table"], typer.Option(help="Turntable background.")
    ] = "plain",
    size: PictureSize = "512x512",
    edition: EditionName = None,
    not_in: NotIn = None,
    engine: EngineName = "local",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Render objects for questions about properties and affordances."""
    from pactwin.sim import (
        ObjectSuiteConfig,
        asset_sources,
        check_picture_size,
        kind_names_of,
        own_models_in,
        render_object_scene,
    )
    from pactwin.tasks import make_object_questions

    is_folder = assets not in asset_sources() and Path(assets).is_dir()
    source = own_models_in(Path(assets)) if is_folder else assets
    width_px, height_px = parse_size(size, _LEAST_PX["objects"])
    asked = ObjectSuiteConfig(
        seed=seed or 0,
        kinds=parse_names("kind", kinds, kind_names_of(source)),
        assets=source,
        background=background,
        width_px=width_px,
        height_px=height_px,
    )
    config, request = seeded(asked, seed, secret_seed, out)
    check_picture_size(config)
    info = write_suite(
        out,
        "objects",
        request,
        ("scenes", config.scenes),
        partial(render_object_scene, config),
        lambda scenes: (q for scene in scenes for q in make_object_questions(scene)),
        choose_engine(engine, address, workers),
        edition=edition,
        not_in=not_in,
    )
    print_summary(out, info, "scenes")


@handle_errors
def recognition(suite: SuitePath, out: NewSuite) -> None:
    """Ask which objects are in a suite's pictures."""
    from pactwin.cli.progress import steps
    from pactwin.suite import Suite
    from pactwin.tasks import make_recognition_suite

    with steps() as progress:
        info = make_recognition_suite(Suite.open(suite), out, progress)
    print_summary(out, info, "scenes")


@handle_errors
def tools(
    out: NewSuite,
    seed: OpenSeed = None,
    secret_seed: SecretSeed = None,
    pairs: Annotated[int, typer.Option(min=1, help="Number of pairs, tasks taking turns.")] = 100,
    size: PictureSize = "960x720",
    edition: EditionName = None,
    not_in: NotIn = None,
    engine: EngineName = "local",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Render tools for tasks among look-alikes."""
    from pactwin.sim import ToolSuiteConfig, draw_tool_pair
    from pactwin.tasks import make_tool_questions

    width_px, height_px = parse_size(size, _LEAST_PX["tools"])
    asked = ToolSuiteConfig(seed=seed or 0, pairs=pairs, width_px=width_px, height_px=height_px)
    config, request = seeded(asked, seed, secret_seed, out)
    info = write_suite(
        out,
        "tools",
        request,
        ("pairs", pairs),
        partial(draw_tool_pair, config),
        make_tool_questions,
        choose_engine(engine, address, workers),
        edition=edition,
        not_in=not_in,
    )
    print_summary(out, info, "pairs")


def _sensed(draw: "Callable[[int], SceneBatch]", sensor: str, number: int) -> "SceneBatch":
    """The result of ``draw``, with depth as ``sensor`` measures it."""
    from pactwin.perception import DEPTH_SENSORS, sensed_files

    batch = draw(number)
    return replace(batch, files=sensed_files(batch.scenes, batch.files, DEPTH_SENSORS[sensor]))


def write_suite(
    out: str | Path,
    name: str,
    request: "Mapping[str, JsonValue]",
    units: tuple[str, int],
    draw: "Callable[[int], SceneBatch]",
    ask: "Callable[[tuple[Scene, ...]], Iterable[Question]]",
    engine: "Engine",
    *,
    pictures: bool = True,
    edition: str | None = None,
    not_in: str | None = None,
) -> "SuiteInfo":
    """Write the suite that ``request`` describes to ``out``; resumes an unfinished one.

    ``units`` are the name and number of its units; ``draw`` draws a unit by its number. Exits with
    1 if the result is not what ``edition`` pinned. Raises InvalidInputError if the request or the
    trials are not those of ``edition``, and for a seed or scene of ``not_in``.
    """
    from pactwin.cli.boundary import negative
    from pactwin.cli.progress import steps
    from pactwin.sim import ensure_gl, environment_versions, in_order
    from pactwin.suite import (
        SuiteWriter,
        edition_suite,
        require_other_seed,
        require_outside,
        shown_url,
    )

    fixed = None if edition is None else edition_suite(edition, name)
    if edition and fixed:
        fixed.require_request(request, edition)
    if not_in:
        require_other_seed(request, not_in)
        request = {**request, "not_in": not_in}
    gl = ensure_gl() if pictures and engine.renders_here else None
    what, total = units
    with SuiteWriter.open(
        out, name=name, request=dict(request), packages=environment_versions()
    ) as writer:
        if gl and gl.software and writer.info is None:
            typer.echo(
                f"no GPU: rendering on the CPU ({gl.renderer}), slower but correct", err=True
            )
        info = writer.info
        if info is None:
            with steps() as progress, engine:
                progress(what, writer.units_done, total)
                for unit in in_order(engine, draw, range(writer.units_done, total)):
                    if edition and fixed:
                        fixed.require_trials(unit.scenes, edition)
                    if not_in:
                        require_outside(unit.scenes, not_in)
                    rejections = {unit.scenes[0].domain: unit.rejections}
                    writer.add(unit.scenes, unit.files, rejections, unit.gl_renderer)
                    progress(what, writer.units_done, total)
            info = writer.finish(ask)
    if edition and fixed and (why := fixed.difference(info, edition)):
        raise negative(f"{shown_url(str(out))} is {why}")
    return info


def seeded(
    config: C, seed: int | None, key_file: Path | None, out: str
) -> "tuple[C, dict[str, JsonValue]]":
    """Return ``config`` with its seed filled in, and the request of the suite.

    A seed drawn from a key is stored in the key file alone. Raises InvalidInputError unless exactly
    one of ``seed`` and ``key_file`` is given, and for a key inside the suite at ``out``.
    """
    from pactwin.suite import (
        COMMITMENT,
        InvalidInputError,
        refuse_inside_suite,
        secret_seed,
        seed_commitment,
    )

    request = config.record()
    if (seed is None) == (key_file is None):
        raise InvalidInputError("give either --seed N or --secret-seed FILE")
    if key_file is None:
        return config, request
    refuse_inside_suite(key_file)
    if key_file.resolve().is_relative_to(Path(out).resolve()):
        raise InvalidInputError(f"{key_file} would be published with {out}: keep the key elsewhere")
    made = not key_file.exists()
    del request["seed"]
    drawn = secret_seed(key_file, request)
    if made:
        typer.echo(f"{key_file}: a new secret key; use it for challenge seal, too", err=True)
    return replace(config, seed=drawn), {COMMITMENT: seed_commitment(drawn), **request}


def choose_engine(name: str, address: str | None, workers: int | None) -> "Engine":
    """The engine for these options; InvalidInputError if they contradict each other."""
    from pactwin.sim import LocalEngine, RayEngine
    from pactwin.suite import InvalidInputError

    if name == "ray" and address and workers:
        raise InvalidInputError(
            "--workers: not with --address, since all CPUs of a cluster are used"
        )
    if name == "ray":
        return RayEngine(address, workers)
    if address:
        raise InvalidInputError(f"--address {address}: only with --engine ray")
    return LocalEngine(workers or 1)


def parse_names(what: str, names: str, known: Sequence[str]) -> tuple[str, ...]:
    """Names in a comma-separated list, or all; InvalidInputError for an unknown name."""
    from pactwin.suite import InvalidInputError, unknown_name

    if names == "all":
        return tuple(known)
    found = tuple(name.strip() for name in names.split(","))
    for name in found:
        if name not in known:
            raise unknown_name(what, name, tuple(known))
        if found.count(name) > 1:
            raise InvalidInputError(f"{what} {name!r} is given more than once")
    return found


def parse_size(size: str, least_px: int) -> tuple[int, int]:
    """Parse ``WxH`` as (width, height) in px; InvalidInputError if malformed or out of range."""
    from pactwin.suite import InvalidInputError

    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", size)
    if match is None or not all(least_px <= int(n) <= _MAX_PX for n in match.groups()):
        raise InvalidInputError(
            f"size {size!r}: give WIDTHxHEIGHT, as 640x480, each from {least_px} to {_MAX_PX} px"
        )
    return int(match.group(1)), int(match.group(2))
