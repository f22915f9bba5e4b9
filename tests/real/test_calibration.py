"""Calibration: poses that are known come out, from pictures made without a simulator."""

import cv2
import numpy as np
import pytest
from rasters import joined

from pactwin.hardware import (
    BESIDE_MM,
    CalibrationBoard,
    Intrinsics,
    RgbdFrame,
    Undistorter,
    board_drawing,
    board_target,
    pdf_of,
)
from pactwin.real import pose_difference
from pactwin.real.calibration import (
    calibrate_camera,
    check_size,
    checked_ruler_mm,
    measured_lens,
    pixel_rays,
)
from pactwin.real.rehearsal.sensor import lens_map
from pactwin.suite import InvalidInputError

BOARD = CalibrationBoard()
SIZE = (1280, 720)
K = np.array([[910.0, 0.0, 639.5], [0.0, 910.0, 359.5], [0.0, 0.0, 1.0]])
KNOWN = Intrinsics(*SIZE, K, np.zeros(5))


@pytest.fixture(scope="module")
def printed() -> tuple[np.ndarray, np.ndarray]:
    """The board as a picture, and what maps its metres (x right, y down) to pixels."""
    drawing = board_drawing(BOARD)
    picture, px_per_mm = joined(pdf_of(drawing, "large"), drawing, "large", dpi=200)
    scale = 1e3 * px_per_mm
    left = BESIDE_MM * px_per_mm[0] - 0.5
    return picture, np.array([[scale[0], 0, left], [0, scale[1], -0.5], [0, 0, 1]])


def seen_from(
    printed: tuple[np.ndarray, np.ndarray], eye_m: tuple[float, float, float], scale: float = 1.0
) -> tuple[RgbdFrame, np.ndarray]:
    """A picture of the board, printed at ``scale``, its true depth, and ``table_from_camera``."""
    target = board_target(BOARD, 100.0 * scale)
    middle = np.array([target.corners_m(np.arange(24))[:, 0].mean(), 0.0, 0.0])
    forward = middle - np.array(eye_m)
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    table_from_camera = np.eye(4)
    table_from_camera[:3, :3] = np.stack([right, np.cross(forward, right), forward], axis=1)
    table_from_camera[:3, 3] = eye_m
    camera_from_board = np.linalg.inv(table_from_camera) @ target.table_from_board
    picture, px_from_m = printed
    onto = K @ camera_from_board[:3, [0, 1, 3]] @ np.diag([scale, scale, 1.0])
    onto = onto @ np.linalg.inv(px_from_m)
    # Drawn three times as large, so that a pixel is the mean over its area.
    onto = np.array([[3, 0, 1], [0, 3, 1], [0, 0, 1]]) @ onto
    table = np.full((3 * 720, 3 * 1280, 3), 150, np.uint8)
    large = cv2.warpPerspective(
        picture, onto, (3 * 1280, 3 * 720), table, borderMode=cv2.BORDER_TRANSPARENT
    )
    color = cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA)
    columns, rows = np.meshgrid(np.arange(1280), np.arange(720))
    rays = pixel_rays(K, np.zeros(5), np.stack([columns.ravel(), rows.ravel()], axis=1))
    down = rays @ table_from_camera[2, :3]
    with np.errstate(divide="ignore"):
        depth = np.where(down < 0, -eye_m[2] / np.where(down < 0, down, -1.0), 0)
    depth_mm = np.clip(1e3 * depth, 0, 9000).reshape(720, 1280)
    return RgbdFrame(color, depth_mm.astype(np.uint16), 1, 1), table_from_camera


EYES = [(-0.1, 0.0, 0.55), (0.35, -0.75, 0.6), (0.9, 0.2, 0.7)]


@pytest.mark.parametrize("eye_m", EYES)
def test_poses_come_out(printed: tuple[np.ndarray, np.ndarray], eye_m: tuple) -> None:
    frame, truth = seen_from(printed, eye_m)
    found = calibrate_camera("side", board_target(BOARD), KNOWN, [frame, frame], 1.0)
    mm, degrees = pose_difference(np.array(found.table_from_camera), truth)
    assert mm < 1.0
    assert degrees < 0.1
    assert found.depth_scale == pytest.approx(1.0, abs=2e-3)
    assert found.reprojection_px < 0.3


def test_a_print_that_is_too_small_is_made_good_by_its_measured_ruler_and_only_by_it(printed):
    frame, truth = seen_from(printed, EYES[1], scale=0.99)
    measured = calibrate_camera("side", board_target(BOARD, 99.0), KNOWN, [frame], 1.0)
    trusted = calibrate_camera("side", board_target(BOARD, 100.0), KNOWN, [frame], 1.0)
    assert pose_difference(np.array(measured.table_from_camera), truth)[0] < 1.0
    assert pose_difference(np.array(trusted.table_from_camera), truth)[0] > 5.0
    # Pictures do not tell: only depth does, if it is right.
    assert abs(trusted.reprojection_px - measured.reprojection_px) < 0.02


def test_what_cannot_be_calibrated_is_refused_with_advice(printed):
    frame, _ = seen_from(printed, EYES[1])
    target = board_target(BOARD)

    def refused(said: str, frame: RgbdFrame = frame, limit: float = 1.0, known=KNOWN) -> None:
        with pytest.raises(InvalidInputError, match=said):
            calibrate_camera("side", target, known, [frame], limit)

    grey = np.full_like(frame.color, 128)
    refused("'side' sees 0 corners", RgbdFrame(grey, frame.depth_mm, 1, 1))
    refused("measures no depth", RgbdFrame(frame.color, 0 * frame.depth_mm, 1, 1))
    refused("its depth is off by", RgbdFrame(frame.color, frame.depth_mm // 2, 1, 1))
    # A ruler that was not measured: the print is at 97 %, and said to be at 100.
    small, _ = seen_from(printed, EYES[1], scale=0.97)
    refused("measure both rulers again", small)
    bent = Intrinsics(*SIZE, K, np.array([8.0, 0.0, 0.0, 0.0, 0.0]))
    refused("reprojection error .* the limit is 0.5 px", limit=0.5, known=bent)


def test_a_lens_is_measured_and_undone(printed: tuple[np.ndarray, np.ndarray]) -> None:
    strong = (0.09, -0.12, 0.001, -0.0008, 0.0)
    maps = lens_map(K, SIZE, strong)
    eyes = [(-0.1, 0.0, 0.45), (0.2, -0.45, 0.4), (0.5, 0.3, 0.45), (0.0, 0.3, 0.5)]
    frames, truths = [], []
    for eye_m in eyes:
        frame, truth = seen_from(printed, eye_m)
        bent = cv2.remap(frame.color, *maps, cv2.INTER_LINEAR)
        frames.append(RgbdFrame(bent, frame.depth_mm, 1, 1))
        truths.append(truth)
    target = board_target(BOARD)
    found = measured_lens("side", target, KNOWN, frames)
    # What counts is where pixels go, not which coefficients say so: as far out as it was seen.
    grid = np.stack(np.meshgrid(np.linspace(340, 940, 7), np.linspace(160, 560, 5)), -1)
    apart = [
        cv2.undistortPoints(grid.reshape(-1, 1, 2), K, np.array(c), P=K) for c in (found, strong)
    ]
    bend_px = np.linalg.norm(apart[1][:, 0] - grid.reshape(-1, 2), axis=1).max()
    assert bend_px > 3
    assert np.linalg.norm(apart[0] - apart[1], axis=2).max() < 0.5
    straight = Undistorter(KNOWN, found).undistort(frames[1])
    off = [
        pose_difference(
            np.array(calibrate_camera("side", target, KNOWN, [f], 9.0).table_from_camera), truths[1]
        )[0]
        for f in (frames[1], straight)
    ]
    assert off[1] < 1.0 < off[0]
    with pytest.raises(InvalidInputError, match="in 2 of 2 places, 3 are needed"):
        measured_lens("side", target, KNOWN, frames[:2])


def test_a_stretched_print_is_refused_by_its_two_rulers() -> None:
    assert checked_ruler_mm(99.0, 99.2) == pytest.approx(99.1)
    for along, away in ((100.0, 99.0), (99.0, 100.0)):
        with pytest.raises(InvalidInputError, match="the print is stretched"):
            checked_ruler_mm(along, away)
    with pytest.raises(InvalidInputError, match="80 mm was printed for 100 mm"):
        checked_ruler_mm(99.0, 80.0)


def test_depth_of_all_cameras_tells_a_print_of_another_size(printed):
    target, found = board_target(BOARD, 100.0), {}
    for name, eye_m in zip(("head", "side"), EYES, strict=False):
        frame, _ = seen_from(printed, eye_m, scale=0.977)
        found[name] = calibrate_camera(name, target, KNOWN, [frame], 1.0)
    with pytest.raises(InvalidInputError, match=r"rulers measure about 97\.[5-9] mm, not 100"):
        check_size(found, 100.0)
    for scales in ((1.02, 0.98), (0.96, 1.001)):  # two cameras that are off to either side
        by_side = zip(found.items(), scales, strict=True)
        biased = {n: c.model_copy(update={"depth_scale": s}) for (n, c), s in by_side}
        check_size(biased, 100.0)
