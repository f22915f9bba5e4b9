"""Let an object come to rest."""

from dataclasses import replace

import numpy as np

from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose, quat_multiply, yaw

_CHUNK_S, _PATIENCE_S = 0.2, 3.0
# Slower than this (m/s, rad/s) it is at rest.
_STILL = (0.002, 0.02)


def settled(item: Item) -> Item:
    """The item in its resting pose after a release, its centre above the origin."""
    # Imported late: names of kinds are checked before the simulator is loaded.
    from pactwin.sim.physics.settling import run_until_still
    from pactwin.sim.physics.world import World

    lowest = float(item_points(item)[0][:, 2].min())
    alone = replace(item.at(item.world_from_object.moved(dz=-lowest)), name="item")
    layout = Layout((alone,), action="", critical_objects=(alone.name,))
    world = World(layout, Perturbation(), held=alone.name)
    run_until_still(world, _PATIENCE_S, _CHUNK_S, _STILL)
    rest = world.pose(alone.name)
    return item.at(Pose((0.0, 0.0, rest.pos[2]), rest.quat))


def placed(item: Item, x: float, y: float, yaw_rad: float) -> Item:
    """A settled item elsewhere on the table, turned about the vertical by ``yaw_rad``."""
    pose = item.world_from_object
    return item.at(Pose((x, y, pose.pos[2]), quat_multiply(yaw(yaw_rad), pose.quat)))


def footprint_radius_m(item: Item) -> float:
    """Radius of the upright cylinder around the item's position that contains its solid parts."""
    points, _ = item_points(item)
    return float(np.hypot(*(points[:, :2] - item.world_from_object.pos[:2]).T).max())
