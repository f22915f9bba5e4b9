"""Arm paths: between two postures around obstacles, and along a path of the fingertips.

Between postures two trees grow until they meet (RRT-Connect: Kuffner and LaValle
2000); the path is then shortened. Along a path of fingertips a beam of postures goes from point to
point by damped least squares; those that come close to something, or turn far, fall behind. Both
ask :class:`pactwin.sim.reach.collider.CollisionModel` what is in the way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import mujoco
import numpy as np

from pactwin.sim.reach.collider import SEEN_M, CollisionModel
from pactwin.sim.reach.kinematics import Chain
from pactwin.sim.scene.pose import Pose, quat, quat_angle_rad, vec3

CLEAR_M = 0.001
"""Minimum clearance of a path between postures; planning prefers more."""

_WIDE_M = 0.008

# It is looked so often on the way: the closer it goes, the finer.
_STEP_RAD, _LOOK_RAD, _LOOK_CLOSELY_RAD = 0.4, 0.08, 0.03
_TREE_NODES, _SHORTCUTS = 500, 30
# So many of the nearest postures of a sample are starts.
_SEEDS = 40

_BEAM, _NEW = 4, 5
_NOISE_RAD = 0.12
_CLOSE_M, _OFF_M = 2e-4, 0.003
_JUMP_RAD = 0.6
_COMFORT_M, _TOUCH_COST = 0.008, 60.0
_PULL = 0.4
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
    chain: Chain
    passed: np.ndarray
    gone: np.ndarray
    held: Mapping[int, Pose] = field(default_factory=dict)

    def clearance_m(self, way: np.ndarray, enough: float = -np.inf) -> float:
        """Smallest clearance on ``way`` (n, j), exact only down to ``enough``."""
        near = self.collider.clearance_m(
            self.arm, self.chain, way, -2, enough, self.gone, self.passed
        )
        if near <= enough or not self.held:
            return near
        return min(near, self.held_clearance_m(way, [self.held] * len(way), enough))

    def held_clearance_m(
        self, way: np.ndarray, held: Sequence[Mapping[int, Pose]], enough: float = -np.inf
    ) -> float:
        """Clearance of the ``held`` objects in each posture, from all but the holding hand."""
        model, data = self.collider.model, self.collider.data
        geoms = np.flatnonzero(self.gone)
        counts = ~self.gone & ~self.collider.hands[self.arm]
        counts[list(self.collider.pads)] = False
        others = np.flatnonzero(counts)
        data.qpos[:] = self.collider.home
        least = SEEN_M
        for q, tip, lies in zip(way, self.chain.forward(way)[0], held, strict=True):
            data.qpos[self.chain.qpos] = q
            for k, pose in lies.items():
                data.mocap_pos[k], data.mocap_quat[k] = tip + pose.pos, pose.quat
            mujoco.mj_kinematics(model, data)
            for geom in geoms:
                apart = np.linalg.norm(data.geom_xpos[others] - data.geom_xpos[geom], axis=1)
                room = apart - model.geom_rbound[others] - model.geom_rbound[geom]
                # A plane has no bound; there is none here.
                for other in others[room < SEEN_M]:
                    far = mujoco.mj_geomDistance(model, data, geom, other, SEEN_M, None)
                    least = min(least, far)
            if least <= enough:
                break
        return float(least)

    def is_free(self, start: np.ndarray, end: np.ndarray, clear_m: float) -> bool:
        """Return whether the straight motion between two postures keeps the minimum clearance."""
        step = _LOOK_RAD if clear_m >= _WIDE_M / 2 else _LOOK_CLOSELY_RAD
        return self.clearance_m(_straight(start, end, step)[1:], clear_m) > clear_m


def way_between(
    mover: Mover, start: np.ndarray, goal: np.ndarray, rng: np.random.Generator
) -> np.ndarray | None:
    """Collision-free postures (n, j) from ``start`` to ``goal``; None if not found.

    None, without a search, if either posture is in collision.
    """
    ends = mover.clearance_m(np.stack([start, goal]), CLEAR_M)
    if ends <= CLEAR_M:
        return None
    for clear_m in dict.fromkeys([min(_WIDE_M, 0.9 * ends), CLEAR_M]):
        found = _between(mover, start, goal, rng, clear_m)
        if found is not None:
            return found
    return None


def _between(
    mover: Mover, start: np.ndarray, goal: np.ndarray, rng: np.random.Generator, clear_m: float
) -> np.ndarray | None:
    if mover.is_free(start, goal, clear_m):
        return np.stack([start, goal])
    trees = [_Tree(start, clear_m), _Tree(goal, clear_m)]
    for k in range(_TREE_NODES):
        grown, other = trees[k % 2], trees[1 - k % 2]
        drawn = mover.chain.draw(rng, 1)[0] if rng.random() > 0.1 else other.root
        new = grown.extend(mover, drawn)
        if new is None:
            continue
        met = other.connect(mover, grown.nodes[new])
        if met is not None:
            halves = grown.way_to(new), other.way_to(met)
            first, second = halves if k % 2 == 0 else halves[::-1]
            return _shortened(mover, np.concatenate([first, second[::-1]]), rng, clear_m)
    return None


def ends_at(
    mover: Mover, sample: np.ndarray, tip: np.ndarray, near: np.ndarray, count: int
) -> list[np.ndarray]:
    """Up to ``count`` free postures with the fingertips at ``tip``, the freest first.

    The search starts from the postures ``sample`` (n, j) and from ``near``.
    """
    far = np.linalg.norm(mover.chain.forward(sample)[0] - tip, axis=1)
    starts = np.concatenate([near[None], sample[np.argsort(far)[:_SEEDS]]])
    goal, down = np.tile(tip, (len(starts), 1)), np.tile(_DOWN, (len(starts), 1))
    q, off, *_ = mover.chain.solve(starts, goal, down, _CONE_RAD, steps=20, close_m=_CLOSE_M)
    found = [(mover.clearance_m(row[None], CLEAR_M), k) for k, row in enumerate(q)]
    served = [(free, k) for free, k in found if off[k] < _OFF_M and free > CLEAR_M]
    return [q[k] for _, k in sorted(served, reverse=True)[:count]]


def along(
    mover: Mover,
    start: np.ndarray,
    tips: np.ndarray,
    rng: np.random.Generator,
    towards: np.ndarray | None = None,
) -> np.ndarray:
    """Postures that move the fingertips from ``start`` through ``tips`` (n, 3), one per tip.

    There are fewer rows than ``tips`` if one of them cannot be reached. The path ends near the
    posture ``towards``.
    """
    beam, cost = start[None], np.zeros(1)
    layers: list[tuple[np.ndarray, np.ndarray]] = []
    for k, tip in enumerate(tips):
        parent = np.repeat(np.arange(len(beam)), _NEW)
        seeds = beam[parent]
        noise = rng.normal(0.0, _NOISE_RAD, seeds.shape)
        noise[::_NEW] = 0.0
        if towards is not None:
            noise[1::_NEW] = (towards - beam) / (len(tips) - k)
        down = np.broadcast_to(_DOWN, (len(seeds), 3))
        goal = np.broadcast_to(tip, (len(seeds), 3))
        q, off, *_ = mover.chain.solve(
            seeds + noise, goal, down, _CONE_RAD, steps=10, close_m=_CLOSE_M
        )
        turned = np.abs(q - beam[parent]).max(axis=1)
        rows = np.flatnonzero((off < _OFF_M) & (turned < _JUMP_RAD))
        if not len(rows):
            break
        near = np.array([mover.clearance_m(q[row][None]) for row in rows])
        total = cost[parent[rows]] + np.linalg.norm(q[rows] - beam[parent[rows]], axis=1)
        total += _TOUCH_COST * np.maximum(0.0, _COMFORT_M - near)
        order = total.copy()
        if towards is not None:
            order += _PULL * (k + 1) / len(tips) * np.linalg.norm(q[rows] - towards, axis=1)
        best = np.argsort(order)[:_BEAM]
        layers.append((q[rows[best]], parent[rows[best]]))
        beam, cost = q[rows[best]], total[best]
    way, at = [], 0
    for postures, parents in reversed(layers):
        way.append(postures[at])
        at = int(parents[at])
    return np.array(way[::-1]).reshape(-1, len(start))


class _Tree:
    """Postures reached from ``root``, each with the one it was reached from."""

    def __init__(self, root: np.ndarray, clear_m: float) -> None:
        self.root, self.clear_m = root, clear_m
        self.nodes = [root]
        self.parents = [-1]

    def extend(self, mover: Mover, goal: np.ndarray) -> int | None:
        """Go one step towards ``goal`` from the nearest node; the new one, None if it is barred."""
        near = int(np.argmin(np.linalg.norm(np.array(self.nodes) - goal, axis=1)))
        way = goal - self.nodes[near]
        far = float(np.abs(way).max())
        step = self.nodes[near] + way * min(1.0, _STEP_RAD / max(far, 1e-9))
        if not mover.is_free(self.nodes[near], step, self.clear_m):
            return None
        self.nodes.append(step)
        self.parents.append(near)
        return len(self.nodes) - 1

    def connect(self, mover: Mover, goal: np.ndarray) -> int | None:
        """Go towards ``goal`` as far as it is free; the node there, None if it was not reached."""
        while (new := self.extend(mover, goal)) is not None:
            if np.allclose(self.nodes[new], goal, atol=1e-9):
                return new
        return None

    def way_to(self, node: int) -> np.ndarray:
        """The path from the root to a node."""
        way = []
        while node >= 0:
            way.append(self.nodes[node])
            node = self.parents[node]
        return np.array(way[::-1])


def _shortened(
    mover: Mover, way: np.ndarray, rng: np.random.Generator, clear_m: float
) -> np.ndarray:
    for _ in range(_SHORTCUTS):
        if len(way) < 3:
            break
        i, j = sorted(rng.choice(len(way), 2, replace=False))
        if j - i > 1 and mover.is_free(way[i], way[j], clear_m):
            way = np.concatenate([way[: i + 1], way[j:]])
    return way


def _straight(start: np.ndarray, end: np.ndarray, step_rad: float) -> np.ndarray:
    """Postures from ``start`` to ``end`` at most ``step_rad`` apart."""
    count = max(1, int(np.ceil(np.abs(end - start).max() / step_rad)))
    return start + np.linspace(0.0, 1.0, count + 1)[:, None] * (end - start)


def turned(a: tuple, b: tuple, share: float) -> tuple[float, float, float, float]:
    """Orientation interpolated between ``a`` and ``b`` at ``share``."""
    p, q = np.array(a), np.array(b)
    if p @ q < 0:
        q = -q
    angle = float(np.arccos(np.clip(p @ q, -1.0, 1.0)))
    if angle < 1e-6:
        return quat(q)
    mixed = np.sin((1 - share) * angle) * p + np.sin(share * angle) * q
    return quat(mixed / np.linalg.norm(mixed))


def stations_of(poses: Sequence[Pose]) -> list[Pose]:
    """Poses in small steps from the first pose (excluded) through the others."""
    return [p for a, b in pairwise(poses) for p in between(a, b)]


def tips_of(poses: Sequence[Pose], at: np.ndarray) -> np.ndarray:
    """Positions (n, 3) of fingertips that hold an object ``at`` a point (m, in its frame), m."""
    return np.array([pose.matrix()[:3, :3] @ at + pose.pos for pose in poses]).reshape(-1, 3)


def between(a: Pose, b: Pose) -> list[Pose]:
    """Poses from ``a`` (excluded) to ``b`` in small steps."""
    far = float(np.linalg.norm(np.subtract(b.pos, a.pos)))
    turn = float(quat_angle_rad(a.quat, b.quat))
    steps = max(1, int(np.ceil(max(far / _STATION_M, turn / _STATION_RAD))))
    shares = np.arange(1, steps + 1) / steps
    return [
        Pose(vec3(np.array(a.pos) + s * np.subtract(b.pos, a.pos)), turned(a.quat, b.quat, s))
        for s in shares
    ]
