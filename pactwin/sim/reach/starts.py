"""Fingertip goals for grasping an object, and initial arm postures of the search.

Initial postures are those of a fixed sample of each arm's workspace that are nearest to the goal.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import product

import mujoco
import numpy as np
from scipy.spatial.distance import cdist

from pactwin.sim.reach.collider import reaching_spec
from pactwin.sim.reach.grips import Grip, can_close, grips, level_grips
from pactwin.sim.reach.kinematics import Chain
from pactwin.sim.reach.solver import ANGLE_WEIGHT_M
from pactwin.sim.robots.models import Arm
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.layout import Item
from pactwin.suite import InvalidInputError

CONE_RAD = float(np.deg2rad(20.0))
"""Maximum angle of a hand to its approach direction."""

# The fingertips wait this far in front of the object before the last, straight way to it.
_STANDOFF_M = 0.02
# A tall thing can be taken at its middle or this far below its top.
_BELOW_TOP_M = 0.03
_TALL_M = 0.08
_SAMPLE = 60_000
SAMPLES = 3
"""Number of alternative samples of initial postures; one search may find what another misses."""

_NEAREST = 1000
_WORTH_RAD = 2.5 * CONE_RAD


def _approaches() -> dict[str, np.ndarray]:
    """Unit vectors along which the hand moves, by name; the names say where it comes from."""
    found = {"from above": np.array([0.0, 0.0, -1.0])}
    sides = ("near", "near right", "right", "far right", "far", "far left", "left", "near left")
    for below, degrees in (("obliquely from the", 55.0), ("from the", 20.0)):
        level, down = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
        for k, side in enumerate(sides):
            turn = k * np.pi / 4
            found[f"{below} {side} side"] = np.array(
                [level * np.cos(turn), level * np.sin(turn), -down]
            )
    return found


APPROACHES = _approaches()
NAMES = tuple(APPROACHES)
ALONG = np.array(list(APPROACHES.values()))
_CORNERS = np.array(list(product((-1, 1), repeat=3)))
_LEVEL_GRIPS = [level_grips(along) for along in ALONG]


@dataclass(frozen=True)
class Places:
    """Fingertip goals, one row per approach direction and place on the object.

    ``ready`` (g, 3) are the pregrasp points, ``taken`` (g, 3) the final ones, ``direction`` (g,)
    the row of the approach in ALONG. Fingers close within ``within_rad`` (g,) of lines along
    ``line`` (g, 3); pi / 2 allows every line.
    """

    ready: np.ndarray
    taken: np.ndarray
    direction: np.ndarray
    line: np.ndarray
    within_rad: np.ndarray

    def along(self, approaches: Collection[str]) -> "Places":
        """Goals with some approach directions."""
        return self._rows(
            np.flatnonzero(np.isin(self.direction, [NAMES.index(name) for name in approaches]))
        )

    def gripping(self, fits: np.ndarray) -> "Places":
        """The goals with fingers in directions that fit, (180,); may have no rows."""
        return self._closing(_LEVEL_GRIPS) if fits.all() else self.closing(grips(fits))

    def closing(self, among: Sequence[Grip]) -> "Places":
        """The goals with fingers closing along one of some lines; may have no rows."""
        return self._closing([[g for g in among if can_close(g, along)] for along in ALONG])

    def _closing(self, ways: Sequence[Sequence[Grip]]) -> "Places":
        found = [(row, grip) for row, k in enumerate(self.direction) for grip in ways[k]]
        rows = self._rows(np.array([row for row, _ in found], dtype=int))
        return replace(
            rows,
            line=np.array([grip.line for _, grip in found]).reshape(-1, 3),
            within_rad=np.array([grip.within_rad for _, grip in found]),
        )

    def _rows(self, rows: np.ndarray) -> "Places":
        return Places(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})


def places_on(item: Item) -> Places:
    """All approaches to an item's middle and, if it is tall, to near its top."""
    pose = item.world_from_object.matrix()
    corners = (_CORNERS * np.array(item.size_m) / 2) @ pose[:3, :3].T + pose[:3, 3]
    middle = pose[:3, 3]
    spots = [middle]
    if np.ptp(corners[:, 2]) > _TALL_M:
        spots.append(np.array([middle[0], middle[1], corners[:, 2].max() - _BELOW_TOP_M]))
    return places_at(spots, corners)


def places_at(spots: Sequence[np.ndarray], corners: np.ndarray) -> Places:
    """All approaches to every spot, from where ``corners`` (c, 3) all lie ahead of the fingers."""
    taken = np.repeat(spots, len(ALONG), axis=0)
    direction = np.tile(np.arange(len(ALONG)), len(spots))
    along = ALONG[direction]
    depth = ((taken[:, None] - corners[None]) * along[:, None]).sum(axis=2).max(axis=1)
    count = len(taken)
    return Places(
        ready=taken - (depth + _STANDOFF_M)[:, None] * along,
        taken=taken,
        direction=direction,
        line=np.tile([1.0, 0.0, 0.0], (count, 1)),
        within_rad=np.full(count, np.pi / 2),
    )


@dataclass(frozen=True)
class Reacher:
    """One arm with a fixed sample of its workspace.

    ``tips``, ``pointing`` and ``closing`` (n, 3) are the tool's point, its direction and the
    fingers' closing line in the postures ``sample`` (n, j); ``lean`` (17, n) are the angles (rad)
    of ``pointing`` to the directions ALONG.
    """

    arm: Arm
    chain: Chain
    sample: np.ndarray
    tips: np.ndarray
    pointing: np.ndarray
    closing: np.ndarray
    lean: np.ndarray

    def around(self, places: Places) -> "Around":
        """Sampled postures near the places, and how far they are from each."""
        around = cdist(places.taken.mean(axis=0)[None], self.tips, "sqeuclidean")[0]
        near = np.argpartition(around, _NEAREST)[:_NEAREST]
        lean = self.lean[:, near][places.direction]
        cost = cdist(places.taken, self.tips[near])
        cost += ANGLE_WEIGHT_M * np.maximum(0.0, lean - CONE_RAD)
        if (places.within_rad < np.pi / 2).any():
            turned = np.arccos(np.minimum(1.0, np.abs(places.line @ self.closing[near].T)))
            cost += ANGLE_WEIGHT_M * np.maximum(0.0, turned - places.within_rad[:, None])
        return Around(self.sample[near], lean, cost)


@dataclass(frozen=True)
class Around:
    """Postures ``q`` (n, j) near places (g,).

    ``lean`` (g, n) are their angles to the approach directions in rad, ``cost`` (g, n) their
    distances from the places, with angles converted to lengths, in m.
    """

    q: np.ndarray
    lean: np.ndarray
    cost: np.ndarray

    def starts(self, first: int, last: int) -> "Starts":
        """The postures nearest to each place, with ranks from ``first`` to before ``last``.

        Directions without a posture near the object are left out.
        """
        last = min(last, _NEAREST - 1)
        best = np.argpartition(self.cost, last, axis=1)[:, :last]
        order = np.argsort(np.take_along_axis(self.cost, best, axis=1), axis=1)[:, first:]
        best = np.take_along_axis(best, order, axis=1)
        rank, goal = np.nonzero((np.take_along_axis(self.lean, best, axis=1) < _WORTH_RAD).T)
        return Starts(self.q[best[goal, rank]], goal, float(self.cost.min()))


@dataclass(frozen=True)
class Starts:
    """Initial postures (n, j) for the places in rows ``goal`` (n,).

    ``cost_m`` is the smallest distance of a posture from its place, with angles converted to
    lengths.
    """

    q: np.ndarray
    goal: np.ndarray
    cost_m: float


@lru_cache(maxsize=4 * SAMPLES)
def reachers(robot: str, sample_of: int = 0) -> tuple[Reacher, ...]:
    """The robot's arms with sample ``sample_of`` of their workspace, equal in every process."""
    model = reaching_spec(robot).compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    found = []
    for arm in robot_named(robot).arms:
        ahead = _fingers_ahead_m(model, data, arm)
        chain = Chain.of_site(model, arm.joint_names, arm.palm_site, ahead)
        sample = chain.draw(np.random.default_rng(sample_of), _SAMPLE)
        tips, pointing, closing = chain.tool_frames(sample)
        use = (
            (tips[:, 2] > -0.05) & (tips[:, 2] < 0.5) & (tips[:, 0] > -0.1) & (pointing[:, 2] < 0.2)
        )
        if np.count_nonzero(use) <= _NEAREST:
            raise InvalidInputError(
                f"arm {arm.name!r} of robot {robot!r} hardly gets over the table: "
                "its base, its limits or its hand's frame must be wrong"
            )
        lean = np.arccos(np.clip(ALONG @ pointing[use].T, -1.0, 1.0))
        found.append(Reacher(arm, chain, sample[use], tips[use], pointing[use], closing[use], lean))
    return tuple(found)


def _fingers_ahead_m(model: mujoco.MjModel, data: mujoco.MjData, arm: Arm) -> float:
    """How far the hand's foremost point lies ahead of the palm site, along the site's z."""
    site = data.site(arm.palm_site)
    palm, forwards = site.xpos, site.xmat.reshape(3, 3)[:, 2]
    foremost = 0.0
    for geom in np.flatnonzero(model.geom_bodyid == model.body(arm.hand_body).id):
        turn, at = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
        if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
            mesh = model.geom_dataid[geom]
            first = model.mesh_vertadr[mesh]
            points = model.mesh_vert[first : first + model.mesh_vertnum[mesh]]
        else:
            center, half = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
            points = center + _CORNERS * half
        foremost = max(foremost, float(((points @ turn.T + at - palm) @ forwards).max()))
    return foremost
