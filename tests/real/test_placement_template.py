"""Placement templates: all things of both twins, where they stand, measured on the paper."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from drawn_scenes import drawn, scenes_of
from rasters import joined, page_rasters
from scipy.spatial import cKDTree

from pactwin.hardware import (
    TEMPLATE_ID,
    CalibrationBoard,
    board_drawing,
    pdf_of,
    shows_template,
    tiles,
)
from pactwin.real.footprints import Footprint
from pactwin.real.placement_template import (
    BOTH_RGB,
    MARKER,
    ONE_RGB,
    OTHER_RGB,
    Template,
    template_of,
)
from pactwin.real.table_check import TableCheck, TableFault
from pactwin.sim import domain_names
from pactwin.suite import Scene


class Twins:
    """As much of a suite as a template reads: two scenes, as the second and third of it."""

    def __init__(self, domain: str) -> None:
        ((seed, twins),) = drawn(domain, 1)
        self._scenes = scenes_of(domain, seed, twins)

    def numbers(self) -> dict[str, int]:
        return {scene.id: number for number, scene in enumerate(self._scenes, start=2)}

    def pair_of(self, name: str) -> tuple[Scene, ...]:
        one, other = self._scenes
        return (one, other) if name == one.id else (other, one)

    @property
    def ids(self) -> list[str]:
        return [scene.id for scene in self._scenes]


@cache
def template(domain: str) -> Template:
    suite = Twins(domain)
    one, other = (template_of(suite, name) for name in suite.ids)  # type: ignore[arg-type]
    assert one.numbers == other.numbers == (2, 3)
    assert (one.near_m, one.left_m) == (other.near_m, other.left_m)
    return one


@pytest.mark.slow
def test_footprints_and_markers_are_in_their_place_when_pages_are_joined() -> None:
    made = template("support")
    drawing = made.drawing
    picture, px_per_mm = joined(pdf_of(drawing, "a3"), drawing, "a3")
    height = drawing.height_mm

    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, ids, _ = cv2.aruco.ArucoDetector(known).detectMarkers(picture)
    assert ids is not None
    assert sorted(ids.ravel()) == sorted(made.markers)
    for marker, seen in zip(map(int, ids.ravel()), corners, strict=True):
        from_left_mm = (seen[0].mean(axis=0) + 0.5) / px_per_mm
        expected = made.page_mm(made.markers[marker])
        assert np.abs((from_left_mm[0], height - from_left_mm[1]) - expected).max() < 0.2

    for rgb, prints in (
        (BOTH_RGB, [p for p in made.prints[0] if p.item.name in made.alike]),
        (ONE_RGB, [p for p in made.prints[0] if not _drawn_over(p, made)]),
        (OTHER_RGB, [p for p in made.prints[1] if p.item.name not in made.alike]),
    ):
        _assert_drawn(made, picture, px_per_mm, rgb, prints)


def _drawn_over(print_: Footprint, made: Template) -> bool:
    """Whether what the other scene has, or both have, is drawn over it."""
    others = [p.contact for p in made.prints[1] if p.contact.shape == print_.contact.shape]
    there = any(np.allclose(print_.contact, other) for other in others)
    return there or print_.item.name in made.alike


def _assert_drawn(
    made: Template,
    picture: np.ndarray,
    px_per_mm: np.ndarray,
    rgb: tuple[float, float, float],
    prints: list[Footprint],
) -> None:
    low, high = (tuple(255 * part + off for part in rgb) for off in (-60, 60))
    line = np.argwhere(cv2.inRange(picture, low, high))[:, ::-1]
    line_mm = (line + 0.5) / px_per_mm
    line_mm[:, 1] = made.drawing.height_mm - line_mm[:, 1]
    edges = [made.page_mm(p.contact) for p in prints if not p.on and not p.rolls]
    for rolling in (p for p in prints if p.rolls):  # marked by a cross
        middle = made.page_mm(np.array(rolling.item.world_from_object.pos[:2]))
        edges += [middle + 5.0 * np.array(arm) for arm in ([[-1, 0], [1, 0]], [[0, -1], [0, 1]])]
    if not edges:
        return
    every = np.concatenate([_points_along(edge) for edge in edges])
    shown, _ = cKDTree(line_mm).query(every)
    assert np.mean(shown < 0.2) > 0.9  # letters, arrows and dashes lie over the rest
    if rgb == BOTH_RGB:  # what differs is named and outlined in its colour, too
        off, _ = cKDTree(every).query(line_mm)
        # Lines are 0.3 mm wide and lie in the middle of where they should.
        assert np.max(off) < 0.15 + 0.2


def _points_along(corners: np.ndarray) -> np.ndarray:
    steps = np.linspace(0, 1, 400)[:, None]
    ends = np.roll(corners, -1, axis=0)
    return np.concatenate([a + steps * (b - a) for a, b in zip(corners, ends, strict=True)])


@pytest.mark.parametrize("domain", domain_names())
def test_a_template_shows_both_twins_and_no_marker_under_a_thing(domain: str) -> None:
    made = template(domain)
    for scene, prints in zip(made.scenes, made.prints, strict=True):
        assert sorted(p.item.name for p in prints) == sorted(o.name for o in scene.objects)
        steps = {p.item.name: p.step for p in prints}
        assert sorted(steps.values()) == list(range(1, len(prints) + 1))
        for p in prints:
            assert all(steps[below] < p.step for below in p.on)
            on_page = made.page_mm(p.outline)
            assert (on_page > 10).all()
            assert (on_page < (made.drawing.width_mm - 10, made.drawing.height_mm - 10)).all()
            for middle in made.markers.values():
                square = middle + MARKER.square_m / 2 * np.array([(-1, -1), (1, -1), (1, 1)])
                assert not any(_inside(p.outline, corner) for corner in (middle, *square))
    # What is alike has one place, and something differs.
    first, second = ({p.item.name: p for p in prints} for prints in made.prints)
    for name in made.alike:
        assert np.allclose(first[name].outline, second[name].outline, atol=1e-3)
        assert first[name].notes == second[name].notes
    assert made.alike != first.keys() or made.alike != second.keys()
    assert len(made.markers) >= 4
    assert min(made.markers) == TEMPLATE_ID
    assert len(tiles(made.drawing.width_mm, made.drawing.height_mm, "a3")) <= 4


def _inside(polygon: np.ndarray, point: np.ndarray) -> bool:
    edges = np.roll(polygon, -1, axis=0) - polygon
    to = point - polygon
    return bool((edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0] > 0).all())


def test_a_template_that_was_left_in_is_told_from_the_board() -> None:
    drawings = template("size_mismatch").drawing, board_drawing(CalibrationBoard())
    shown, other = (page_rasters(pdf_of(drawing, "large"), 60)[0][0] for drawing in drawings)
    assert shows_template(shown)
    assert not shows_template(other)
    left_in = TableCheck(faults=(TableFault("template", "head", "slide it out"),))
    assert left_in.template_only
    assert not left_in.ok
    hand = TableFault("unplanned", "head", "a hand")
    assert not replace(left_in, faults=(*left_in.faults, hand)).template_only
