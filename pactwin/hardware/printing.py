"""Print drawings at 1:1, on one large page or on sheets to cut and join."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Literal

from pactwin.hardware.rig_file import RULER_MM, CalibrationBoard
from pactwin.hardware.targets import Target, board_target
from pactwin.suite import InvalidInputError, needs

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

Paper = Literal["a4", "a3", "letter", "large"]
PAPERS_MM = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
MARGIN_MM = 10.0
"""Margin that printers leave white."""
MAX_MM = 3000.0

_POINTS_PER_MM = 72 / 25.4
_MARK_MM = 5.0
_FORM = "drawing"


@dataclass(frozen=True)
class Drawing:
    """A drawing in mm: ``paint`` draws it on a canvas with millimetre units.

    Its lower left corner is the origin; its lower edge is towards the robot.
    """

    title: str
    width_mm: float
    height_mm: float
    paint: "Callable[[Canvas], None]"


@dataclass(frozen=True)
class Tile:
    """The part of a drawing that one page shows: its lower left corner and its size (mm).

    ``page_mm`` is the page's size; the part lies MARGIN_MM from its left and lower edges.
    """

    column: int
    row: int
    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    page_mm: tuple[float, float]


def tiles(width_mm: float, height_mm: float, paper: Paper) -> list[Tile]:
    """Page layout of a drawing, row by row from below; InvalidInputError if too large.

    Paper is turned the way that needs fewer pages.
    """
    if max(width_mm, height_mm) > MAX_MM:
        raise InvalidInputError(f"{width_mm:.0f} x {height_mm:.0f} mm is too large to print")
    if paper == "large":
        page = (width_mm + 2 * MARGIN_MM, height_mm + 2 * MARGIN_MM)
        return [Tile(0, 0, 0.0, 0.0, width_mm, height_mm, page)]
    short, long = PAPERS_MM[paper]
    pages = [_spread(width_mm, height_mm, page) for page in ((short, long), (long, short))]
    return min(pages, key=len)


def _spread(width_mm: float, height_mm: float, page_mm: tuple[float, float]) -> list[Tile]:
    wide, high = (side - 2 * MARGIN_MM for side in page_mm)
    return [
        Tile(
            column,
            row,
            column * wide,
            row * high,
            min(wide, width_mm - column * wide),
            min(high, height_mm - row * high),
            page_mm,
        )
        for row in range(ceil(height_mm / high - 1e-9))
        for column in range(ceil(width_mm / wide - 1e-9))
    ]


def pdf_of(drawing: Drawing, paper: Paper, covers: Sequence[Drawing] = ()) -> bytes:
    """A PDF of the drawing; ``covers`` come first, each on a page of its own size.

    Raises EnvironmentFaultError without reportlab, InvalidInputError if it is too large.
    """
    with needs("PDFs need reportlab", "rig"):
        from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, invariant=1)
    canvas.setTitle(drawing.title)
    canvas.setCreator("pactwin")
    canvas.setViewerPreference("PrintScaling", "None")
    for cover in covers:
        canvas.setPageSize((cover.width_mm * _POINTS_PER_MM, cover.height_mm * _POINTS_PER_MM))
        canvas.scale(_POINTS_PER_MM, _POINTS_PER_MM)
        cover.paint(canvas)
        canvas.showPage()
    canvas.beginForm(_FORM, 0, 0, drawing.width_mm, drawing.height_mm)
    drawing.paint(canvas)
    canvas.endForm()
    spread = tiles(drawing.width_mm, drawing.height_mm, paper)
    for tile in spread:
        canvas.setPageSize(tuple(side * _POINTS_PER_MM for side in tile.page_mm))
        canvas.scale(_POINTS_PER_MM, _POINTS_PER_MM)
        canvas.saveState()
        clip = canvas.beginPath()
        clip.rect(MARGIN_MM, MARGIN_MM, tile.width_mm, tile.height_mm)
        canvas.clipPath(clip, stroke=0)
        canvas.translate(MARGIN_MM - tile.x_mm, MARGIN_MM - tile.y_mm)
        canvas.doForm(_FORM)
        canvas.restoreState()
        if len(spread) > 1:
            _crop_marks(canvas, tile)
            canvas.setFont("Helvetica", 3)
            place = f"column {tile.column + 1}, row {tile.row + 1} from the robot"
            canvas.drawString(MARGIN_MM + 15, MARGIN_MM - 6, f"{drawing.title}: {place}")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _crop_marks(canvas: "Canvas", tile: Tile) -> None:
    """At each corner of the part, two lines in the margin that point at it."""
    canvas.setLineWidth(0.15)
    for x, out_x in ((MARGIN_MM, -1), (MARGIN_MM + tile.width_mm, 1)):
        for y, out_y in ((MARGIN_MM, -1), (MARGIN_MM + tile.height_mm, 1)):
            canvas.line(x + out_x, y, x + out_x * (1 + _MARK_MM), y)
            canvas.line(x, y + out_y, x, y + out_y * (1 + _MARK_MM))


def paint_ruler(canvas: "Canvas", x_mm: float, y_mm: float) -> None:
    """Draw a ruler of RULER_MM with its zero at (x, y)."""
    canvas.saveState()
    canvas.setStrokeGray(0)
    canvas.setFillGray(0)
    canvas.setLineWidth(0.2)
    canvas.setFont("Helvetica", 3)
    canvas.line(x_mm, y_mm, x_mm + RULER_MM, y_mm)
    for tick in range(int(RULER_MM) + 1):
        long = 4 if tick % 10 == 0 else 2.5 if tick % 5 == 0 else 1.5
        canvas.line(x_mm + tick, y_mm, x_mm + tick, y_mm + long)
        if tick % 50 == 0:
            canvas.drawCentredString(x_mm + tick, y_mm + 5, str(tick))
    note = f"mm: measure from 0 to {RULER_MM:g}; printers scale"
    canvas.drawString(x_mm + RULER_MM + 4, y_mm, note)
    canvas.restoreState()


def paint_board(canvas: "Canvas", target: Target, left_mm: float, bottom_mm: float) -> None:
    """Draw the squares and markers of ``target``."""
    side = 1e3 * target.square_m
    canvas.saveState()
    canvas.setFillGray(0)
    for column, row, marker in target.squares():
        x, y = left_mm + column * side, bottom_mm + (target.rows - 1 - row) * side
        if marker is None:
            canvas.rect(x, y, side, side, stroke=0, fill=1)
        else:
            paint_marker(canvas, target, marker, x, y)
    canvas.restoreState()


def paint_marker(canvas: "Canvas", target: Target, marker: int, x_mm: float, y_mm: float) -> None:
    """Draw a marker of ``target``'s size; (x, y) is its square's lower left corner."""
    canvas.setFillGray(0)
    for dx, dy, wide, high in _dark(target, marker):
        canvas.rect(x_mm + dx, y_mm + dy, wide, high, stroke=0, fill=1)


def _dark(target: Target, marker: int) -> Iterator[tuple[float, float, float, float]]:
    """Dark runs of modules: x, y from the square's lower left corner, width, height (mm)."""
    white = target.modules(marker)
    module = 1e3 * target.marker_m / len(white)
    margin = 1e3 * (target.square_m - target.marker_m) / 2
    for row, line in enumerate(white):
        start = None
        for column in range(len(line) + 1):
            dark = column < len(line) and not line[column]
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                y = margin + (len(white) - 1 - row) * module
                yield margin + start * module, y, (column - start) * module, module
                start = None


BESIDE_MM, _BELOW_MM = 20.0, 18.0


def board_drawing(board: CalibrationBoard) -> Drawing:
    """The board with rulers below and on its right, because printers scale each axis separately.

    The board's upper left corner is ``BESIDE_MM`` from the drawing's.
    """
    target = board_target(board)
    side = board.square_mm

    def paint(canvas: "Canvas") -> None:
        paint_board(canvas, target, BESIDE_MM, _BELOW_MM)
        paint_ruler(canvas, 2.0, 7.0)
        canvas.saveState()
        canvas.translate(2 * BESIDE_MM + board.columns * side - 6.0, _BELOW_MM)
        canvas.rotate(90)
        paint_ruler(canvas, 0.0, 0.0)
        canvas.restoreState()
        canvas.setFillGray(0)
        canvas.setFont("Helvetica", 3.2)
        note = (
            f"{board.id}. This edge towards the robot, the board's lower edge {board.near_mm:g} mm "
            "from the table's edge, its middle at the table's."
        )
        canvas.drawString(2.0, 1.5, note)
        middle = BESIDE_MM + board.columns * side / 2
        canvas.setLineWidth(0.2)
        canvas.line(middle, _BELOW_MM - 4, middle, _BELOW_MM)

    width = 2 * BESIDE_MM + board.columns * side
    return Drawing("pactwin board", width, _BELOW_MM + board.rows * side, paint)
