"""``pactwin make constraints``: simulate twin pairs, ask about them, write a suite."""

from functools import partial

import typer

from pactwin.cli.making import chosen, chosen_engine, parse_size, write_suite
from pactwin.cli.robots import RobotChoice
from pactwin.sim import ConstraintSuiteConfig, camera_names, domain_names, draw_pairs, ensure_gl
from pactwin.suite import SuiteInfo, shown_url
from pactwin.tasks import make_twin_questions

# In smaller pictures what decides hardly ever covers the pixels that a question asks for.
_LEAST_PX = 160


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
    width_px, height_px = parse_size(size, _LEAST_PX)
    wanted = chosen("domain", domains, domain_names())
    views = chosen("camera", cameras, camera_names())
    drawing = chosen_engine(engine, address, workers)
    # The nodes of a cluster look after themselves; this machine need not be able to draw.
    draws_here = address is None
    name, model = robot.load(drawing=draws_here)
    if model is not None:
        from pactwin.sim import check_stands_free

        check_stands_free(name)
    request = ConstraintSuiteConfig(
        seed=seed,
        pairs=pairs,
        domains=wanted,
        robot=name,
        cameras=views,
        width_px=width_px,
        height_px=height_px,
        robot_model=model,
    )
    info = write_suite(
        out,
        "constraints",
        request.record(),
        ("pairs", pairs),
        partial(draw_pairs, request, engine=drawing),
        drawing,
        ensure_gl() if draws_here else None,
        make_twin_questions,
    )
    typer.echo(_summary(out, info))


def _summary(out: str, info: SuiteInfo) -> str:
    counts = ", ".join(f"{info.counts[key]} {key}" for key in ("pairs", "views", "questions"))
    rejected = ", ".join(
        f"{domain} {sum(reasons.values())}" for domain, reasons in sorted(info.rejections.items())
    )
    parts = [counts, f"draws rejected: {rejected or 'none'}"]
    if " + " in info.gl_renderer:
        parts.append(f"drawn by different OpenGLs: {info.gl_renderer}")
    return f"{shown_url(out)}: {'; '.join(parts)}; {info.content_hash}"
