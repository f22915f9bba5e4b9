"""``pactwin make objects``: photograph objects from all sides and on the table, ask about them."""

from functools import partial

import typer

from pactwin.cli.making import chosen, chosen_engine, parse_size, write_suite
from pactwin.sim import (
    Background,
    ObjectSuiteConfig,
    asset_sources,
    ensure_gl,
    kind_names_of,
    render_object_scenes,
)
from pactwin.suite import shown_url, unknown_name
from pactwin.tasks import make_object_questions


def run(
    out: str,
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
    request = ObjectSuiteConfig(
        seed=seed,
        kinds=chosen("kind", kinds, kind_names_of(assets)),
        assets=assets,
        background=background,
        width_px=width_px,
        height_px=height_px,
    )
    drawing = chosen_engine(engine, address, workers)
    info = write_suite(
        out,
        "objects",
        request.record(),
        ("scenes", request.scenes),
        partial(render_object_scenes, request, engine=drawing),
        drawing,
        ensure_gl() if address is None else None,
        lambda scenes: (q for scene in scenes for q in make_object_questions(scene)),
    )
    counts = ", ".join(f"{info.counts[key]} {key}" for key in ("scenes", "views", "questions"))
    typer.echo(f"{shown_url(out)}: {counts}; {info.content_hash}")
