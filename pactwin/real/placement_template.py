"""Placement templates: poses of both twins' objects at 1:1, on paper on the table.

One template serves both scenes. Common objects are drawn once; differing ones are drawn for each
scene, in its own colour, with the scene's number. The drawing is no larger than necessary, to need
few pages. Its lower edge states its distance from the table's near edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import cos, floor, sin
from typing import TYPE_CHECKING

import numpy as np

from pactwin.hardware import TEMPLATE_ID, Drawing, Target, paint_marker, paint_ruler
from pactwin.real.footprints import Footprint, footprints, overlap_m2
from pactwin.sim import rebuild_layout
from pactwin.suite import Scene, Suite, load_image

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

BOTH_RGB, OUTLINE_RGB = (0.0, 0.25, 0.9), (0.9, 0.1, 0.1)
ONE_RGB, OTHER_RGB = (0.80, 0.35, 0.0), (0.0, 0.45, 0.35)

MARKER = Target("apriltag_36h11", 2, 2, 0.05, np.eye(4))
"""Size of the markers that tell whether the template still lies on the table."""
_MARKERS = 8
_ROOMS_M = (0.012, 0.06)
_RULER_M = 0.022
_GRID_M = 0.01
_LINE_MM = 0.3
_ALIKE_M = 1e-4


@dataclass(frozen=True)
class Template:
    """Poses of the objects of twin ``scenes`` with these ``numbers``; lengths in m, on the table.

    The drawing's lower left corner is ``near_m`` from the table's near edge and ``left_m`` left of
    its middle. ``markers`` are middles (x, y) of markers, by their id.
    """

    scenes: tuple[Scene, Scene]
    numbers: tuple[int, int]
    prints: tuple[list[Footprint], list[Footprint]]
    near_m: float
    left_m: float
    width_m: float
    height_m: float
    markers: dict[int, np.ndarray]

    def page_mm(self, points_m: np.ndarray) -> np.ndarray:
        """Convert points (..., 2) on the table to the drawing, from its lower left corner."""
        points = np.asarray(points_m)
        return 1e3 * np.stack([self.left_m - points[..., 1], points[..., 0] - self.near_m], -1)

    @property
    def title(self) -> str:
        """Title that names both scenes."""
        return f"scenes {self.numbers[0]} and {self.numbers[1]}"

    @property
    def drawing(self) -> Drawing:
        """The drawing to print at 1:1."""
        return Drawing(
            self.title, 1e3 * self.width_m, 1e3 * self.height_m, partial(_paint, template=self)
        )

    def cover(self, suite: Suite) -> Drawing:
        """The cover page: the steps, and simulated pictures of both scenes."""
        return Drawing(self.title, *_COVER_MM, partial(_paint_cover, template=self, suite=suite))

    @cached_property
    def alike(self) -> set[str]:
        """Names of objects that are the same, in the same pose, in both scenes."""
        other = {p.item.name: p for p in self.prints[1]}
        return {
            p.item.name
            for p in self.prints[0]
            if (q := other.get(p.item.name)) is not None and _alike(p, q)
        }


def template_of(suite: Suite, name: str) -> Template:
    """The template of a scene, named as in :meth:`Suite.scene`, and its twin.

    SuiteError if a layout cannot be drawn again from its seed.
    """
    found = suite.pair_of(name)
    numbers = suite.numbers()
    one, other = sorted(found, key=lambda scene: numbers[scene.id])
    prints = footprints(rebuild_layout(one).items), footprints(rebuild_layout(other).items)
    outlines = [p.outline for scene in prints for p in scene]
    low = np.concatenate(outlines).min(axis=0)
    high = np.concatenate(outlines).max(axis=0)
    for room_m in _ROOMS_M:
        near = max(floor((low[0] - _RULER_M - room_m) / _GRID_M) * _GRID_M, 0.0)
        left, right = max(high[1], 0.0) + room_m, min(low[1], 0.0) - room_m
        height = high[0] + room_m - near
        markers = _free_markers(outlines, (near + _RULER_M, near + height), (right, left))
        if len(markers) == _MARKERS:
            break
    return Template(
        (one, other),
        (numbers[one.id], numbers[other.id]),
        prints,
        near,
        left,
        left - right,
        height,
        {TEMPLATE_ID + k: middle for k, middle in enumerate(markers)},
    )


def _alike(a: Footprint, b: Footprint) -> bool:
    same = (a.notes, a.item.rgba, a.outline.shape) == (b.notes, b.item.rgba, b.outline.shape)
    # The same outline is not yet the same thing: a foot may be hollow in one scene.
    same = same and a.item.parts == b.item.parts
    return same and bool(np.abs(a.outline - b.outline).max() < _ALIKE_M) and a.top_m == b.top_m


def _free_markers(
    outlines: Sequence[np.ndarray], x_m: tuple[float, float], y_m: tuple[float, float]
) -> list[np.ndarray]:
    """Middles of markers that nothing stands on, as far from each other as there is room."""
    half = MARKER.square_m / 2
    grid = [np.arange(low + half, high - half, _GRID_M) for low, high in (x_m, y_m)]
    square = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    free = np.array(
        [
            middle
            for middle in np.stack(np.meshgrid(*grid), -1).reshape(-1, 2)
            if not any(overlap_m2(middle + square, outline) > 0 for outline in outlines)
        ]
    ).reshape(-1, 2)
    found: list[np.ndarray] = []
    far = np.linalg.norm(free - free.mean(axis=0), axis=1) if len(free) else np.zeros(0)
    while len(found) < _MARKERS and len(far) and far.max() > (2 * half if found else -1):
        found.append(free[far.argmax()])
        distance = np.linalg.norm(free - found[-1], axis=1)
        far = distance if len(found) == 1 else np.minimum(far, distance)
    return found


def _paint(canvas: "Canvas", *, template: Template) -> None:
    for marker, middle in template.markers.items():
        corner = template.page_mm(middle) - 1e3 * MARKER.square_m / 2
        paint_marker(canvas, MARKER, marker, *corner)
    middle_mm = 1e3 * template.left_m
    canvas.setStrokeGray(0)
    canvas.setFillGray(0)
    canvas.setLineWidth(0.3)
    canvas.line(middle_mm, 0, middle_mm, 14)
    canvas.setFont("Helvetica", 3)
    ruler = middle_mm + 5 if middle_mm + 160 < 1e3 * template.width_m else middle_mm - 155
    paint_ruler(canvas, max(ruler, 3), 5)
    words = (
        f"pactwin {template.title}. This edge towards the robot, {1e3 * template.near_m:.0f} mm "
        "from the table's near edge; the mark at the table's middle."
    )
    canvas.drawString(max(ruler, 3), 1, words)
    for k, prints in enumerate(template.prints):
        for footprint in prints:
            both = footprint.item.name in template.alike
            if k == 0 or not both:
                rgb = BOTH_RGB if both else (ONE_RGB, OTHER_RGB)[k]
                only = "" if both else f"{template.numbers[k]} only: "
                _paint_footprint(canvas, template, footprint, rgb, only)


def _paint_footprint(
    canvas: "Canvas",
    template: Template,
    footprint: Footprint,
    rgb: tuple[float, float, float],
    only: str,
) -> None:
    canvas.saveState()
    canvas.setLineWidth(_LINE_MM)
    canvas.setLineJoin(1)
    canvas.setStrokeColorRGB(*(rgb if only else OUTLINE_RGB))
    canvas.setDash([2, 1.5])
    _polygon(canvas, template.page_mm(footprint.outline))
    canvas.setDash([])
    middle = template.page_mm(np.array(footprint.item.world_from_object.pos[:2]))
    canvas.setStrokeColorRGB(*rgb)
    if footprint.rolls:
        canvas.line(middle[0] - 5, middle[1], middle[0] + 5, middle[1])
        canvas.line(middle[0], middle[1] - 5, middle[0], middle[1] + 5)
    elif not footprint.on:
        _polygon(canvas, template.page_mm(footprint.contact))
    canvas.setFillColorRGB(*(rgb if only else (0.25, 0.25, 0.25)))
    canvas.setStrokeGray(0.25)
    if footprint.heading_rad is not None:
        # The table's x is up the page and its y to the left.
        way = np.array([-sin(footprint.heading_rad), cos(footprint.heading_rad)])
        across = np.array([-way[1], way[0]])
        tip = middle + 14 * way
        canvas.line(*(middle - 8 * way), *tip)
        for s in (-1, 1):
            canvas.line(*tip, *(tip - 3.5 * way + 2 * s * across))
    canvas.setFont("Helvetica-Bold" if only else "Helvetica", 3.4)
    # What stands on something is named below it, and what the second scene has below the first.
    second = only.startswith(f"{template.numbers[1]} ")
    offset = 4.5 + 6.0 * (len(footprint.on) + bool(footprint.item.attached_to)) + 8.0 * second
    canvas.drawCentredString(middle[0], middle[1] - offset, f"{only}{footprint.item.name}")
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


def _paint_cover(canvas: "Canvas", *, template: Template, suite: Suite) -> None:
    canvas.setFillGray(0)
    canvas.setFont("Helvetica-Bold", 6)
    canvas.drawString(_LEFT_MM, 280, template.title.capitalize())
    canvas.setFont("Helvetica", 3.6)
    y = 273.0
    for line in (
        "Print at 100 % (no fit to page), cut along the crop marks, join, and measure the ruler.",
        f"Lower edge {1e3 * template.near_m:.0f} mm from the table's near edge and along it, the "
        "mark at the table's middle.",
        "Put things down in this order. Blue: what touches the paper; red: the outline from above;",
        "orange and green: what only one of the two scenes has so. The arrow is the thing's x "
        "axis, as in its STL.",
    ):
        canvas.drawString(_LEFT_MM, y, line)
        y -= 5
    for k, prints in enumerate(template.prints):
        shown = [p for p in prints if k == 0 or p.item.name not in template.alike]
        gone = {p.item.name for p in template.prints[0]} - {p.item.name for p in prints}
        y -= 3
        canvas.setFont("Helvetica-Bold", 4)
        how = "" if k == 0 else ": as before, but"
        canvas.drawString(_LEFT_MM, y, f"Scene {template.numbers[k]}{how}")
        y -= 5.5
        for footprint in shown:
            rgb = (ONE_RGB, OTHER_RGB)[k]
            canvas.setFillColorRGB(*((0, 0, 0) if footprint.item.name in template.alike else rgb))
            canvas.setFont("Helvetica-Bold", 3.6)
            canvas.drawString(_LEFT_MM, y, f"{footprint.step}  {footprint.item.name}")
            canvas.setFont("Helvetica", 3.4)
            high = f"{1e3 * (footprint.top_m - footprint.bottom_m):.0f} mm high"
            canvas.drawString(_LEFT_MM + 48, y, f"{footprint.notes}, {high}; {footprint.where}")
            y -= 5
        canvas.setFillGray(0)
        for name in sorted(gone):
            canvas.drawString(_LEFT_MM, y, f"without the {name}")
            y -= 5
    _paint_pictures(canvas, template, suite, y)


def _paint_pictures(canvas: "Canvas", template: Template, suite: Suite, y: float) -> None:
    """Each scene in a column, as many of its views as there is room for."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    wide, gap = 87.0, 6.0
    for k, scene in enumerate(template.scenes):
        top, x = y, _LEFT_MM + k * (wide + gap)
        for view in scene.views:
            high = wide * view.camera.height_px / view.camera.width_px
            top -= high + 5
            if top < 5:
                break
            picture = Image.fromarray(load_image(suite, view))
            canvas.drawImage(ImageReader(picture), x, top, wide, high)
            canvas.setFont("Helvetica", 3)
            caption = f"scene {template.numbers[k]}, {view.camera.name}"
            canvas.drawString(x, top - 3.2, caption)
