"""Cast rays against the solid parts of one item at its current pose."""

from dataclasses import dataclass

import mujoco
import numpy as np

from pactwin.sim.objects.posing import UPSIDE_DOWN
from pactwin.sim.physics.world import World
from pactwin.sim.scene.pose import Pose

# A ray that meets a tip, an edge or a seam exactly may slip through it.
BESIDE_M = np.array([0.00021, 0.00013, 0.0])
_BELOW_RIM_M = 0.004
# Less is no hollow.
_LEAST_DEPTH_M = 0.01
_AROUND = 8
_SQUARE = 1.2


def ray_distance_m(world: World, name: str, start: np.ndarray, along: np.ndarray) -> float:
    """Distance (m) along a ray from ``start`` to the item; inf without a hit."""
    model, data = world.model, world.data
    found = np.inf
    geoms = np.flatnonzero(model.geom_bodyid == model.body(name).id)
    # Most pieces of a hollow thing are nowhere near the ray.
    apart = data.geom_xpos[geoms] - start
    ahead = np.outer(apart @ along, along) / np.dot(along, along)
    near = np.linalg.norm(apart - ahead, axis=1) <= model.geom_rbound[geoms]
    for geom in geoms[near]:
        if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
            reach = mujoco.mj_rayMesh(model, data, geom, start, along)
        else:
            frame = data.geom_xpos[geom], data.geom_xmat[geom]
            kind = model.geom_type[geom]
            reach = mujoco.mju_rayGeom(*frame, model.geom_size[geom], start, along, kind)
        if reach >= 0:
            found = min(found, reach)
    return float(found)


@dataclass(frozen=True)
class Cavity:
    """The cavity of a vessel in any pose.

    ``pose`` is ``world_from_opening``, whose z axis points out, and ``opening`` is
    ``vessel_from_opening``. ``height_m`` is the vessel's height, ``depth_m`` the depth of its
    inside. ``half_m`` holds the opening's half extents along its x and y; ``round`` is its shape.
    """

    vessel: str
    pose: Pose
    opening: Pose
    height_m: float
    depth_m: float
    half_m: tuple[float, float]
    round: bool

    @property
    def axis(self) -> np.ndarray:
        """Unit vector pointing out of the opening."""
        return self.pose.matrix()[:3, 2]

    def pose_in(self, world: World) -> Pose:
        """Current ``world_from_opening``."""
        return world.pose(self.vessel) @ self.opening

    def clearance_m(self, extents_m: tuple[float, float], is_round: bool) -> float:
        """Opening minus extents of an object across it, the smaller of both directions.

        A cuboid in a round opening needs its diagonal.
        """
        x, y = (2 * half for half in self.half_m)
        if self.round:
            return min(x, y) - (max(extents_m) if is_round else float(np.hypot(*extents_m)))
        return min(max(x, y) - max(extents_m), min(x, y) - min(extents_m))


def cavity_of(world: World, vessel: str, height_m: float) -> Cavity:
    """Measure the cavity of an open vessel ``height_m`` high (in its frame) at its current pose.

    For a vessel that is upside down, it is the hollow of its foot, if any.
    """
    opening = Pose((0.0, 0.0, 0.0))
    if world.pose(vessel).matrix()[2, 2] < 0:
        foot = Pose((0.0, 0.0, 0.0), UPSIDE_DOWN)
        if _depth_m(world, vessel, world.pose(vessel) @ foot, height_m)[0] > _LEAST_DEPTH_M:
            opening = foot
    pose = world.pose(vessel) @ opening
    turn = pose.matrix()[:3, :3]
    depth, rim = _depth_m(world, vessel, pose, height_m)
    inside = rim - _BELOW_RIM_M * turn[:, 2]
    angles = np.arange(_AROUND) * 2 * np.pi / _AROUND
    around = [
        ray_distance_m(world, vessel, inside, turn @ (np.cos(a), np.sin(a), 0.0)) for a in angles
    ]
    half = (min(around[0], around[4]), min(around[2], around[6]))
    diagonal = min(around[1::2])
    return Cavity(vessel, pose, opening, height_m, depth, half, diagonal < _SQUARE * min(half))


def _depth_m(world: World, vessel: str, pose: Pose, height_m: float) -> tuple[float, np.ndarray]:
    """Depth below the centre of the rim at the upper end of ``pose``, and the lowest point."""
    turn = pose.matrix()[:3, :3]
    rim = np.array(pose.pos) + turn @ np.add(BESIDE_M, (0.0, 0.0, height_m / 2))
    return ray_distance_m(world, vessel, rim, -turn[:, 2]), rim
