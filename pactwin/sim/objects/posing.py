"""Put objects down: standing, or resting on any side."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import ORIGIN, Pose, Quat, axis_angle, quat_multiply, yaw

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
    low, high = bounds_m(item)
    return float(low[2]), float(high[2])


def bounds_m(item: Item) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest x, y, z (3,) of an item's solid parts in its pose, m."""
    return extents_m((part for part in item.parts if part.collides), item.world_from_object)


def extents_m(
    parts: Iterable[Part], frame_from_item: Pose = ORIGIN
) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest x, y, z (3,) of parts, in the item's frame or another."""
    spans = np.array([span_m(frame_from_item @ part.pose, part) for part in parts])
    return spans[:, 0].min(axis=0), spans[:, 1].max(axis=0)


def span_m(pose: Pose, part: Part) -> np.ndarray:
    """Least and largest x, y, z (2, 3) of a part at ``pose``; not for mesh files."""
    turn, half = pose.matrix()[:3, :3], np.array(part.size_m) / 2
    match part.shape:
        case "box":
            reach = np.abs(turn) @ half
        case "cylinder":
            reach = np.abs(turn[:, 2]) * half[2] + half[0] * np.hypot(turn[:, 0], turn[:, 1])
        case "capsule":
            reach = np.abs(turn[:, 2]) * (half[2] - half[0]) + half[0]
        case "sphere" | "ellipsoid":
            reach = np.linalg.norm(turn * half, axis=1)
        case "hull" | "surface":
            corners = np.array(part.corners_m) @ turn.T
            return np.stack([corners.min(axis=0), corners.max(axis=0)]) + pose.pos
        case _:
            raise ValueError(f"the extents of a {part.shape!r} part are not known")
    return np.stack([-reach, reach]) + pose.pos


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
