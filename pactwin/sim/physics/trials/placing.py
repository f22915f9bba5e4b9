"""The trial behind "put A on B": places on B are tried until one takes A and keeps it.

In each place A is brought near along the way it would come, with a hand that yields to what is in
the way, and let go of. A is in its place if it stays within ``KEPT_M`` of it, or on B's floor if it
may roll there, and nothing else moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.sim.physics.trials.putting import move_to, release_and_settle
from pactwin.sim.physics.world import World
from pactwin.sim.scene.pose import Pose

KEPT_M = 0.01
_SHORT_M = 0.004
_MOVED_M = 0.005


@dataclass(frozen=True)
class Place:
    """A pose of the thing, the unit vector along which it comes, and how far off it starts (m)."""

    pose: Pose
    along: np.ndarray
    off_m: float


@dataclass(frozen=True)
class PlacingResult:
    """The best that was achieved.

    ``short_m`` is how far from a place the thing was when it met ``stopped_by`` or moved anything;
    ``displacement_m`` is how far it is from its place after it was let go of there.
    """

    short_m: float
    displacement_m: float
    stopped_by: frozenset[str]


def place_on(world: World, places: Sequence[Place], spread_m: float = KEPT_M) -> PlacingResult:
    """Try the places in turn; the world is left as it is after the one that went best.

    ``spread_m`` is how far the thing may go from its place without leaving the support.
    """
    at_rest = world.snapshot()
    best, after = None, at_rest
    for place in places:
        world.restore(at_rest)
        tried = _tried(world, place)
        if best is None or (tried.short_m, tried.displacement_m) < (
            best.short_m,
            best.displacement_m,
        ):
            best, after = tried, world.snapshot()
        if tried.short_m < _SHORT_M and tried.displacement_m < spread_m:
            break
    if best is None:
        raise ValueError("no place to try")
    world.restore(after)
    return best


def _tried(world: World, place: Place) -> PlacingResult:
    others = np.arange(len(world.names)) != world.held
    before = world.poses()

    def pushes() -> bool:
        moved_m, _ = world.moved_since(before)
        return bool(moved_m[others].max(initial=0.0) > _MOVED_M)

    start = place.pose.moved(*(-place.off_m * place.along))
    stopped_by = move_to(world, start, place.along * place.off_m, stop=pushes)
    if stopped_by is None:
        return PlacingResult(place.off_m, 0.0, world.touching(world.names[world.held]))

    def off() -> np.ndarray:
        return np.array(place.pose.pos) - world.positions()[world.held]

    short = max(float(off() @ place.along), 0.0)
    if pushes():
        return PlacingResult(max(short, _MOVED_M), 0.0, stopped_by)
    if short > _SHORT_M:
        return PlacingResult(short, 0.0, stopped_by)
    release_and_settle(world)
    if pushes():
        return PlacingResult(_MOVED_M, 0.0, stopped_by)
    return PlacingResult(short, float(np.linalg.norm(off())), stopped_by)
