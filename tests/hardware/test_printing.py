"""Printed targets, measured in what a rasteriser makes of the PDF at 300 dpi."""

import numpy as np
import pytest
from rasters import joined

from pactwin.hardware import (
    BESIDE_MM,
    CalibrationBoard,
    Paper,
    board_drawing,
    board_target,
    detect,
    pdf_of,
    tiles,
)
from pactwin.suite import InvalidInputError

BOARD = CalibrationBoard()
DRAWING = board_drawing(BOARD)


@pytest.fixture(scope="module")
def printed() -> dict[Paper, tuple[np.ndarray, np.ndarray]]:
    """The board on one large page, and joined from several small ones; with pixels per mm."""
    papers: tuple[Paper, ...] = ("a4", "large")
    return {paper: joined(pdf_of(DRAWING, paper), DRAWING, paper) for paper in papers}


@pytest.mark.parametrize("paper", ["a4", "large"])
def test_corners_of_the_mat_are_where_they_belong_when_pages_are_joined(printed, paper):
    spread = tiles(DRAWING.width_mm, DRAWING.height_mm, paper)
    assert (len(spread) > 1) == (paper == "a4")
    picture, px_per_mm = printed[paper]
    target = board_target(BOARD)
    found = detect(target, np.repeat(picture[..., :1], 3, axis=2))
    assert len(found.ids) == 24
    on_board = np.asarray(target.board().getChessboardCorners())[found.ids, :2]
    # Pixels are counted from the middle of the first, the drawing from the paper's edge.
    measured_mm = (found.pixels + 0.5) / px_per_mm - (BESIDE_MM, 0)
    assert np.abs(measured_mm - 1e3 * on_board).max() < 0.2


def test_the_rulers_have_the_length_that_they_say(printed):
    picture, px_per_mm = printed["large"]
    row = int((DRAWING.height_mm - 7.0) * px_per_mm[1])
    column = int((DRAWING.width_mm - 6.0) * px_per_mm[0])
    for line, scale in (
        (picture[row, : int(130 * px_per_mm[0]), 0], px_per_mm[0]),
        (picture[:, column, 0], px_per_mm[1]),
    ):
        dark = np.flatnonzero(line < 128)
        runs = np.split(dark, np.flatnonzero(np.diff(dark) > 1) + 1)
        longest = max(runs, key=len)
        assert len(longest) / scale == pytest.approx(100.0, abs=0.3)


def test_every_dictionary_prints_markers_that_opencv_reads() -> None:
    for dictionary in ("apriltag_36h11", "5x5_100"):
        board = CalibrationBoard(dictionary=dictionary, columns=4, rows=3)
        drawing = board_drawing(board)
        picture, _ = joined(pdf_of(drawing, "large"), drawing, "large", dpi=100)
        assert len(detect(board_target(board), picture).ids) == 6


def test_printers_are_asked_not_to_scale_and_the_same_drawing_is_the_same_file() -> None:
    data = pdf_of(DRAWING, "a4")
    assert b"/PrintScaling /None" in data
    assert data == pdf_of(board_drawing(BOARD), "a4")


def test_what_no_paper_holds_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="too large to print"):
        tiles(4000.0, 100.0, "a4")


def test_a_print_at_99_percent_has_its_squares_where_the_ruler_says() -> None:
    board = CalibrationBoard()
    full, shrunk = board_target(board), board_target(board, 99.0)
    assert shrunk.square_m == pytest.approx(0.99 * full.square_m)
    ids = np.arange(24)
    # The board's near edge stays where the operator put it, and its middle at the table's.
    near = full.corners_m(ids)[:, 0].min() - full.square_m
    assert near == pytest.approx(board.near_mm / 1e3)
    assert shrunk.corners_m(ids)[:, 0].min() - shrunk.square_m == pytest.approx(near)
    assert shrunk.corners_m(ids)[:, 1].mean() == pytest.approx(0.0, abs=1e-6)


def test_the_board_lies_face_up_and_its_top_is_away_from_the_robot() -> None:
    target = board_target(CalibrationBoard())
    corners = target.corners_m(np.arange(24)).reshape(4, 6, 3)
    assert (np.diff(corners[:, :, 0], axis=0) < 0).all()  # rows come nearer
    assert (np.diff(corners[:, :, 1], axis=1) < 0).all()  # columns go to the right, which is -y
    assert np.allclose(corners[..., 2], 0)
    assert np.linalg.det(target.table_from_board[:3, :3]) == pytest.approx(1.0)
