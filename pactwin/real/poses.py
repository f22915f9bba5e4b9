"""Measured poses of things, without the simulator."""

from dataclasses import replace

import numpy as np

from pactwin.sim import Item


def placed(item: Item, table_from_object: np.ndarray) -> Item:
    """The item at a pose (4, 4)."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = map(float, Rotation.from_matrix(table_from_object[:3, :3]).as_quat())
    px, py, pz = map(float, table_from_object[:3, 3])
    return item.at(replace(item.world_from_object, pos=(px, py, pz), quat=(w, x, y, z)))
