"""Robot, table and items as a collision model that measures a posture's clearance.

Everything is convex: parts of items, and the hulls of the robot's links, as MuJoCo collides them.
There are no dynamics; items are moved kinematically, so one compiled model serves every arrangement
of the same objects. Only pairs of robot links that touch at rest are excluded (see
:func:`pactwin.sim.robots.add_robot`), never items or the table.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import mujoco
import numpy as np
from scipy.spatial.distance import cdist

from pactwin.sim.reach.kinematics import Chain
from pactwin.sim.robots.kinematic_model import add_robot
from pactwin.sim.robots.models import PREFIX
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import upright
from pactwin.sim.scene.spec import add_part
from pactwin.suite import InvalidInputError

SEEN_M = 0.010
"""Clearances are measured up to this; anything beyond counts as far."""

TABLE = "table"
_TABLE_SIZE_M = (0.80, 1.40, 0.03)
# The end of a finger: thick along the line on which it closes, wide, and long; half of each.
_PAD_HALF_M = (0.004, 0.008, 0.0125)
# Bits of geoms that collide: a moving arm's hand, and its other links.
_HAND, _ARM = 1, 2
# Geoms of five pairs.
_LIKELY = 10


@dataclass(frozen=True)
class CollisionModel:
    """Robot, table and items as a collision model.

    ``home`` is the resting posture as qpos. Arrays over geoms: ``item_of`` (geoms,) is the item or
    -1; ``links`` (arms, geoms) and ``hands`` (arms, geoms) mark each arm's links and hand. ``pads``
    are the geoms of two open fingers, which belong to no arm. ``likely`` are the geoms of the pairs
    at which computations of clearance stopped last.
    """

    model: mujoco.MjModel
    data: mujoco.MjData
    home: np.ndarray
    item_of: np.ndarray
    links: np.ndarray
    hands: np.ndarray
    pads: tuple[int, int]
    likely: deque[int] = field(default_factory=lambda: deque(maxlen=_LIKELY))

    def place(self, items: Sequence[Item]) -> None:
        """Move every item to its pose."""
        for k, item in enumerate(items):
            self.data.mocap_pos[k] = item.world_from_object.pos
            self.data.mocap_quat[k] = item.world_from_object.quat

    def clearance_m(
        self,
        arm: int,
        chain: Chain,
        way: np.ndarray,
        target: int,
        enough: float,
        ignored: np.ndarray | None = None,
        passed: np.ndarray | None = None,
    ) -> float:
        """Smallest clearance of the arm on ``way`` (s, j); the other arm rests.

        From the second posture on, the hand may touch the item ``target``, unless it is negative.
        The geoms ``ignored`` (geoms,) never count, and those in ``passed`` do not count for the
        hand. The computation stops early once the clearance is below ``enough``, with some value
        below it.
        """
        data = self.data
        data.qpos[:] = self.home
        moving = self.links[arm] * np.where(self.hands[arm], _HAND, _ARM)
        # What each geom collides with: at the first posture, and later.
        first = np.full(len(moving), _HAND | _ARM)
        if passed is not None:
            first[passed] = _ARM
        if ignored is not None:
            first[ignored] = 0
        later = np.where(self.item_of == target, first & _ARM, first) if target >= 0 else first
        likely = np.zeros(len(moving), dtype=bool)
        likely[list(self.likely)] = True
        least = SEEN_M
        # The end first: there most postures touch something, and mostly what others touched.
        for step, q in reversed(list(enumerate(way))):
            data.qpos[chain.qpos] = q
            mujoco.mj_kinematics(self.model, data)
            met = later if step else first
            if enough > -np.inf:
                nearest = self._nearest_m(moving * likely, met * likely)
                if nearest <= enough:
                    return nearest
            least = min(least, self._nearest_m(moving, met))
            if least <= enough:
                self.likely.extend(data.contact.geom[data.contact.dist.argmin()].tolist())
                break
        return least

    def _nearest_m(self, moving: np.ndarray, met: np.ndarray) -> float:
        """Smallest distance of geoms of a kind ``moving`` from geoms that it meets, by bits."""
        self.model.geom_contype[:], self.model.geom_conaffinity[:] = moving, met
        mujoco.mj_collision(self.model, self.data)
        return float(self.data.contact.dist.min(initial=SEEN_M))

    def room_m(self, item: int, middles_m: np.ndarray, ignored: np.ndarray) -> float:
        """Smallest clearance of an upright item from table and items along a path of its middle.

        ``middles_m`` is (s, 3); the geoms ``ignored`` (geoms,) do not count. The item is put back
        afterwards.
        """
        data = self.data
        before = data.mocap_pos[item].copy(), data.mocap_quat[item].copy()
        own = self.item_of == item
        others = self._obstacles(ignored | own)
        data.mocap_quat[item] = upright(before[1])
        least = SEEN_M
        for middle in middles_m:
            data.mocap_pos[item] = middle
            least = min(least, self.apart_m(np.flatnonzero(own), others))
        data.mocap_pos[item], data.mocap_quat[item] = before
        return least

    def fingers_m(
        self, chain: Chain, way: np.ndarray, opening_m: float, enough: float, ignored: np.ndarray
    ) -> float:
        """Smallest clearance of two open fingers from table and items, including the grasped one.

        The fingers move on ``way`` (s, j), ``opening_m`` apart; the geoms ``ignored`` (geoms,) do
        not count. The computation stops early once the clearance is below ``enough``, with some
        value below it.
        """
        data, least = self.data, SEEN_M
        others = self._obstacles(ignored)
        tips, pointing, closing = chain.tool_frames(way)
        turns = np.stack([closing, np.cross(pointing, closing), pointing], axis=2)
        # The end first, as for the arm.
        for tip, turn in zip(tips[::-1], turns[::-1], strict=True):
            closing, quat = turn[:, 0], np.empty(4)
            mujoco.mju_mat2Quat(quat, turn.ravel())
            for side, geom in zip((-1, 1), self.pads, strict=True):
                pad = self.model.body_mocapid[self.model.geom_bodyid[geom]]
                off = side * (opening_m / 2 + _PAD_HALF_M[0])
                data.mocap_pos[pad] = tip + off * closing - _PAD_HALF_M[2] * turn[:, 2]
                data.mocap_quat[pad] = quat
            least = min(least, self.apart_m(np.array(self.pads), others))
            if least <= enough:
                break
        return least

    def _obstacles(self, ignored: np.ndarray) -> np.ndarray:
        """Indices of the table's geom and of those of items, without the geoms ``ignored``."""
        counts = (self.item_of >= 0) & ~ignored
        counts[self.model.geom(TABLE).id] = True
        return np.flatnonzero(counts)

    def apart_m(self, own: np.ndarray, others: np.ndarray) -> float:
        """Smallest distance of the geoms ``own`` from the geoms ``others``, at most SEEN_M."""
        model, data = self.model, self.data
        mujoco.mj_kinematics(model, data)
        bounds = np.add.outer(model.geom_rbound[own], model.geom_rbound[others])
        near = cdist(data.geom_xpos[own], data.geom_xpos[others]) < bounds + SEEN_M
        return min(
            (
                float(mujoco.mj_geomDistance(model, data, own[a], others[b], SEEN_M, None))
                for a, b in np.argwhere(near)
            ),
            default=SEEN_M,
        )


def reaching_spec(robot: str) -> mujoco.MjSpec:
    """Robot and table, to which items can be added."""
    return _robot_at_table(robot).copy()


@lru_cache(maxsize=4)
def _robot_at_table(robot: str) -> mujoco.MjSpec:
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    add_table(spec, TABLE)
    add_robot(spec, robot)
    return spec


def add_table(spec: mujoco.MjSpec, name: str) -> mujoco.MjsGeom:
    """Add the table as a box with room for robot parts below its top and in front of its edge."""
    return spec.worldbody.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[s / 2 for s in _TABLE_SIZE_M],
        pos=(_TABLE_SIZE_M[0] / 2, 0.0, -_TABLE_SIZE_M[2] / 2),
    )


@lru_cache(maxsize=4)
def arena_for(robot: str, shapes: tuple[tuple[Part, ...], ...]) -> CollisionModel:
    """The collision model of a robot and items of these shapes, independent of their poses."""
    spec = reaching_spec(robot)
    for k, parts in enumerate(shapes):
        body = spec.worldbody.add_body(name=f"item{k}", mocap=True)
        for j, part in enumerate(parts):
            if part.collides:
                add_part(spec, body, part, f"item{k}_{j}")
    for geom in spec.geoms:
        geom.margin = SEEN_M
    for side in range(2):
        pad = spec.worldbody.add_body(name=f"pad{side}", mocap=True)
        pad.add_geom(
            name=f"pad{side}",
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=_PAD_HALF_M,
            contype=0,
            conaffinity=0,
        )
    model = spec.compile()
    arms = robot_named(robot).arms
    home = model.qpos0.copy()
    hands, links = np.zeros((2, len(arms), model.ngeom), dtype=bool)
    for k, arm in enumerate(arms):
        joints = [model.joint(name) for name in arm.joint_names]
        home[[int(joint.qposadr[0]) for joint in joints]] = robot_named(robot).home_rad(arm)
        links[k] = np.isin(model.geom_bodyid, [int(joint.bodyid[0]) for joint in joints])
        hands[k] = model.geom_bodyid == model.body(arm.hand_body).id
    bodies = [model.body(b).name for b in model.geom_bodyid]
    item_of = np.array([int(b[4:]) if b.startswith("item") else -1 for b in bodies])
    pads = model.geom("pad0").id, model.geom("pad1").id
    # MuJoCo looks only at pairs of bodies of which one is an arm's.
    model.body_contype[:] = 0
    model.body_contype[model.geom_bodyid[links.any(axis=0)]] = _HAND | _ARM
    return CollisionModel(model, mujoco.MjData(model), home, item_of, links, hands, pads)


def arena_at_rest(robot: str) -> CollisionModel:
    """The robot at the empty table with its arms at rest."""
    collider = arena_for(robot, ())
    collider.data.qpos[:] = collider.home
    mujoco.mj_kinematics(collider.model, collider.data)
    return collider


def links_in_table(robot: str) -> tuple[str, ...]:
    """Links that intersect the table while the robot rests, by the names of its model."""
    collider = arena_at_rest(robot)
    table = collider.model.geom(TABLE).id
    inside: dict[str, None] = {}
    for geom in sorted(set(range(collider.model.ngeom)) - {table, *collider.pads}):
        if mujoco.mj_geomDistance(collider.model, collider.data, geom, table, SEEN_M, None) < 0.0:
            body = collider.model.body(collider.model.geom_bodyid[geom]).name
            inside[body.removeprefix(PREFIX)] = None
    return tuple(inside)


def check_stands_free(robot: str) -> None:
    """Raise InvalidInputError that names the links if the resting robot intersects the table."""
    if inside := links_in_table(robot):
        raise InvalidInputError(
            f"robot {robot!r} rests with {', '.join(inside)} in the table: correct base or rest in "
            f"its mapping (pactwin doctor --robot draws it)"
        )
