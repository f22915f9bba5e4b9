"""Settle a world until it is at rest, and check that the layout stays in place."""

from collections.abc import Callable, Sequence

import numpy as np

from pactwin.sim.physics.world import World

_SETTLE_S, _CHUNK_S = 0.96, 0.12
# What is slower after a chunk, and accelerates evenly, moves 2 cm or 18 degrees in 1 s at most.
_STILL = (0.005, 0.075)
_DRIFT_M, _TURN_RAD, _DEEPEST_CONTACT_M = 0.002, float(np.deg2rad(1.5)), 0.002


def run_until_still(
    world: World,
    at_most_s: float,
    chunk_s: float,
    still: tuple[float, float],
    *,
    items: Sequence[int] | slice | np.ndarray = np.s_[:],
    in_a_row: int = 1,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Simulate until ``items`` (rows of ``world.names``) are at rest; False if they are not.

    Speeds are checked every ``chunk_s``; items are at rest after ``in_a_row`` checks below
    ``still`` (m/s, rad/s). ``stop`` also ends the simulation.
    """
    calm = 0
    for _ in range(round(at_most_s / chunk_s)):
        world.run(chunk_s)
        calm = calm + 1 if (world.speeds()[items] < still).all() else 0
        if calm == in_a_row:
            return True
        if stop():
            return False
    return False


def settle(world: World) -> str:
    """Settle the scene; returns "", or the reason why it did not come to rest in place."""
    start = world.poses()
    if not run_until_still(world, _SETTLE_S, _CHUNK_S, _STILL) and not _still_on_average(world):
        return "not at rest: still moving"
    moved_m, turned_rad = world.moved_since(start)
    if moved_m.max() > _DRIFT_M or turned_rad.max() > _TURN_RAD:
        return "not at rest: settles elsewhere"
    if world.deepest_contact_m() > _DEEPEST_CONTACT_M:
        return "impossible contact depth"
    return ""


def _still_on_average(world: World) -> bool:
    """Return whether nothing gets anywhere, as where contacts buzz."""
    before = world.poses()
    world.run(_CHUNK_S)
    moved_m, turned_rad = world.moved_since(before)
    return bool(moved_m.max() < _STILL[0] * _CHUNK_S and turned_rad.max() < _STILL[1] * _CHUNK_S)
