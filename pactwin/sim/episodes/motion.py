"""Arm paths: between two postures around obstacles, and along a path of the fingertips.

Between postures the shortest path over random postures is sought whose pieces are free; a piece is
checked only once a shortest path has it (lazy PRM: Bohlin and Kavraki 2000). Along a path of
fingertips a beam of postures goes from point to point by damped least squares; those that come
close to something, or turn far, fall behind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from scipy.sparse.csgraph import dijkstra
from scipy.spatial.distance import cdist
from scipy.spatial.transform import Rotation, Slerp

from pactwin.sim.reach.collider import CollisionModel
from pactwin.sim.reach.starts import Reacher
from pactwin.sim.scene.pose import Pose, Quat, quat, quat_angle_rad, vec3

CLEAR_M = 0.001
"""Minimum clearance of a path between postures; planning prefers more."""

TOUCH_M = 0.001
"""Depth of a contact that counts as touching, as of an object and what it lies on."""

_WIDE_M = 0.008

# It is looked so often on the way: the closer it goes, the finer.
_LOOK_RAD, _LOOK_CLOSELY_RAD = 0.08, 0.03
# Random postures of a path, and pieces that are looked at before it is given up.
_POSTURES, _PIECES = 150, 500
# So many of the nearest postures of a sample are starts.
_SEEDS = 100

_BEAM, _NEW = 4, 5
_NOISE_RAD = 0.12
_CLOSE_M, _OFF_M = 2e-4, 0.003
_JUMP_RAD = 0.6
_COMFORT_M, _TOUCH_COST = 0.008, 60.0
# Poses of held objects on a path are this close.
_STATION_M, _STATION_RAD = 0.015, 0.12
# Fingers point down or level, give or take a little.
_DOWN, _CONE_RAD = np.array([0.0, 0.0, -1.0]), float(np.deg2rad(97.0))


@dataclass(frozen=True)
class Mover:
    """One arm among objects: ``arm`` is its number in the robot.

    The hand may touch the geoms ``passed``. The geoms ``gone`` belong to held objects and are
    ignored. ``held`` maps numbers of held objects to their poses from the fingertips; these objects
    must not touch anything either.
    """

    collider: CollisionModel
    arm: int
    reacher: Reacher
    passed: np.ndarray
    gone: np.ndarray
    held: Mapping[int, Pose] = field(default_factory=dict)

    def clearance_m(self, way: np.ndarray, enough: float = -np.inf) -> float:
        """Smallest clearance on ``way`` (n, j), exact only down to ``enough``."""
        collider, chain = self.collider, self.reacher.chain
        near = collider.clearance_m(self.arm, chain, way, -2, enough, self.gone, self.passed)
        if not self.held:
            return near
        own, others = np.flatnonzero(self.gone), ~self.gone & ~collider.hands[self.arm]
        others[list(collider.pads)] = False
        for q, tip in zip(way, chain.forward(way)[0], strict=True):
            if near <= enough:
                break
            collider.data.qpos[chain.qpos] = q
            for k, pose in self.held.items():
                collider.data.mocap_pos[k] = tip + pose.pos
                collider.data.mocap_quat[k] = pose.quat
            near = min(near, collider.apart_m(own, np.flatnonzero(others)))
        return near

    def free_part(self, way: np.ndarray) -> np.ndarray:
        """The first postures of ``way`` (n, j) before one that hits something."""
        hits = (k for k, q in enumerate(way) if self.clearance_m(q[None]) < -TOUCH_M)
        return way[: next(hits, len(way))]

    def is_free(self, start: np.ndarray, end: np.ndarray, clear_m: float) -> bool:
        """Return whether the straight motion between two postures keeps the minimum clearance."""
        step = _LOOK_RAD if clear_m >= _WIDE_M / 2 else _LOOK_CLOSELY_RAD
        count = max(1, int(np.ceil(np.abs(end - start).max() / step)))
        way = start + np.linspace(0.0, 1.0, count + 1)[1:, None] * (end - start)
        return self.clearance_m(way, clear_m) > clear_m


def way_between(
    mover: Mover, start: np.ndarray, goal: np.ndarray, rng: np.random.Generator
) -> np.ndarray | None:
    """Collision-free postures (n, j) from ``start`` to ``goal``; None if not found.

    None, without a search, if either posture is in collision.
    """
    ends = mover.clearance_m(np.stack([start, goal]), CLEAR_M)
    if ends <= CLEAR_M:
        return None
    drawn = rng.choice(mover.reacher.sample, _POSTURES, replace=False)
    for clear_m in dict.fromkeys([min(_WIDE_M, 0.9 * ends), CLEAR_M]):
        free = [q for q in drawn if mover.clearance_m(q[None], clear_m) > clear_m]
        found = _shortest(mover, np.array([start, goal, *free]), clear_m)
        if found is not None:
            return found
    return None


def _shortest(mover: Mover, nodes: np.ndarray, clear_m: float) -> np.ndarray | None:
    """The shortest free path from the first of some postures (n, j) over others to the second."""
    length = cdist(nodes, nodes, "chebyshev")  # zero where no piece joins two postures
    known: set[tuple[int, int]] = set()
    while len(known) < _PIECES:
        _, before = dijkstra(length, indices=np.array(0), return_predecessors=True)
        path = [1]
        while path[-1] > 0:
            path.append(int(before[path[-1]]))
        if path[-1] < 0:
            return None
        for piece in pairwise(path[::-1]):
            if piece in known:
                continue
            known.add(piece)
            if not mover.is_free(nodes[piece[0]], nodes[piece[1]], clear_m):
                length[piece] = length[piece[::-1]] = 0.0
                break
        else:
            return nodes[path[::-1]]
    return None


def ends_at(mover: Mover, tip: np.ndarray, near: np.ndarray, count: int) -> list[np.ndarray]:
    """Up to ``count`` free postures with the fingertips at ``tip``, the freest first.

    The search starts from ``near`` and from sampled postures nearest to the tip.
    """
    reacher = mover.reacher
    far = np.linalg.norm(reacher.tips - tip, axis=1)
    starts = np.concatenate([near[None], reacher.sample[np.argsort(far)[:_SEEDS]]])
    goal, down = np.tile(tip, (len(starts), 1)), np.tile(_DOWN, (len(starts), 1))
    q, off, *_ = reacher.chain.solve(starts, goal, down, _CONE_RAD, steps=20, close_m=_CLOSE_M)
    found = [(mover.clearance_m(row[None], CLEAR_M), k) for k, row in enumerate(q)]
    served = [(free, k) for free, k in found if off[k] < _OFF_M and free > CLEAR_M]
    return [q[k] for _, k in sorted(served, reverse=True)[:count]]


def along(
    mover: Mover, start: np.ndarray, tips: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Postures that move the fingertips from ``start`` through ``tips`` (n, 3), one per tip.

    There are fewer rows than ``tips`` if one of them cannot be reached.
    """
    ways, cost = start[None, None], np.zeros(1)
    for tip in tips:
        before = np.repeat(ways, _NEW, axis=0)
        seeds = before[:, -1]
        noise = rng.normal(0.0, _NOISE_RAD, seeds.shape)
        noise[::_NEW] = 0.0
        goal, down = (np.broadcast_to(to, (len(seeds), 3)) for to in (tip, _DOWN))
        q, off, *_ = mover.reacher.chain.solve(
            seeds + noise, goal, down, _CONE_RAD, steps=10, close_m=_CLOSE_M
        )
        turned = np.abs(q - seeds).max(axis=1)
        rows = np.flatnonzero((off < _OFF_M) & (turned < _JUMP_RAD))
        if not len(rows):
            break
        near = np.array([mover.clearance_m(q[row][None]) for row in rows])
        total = np.repeat(cost, _NEW)[rows] + np.linalg.norm(q[rows] - seeds[rows], axis=1)
        total += _TOUCH_COST * np.maximum(0.0, _COMFORT_M - near)
        best = np.argsort(total)[:_BEAM]
        ways = np.concatenate([before[rows[best]], q[rows[best], None]], axis=1)
        cost = total[best]
    return ways[0, 1:]


def turns_between(a: Quat, b: Quat, shares: np.ndarray) -> list[Quat]:
    """Orientations interpolated between ``a`` and ``b`` at ``shares`` (n,)."""
    ends = Rotation.from_quat(np.roll([a, b], -1, axis=1))  # SciPy has w last
    return [quat(turn) for turn in np.roll(Slerp([0.0, 1.0], ends)(shares).as_quat(), 1, axis=1)]


def stations_of(poses: Sequence[Pose]) -> list[Pose]:
    """Poses in small steps from the first pose (excluded) through the others."""
    found = []
    for a, b in pairwise(poses):
        way = np.subtract(b.pos, a.pos)
        turn = float(quat_angle_rad(a.quat, b.quat))
        steps = max(np.linalg.norm(way) / _STATION_M, turn / _STATION_RAD)
        count = max(1, int(np.ceil(steps)))
        shares = np.arange(1, count + 1) / count
        turns = turns_between(a.quat, b.quat, shares)
        found += [Pose(vec3(a.pos + s * way), q) for s, q in zip(shares, turns, strict=True)]
    return found


def tips_of(poses: Sequence[Pose], at: np.ndarray) -> np.ndarray:
    """Positions (n, 3) of fingertips that hold an object ``at`` a point (m, in its frame), m."""
    return np.array([pose.matrix()[:3, :3] @ at + pose.pos for pose in poses]).reshape(-1, 3)
