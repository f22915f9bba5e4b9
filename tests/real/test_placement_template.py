"""Layout sheets: everything of a scene, where it stands in the scene, measured on the paper."""

from dataclasses import replace

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
    detect,
    pdf_of,
    shows_template,
)
from pactwin.real.footprints import footprints
from pactwin.real.placement_template import (
    CONTACT_RGB,
    page_mm,
    printed_squares,
    template_drawing,
    template_target,
)
from pactwin.real.table_check import TableCheck, TableFault
from pactwin.sim import domain_names, rebuild_layout
from pactwin.suite import Scene


def scene_of(domain: str) -> Scene:
    ((seed, twins),) = drawn(domain, 1)
    return scenes_of(domain, seed, twins)[0]


@pytest.mark.slow
def test_footprints_and_markers_are_in_their_place_when_pages_are_joined() -> None:
    scene = scene_of("support")
    prints = footprints(rebuild_layout(scene).items)
    target = template_target(prints)
    drawing = template_drawing(scene)
    picture, px_per_mm = joined(pdf_of(drawing, "a3"), drawing, "a3")
    height = drawing.height_mm

    found = detect(target, picture)
    assert len(found.ids) > 20
    from_left_mm = (found.pixels + 0.5) / px_per_mm
    on_page = np.stack([from_left_mm[:, 0], height - from_left_mm[:, 1]], axis=1)
    expected = page_mm(target, target.corners_m(found.ids)[:, :2])
    assert np.abs(on_page - expected).max() < 0.2

    low, high = (tuple(255 * part + off for part in CONTACT_RGB) for off in (-60, 60))
    blue = np.argwhere(cv2.inRange(picture, low, high))[:, ::-1]
    blue_mm = (blue + 0.5) / px_per_mm
    blue_mm[:, 1] = height - blue_mm[:, 1]
    standing = [p for p in prints if not p.on and not p.rolls]
    assert standing
    edges = [page_mm(target, p.contact) for p in standing]
    for rolling in (p for p in prints if p.rolls):  # marked by a cross
        middle = page_mm(target, np.array(rolling.item.world_from_object.pos[:2]))
        edges += [middle + 5.0 * np.array(arm) for arm in ([[-1, 0], [1, 0]], [[0, -1], [0, 1]])]
    every = np.concatenate([_points_along(edge) for edge in edges])
    # Lines are 0.3 mm wide and lie in the middle of where they should.
    off, _ = cKDTree(every).query(blue_mm)
    assert np.max(off) < 0.15 + 0.2
    shown, _ = cKDTree(blue_mm).query(every)
    assert np.mean(shown < 0.2) > 0.9  # letters, arrows and dashes lie over the rest


def _points_along(corners: np.ndarray) -> np.ndarray:
    steps = np.linspace(0, 1, 400)[:, None]
    ends = np.roll(corners, -1, axis=0)
    return np.concatenate([a + steps * (b - a) for a, b in zip(corners, ends, strict=True)])


@pytest.mark.parametrize("domain", domain_names())
def test_a_sheet_shows_everything_and_no_marker_under_a_thing(domain: str) -> None:
    scene = scene_of(domain)
    layout = rebuild_layout(scene)
    prints = footprints(layout.items)
    assert sorted(p.item.name for p in prints) == sorted(item.name for item in layout.items)
    steps = {p.item.name: p.step for p in prints}
    assert sorted(steps.values()) == list(range(1, len(prints) + 1))
    for p in prints:
        assert all(steps[below] < p.step for below in p.on)
        inside = p.outline.min(axis=0) <= p.item.world_from_object.pos[:2]
        assert inside.all()
    target = template_target(prints)
    kept = printed_squares(target, prints)
    for column, row in kept:
        near = (target.rows - 1 - row) * target.square_m
        right = (target.columns / 2 - 1 - column) * target.square_m
        middle = np.array([near, right]) + target.square_m / 2
        for p in prints:
            assert not _inside(p.outline, middle), (p.item.name, column, row)
    assert len(kept) > 20
    assert target.first_id == TEMPLATE_ID


def _inside(polygon: np.ndarray, point: np.ndarray) -> bool:
    edges = np.roll(polygon, -1, axis=0) - polygon
    to = point - polygon
    return bool((edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0] > 0).all())


@pytest.mark.slow
def test_what_stands_on_something_says_on_what_and_what_is_inverted_says_so() -> None:
    said = [
        p.notes
        for domain in ("support", "opening", "occupancy")
        for seed, twins in drawn(domain, 2)
        for layout in (twins.infeasible, twins.feasible)
        for p in footprints(layout.items)
    ]
    assert any(note.startswith("upright, on ") for note in said)
    assert any("UPSIDE DOWN" in note for note in said)


def test_right_on_the_page_is_the_robots_right() -> None:
    prints = footprints(rebuild_layout(scene_of("support")).items)
    target = template_target(prints)
    left, right = page_mm(target, np.array([[0.3, 0.1], [0.3, -0.1]]))
    assert right[0] - left[0] == pytest.approx(200.0)
    assert left[1] == pytest.approx(300.0)


def test_a_template_that_was_left_in_is_told_from_the_mat() -> None:
    sheet = pdf_of(template_drawing(scene_of("size_mismatch")), "large")
    shown, other = (
        page_rasters(page, 60)[0][0]
        for page in (sheet, pdf_of(board_drawing(CalibrationBoard()), "large"))
    )
    assert shows_template(shown)
    assert not shows_template(other)
    left_in = TableCheck(faults=(TableFault("template", "head", "slide it out"),))
    assert left_in.template_only
    assert not left_in.ok
    hand = TableFault("unplanned", "head", "a hand")
    assert not replace(left_in, faults=(*left_in.faults, hand)).template_only
