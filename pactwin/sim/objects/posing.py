"""Put objects down: standing, or resting on any side."""

from dataclasses import replace

import numpy as np

from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, Quat, axis_angle, quat_multiply, yaw

UPRIGHT: Quat = (1.0, 0.0, 0.0, 0.0)
UPSIDE_DOWN: Quat = (0.0, 1.0, 0.0, 0.0)
"""Half a turn about x: the top faces down."""

ON_SIDE: Quat = axis_angle((0.0, 1.0, 0.0), np.pi / 2)
"""A quarter turn about y: the top faces along x."""

# Contacts at exactly zero gap sometimes report a phantom depth in MuJoCo; this much initial overlap
# avoids it and settles without a visible motion.
OVERLAP_M = 5e-5


def standing_at(item: Item, x: float, y: float, *, on_z: float = 0.0, yaw_rad: float = 0.0) -> Item:
    """``item`` upright with the bottom of its bounding box at height ``on_z``, turned about z."""
    return item.at(Pose((x, y, on_z + item.size_m[2] / 2 - OVERLAP_M), yaw(yaw_rad)))


def top_m(item: Item) -> float:
    """Height of the top of an upright item's bounding box above the table."""
    return item.world_from_object.pos[2] + item.size_m[2] / 2


def laid_down(item: Item) -> Item:
    """The object lying on its side along its y axis, as a new upright-framed item."""
    turn = Pose((0.0, 0.0, 0.0), axis_angle((1.0, 0.0, 0.0), np.pi / 2))
    x, y, z = item.size_m
    parts = tuple(replace(p, pose=turn @ p.pose) for p in item.parts)
    return replace(item, parts=parts, size_m=(x, z, y), state="on_side")


def heights_m(item: Item) -> tuple[float, float]:
    """Heights of the lowest and highest point of the item's solid parts in its pose."""
    found = [span_m(item.world_from_object @ p.pose, p, 2) for p in item.parts if p.collides]
    return min(low for low, _ in found), max(high for _, high in found)


def span_m(pose: Pose, part: Part, axis: int) -> tuple[float, float]:
    """Range of a part at ``pose`` along x, y or z (0, 1, 2); not for mesh files."""
    way = pose.matrix()[axis, :3]
    half = np.array(part.size_m) / 2
    middle = pose.pos[axis]
    match part.shape:
        case "box":
            reach = float(np.abs(way) @ half)
        case "cylinder":
            reach = float(abs(way[2]) * half[2] + half[0] * np.hypot(way[0], way[1]))
        case "capsule":
            reach = float(abs(way[2]) * (half[2] - half[0]) + half[0])
        case "sphere" | "ellipsoid":
            reach = float(np.linalg.norm(way * half))
        case "hull" | "surface":
            corners = np.array(part.corners_m) @ way
            return middle + float(corners.min()), middle + float(corners.max())
        case _:
            raise ValueError(f"the extents of a {part.shape!r} part are not known")
    return middle - reach, middle + reach


def resting_at(
    item: Item,
    x: float,
    y: float,
    turn: Quat,
    *,
    state: str,
    on_z: float = 0.0,
    yaw_rad: float = 0.0,
) -> Item:
    """``item`` turned by ``turn``, then about the vertical, with its lowest point at ``on_z``."""
    turned = item.at(Pose((x, y, 0.0), quat_multiply(yaw(yaw_rad), turn)))
    height = on_z - heights_m(turned)[0] - OVERLAP_M
    return replace(turned.at(turned.world_from_object.moved(dz=height)), state=state)
