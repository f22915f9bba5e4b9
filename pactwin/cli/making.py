"""What the ``pactwin make`` commands share: their options' values, and writing while drawing."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import typer
from pydantic import JsonValue

from pactwin.cli.progress import steps
from pactwin.sim import Engine, GLInfo, LocalEngine, RayEngine, SceneBatch, environment_versions
from pactwin.suite import (
    InvalidInputError,
    Question,
    Scene,
    SuiteInfo,
    SuiteWriter,
    unknown_name,
)

_MAX_PX = 1920


def write_suite(
    out: str | Path,
    name: str,
    request: Mapping[str, JsonValue],
    units: tuple[str, int],
    draw: Callable[[int], Iterator[SceneBatch]],
    engine: Engine,
    gl: GLInfo | None,
    ask: Callable[[tuple[Scene, ...]], Iterable[Question]],
) -> SuiteInfo:
    """Write the suite that ``request`` describes into ``out``, resuming what is there.

    ``units`` are what it consists of and how many; ``draw`` draws those from a number on.
    """
    what, total = units
    with SuiteWriter.open(
        out,
        name=name,
        request=dict(request),
        made_by=f"pactwin {version('pactwin')}",
        packages=environment_versions(),
        gl_renderer="",
    ) as writer:
        if writer.info is not None:
            return writer.info
        if gl and gl.software:
            typer.echo(f"no GPU: the processor draws ({gl.renderer}); slower, but right", err=True)
        with steps() as progress, engine:
            progress(what, writer.units_done, total)
            for unit in draw(writer.units_done):
                rejections = {unit.scenes[0].domain: unit.rejections}
                writer.add(unit.scenes, unit.files, rejections, unit.gl_renderer)
                progress(what, writer.units_done, total)
        return writer.finish(ask)


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


def parse_size(size: str, least_px: int = 64) -> tuple[int, int]:
    """(width, height) in pixels of ``WxH``; InvalidInputError if it is not that, or too small."""
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", size)
    if match is None or not all(least_px <= int(n) <= _MAX_PX for n in match.groups()):
        raise InvalidInputError(
            f"size {size!r}: give WIDTHxHEIGHT, as 640x480, each from {least_px} to {_MAX_PX} px"
        )
    return int(match.group(1)), int(match.group(2))
