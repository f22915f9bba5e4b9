"""Trial of placing: set an object down, release it, and check that it stays.

Hands are inexact: an object is released 1-3 mm beside its place and up to 2 degrees askew.
Otherwise a cube would balance on a sharp tip for ever.
"""

from dataclasses import dataclass

import numpy as np

from pactwin.sim.physics.outcome import distance
from pactwin.sim.physics.settling import run_until_still
from pactwin.sim.physics.trials.carrying import held_by
from pactwin.sim.physics.trials.putting import HOVER_M, move_to
from pactwin.sim.physics.trials.raycasting import BESIDE_M, ray_distance_m
from pactwin.sim.physics.trials.removal import LIMIT_M, LIMIT_RAD, UNDISTURBED
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Quat, axis_angle, quat_multiply, vec3, yaw
from pactwin.suite import Measurement

DROPS = 4
_OFF_M = (0.001, 0.003)
_ASKEW_RAD = float(np.deg2rad(2.0))
_GAP_M = 0.001
_FEELER_M = 0.008
# What tips begins slowly: it is at rest once it was still (m/s, rad/s) three times in a row.
_CHUNK_S, _STILL, _STILL_CHUNKS = 0.1, (0.002, 0.02), 3
_PATIENCE_S = 3.0
# So much lower what is held over its place touches what will carry it there.
_TOUCH_M = 0.0022
# As far as anything is from where it was set down once it has fallen off.
_FAR = 4.0


@dataclass(frozen=True)
class Rest:
    """Result of setting an object down.

    ``stopped_by`` names the obstacle on the way, empty if the object arrived. ``displacement`` is
    the largest motion, of the object after its release or of anything else, in units of the limit
    of removal trials (10 mm, 10 degrees). ``left`` is its distance from falling as in
    :func:`held_by`, or minus its penetration of the obstacle (m).
    """

    stopped_by: frozenset[str]
    displacement: float
    left: Measurement | None = None


def aimed(rng: np.random.Generator, place: Pose, scale: float = 1.0) -> Pose:
    """Actual release pose of a hand that aims at ``place``; ``scale`` is that of its errors."""
    distance, way = scale * rng.uniform(*_OFF_M), rng.uniform(-np.pi, np.pi)
    askew = yaw(scale * float(rng.uniform(-_ASKEW_RAD, _ASKEW_RAD)))
    moved = place.moved(float(distance * np.cos(way)), float(distance * np.sin(way)))
    return Pose(moved.pos, quat_multiply(askew, moved.quat))


def set_down(world: World, place: Pose) -> Rest:
    """Lower the held object from above to ``place``, release it, and check that all stays."""
    before = world.poses()
    stopped_by = move_to(world, place.moved(dz=HOVER_M), np.array([0.0, 0.0, -HOVER_M]))
    name, held = world.names[world.held], world.held
    if stopped_by is None:
        stopped_by = world.touching(name)
    if stopped_by:
        world.place_held(place)
        depth = world.deepest_contact_m(name)
        return Rest(stopped_by, _FAR, distance(-depth, "m") if depth else None)
    there = world.snapshot()
    world.place_held(place.moved(dz=-_TOUCH_M))
    falls, stays = (held_by(world, name, stays=stays) for stays in (False, True))
    world.restore(there)
    for kept, now in zip(before, world.poses(), strict=True):
        kept[held] = now[held]
    world.release()

    def displacement() -> float:
        moved_m, turned_rad = world.moved_since(before)
        moved, turned = moved_m / LIMIT_M, turned_rad / LIMIT_RAD
        return float(max(moved.max(), turned.max()))

    run_until_still(
        world,
        _PATIENCE_S,
        _CHUNK_S,
        _STILL,
        in_a_row=_STILL_CHUNKS,
        stop=lambda: displacement() > _FAR,
    )
    moved = min(_FAR, displacement())
    if moved > UNDISTURBED:
        return Rest(stopped_by, moved, falls)
    # A thing that rests may touch what carries it in a few places only, now these, now those.
    found = [left for left in (stays, held_by(world, name, stays=True)) if left is not None]
    return Rest(stopped_by, moved, max(found, key=lambda left: left.value, default=None))


def flush_on(
    world: World, thing: Item, support: Item, off_m: tuple[float, float] = (0.0, 0.0)
) -> Pose | None:
    """Pose of ``thing`` flush on ``support``, offset ``off_m`` from its middle along its x, y.

    Rays at four points around there measure the orientation of the top; on a tip or ridge it counts
    as level. None if there is no top.
    """
    at = world.pose(support.name)
    across = at.matrix()[:3, :2].T  # the support's x and y, seen from above
    across = across / np.linalg.norm(across, axis=1, keepdims=True)
    middle = np.array(at.pos) + off_m @ across + BESIDE_M
    points = [middle] + [middle + s * _FEELER_M * a for a in across for s in (-1, 1)]
    felt = np.array([_top_below(world, point, support) for point in points])
    if not np.isfinite(felt).all():
        return None
    slopes = [(felt[2 + 2 * k] - felt[1 + 2 * k]) for k in range(2)]
    normal = np.cross(*slopes)
    normal /= np.linalg.norm(normal) * np.sign(normal[2])
    height = float(((felt - felt[0]) @ normal).max()) + thing.size_m[2] / 2 + _GAP_M
    return Pose(vec3(felt[0] + height * normal), quat_multiply(_tilt(normal), at.quat))


def _top_below(world: World, at: np.ndarray, support: Item) -> np.ndarray:
    """The first point of ``support`` that a feeler meets, coming down on it at ``at`` (x, y)."""
    start = np.array([at[0], at[1], at[2] + max(support.size_m)])
    down = np.array([0.0, 0.0, -1.0])
    return np.array([*start[:2], start[2] - ray_distance_m(world, support.name, start, down)])


def _tilt(normal: np.ndarray) -> Quat:
    """The shortest turn that takes the vertical to ``normal``."""
    axis = np.array([-normal[1], normal[0], 0.0])
    if np.linalg.norm(axis) < 1e-6:
        return (1.0, 0.0, 0.0, 0.0)
    return axis_angle(vec3(axis), float(np.arccos(np.clip(normal[2], -1.0, 1.0))))
