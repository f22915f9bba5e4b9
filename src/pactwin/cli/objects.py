"""``pactwin make objects``: photograph objects from all sides and on the table, ask about them."""

from importlib.metadata import version
from pathlib import Path

import typer

from pactwin.cli.constraints import chosen, chosen_engine, parse_size
from pactwin.cli.progress import steps
from pactwin.sim import (
    Background,
    Engine,
    GLInfo,
    StillRequest,
    asset_sources,
    deciding_packages,
    draw_stills,
    ensure_gl,
    kind_names_of,
)
from pactwin.suite import SuiteInfo, SuiteWriter, unknown_name
from pactwin.tasks import make_object_questions

_SCENES = "scenes"


def run(
    out: Path,
    seed: int,
    kinds: str,
    assets: str,
    background: Background,
    size: str,
    engine: str,
    address: str | None,
    workers: int | None,
) -> None:
    """Make the suite, or go on with it; names are checked before anything is drawn."""
    width_px, height_px = parse_size(size)
    if assets not in asset_sources():
        raise unknown_name("source of objects", assets, asset_sources())
    request = StillRequest(
        seed=seed,
        kinds=chosen("kind", kinds, kind_names_of(assets)),
        assets=assets,
        background=background,
        width_px=width_px,
        height_px=height_px,
    )
    drawing = chosen_engine(engine, address, workers)
    gl = ensure_gl() if address is None else None
    info = _write(out, request, drawing, gl)
    counts = ", ".join(f"{info.counts[key]} {key}" for key in (_SCENES, "views", "questions"))
    typer.echo(f"{out}: {counts}; {info.content_hash}")


def _write(out: Path, request: StillRequest, engine: Engine, gl: GLInfo | None) -> SuiteInfo:
    """Write the suite that ``request`` describes into ``out``, resuming what is there."""
    with SuiteWriter.open(
        out,
        name="objects",
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
            progress(_SCENES, writer.units_done, request.scenes)
            for still in draw_stills(request, writer.units_done, engine):
                scene = still.scene
                rejections = {scene.domain: still.rejections}
                writer.add([scene], still.files, rejections, still.gl_renderer)
                progress(_SCENES, writer.units_done, request.scenes)
        return writer.finish(
            lambda scenes: (q for scene in scenes for q in make_object_questions(scene))
        )
