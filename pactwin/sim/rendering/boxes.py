"""Shapes for display only."""

from typing import TYPE_CHECKING

from pactwin.sim.scene.pose import Vec3

if TYPE_CHECKING:
    import mujoco

BACKGROUND_GROUP = 2
"""Geom group of everything that cannot hide an item: floor, walls and furniture there."""


def add_shape(spec: "mujoco.MjSpec", kind: str, **properties: object) -> None:
    """Add a ``BOX``, ``PLANE``, ... without contacts; ``properties`` are those of ``add_geom``."""
    import mujoco

    shape = getattr(mujoco.mjtGeom, f"mjGEOM_{kind}")
    spec.worldbody.add_geom(type=shape, contype=0, conaffinity=0, **properties)


def add_box(spec: "mujoco.MjSpec", size_m: Vec3, pos: Vec3, **properties: object) -> None:
    """Add a box of these extents (see :func:`add_shape`)."""
    add_shape(spec, "BOX", size=tuple(side / 2 for side in size_m), pos=pos, **properties)
