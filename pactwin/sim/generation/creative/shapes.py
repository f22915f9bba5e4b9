"""Measure the shape of one part: extents, ends, faces, pockets, cavity.

A part consists of all pieces with one role. Lengths are mm, volumes ml, along the sides of the
smallest box around the part that has a side along one of the object's axes.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from pactwin.sim.generation.creative.outlines import Hook, covered_mm, hook_of, ledge_mm
from pactwin.sim.generation.creative.sides import centre_of_mass_mm
from pactwin.sim.objects.cavities import CLOSING, cavity_of
from pactwin.sim.objects.solids import Solid, solid_of, touching
from pactwin.sim.scene.layout import Item

# An end is cut this far from it, or at this share of the length.
_END_MM, _END = 1.5, 0.02
# Nothing else is within this share of the length of an end that is free.
_CLEAR = 0.1
_FLAT_MM = 1.0
# A box this many times as large as what is in it may have room inside.
_HOLLOW = 2.0


@dataclass(frozen=True)
class _Box:
    """``axes`` (3, 3), rows, from the longest side to the shortest, the sides' ``extents``, and the
    ``middle`` (3,) between them."""

    axes: np.ndarray
    extents: np.ndarray
    middle: np.ndarray


def thing_hook(item: Item, wire_mm: float) -> Hook | None:
    """The hook that catches a wire of this thickness; None without one."""
    solid = solid_of(item)
    return hook_of(solid, _smallest_box(solid.points).axes, wire_mm)


def thing_measures(item: Item) -> dict[str, dict[str, float]]:
    """Measures of the whole object by role, and each part's share in them.

    ``off_mm`` is the horizontal distance from the part to the object's centre of mass, with the
    object lying flat.
    """
    solid = solid_of(item)
    box = _smallest_box(solid.points)
    whole = {
        "thing_mm": float(max(box.extents[0], *np.ptp(solid.points, axis=0))),
        "thing_g": 1e3 * item.mass_kg,
        "thing_cover_mm": float(covered_mm(solid, box.axes).max()),
    }
    found = {role: dict(whole) for role in solid.roles}
    hook = hook_of(solid, box.axes)
    if hook is not None:
        found[hook.role] |= {"hook_mm": hook.wire_mm, "reach_mm": hook.reach_mm}
    # Where one part is a hook, the others are not what catches.
    dent_mm = ledge_mm(solid, box.axes)
    for role in (hook.role,) if hook is not None else solid.roles:
        found[role]["ledge_mm"] = dent_mm
    middle = centre_of_mass_mm(item)
    for role in solid.roles:
        own = _smallest_box(solid.only((role,)).largest().points)
        beyond = np.abs((middle - own.middle) @ own.axes[:2].T) - own.extents[:2] / 2
        found[role]["off_mm"] = float(np.linalg.norm(np.maximum(beyond, 0.0)))
    return found


def shape_measures(item: Item, role: str) -> dict[str, float]:
    """Measures of one part by name; missing features (a free end, a cavity) are absent.

    If a part consists of several disconnected pieces (two grips), the largest is measured.
    """
    solid = solid_of(item)
    part = solid.only((role,)).largest()
    others = solid.only([other for other in solid.roles if other != role]).points
    points, volume_mm3 = part.points, part.volume_mm3
    box = _smallest_box(points)
    length, width, depth = box.extents.tolist()
    flat_mm = _flat_mm(points, box)
    cover_mm = np.minimum(flat_mm, covered_mm(part, box.axes))
    beyond = np.abs((others - box.middle) @ box.axes[1:].T) - box.extents[1:] / 2
    found = {
        "length_mm": length,
        "width_mm": width,
        "depth_mm": depth,
        "wall_mm": part.wall_mm,
        "volume_ml": volume_mm3 / 1e3,
        "flat_mm": float(flat_mm.max()),
        "cover_mm": float(cover_mm.max()),
        "top_mm": float(cover_mm[2]),
        "proud_mm": max(0.0, float(beyond.max(initial=0.0))),
        "fold_mm": float(np.cbrt(volume_mm3)),
        "roundness": _roundness(points @ box.axes[1:].T),
        "ring": max(_roundness(points @ np.delete(box.axes, k, axis=0).T) for k in range(3)),
        # Of a beam of the mean cross-section, as deep as its thinner side.
        "second_moment_mm4": volume_mm3 / length * depth**2 / 12,
    }
    found |= _end_measures(part, others, box)
    if np.prod(box.extents) > _HOLLOW * volume_mm3:
        found |= _room(part, role)
    return found


def _smallest_box(points: np.ndarray) -> _Box:
    found = []
    for up in np.eye(3):
        flat = np.eye(3)[up == 0]
        _, sides, turn = cv2.minAreaRect((points @ flat.T).astype(np.float32))
        cos, sin = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        axes = np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]]) @ [*flat, up]
        found.append((np.array((*sides, np.ptp(points @ up))), axes))
    extents, axes = min(found, key=lambda box: float(box[0].prod()))
    order = np.argsort(-extents, kind="stable")
    along = points @ axes.T
    middle = (along.min(axis=0) + along.max(axis=0)) / 2 @ axes
    return _Box(axes[order], np.maximum(extents[order], 0.1), middle)


def _end_measures(part: Solid, others: np.ndarray, box: _Box) -> dict[str, float]:
    """Breadth and thickness of the finer free end; {} if something else comes near both.

    ``bare_mm`` is how far from an end nothing else stands out beyond the part.
    """
    near = max(_END_MM, _END * box.extents[0])
    ends, bare_mm = [], []
    for way in (box.axes[0], -box.axes[0]):
        last = float((part.points @ way).max())
        before = last - others @ way
        if (before < _CLEAR * box.extents[0]).any():
            continue
        out = (np.abs((others - box.middle) @ box.axes[1:].T) > box.extents[1:] / 2 + 1).any(axis=1)
        bare_mm.append(min([float(box.extents[0]), *before[out].tolist()]))
        cuts = [piece.slab(way, last - near, last - near) @ box.axes[1:].T for piece in part.pieces]
        cuts = [cut for cut in cuts if len(cut)]
        narrow, broad = sorted(np.ptp(np.concatenate(cuts), axis=0).tolist())
        ends.append((broad, max(0.1, narrow), len(touching(cuts)) == 1))
    if not ends:
        return {}
    broad, thick, whole = min(ends, key=lambda end: end[0])
    found = {"tip_mm": broad, "bare_mm": max(bare_mm)}
    return found | ({"edge_mm": thick} if whole else {})  # separate points are no edge


def _flat_mm(points: np.ndarray, box: _Box) -> np.ndarray:
    """The smaller side of the widest flat face or rim across each axis (3,)."""
    sides = np.zeros(3)
    for k in range(3):
        along, across = points @ box.axes[k], points @ np.delete(box.axes, k, axis=0).T
        for face in (along > along.max() - _FLAT_MM, along < along.min() + _FLAT_MM):
            if face.sum() >= 3:
                sides[k] = max(sides[k], min(cv2.minAreaRect(across[face].astype(np.float32))[1]))
    return sides


def _roundness(across: np.ndarray) -> float:
    """The smallest radius of a convex outline (n, 2) over its largest; 1 is a circle."""
    hull = cv2.convexHull(across.astype(np.float32))[:, 0].astype(float)
    if len(hull) < 3:
        return 0.0
    middle = (hull.min(axis=0) + hull.max(axis=0)) / 2
    side = np.roll(hull, -1, axis=0) - hull
    away = hull - middle
    lengths = np.maximum(np.hypot(*side.T), 1e-9)
    apart = np.abs(side[:, 0] * away[:, 1] - side[:, 1] * away[:, 0]) / lengths
    return float(apart.min() / np.hypot(*away.T).max())


def _room(part: Solid, role: str) -> dict[str, float]:
    """Volume and opening of the cavity in one part by itself; lids are turned over first."""
    up = np.array([0.0, 0.0, -1.0 if role in CLOSING else 1.0])
    volume_mm3, opening_mm = cavity_of(part.slabs(up), part)
    return {"room_ml": volume_mm3 / 1e3, "opening_mm": opening_mm} if volume_mm3 else {}
