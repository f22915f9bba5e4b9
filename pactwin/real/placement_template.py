"""Layout sheets: where the things of a scene go, at 1:1, on paper that lies on the table.

The sheet's lower edge lies along the table's near edge, its middle at the table's middle.
"""

from collections.abc import Sequence
from functools import partial
from math import ceil, cos, sin
from typing import TYPE_CHECKING

import numpy as np

from pactwin.hardware import (
    TEMPLATE_ID,
    Drawing,
    Target,
    paint_board,
    paint_ruler,
    table_from_board,
)
from pactwin.real.footprints import Footprint, footprints, overlap_m2
from pactwin.sim import rebuild_layout
from pactwin.suite import Scene, Suite, load_image

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

SQUARE_M = 0.05
CONTACT_RGB, OUTLINE_RGB = (0.0, 0.25, 0.9), (0.9, 0.1, 0.1)

_RING = 2
_ROOM_M = 0.06
_CLEAR_M = 0.012
_LINE_MM = 0.3


def template_target(prints: Sequence[Footprint]) -> Target:
    """The ring of markers around the footprints, in the table frame."""
    points = np.concatenate([footprint.outline for footprint in prints])
    room = _ROOM_M + _RING * SQUARE_M
    half = ceil((np.abs(points[:, 1]).max() + room) / SQUARE_M)
    rows = ceil((points[:, 0].max() + room) / SQUARE_M)
    pose = table_from_board(rows * SQUARE_M, half * SQUARE_M)
    return Target("apriltag_36h11", 2 * half, rows, SQUARE_M, pose, TEMPLATE_ID)


def printed_squares(target: Target, prints: Sequence[Footprint]) -> set[tuple[int, int]]:
    """Columns and rows (from the top) of the squares that are printed: the outer ones, where free.

    They end a little before what stands there, so that no marker is half hidden.
    """
    found = set()
    for column, row, _ in target.squares():
        inside = min(column, row, target.columns - 1 - column, target.rows - 1 - row)
        if inside < _RING and not any(
            overlap_m2(_square(target, column, row), p.outline) > 0 for p in prints
        ):
            found.add((column, row))
    return found


def _square(target: Target, column: int, row: int) -> np.ndarray:
    """Its corners (4, 2) on the table, with room around them."""
    side = target.square_m
    near, left = (target.rows - 1 - row) * side, (target.columns / 2 - column) * side
    low = np.array([near - _CLEAR_M, left - side - _CLEAR_M])
    high = np.array([near + side + _CLEAR_M, left + _CLEAR_M])
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def template_drawing(scene: Scene) -> Drawing:
    """The layout of a simulated scene; SuiteError if it cannot be drawn again from its seed."""
    prints = footprints(rebuild_layout(scene).items)
    target = template_target(prints)
    side = 1e3 * SQUARE_M
    return Drawing(
        f"scene {scene.id}",
        target.columns * side,
        target.rows * side,
        partial(_paint, prints=prints, target=target, scene_id=scene.id),
    )


def page_mm(target: Target, points_m: np.ndarray) -> np.ndarray:
    """Points (..., 2) on the table as (..., 2) on the drawing, from its lower left corner."""
    half = 1e3 * target.columns * target.square_m / 2
    points = 1e3 * np.asarray(points_m)
    return np.stack([half - points[..., 1], points[..., 0]], axis=-1)


def _paint(canvas: "Canvas", *, prints: Sequence[Footprint], target: Target, scene_id: str) -> None:
    kept = printed_squares(target, prints)
    paint_board(canvas, target, 0.0, 0.0, lambda column, row: (column, row) in kept)
    width = 1e3 * target.columns * target.square_m
    canvas.setFillGray(0.45)
    canvas.setStrokeGray(0.45)
    canvas.setLineWidth(0.2)
    canvas.line(width / 2, 0, width / 2, 6)
    for footprint in prints:
        _paint_footprint(canvas, target, footprint)
    ruler_x, ruler_y = _free_place(target, prints)
    canvas.setFillGray(1)
    canvas.rect(ruler_x - 4, ruler_y - 4, 108, 13, stroke=0, fill=1)
    paint_ruler(canvas, ruler_x, ruler_y)
    canvas.setFillGray(0.3)
    canvas.setFont("Helvetica", 3)
    canvas.drawString(ruler_x, ruler_y - 3.2, f"pactwin scene {scene_id}: this way away from you")


def _free_place(target: Target, prints: Sequence[Footprint]) -> tuple[float, float]:
    """Where on the sheet (mm) the ruler covers neither markers nor footprints, if there is room."""
    width, depth = (target.columns * target.square_m, target.rows * target.square_m)
    ring = _RING * target.square_m
    size = np.array([0.016, 0.114])  # along x and y of the table
    best, least = (ring, 0.0), np.inf
    for x in np.arange(ring + 0.005, depth - ring - size[0], 0.01):
        for left in np.arange(width / 2 - ring - 0.005, -width / 2 + ring + size[1], -0.02):
            corners = np.array([(0, 0), (0, -1), (1, -1), (1, 0)]) * size + (x, left)
            covered = sum(overlap_m2(corners[::-1], p.outline) for p in prints)
            if covered < least:
                best, least = (x, left), covered
    ruler_x, ruler_y = page_mm(target, np.array(best))
    return float(ruler_x) + 4, float(ruler_y) + 5


def _paint_footprint(canvas: "Canvas", target: Target, footprint: Footprint) -> None:
    canvas.saveState()
    canvas.setLineWidth(_LINE_MM)
    canvas.setLineJoin(1)
    canvas.setStrokeColorRGB(*OUTLINE_RGB)
    canvas.setDash([2, 1.5])
    _polygon(canvas, page_mm(target, footprint.outline))
    canvas.setDash([])
    middle = page_mm(target, np.array(footprint.item.world_from_object.pos[:2]))
    canvas.setStrokeColorRGB(*CONTACT_RGB)
    if footprint.rolls:
        canvas.line(middle[0] - 5, middle[1], middle[0] + 5, middle[1])
        canvas.line(middle[0], middle[1] - 5, middle[0], middle[1] + 5)
    elif not footprint.on:
        _polygon(canvas, page_mm(target, footprint.contact))
    canvas.setFillGray(0.25)
    canvas.setStrokeGray(0.25)
    if footprint.heading_rad is not None:
        # The table's x is up the page and its y to the left.
        way = np.array([-sin(footprint.heading_rad), cos(footprint.heading_rad)])
        across = np.array([-way[1], way[0]])
        tip = middle + 14 * way
        canvas.line(*(middle - 8 * way), *tip)
        for s in (-1, 1):
            canvas.line(*tip, *(tip - 3.5 * way + 2 * s * across))
    canvas.setFont("Helvetica", 3.4)
    name = f"{footprint.step}  {footprint.item.name}"
    offset = 4.5 + 6.0 * (len(footprint.on) + bool(footprint.item.attached_to))
    canvas.drawCentredString(middle[0], middle[1] - offset, name)
    if footprint.notes != "upright":
        canvas.setFont("Helvetica", 2.6)
        canvas.drawCentredString(middle[0], middle[1] - offset - 3, footprint.notes)
    canvas.restoreState()


def _polygon(canvas: "Canvas", corners_mm: np.ndarray) -> None:
    path = canvas.beginPath()
    path.moveTo(*corners_mm[0])
    for corner in corners_mm[1:]:
        path.lineTo(*corner)
    path.close()
    canvas.drawPath(path, stroke=1, fill=0)


_COVER_MM = (210.0, 297.0)
_LEFT_MM = 15.0


def cover_drawing(scene: Scene, suite: Suite) -> Drawing:
    """A page to read: the steps, and the simulated pictures from every camera."""
    prints = footprints(rebuild_layout(scene).items)
    return Drawing(
        f"scene {scene.id}",
        *_COVER_MM,
        partial(_paint_cover, prints=prints, scene=scene, suite=suite),
    )


def _paint_cover(
    canvas: "Canvas", *, prints: Sequence[Footprint], scene: Scene, suite: Suite
) -> None:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    canvas.setFillGray(0)
    canvas.setFont("Helvetica-Bold", 6)
    canvas.drawString(_LEFT_MM, 278, f"Scene {scene.id}")
    canvas.setFont("Helvetica", 3.6)
    y = 270.0
    for line in (
        "Print at 100 % (no fit to page), cut along the crop marks, join, and measure the ruler.",
        "Lower edge along the table's near edge, the mark at its middle at the table's middle.",
        "Put things down in this order. Blue: what touches the paper; red: the outline from above;",
        "the arrow is the thing's x axis, as in its STL.",
    ):
        canvas.drawString(_LEFT_MM, y, line)
        y -= 5
    y -= 3
    for footprint in prints:
        canvas.setFont("Helvetica-Bold", 3.6)
        canvas.drawString(_LEFT_MM, y, f"{footprint.step}  {footprint.item.name}")
        canvas.setFont("Helvetica", 3.4)
        canvas.drawString(_LEFT_MM + 48, y, f"{footprint.notes}; {footprint.where}")
        y -= 5.2
    paint_ruler(canvas, _LEFT_MM, y - 8)
    y -= 18
    wide, gap = 87.0, 6.0
    for k, view in enumerate(scene.views):
        if k % 2 == 0:
            high = wide * view.camera.height_px / view.camera.width_px
            y -= high + 6
        if y < 5:
            break
        x = _LEFT_MM + (k % 2) * (wide + gap)
        picture = Image.fromarray(load_image(suite, view))
        canvas.drawImage(ImageReader(picture), x, y, wide, high)
        canvas.setFont("Helvetica", 3)
        canvas.drawString(x, y - 3.2, view.camera.name)
