"""Marker strips at the table's edges, from which every picture tells its camera's pose.

They are printed with the calibration board, and taped down flat wherever cameras see them and
nothing is set up. Calibration measures where they lie.
"""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pactwin.hardware.printing import Drawing, paint_board, paint_ruler
from pactwin.hardware.rig_file import RULER_MM, Calibration, StripPlace
from pactwin.hardware.targets import Target, detect_all

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

STRIPS = 5
CORNERS = (7 - 1) * (3 - 1)
_COLUMNS, _ROWS, _SQUARE_MM = 7, 3, 38.0
_PAGE_MM, _LEFT_MM, _BOTTOM_MM = (297.0, 210.0), 15.5, 60.0
STRIP_MM = (_LEFT_MM, _BOTTOM_MM, _LEFT_MM + _COLUMNS * _SQUARE_MM, _BOTTOM_MM + _ROWS * _SQUARE_MM)
"""Area of the squares on their page: left, bottom, right, top."""

Corner = tuple[int, int]
"""A strip, and the number of one of its chessboard corners."""


def strip_target(place: StripPlace, ruler_mm: float = RULER_MM) -> Target:
    """A strip on the table whose printed ruler measures ``ruler_mm``."""
    square_m = _SQUARE_MM / 1e3 * ruler_mm / RULER_MM
    c, s = np.cos(place.yaw_rad), np.sin(place.yaw_rad)
    table_from_strip = np.eye(4)
    table_from_strip[:2, :2] = [[c, -s], [s, c]]
    table_from_strip[:2, 3] = place.x_m, place.y_m
    strip_from_board = np.diag([1.0, -1.0, -1.0, 1.0])
    strip_from_board[:2, 3] = -_COLUMNS / 2 * square_m, _ROWS / 2 * square_m
    first_id = place.strip * (_COLUMNS * _ROWS // 2)
    pose = table_from_strip @ strip_from_board
    return Target("4x4_50", _COLUMNS, _ROWS, square_m, pose, first_id)


def strip_outlines_m(calibration: Calibration) -> tuple[np.ndarray, ...]:
    """The squares of each strip on the table: corners (4, 3)."""
    wide, high = _COLUMNS, _ROWS
    unit = np.array([(0, 0, 0, 1), (wide, 0, 0, 1), (wide, high, 0, 1), (0, high, 0, 1)], float)
    found = []
    for place in calibration.strips:
        target = strip_target(place, calibration.ruler_mm)
        scale = (target.square_m, target.square_m, 1, 1)
        found.append((scale * unit @ target.table_from_board.T)[:, :3])
    return tuple(found)


def detect_strips(color: np.ndarray) -> dict[Corner, np.ndarray]:
    """Positions (2,) of strip corners in a picture (h, w, 3), RGB."""
    targets = [strip_target(StripPlace(strip=k, x_m=0, y_m=0, yaw_rad=0)) for k in range(STRIPS)]
    return {
        (strip, k): at
        for strip, seen in enumerate(detect_all(targets, color))
        for k, at in zip(seen.ids.tolist(), seen.pixels, strict=True)
    }


def strip_drawings() -> list[Drawing]:
    """Drawing of each strip on its own page, with a ruler."""
    return [Drawing("pactwin strip", *_PAGE_MM, partial(_paint, strip=k)) for k in range(STRIPS)]


def _paint(canvas: "Canvas", *, strip: int) -> None:
    target = strip_target(StripPlace(strip=strip, x_m=0, y_m=0, yaw_rad=0))
    paint_board(canvas, target, _LEFT_MM, _BOTTOM_MM)
    paint_ruler(canvas, _LEFT_MM, _BOTTOM_MM - 20)
    canvas.setFont("Helvetica", 3)
    note = f"Strip {strip + 1}: cut it out, tape it flat to an edge of the table, leave it there."
    canvas.drawString(_LEFT_MM, _BOTTOM_MM - 26, note)
