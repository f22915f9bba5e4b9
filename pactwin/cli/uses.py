"""``pactwin make uses``: creative uses, labelled by simulation."""

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
    SecretSeed,
    Workers,
)

_LEAST_PX = 160


@handle_errors
def uses(
    out: NewSuite,
    seed: OpenSeed = None,
    secret_seed: SecretSeed = None,
    pairs: Annotated[int, typer.Option(min=1, help="Number of pairs, uses taking turns.")] = 100,
    uses: Annotated[
        str,
        typer.Option(
            help="Comma-separated: block_roll, bridge_gap, guide_pour, hold_grains, hook_and_pull, "
            "lever_up, poke_through_gap, prop_open, wedge_shut, weigh_down; or all."
        ),
    ] = "all",
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
    """Simulate creative uses of everyday things."""
    from pactwin.cli.make import (
        choose_engine,
        parse_names,
        parse_size,
        print_summary,
        seeded,
        write_suite,
    )
    from pactwin.sim import UseSuiteConfig, camera_names, draw_use_pair, use_names
    from pactwin.tasks import make_use_questions

    width_px, height_px = parse_size(size, _LEAST_PX)
    asked = UseSuiteConfig(
        seed=seed or 0,
        pairs=pairs,
        uses=parse_names("use", uses, use_names()),
        robot="g1",
        cameras=parse_names("camera", cameras, camera_names()),
        width_px=width_px,
        height_px=height_px,
    )
    config, request = seeded(asked, seed, secret_seed, out)
    info = write_suite(
        out,
        "uses",
        request,
        ("pairs", pairs),
        partial(draw_use_pair, config),
        make_use_questions,
        choose_engine(engine, address, workers),
        edition=edition,
        not_in=not_in,
    )
    print_summary(out, info, "pairs")
