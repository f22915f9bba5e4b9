"""Boxes that are only looked at."""

from typing import TYPE_CHECKING

from pactwin.sim.scene.pose import Vec3

if TYPE_CHECKING:
    import mujoco

BACKGROUND_GROUP = 2
"""Geom group of everything that cannot hide an item: floor, walls and furniture there."""


def add_box(spec: "mujoco.MjSpec", size_m: Vec3, pos: Vec3, **properties: object) -> None:
    """Add a box of these extents without contacts; ``properties`` are those of ``add_geom``."""
    import mujoco

    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=tuple(side / 2 for side in size_m),
        pos=pos,
        contype=0,
        conaffinity=0,
        **properties,
    )
