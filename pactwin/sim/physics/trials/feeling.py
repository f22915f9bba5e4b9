"""What a feeler meets: rays against the solid parts of one item alone, as it is now."""

from dataclasses import dataclass

import mujoco
import numpy as np

from pactwin.sim.physics.world import World
from pactwin.sim.scene.pose import Pose

# A ray that meets a tip, an edge or a seam exactly may slip through it.
_BESIDE_M = np.array([0.00021, 0.00013, 0.0])
_BELOW_RIM_M = 0.004
_AROUND = 8
_SQUARE = 1.2


def met_after_m(world: World, name: str, start: np.ndarray, along: np.ndarray) -> float:
    """How far (m) a ray from ``start`` goes until it meets the item; inf if it does not."""
    model, data = world.model, world.data
    found = np.inf
    for geom in np.flatnonzero(model.geom_bodyid == model.body(name).id):
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
class Hollow:
    """The inside of a vessel, however it stands or lies.

    ``pose`` is ``world_from_vessel``; ``height_m`` is the vessel's, ``depth_m`` that of its inside;
    ``half_m`` are the opening's half extents along the vessel's x and y, ``round`` its shape.
    """

    vessel: str
    pose: Pose
    height_m: float
    depth_m: float
    half_m: tuple[float, float]
    round: bool

    @property
    def axis(self) -> np.ndarray:
        """Unit vector out of the opening."""
        return self.pose.matrix()[:3, 2]

    def clearance_m(self, extents_m: tuple[float, float], is_round: bool) -> float:
        """Opening minus a thing of these extents across it, the lesser of both directions.

        A cuboid in a round opening needs its diagonal.
        """
        x, y = (2 * half for half in self.half_m)
        if self.round:
            return min(x, y) - (max(extents_m) if is_round else float(np.hypot(*extents_m)))
        return min(max(x, y) - max(extents_m), min(x, y) - min(extents_m))


def hollow_of(world: World, vessel: str, height_m: float) -> Hollow:
    """Feel the inside of an open vessel ``height_m`` high (in its frame), where it is now."""
    pose = world.pose(vessel)
    turn = pose.matrix()[:3, :3]
    rim = np.array(pose.pos) + turn @ np.add(_BESIDE_M, (0.0, 0.0, height_m / 2))
    depth = met_after_m(world, vessel, rim, -turn[:, 2])
    inside = rim - _BELOW_RIM_M * turn[:, 2]
    angles = np.arange(_AROUND) * 2 * np.pi / _AROUND
    around = [
        met_after_m(world, vessel, inside, turn @ (np.cos(a), np.sin(a), 0.0)) for a in angles
    ]
    half = (min(around[0], around[4]), min(around[2], around[6]))
    diagonal = min(around[1::2])
    return Hollow(vessel, pose, height_m, depth, half, diagonal < _SQUARE * min(half))
