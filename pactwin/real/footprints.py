"""Outlines and contact areas of objects from above, for placement templates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.sim import Item, surface_of

_CONTACT_M = 0.002
_TOUCH_M = 0.006
_ROUND = 0.02


@dataclass(frozen=True)
class Footprint:
    """One item on a template; polygons (n, 2) in the table frame (m), counter-clockwise.

    ``outline`` is its convex outline from above, ``contact`` the outline within 2 mm of its lowest
    point. ``heading_rad`` is the direction of its x axis, None if it is round; ``step`` is its
    number in the placement order, from 1, and ``on`` names the objects it stands on or in.
    """

    item: Item
    outline: np.ndarray
    contact: np.ndarray
    heading_rad: float | None
    bottom_m: float
    top_m: float
    step: int
    on: tuple[str, ...]

    @property
    def rolls(self) -> bool:
        """Return whether it is round from above and stands on little more than a point."""
        return self.heading_rad is None and area_m2(self.contact) < 0.1 * area_m2(self.outline)

    @property
    def where(self) -> str:
        """Position of its middle, as seen from the table's near edge."""
        x, left, _ = self.item.world_from_object.pos
        side = "left" if left >= 0 else "right"
        return f"{1e3 * x:.0f} mm from the edge, {abs(1e3 * left):.0f} mm to the {side}"

    @property
    def notes(self) -> str:
        """The item's pose in words."""
        words = [word.strip() for word in self.item.state.split(",")]
        said = ["UPSIDE DOWN" if word == "inverted" else word.replace("_", " ") for word in words]
        if self.on:
            said.append("on " + " and ".join(self.on))
        if self.item.attached_to:
            said.append(f"fixed to {self.item.attached_to}")
        return ", ".join(said)


def footprints(items: Sequence[Item]) -> list[Footprint]:
    """Footprints of all items in placement order: lower ones first, then distant ones."""
    corners = {item.name: _corners(item) for item in items}
    order = sorted(items, key=lambda item: (round(corners[item.name][:, 2].min(), 2), -_x(item)))
    found: list[Footprint] = []
    for step, item in enumerate(order, start=1):
        points = corners[item.name]
        bottom = float(points[:, 2].min())
        low = points[points[:, 2] <= bottom + _CONTACT_M]
        outline = _hull(points[:, :2])
        on = tuple(
            other.item.name
            for other in found
            if bottom > _TOUCH_M
            and other.bottom_m < bottom - _TOUCH_M / 2
            and overlap_m2(outline, other.outline) > 0
        )
        found.append(
            Footprint(
                item,
                outline,
                _hull(low[:, :2]),
                _heading_rad(item, outline),
                bottom,
                float(points[:, 2].max()),
                step,
                on,
            )
        )
    return found


def half_height_m(item: Item) -> float:
    """Half the height of the box around an item in its pose."""
    return float(np.abs(item.world_from_object.matrix()[2, :3]) @ np.array(item.size_m)) / 2


def overlap_m2(a: np.ndarray, b: np.ndarray) -> float:
    """Overlap area of two convex polygons (n, 2)."""
    import cv2

    mm = 1000.0  # OpenCV calculates with floats of 32 bits
    area, _ = cv2.intersectConvexConvex((mm * a).astype(np.float32), (mm * b).astype(np.float32))
    return float(area) / mm**2


def area_m2(polygon: np.ndarray) -> float:
    """Area of a polygon (n, 2)."""
    x, y = polygon.T
    return float(abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2


def _corners(item: Item) -> np.ndarray:
    """Points of the item's surface (n, 3), in the table frame."""
    pose = item.world_from_object.matrix()
    return surface_of(item).triangles_m.reshape(-1, 3) @ pose[:3, :3].T + pose[:3, 3]


def _x(item: Item) -> float:
    return item.world_from_object.pos[0]


def _hull(points: np.ndarray) -> np.ndarray:
    from scipy.spatial import ConvexHull, QhullError

    try:
        return points[ConvexHull(points).vertices]
    except QhullError:  # a line or a point: what a ball stands on
        low, high = points.min(axis=0) - 5e-4, points.max(axis=0) + 5e-4
        return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def _heading_rad(item: Item, outline: np.ndarray) -> float | None:
    """Where the item's x axis points; its y axis, if x stands upright."""
    radii = np.linalg.norm(outline - outline.mean(axis=0), axis=1)
    if len(outline) > 12 and radii.std() < _ROUND * radii.mean():
        return None
    axes = item.world_from_object.matrix()[:2, :2]
    axis = axes[:, 0] if np.linalg.norm(axes[:, 0]) > 0.3 else axes[:, 1]
    return float(np.arctan2(axis[1], axis[0]))
