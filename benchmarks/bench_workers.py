"""Seconds of so many units by one worker and by two, and by Ray: trials, pictures, whole pairs."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pytest

from pactwin.sim import (
    ConstraintSuiteConfig,
    Engine,
    LocalEngine,
    RayEngine,
    camera_names,
    domain_names,
    draw_pair,
    ensure_gl,
)
from pactwin.sim.generation.engines.base import in_order

CAMERAS = ("front", "head")


def decide_one(number: int) -> None:
    """Draw one layout and decide it; whether it is rejected does not matter here."""
    from pactwin.sim.domains import load_domain
    from pactwin.sim.generation.pairs.scenes import label, try_layouts
    from pactwin.sim.scene.placement import RejectedLayout

    names = domain_names()
    try:
        seed = 1000 + number
        label(try_layouts(PAIRS, load_domain(names[number % len(names)]), seed), seed)
    except RejectedLayout:
        return


def render_one(number: int) -> None:
    """Draw both cameras' views of one of four scenes."""
    from pactwin.sim.rendering.render import render_views

    items, look, cameras = _scenes()[number % 4]
    list(render_views(items, look, "g1", cameras))


@lru_cache(maxsize=1)
def _scenes() -> list:
    from pactwin.sim.domains import load_domain
    from pactwin.sim.rendering.cameras import frame_cameras
    from pactwin.sim.rendering.room import draw_appearance
    from pactwin.sim.scene.placement import RejectedLayout

    found: list = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        try:
            twins = load_domain("support").propose(rng, "g1")
        except RejectedLayout:
            continue
        layouts = (twins.infeasible, twins.feasible)
        look = draw_appearance(rng)
        cameras = frame_cameras(layouts, CAMERAS, (640, 480), rng, "g1")
        found += [(layout.items, look, cameras) for layout in layouts]
        if len(found) >= 4:
            break
    return found


PAIRS = ConstraintSuiteConfig(
    seed=11,
    pairs=10**6,
    domains=domain_names(),
    robot="g1",
    cameras=camera_names(),
    width_px=640,
    height_px=480,
)
# Task, units, and units before the clock is started.
PARTS: dict[str, tuple[Callable[[int], object], int, int]] = {
    "trials": (decide_one, 100, 2 * len(domain_names())),
    "pictures": (render_one, 60, 8),
    "pairs": (partial(draw_pair, PAIRS), 30, 4),
}
ENGINES: dict[str, Callable[[], Engine]] = {
    "1 worker": partial(LocalEngine, 1),
    "2 workers": partial(LocalEngine, 2),
    "Ray, 2 workers": partial(RayEngine, None, 2),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("part", PARTS)
def test_workers(benchmark: Any, part: str, engine: str) -> None:
    ensure_gl()
    task, units, warm = PARTS[part]
    with ENGINES[engine]() as started:
        list(in_order(started, task, range(warm)))
        benchmark.pedantic(
            lambda: list(in_order(started, task, range(warm, warm + units))), rounds=3
        )
    benchmark.extra_info["units"] = units
