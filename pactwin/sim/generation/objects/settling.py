"""Letting an object come to rest."""

from dataclasses import replace

import numpy as np

from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.world import World
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose, quat_multiply, yaw

_CHUNK_S, _PATIENCE_S = 0.2, 3.0
# Slower than this (m/s, rad/s) it is at rest.
_STILL = (0.002, 0.02)


def settled(item: Item) -> Item:
    """The item where it comes to rest when it is let go of, its middle back over the origin."""
    lowest = float(item_points(item)[0][:, 2].min())
    alone = replace(item.at(item.world_from_object.moved(dz=-lowest)), name="item")
    world = World(Layout((alone,), action="", decides=("item",)), Perturbation(), held="item")
    for _ in range(round(_PATIENCE_S / _CHUNK_S)):
        world.run(_CHUNK_S)
        if (world.speeds() < _STILL).all():
            break
    rest = world.pose("item")
    return item.at(Pose((0.0, 0.0, rest.pos[2]), rest.quat))


def placed(item: Item, x: float, y: float, yaw_rad: float) -> Item:
    """A settled item elsewhere on the table, turned about the vertical by ``yaw_rad``."""
    pose = item.world_from_object
    return item.at(Pose((x, y, pose.pos[2]), quat_multiply(yaw(yaw_rad), pose.quat)))


def footprint_radius_m(item: Item) -> float:
    """Radius of the upright cylinder around the item's position that holds all its solid parts."""
    points, _ = item_points(item)
    return float(np.hypot(*(points[:, :2] - item.world_from_object.pos[:2]).T).max())
