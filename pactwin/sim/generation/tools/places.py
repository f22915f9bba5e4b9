"""Places where tools lie or hang: a bench, a pegboard, an open toolbox; and their cameras.

A pegboard has two pegs below each tool, one on either side of its middle.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import pi
from typing import TYPE_CHECKING

import cv2
import numpy as np
from scipy.ndimage import minimum_filter1d

from pactwin.sim.rendering.boxes import add_box, add_shape
from pactwin.sim.rendering.cameras import fitted_camera, focal_px
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import ORIGIN, Pose, Vec3, axis_angle, vec3
from pactwin.suite import Camera

if TYPE_CHECKING:
    import mujoco

RGBA = tuple[float, float, float, float]
Tools = Sequence[Sequence[Item]]
"""Tools present; items that alternate in one place stand together."""
_BOARD_X_M, _BOARD_LOW_M, _BOARD_THICK_M = 0.66, 0.04, 0.012
_WALL_M, _WALL_HIGH_M = 0.006, 0.055
_MARGIN = 0.05
_STEEL: RGBA = (0.62, 0.63, 0.66, 1.0)
PEG_M = 0.004
"""Diameter of a peg."""
_MM = 1000
_BEYOND_M, _TIP_M = 0.003, 0.008
# A peg may lie a tenth of what it is farther out lower, within this share of the tool's half width.
_OUTWARD = 0.1
_INNER = 0.75
_LEVEL_M = 0.002


@dataclass(frozen=True)
class Place:
    """A plane for tools: x to the far end, y to the left, z out of it.

    ``room`` holds half extents (x, y), m, of the used area around ``middle``. ``straight_rad`` is
    the maximum angle between tools and the y axis; None allows any. ``views`` are (azimuth,
    elevation) of the cameras (rad), as seen from there.
    """

    world_from_plane: Pose
    middle: tuple[float, float]
    room: tuple[float, float]
    straight_rad: float | None
    views: dict[str, tuple[float, float]] = field(hash=False)
    furnish: Callable[["mujoco.MjSpec", "Place", RGBA, Tools], None]


def _bare(spec: "mujoco.MjSpec", place: Place, rgba: RGBA, tools: Tools) -> None:
    """A bench has nothing on it but tools."""


def _board(spec: "mujoco.MjSpec", place: Place, rgba: RGBA, tools: Tools) -> None:
    """A board with rows of holes, and hooks below the tools."""
    deep, wide = place.room[0] + 0.05, place.room[1] + 0.06
    low, high = _BOARD_LOW_M, _BOARD_LOW_M + 2 * deep
    middle = (_BOARD_X_M + _BOARD_THICK_M / 2, 0.0, (low + high) / 2)
    r, g, b = (0.35 + 0.65 * c for c in rgba[:3])
    add_box(spec, (_BOARD_THICK_M, 2 * wide, 2 * deep), middle, rgba=(r, g, b, 1.0))
    dark = (0.12, 0.10, 0.09, 1.0)
    for y in np.arange(-wide + 0.03, wide - 0.01, 0.04).tolist():
        for z in np.arange(low + 0.03, high - 0.01, 0.04).tolist():
            add_box(spec, (0.0008, 0.006, 0.006), (_BOARD_X_M, y, z), rgba=dark)
    for hook in (hook for items in tools for hook in hooks_below(items, place.world_from_plane)):
        root, bend, tip = (
            vec3((place.world_from_plane @ Pose(at, ORIGIN.quat)).pos)
            for at in (hook.root, hook.bend, hook.tip)
        )
        add_box(spec, (0.003, 0.012, 0.016), root, rgba=_STEEL)
        for ends in ((*root, *bend), (*bend, *tip)):
            add_shape(spec, "CAPSULE", size=(PEG_M / 2, 0.0, 0.0), fromto=ends, rgba=_STEEL)


def _box_of_tools(spec: "mujoco.MjSpec", place: Place, rgba: RGBA, tools: Tools) -> None:
    """Four walls and a floor."""
    (x, y), (a, b) = place.middle, (place.room[0] + 0.02, place.room[1] + 0.02)
    dark = tuple(0.8 * c + 0.1 for c in rgba[:3])
    add_box(spec, (2 * a, 2 * b, 0.002), (x, y, 0.001), rgba=(dark[0], dark[1], dark[2], 1.0))
    for s in (-1, 1):
        add_box(spec, (_WALL_M, 2 * b, _WALL_HIGH_M), (x + s * a, y, _WALL_HIGH_M / 2), rgba=rgba)
        add_box(spec, (2 * a, _WALL_M, _WALL_HIGH_M), (x, y + s * b, _WALL_HIGH_M / 2), rgba=rgba)


_FROM_ABOVE = {"above": (pi, 1.15), "left": (pi - 0.75, 0.85), "right": (pi + 0.75, 0.85)}
_FROM_BEFORE = {"above": (pi, 0.40), "left": (pi - 0.50, 0.12), "right": (pi + 0.50, 0.12)}
PLACES: dict[str, Place] = {
    "bench": Place(ORIGIN, (0.34, 0.0), (0.29, 0.42), None, _FROM_ABOVE, _bare),
    "pegboard": Place(
        # Upright before the robot: its x axis points up, its y axis to the left.
        Pose((_BOARD_X_M, 0.0, _BOARD_LOW_M + 0.33), axis_angle((0.0, 1.0, 0.0), -pi / 2)),
        (0.0, 0.0),
        (0.28, 0.38),
        1.57,
        _FROM_BEFORE,
        _board,
    ),
    "toolbox": Place(ORIGIN, (0.36, 0.0), (0.29, 0.36), 0.12, _FROM_ABOVE, _box_of_tools),
}
FLAT_M = 0.075
"""A tool that reaches further out of its plane neither hangs nor lies between walls."""


def cameras_before(
    place: Place, points_m: np.ndarray, size_px: tuple[int, int], rng: np.random.Generator
) -> list[Camera]:
    """The place's cameras, each as close as possible while it shows all ``points_m`` (n, 3)."""
    return [
        fitted_camera(
            name,
            points_m,
            (azimuth + rng.uniform(-0.05, 0.05), elevation + rng.uniform(-0.05, 0.05)),
            size_px,
            f=focal_px(size_px),
            margin=_MARGIN,
        )
        for name, (azimuth, elevation) in place.views.items()
    ]


@dataclass(frozen=True)
class Hook:
    """A peg and its tip, which points up; m, in the board's axes, z out of the board."""

    root: Vec3
    bend: Vec3
    tip: Vec3


def hooks_below(items: Sequence[Item], world_from_plane: Pose) -> tuple[Hook, ...]:
    """Hooks that support each of ``items``, which alternate in one place, as well as possible.

    They are where the items' lower edges agree, as high as possible, and extend as far as an item
    does there.
    """
    plane_from_world = world_from_plane.inverse()
    points = [item_points(item.at(plane_from_world @ item.world_from_object)) for item in items]
    every = np.concatenate([of for of, _ in points])
    low, high = np.floor(every.min(axis=0) * _MM), np.ceil(every.max(axis=0) * _MM)
    filled = np.zeros((len(items), *(high - low)[:2].astype(int) + 1), np.uint8)
    for raster, (of, starts) in zip(filled, points, strict=True):
        for part in np.split(of[:, 1::-1] * _MM - low[1::-1], starts):
            cv2.fillConvexPoly(raster, cv2.convexHull(np.rint(part).astype(np.int32)), 1)
    # The lowest surface within a peg's width of each column; NaN where one has none.
    edges = np.where(filled.any(axis=1), filled.argmax(axis=1) + low[0], np.inf) / _MM
    edges = minimum_filter1d(edges, int(PEG_M * _MM) + 1, axis=1, mode="nearest")
    edges[np.isinf(edges)] = np.nan
    lowest, spread = edges.min(axis=0), np.ptp(edges, axis=0)
    columns = (low[1] + np.arange(filled.shape[2])) / _MM
    middle = float(np.mean([of[:, 1].mean() for of, _ in points]))
    hooks = []
    for side in (-1, 1):
        out = side * (columns - middle)
        there = np.isfinite(spread) & (out >= PEG_M) & (out <= max(_INNER * out.max(), 2 * PEG_M))
        if there.any():
            cost = np.round(spread / _LEVEL_M) - (lowest + _OUTWARD * out)
            at = int(np.argmin(np.where(there, cost, np.inf)))
            hooks.append(_hook(float(lowest[at]) - PEG_M / 2, float(columns[at]), every))
    return tuple(hooks)


def _hook(height: float, across: float, points: np.ndarray) -> Hook:
    near = (np.abs(points[:, 1] - across) < 0.02) & (points[:, 0] < height + 0.03)
    out = float((points[near] if near.any() else points)[:, 2].max()) + _BEYOND_M
    return Hook((height, across, 0.0), (height, across, out), (height + _TIP_M, across, out))
