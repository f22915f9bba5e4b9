"""``pactwin make constraints``: simulate twin pairs, ask about them, write a suite."""

import re
from collections.abc import Sequence
from importlib.metadata import version

import typer

from pactwin.cli.progress import steps
from pactwin.cli.robots import RobotChoice
from pactwin.sim import (
    Engine,
    GLInfo,
    LocalEngine,
    RayEngine,
    Request,
    camera_names,
    deciding_packages,
    domain_names,
    draw_pairs,
    ensure_gl,
)
from pactwin.suite import InvalidInputError, SuiteInfo, SuiteWriter, shown_url, unknown_name
from pactwin.tasks import make_twin_questions

_MIN_PX, _MAX_PX = 64, 1920


def run(
    out: str,
    seed: int,
    pairs: int,
    domains: str,
    robot: RobotChoice,
    cameras: str,
    size: str,
    engine: str,
    address: str | None,
    workers: int | None,
) -> None:
    """Make the suite, or go on with it; names are checked before anything heavy is loaded."""
    width_px, height_px = parse_size(size)
    wanted = chosen("domain", domains, domain_names())
    views = chosen("camera", cameras, camera_names())
    drawing = chosen_engine(engine, address, workers)
    # The nodes of a cluster look after themselves; this machine need not be able to draw.
    draws_here = address is None
    name, model = robot.load(drawing=draws_here)
    request = Request(
        seed=seed,
        pairs=pairs,
        domains=wanted,
        robot=name,
        cameras=views,
        width_px=width_px,
        height_px=height_px,
        robot_model=model,
    )
    gl = ensure_gl() if draws_here else None
    typer.echo(_summary(out, _write(out, request, drawing, gl)))


def _write(out: str, request: Request, engine: Engine, gl: GLInfo | None) -> SuiteInfo:
    """Write the suite that ``request`` describes into ``out``, resuming what is there."""
    with SuiteWriter.open(
        out,
        name="constraints",
        request=request.record(),
        made_by=f"pactwin {version('pactwin')}",
        packages=deciding_packages(),
        gl_renderer="",
    ) as writer:
        if writer.info is not None:
            return writer.info
        if gl and gl.software:
            typer.echo(f"no GPU: the processor draws ({gl.renderer}); slower, but right", err=True)
        with steps() as progress, engine:
            progress("pairs", writer.units_done, request.pairs)
            for pair in draw_pairs(request, writer.units_done, engine):
                rejections = {pair.scenes[0].domain: pair.rejections}
                writer.add(pair.scenes, pair.files, rejections, pair.gl_renderer)
                progress("pairs", writer.units_done, request.pairs)
        return writer.finish(make_twin_questions)


def chosen_engine(name: str, address: str | None, workers: int | None) -> Engine:
    """The engine that options ask for; InvalidInputError for options that do not go together."""
    if name == "ray" and address and workers:
        raise InvalidInputError("--workers: a cluster's CPUs are all used; leave it out")
    if name == "ray":
        return RayEngine(address, workers)
    if address:
        raise InvalidInputError(f"--address {address}: only with --engine ray")
    return LocalEngine(workers or 1)


def chosen(what: str, names: str, known: Sequence[str]) -> tuple[str, ...]:
    """The names in a comma-separated list, or all; InvalidInputError for one that is not known."""
    if names == "all":
        return tuple(known)
    found = tuple(name.strip() for name in names.split(","))
    for name in found:
        if name not in known:
            raise unknown_name(what, name, tuple(known))
    if len(set(found)) != len(found):
        raise InvalidInputError(f"{what}s {names!r}: a name stands twice")
    return found


def parse_size(size: str) -> tuple[int, int]:
    """(width, height) in pixels of ``WxH``; InvalidInputError if it is not that."""
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", size)
    if match is None or not all(_MIN_PX <= int(n) <= _MAX_PX for n in match.groups()):
        raise InvalidInputError(
            f"size {size!r}: give WIDTHxHEIGHT, as 640x480, each from {_MIN_PX} to {_MAX_PX} px"
        )
    return int(match.group(1)), int(match.group(2))


def _summary(out: str, info: SuiteInfo) -> str:
    counts = ", ".join(f"{info.counts[key]} {key}" for key in ("pairs", "views", "questions"))
    rejected = ", ".join(
        f"{domain} {sum(reasons.values())}" for domain, reasons in sorted(info.rejections.items())
    )
    parts = [counts, f"draws rejected: {rejected or 'none'}"]
    if " + " in info.gl_renderer:
        parts.append(f"drawn by different OpenGLs: {info.gl_renderer}")
    return f"{shown_url(out)}: {'; '.join(parts)}; {info.content_hash}"
