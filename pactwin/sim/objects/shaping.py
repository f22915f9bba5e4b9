"""How things are shaped and laid: walls around a hollow, and rest on any side."""

from dataclasses import replace

import numpy as np

from pactwin.sim.objects.builtin import OVERLAP_M
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, Quat, axis_angle, quat_multiply, vec3, yaw

UPSIDE_DOWN: Quat = (0.0, 1.0, 0.0, 0.0)
"""Half a turn about x: the top is below."""

ON_SIDE: Quat = axis_angle((0.0, 1.0, 0.0), np.pi / 2)
"""A quarter turn about y: the top points along x."""

# Every fourth wall segment of a vessel reaches this much higher, so that upside down it stands on
# four segments: contacts with all of them cost time and change nothing.
_PROUD_M = 0.0002


def disc(
    diameter_m: float,
    thick_m: float,
    z_m: float,
    shade: float = 1.0,
    rgba: tuple[float, float, float, float] | None = None,
    collides: bool = True,
) -> Part:
    """A flat cylinder around the z axis, its middle at ``z_m`` in the item's frame."""
    size = (diameter_m, diameter_m, thick_m)
    return Part("cylinder", size, Pose((0.0, 0.0, z_m)), shade=shade, rgba=rgba, collides=collides)


def ring_wall(
    radius_m: tuple[float, float],
    height_m: tuple[float, float],
    wall_m: float,
    sides: int = 16,
    shade: float = 1.0,
) -> tuple[Part, ...]:
    """A ring of flat segments around the z axis, straight or widening.

    ``radius_m`` are the inner radii at the lower and at the upper of ``height_m`` (z in the item's
    frame): of the circles inscribed in the ring.
    """
    (r0, r1), (z0, z1) = radius_m, height_m
    lean = float(np.arctan2(r1 - r0, z1 - z0))
    long = float(np.hypot(r1 - r0, z1 - z0))
    width = 2 * (max(r0, r1) + wall_m) * float(np.tan(np.pi / sides)) * 1.002
    out = np.array([np.cos(lean), 0.0, -np.sin(lean)])
    up = np.array([np.sin(lean), 0.0, np.cos(lean)])
    parts = []
    for k in range(sides):
        less = 0.0 if k % 4 == 0 else _PROUD_M
        middle = np.array([(r0 + r1) / 2, 0.0, (z0 + z1) / 2]) + out * wall_m / 2 - up * less / 2
        turn = Pose((0.0, 0.0, 0.0), yaw(2 * np.pi * k / sides))
        leaning = Pose(vec3(middle), axis_angle((0.0, 1.0, 0.0), lean))
        parts.append(Part("box", (wall_m, width, long - less), turn @ leaning, shade=shade))
    return tuple(parts)


def heights_m(item: Item) -> tuple[float, float]:
    """Heights of the lowest and the highest point of the item's solid parts, where it is."""
    found = [span_m(item.world_from_object @ p.pose, p, 2) for p in item.parts if p.collides]
    return min(low for low, _ in found), max(high for _, high in found)


def span_m(pose: Pose, part: Part, axis: int) -> tuple[float, float]:
    """Where a part at ``pose`` begins and ends along x, y or z (0, 1, 2); not for mesh files."""
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
