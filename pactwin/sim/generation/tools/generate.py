"""Suites of tool scenes: each pair depends only on the seed, its task and its number."""

from dataclasses import dataclass

import numpy as np

from pactwin.catalogue import load_procedures
from pactwin.sim.generation.sampling import (
    Drawn,
    SceneBatch,
    SuiteConfig,
    batch_seeds,
    sample_until_accepted,
    stream,
)

_MAX_DRAWS = 60
_PLACE = 9


@dataclass(frozen=True)
class ToolSuiteConfig(SuiteConfig):
    """Settings that determine a suite's content: ``pairs`` of scenes; tasks alternate."""

    seed: int
    pairs: int
    width_px: int
    height_px: int


def draw_tool_pair(request: ToolSuiteConfig, index: int) -> SceneBatch:
    """Draw pair ``index`` until one is accepted.

    Raises EnvironmentFaultError if 60 draws were all rejected: the pictures are too small.
    """
    from pactwin.sim.generation.tools.scenes import places_for, tool_pair

    tasks = load_procedures().tasks
    turn, number = divmod(index, len(tasks))
    order = np.random.default_rng([request.seed, turn]).permutation(sorted(tasks))
    name = str(order[number])
    places = places_for(tasks[name])

    def draw(seed: int) -> Drawn:
        place = str(stream(seed, _PLACE).choice(places))
        return tool_pair(tasks[name], place, (request.width_px, request.height_px), seed)

    seeds = batch_seeds(request.seed, f"tools/{name}", turn, _MAX_DRAWS)
    size = f"{request.width_px}x{request.height_px}"
    return sample_until_accepted(draw, seeds, f"scene of task {name!r} at {size} px")
