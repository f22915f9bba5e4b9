"""Poses in which a hand releases an object, and the fingers' orientation there.

A held object turns with the hand. So a grasp suits a place only if the fingers' closing line runs
through the object in the same direction at the place as at the grasp. Swinging of the object about
this line, between two fingertips, is left open.
"""

from itertools import permutations, product

import numpy as np

from pactwin.sim.physics.trials.raycasting import cavity_of
from pactwin.sim.physics.trials.resting import flush_on
from pactwin.sim.preconditions.going_in import facing, orientations
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.reach.grips import Grip
from pactwin.sim.reach.kinematics import off_line_rad
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Vec3, yaw

ALIGN_RAD = float(np.deg2rad(10.0))
"""Maximum rotation of an object when closing fingers, or its vessel, align it."""

# No hand closes its fingers along a line that is steeper.
_STEEPEST = np.sin(np.deg2rad(50.0))
LINES_AROUND = tuple(
    np.array([np.cos(turn) * np.cos(tilt), np.sin(turn) * np.cos(tilt), np.sin(tilt)])
    for tilt in np.deg2rad((0.0, -15.0, 15.0, -30.0, 30.0, -45.0, 45.0))
    for turn in np.arange(0.0, np.pi, 1.5 * ALIGN_RAD)
)
"""Closing lines (3,) of fingers; every line is within ALIGN_RAD of one of them."""

_SAME_M = 0.001
_OVER = np.diag([1.0, -1.0, -1.0])
# A hand lets go so high above the place (m), beside half of what it holds.
_ABOVE_M = 0.02
_LOWEST_M = 0.045
# A vessel whose axis is less upright than this lies; its opening is to the side.
_UPRIGHT = 0.9
# Solutions end on the rim of a cone, give or take rounding.
_ROUNDING_RAD = 0.001
_AROUND = np.arange(0.0, 2 * np.pi, 2 * ALIGN_RAD)


def letting_go_m(place: Item, half_m: float, *, into: bool = False) -> Vec3:
    """Fingertip positions (m) at the release of an object that extends ``half_m`` below them.

    They are above the middle of the place or, for a lying vessel that the object goes ``into``,
    before its opening, and no lower than a hand gets without touching the table.
    """
    out = place.world_from_object.matrix()[:3, 2]
    x, y, z = place.world_from_object.pos
    if into and abs(out[2]) < _UPRIGHT:
        away = place.size_m[2] / 2 + _ABOVE_M + half_m
        x, y, z = np.add((x, y, z), away * out)
        return float(x), float(y), max(float(z), _LOWEST_M)
    return x, y, float(item_points(place)[0][:, 2].max()) + _ABOVE_M + half_m


def turns_over(
    situation: SettledScene, name: str, place: str, *, into: bool = False
) -> np.ndarray | None:
    """Rotations (n, 3, 3) from an object's pose to its possible release poses; None if any will do.

    The object goes ``into`` the place in orientations in which it fits, or lies flush on it with
    aligned sides.
    """
    thing = situation.item(name)
    shapes = {part.shape for part in thing.parts if part.collides}
    placed = [] if shapes == {"sphere"} else _placed(situation, thing, place, into=into)
    if not placed:
        return None
    here = _turn(thing.world_from_object)
    around = np.array([_turn(Pose((0.0, 0.0, 0.0), yaw(float(angle)))) for angle in _AROUND])
    is_box = shapes == {"box"}
    alike = np.array(_symmetries(thing)) if is_box else np.concatenate([around, around @ _OVER])
    found = [
        ((around if free else around[:1]) @ there)[:, None] @ (alike @ here.T)
        for there, free in placed
    ]
    return np.concatenate([turns.reshape(-1, 3, 3) for turns in found])


def _placed(
    situation: SettledScene, thing: Item, place: str, *, into: bool
) -> list[tuple[np.ndarray, bool]]:
    """How the thing may lie at the place, and whether it may be turned about the vertical there."""
    world, there = situation.world(thing.name), situation.item(place)
    if not into:
        pose = flush_on(world, thing, there)
        is_round = "cylinder" in (thing.parts[0].shape, there.parts[0].shape)
        return [] if pose is None else [(_turn(pose), is_round)]
    hollow = cavity_of(world, place, there.size_m[2])
    if hollow.axis[2] < _UPRIGHT:
        return []
    return [
        (_turn(Pose((0.0, 0.0, 0.0), facing(hollow, way))), hollow.round or way.round)
        for way in orientations(thing)
        if hollow.clearance_m(way.extents_m[:2], way.round) > 0.0
    ]


def _symmetries(box: Item) -> list[np.ndarray]:
    """Rotations (3, 3) that leave a cuboid as it is."""
    found = []
    for axes, signs in product(permutations(range(3)), product((-1.0, 1.0), repeat=3)):
        turn = np.zeros((3, 3))
        turn[range(3), axes] = signs
        if np.linalg.det(turn) > 0 and np.allclose(
            abs(turn) @ box.size_m, box.size_m, atol=_SAME_M
        ):
            found.append(turn)
    return found


def _turn(pose: Pose) -> np.ndarray:
    return pose.matrix()[:3, :3]


def lines_after(closing: np.ndarray, turns: np.ndarray) -> list[Grip]:
    """Closing directions of the fingers after turning an object held along ``closing`` (3,)."""
    found: list[Grip] = []
    lines = turns @ closing
    left = lines[np.abs(lines[:, 2]) < _STEEPEST]
    while len(left):
        found.append(Grip(left[0], ALIGN_RAD))
        left = left[1:][off_line_rad(left[1:], left[0]) > ALIGN_RAD / 2]
    return found


def serve_together(taking: np.ndarray, placing: np.ndarray, turns: np.ndarray) -> bool:
    """Return whether an object grasped along one line (3,) can be released along another."""
    return bool(off_line_rad(turns @ taking, placing).min() <= ALIGN_RAD + _ROUNDING_RAD)
