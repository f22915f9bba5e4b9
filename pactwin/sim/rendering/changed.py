"""Where the picture of a scene can differ from that of its twin: at what differs and its shadow."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from pactwin.sim.rendering.render import Renderer
from pactwin.sim.rendering.room import Appearance
from pactwin.sim.rendering.silhouette import NEAR_M, project
from pactwin.sim.robots.models import TABLE_HEIGHT_M
from pactwin.sim.scene.geometry import points_of_parts
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera

Box = tuple[int, int, int, int]
"""Left, top, right and bottom of a rectangle of pixels, the last two beyond it."""

# What another box costs, in pixels of a larger one: every geom is drawn again for it.
_BOX_COST_PX = 12000
# Edges of shadows are blurred by a cell of their map, 1.3 mm, which is 2 px in the nearest view.
_AROUND_PX = 6


def changed_boxes(
    items: Sequence[Item], others: Sequence[Item], look: Appearance, camera: Camera
) -> list[Box] | None:
    """Rectangles outside of which a picture of ``items`` is one of ``others``; None: anywhere.

    It is known of our own room alone, where shadows fall on the table, or beside it to the floor.
    """
    if look.kitchen is not None:
        return None
    boxes = []
    for item in sorted({*items} ^ {*others}, key=lambda item: item.name):
        pixels, depth = project(camera, _with_shadow(item, look))
        if depth.min() < NEAR_M:
            return None
        size = camera.width_px, camera.height_px
        left, top = np.clip(np.floor(pixels.min(axis=0)) - _AROUND_PX, 0, size).astype(int)
        right, bottom = np.clip(np.ceil(pixels.max(axis=0)) + _AROUND_PX, 0, size).astype(int)
        if left < right and top < bottom:
            boxes.append((int(left), int(top), int(right), int(bottom)))
    return _merged(boxes)


def _merged(boxes: list[Box]) -> list[Box]:
    """Fewer boxes that hold all of them, while that is less to draw."""
    for a, b in combinations(boxes, 2):
        both = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
        if _area_px(both) < _area_px(a) + _area_px(b) + _BOX_COST_PX:
            return _merged([box for box in boxes if box not in (a, b)] + [both])
    return boxes


def _area_px(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _with_shadow(item: Item, look: Appearance) -> np.ndarray:
    """Points (n, 3) whose convex hull holds an item and all that it keeps the main light from."""
    drawn = (part for part in item.parts if part.drawn)
    points = np.concatenate(points_of_parts(drawn, item.world_from_object))
    on_table = _down_to(0.0, points, look)
    x, y, _ = on_table.T
    beside = (x < 0.0) | (x > look.table_depth_m) | (np.abs(y) > look.table_width_m / 2)
    floor = _down_to(-TABLE_HEIGHT_M, points[beside], look)
    return np.concatenate([points, on_table, floor])


def _down_to(height_m: float, points: np.ndarray, look: Appearance) -> np.ndarray:
    """Where the main light that passes by points (n, 3) comes to a height."""
    turn, elevation = look.light_azimuth_rad, look.light_elevation_rad
    away = np.array([np.cos(turn), np.sin(turn)]) / np.tan(elevation)
    found = points.copy()
    found[:, :2] -= (points[:, 2:] - height_m) * away
    found[:, 2] = height_m
    return found


def color_beside(
    renderer: Renderer, camera: Camera, boxes: Sequence[Box] | None, other: np.ndarray
) -> np.ndarray:
    """What ``renderer`` draws within ``boxes``, and elsewhere the picture (h, w, 3) of the other.

    Rounding differs in a few dozen of a box's pixels from what a whole picture has there.
    """
    if boxes is None:
        return renderer.color(camera)
    color = other.copy()
    for box in boxes:
        left, top, right, bottom = box
        color[top:bottom, left:right] = renderer.color(_cropped(camera, box))
    return color


def _cropped(camera: Camera, box: Box) -> Camera:
    """The camera whose whole picture is ``box`` of that of ``camera``."""
    left, top, right, bottom = box
    (fx, skew, cx), (_, fy, cy), last = camera.K
    k = ((fx, skew, cx - left), (0.0, fy, cy - top), last)
    size = {"width_px": right - left, "height_px": bottom - top}
    return camera.model_copy(update={"K": k, **size})
