"""Marker strips: where a camera is, is found from every picture, and a strip is never in one."""

from dataclasses import replace
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest
from calibrated import calibrated
from rasters import page_rasters
from scipy.spatial.transform import Rotation

from pactwin.hardware import (
    MARGIN_MM,
    Calibration,
    CalibrationBoard,
    CameraCalibration,
    StripPlace,
    board_target,
    pdf_of,
    strip_drawings,
    strip_outlines_m,
    strip_target,
)
from pactwin.real import pose_difference
from pactwin.real.rehearsal.sensor import LENS, lens_map
from pactwin.real.strips import (
    Sighting,
    detect_strips,
    locate_strips,
    projected,
    solved_pose,
    without_strips,
)
from pactwin.sim import looking_at
from pactwin.suite import Camera

SIZE = (1280, 720)
K = ((910.0, 0.0, 639.5), (0.0, 910.0, 359.5), (0.0, 0.0, 1.0))
HEAD = looking_at(np.array([-0.1, 0.02, 0.5]), np.array([0.34, 0.0, 0.0]))
SIDE = looking_at(np.array([0.45, -0.8, 0.65]), np.array([0.32, 0.0, 0.0]))
PLACES = tuple(
    StripPlace(strip=k, x_m=x, y_m=y, yaw_rad=yaw)
    for k, (x, y, yaw) in enumerate(
        [
            (0.63, 0.01, 1.55),
            (0.52, 0.43, 0.03),
            (0.51, -0.42, -0.02),
            (0.24, 0.44, 0.0),
            (0.23, -0.43, 0.02),
        ]
    )
)


def known(pose: np.ndarray) -> CameraCalibration:
    return calibrated(K, pose)


def calibration(head: np.ndarray = HEAD) -> Calibration:
    cameras = {"head": known(head), "side": known(SIDE)}
    return Calibration(
        date=datetime.now(UTC), board="", ruler_mm=100.0, cameras=cameras, strips=PLACES
    )


@pytest.fixture(scope="module")
def printed() -> list[tuple[np.ndarray, np.ndarray]]:
    """Each strip's page as a picture, and what maps its board's metres (right, down) to pixels."""
    pages = []
    for drawing in strip_drawings():
        picture, per_mm = page_rasters(pdf_of(drawing, "large"), 200)[0]
        wide, high = picture.shape[1] - 1, picture.shape[0] - 1
        left, top = MARGIN_MM + 15.5, MARGIN_MM + drawing.height_mm - 60.0 - 3 * 38.0
        x, y = (1e3 * d for d in per_mm)
        place = np.array([[x, 0, left * x / 1e3 - 0.5], [0, y, top * y / 1e3 - 0.5], [0, 0, 1]])
        # Cut out: what is printed beside the squares is not taped down.
        keep = np.zeros((high + 1, wide + 1, 3), np.uint8)
        a, b = (np.rint(place @ (u, v, 1)).astype(int) for u, v in ((-0.004,) * 2, (0.27, 0.118)))
        keep[a[1] : b[1], a[0] : b[0]] = 1
        pages.append((np.where(keep > 0, np.maximum(picture, 12), 0), place))
    return pages


def taken(
    printed: list[tuple[np.ndarray, np.ndarray]],
    pose: np.ndarray,
    places: tuple[StripPlace, ...] = PLACES,
    noise: float = 2.0,
) -> np.ndarray:
    """A picture of a grey table with the strips on it."""
    times = 3
    size = (times * SIZE[0], times * SIZE[1])
    large = np.full((size[1], size[0], 3), 150, np.uint8)
    finer = np.array([[times, 0, 1], [0, times, 1], [0, 0, 1]])
    for (picture, px_from_m), place in zip(printed, places, strict=True):
        board = np.linalg.inv(pose) @ strip_target(place).table_from_board
        onto = finer @ np.array(K) @ board[:3, [0, 1, 3]] @ np.linalg.inv(px_from_m)
        drawn = cv2.warpPerspective(picture, onto, size)
        large[drawn > 0] = drawn[drawn > 0]
    small = cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA).astype(float)
    rng = np.random.default_rng(0)
    return np.clip(small + rng.normal(0, noise, small.shape), 0, 255).astype(np.uint8)


def nudged(pose: np.ndarray, mm: tuple[float, ...], degrees: tuple[float, ...]) -> np.ndarray:
    motion = np.eye(4)
    motion[:3, :3] = Rotation.from_euler("xyz", degrees, degrees=True).as_matrix()
    motion[:3, 3] = np.array(mm) / 1e3
    return pose @ motion


@pytest.mark.parametrize("pose", [HEAD, SIDE], ids=["head", "side"])
def test_a_camera_that_moved_finds_itself_and_says_how_sure_it_is(printed, pose):
    for mm, degrees in (((0, 0, 0), (0, 0, 0)), ((8, -5, 6), (1.0, -0.8, 0.5))):
        now = nudged(pose, mm, degrees)
        found = solved_pose(known(pose), calibration(), taken(printed, now))
        assert found is not None
        off_mm, off_deg = pose_difference(found.table_from_camera, now)
        assert off_mm < min(2.0, 4 * found.mm)
        assert off_deg < 0.2
        assert found.moved_strip is None


def test_a_strip_that_was_moved_is_left_out_and_named(printed):
    first, second, *others = PLACES
    moved = second.model_copy(update={"y_m": second.y_m + 0.012})
    found = solved_pose(known(HEAD), calibration(), taken(printed, HEAD, (first, moved, *others)))
    assert found is not None
    assert found.moved_strip == 1
    assert pose_difference(found.table_from_camera, HEAD)[0] < 2.5


def test_what_stands_before_strips_never_leads_to_a_wrong_pose(printed):
    now, solved = nudged(HEAD, (3, 2, -3), (0.3, 0.2, 0.0)), 0
    whole = taken(printed, now)
    for k in range(8):
        rng, picture = np.random.default_rng(k), whole.copy()
        for _ in range(12):
            x, y = rng.integers(0, SIZE[0]), rng.integers(0, SIZE[1])
            picture[y : y + 120, x : x + 90] = rng.integers(0, 255, 3)
        if found := solved_pose(known(HEAD), calibration(), picture):
            solved += 1
            assert pose_difference(found.table_from_camera, now)[0] < max(3.0, 4 * found.mm)
    assert solved >= 4
    assert solved_pose(known(HEAD), calibration(), np.full_like(whole, 120)) is None


def test_a_fixed_camera_stays_where_few_strips_are_left_and_a_push_is_noticed(printed):
    few = slice(2, 4)
    for mm, degrees in (((0, 0, 0), (0, 0, 0)), ((3, -3, 3), (0.2, -0.2, 0.15))):
        now = nudged(SIDE, mm, degrees)
        picture = taken(printed[few], now, PLACES[few], noise=6.0)
        free, fixed = (
            solved_pose(known(SIDE), calibration(), picture, fixed=fixed) for fixed in (False, True)
        )
        assert free is not None
        assert fixed is not None
        if any(mm):
            assert fixed.mm == free.mm
            assert pose_difference(fixed.table_from_camera, now)[0] < 1.0
        else:
            assert pose_difference(free.table_from_camera, now)[0] > 0.3
            assert pose_difference(fixed.table_from_camera, now)[0] < 0.1
            assert fixed.mm < free.mm / 2


def test_calibration_measures_strips_and_lenses_and_cameras_get_better(printed):
    target, rng = board_target(CalibrationBoard()), np.random.default_rng(5)
    board = target.corners_m(np.arange(24))
    sightings, lens = {}, lens_map(np.array(K), SIZE)
    for name, pose in (("head", HEAD), ("side", SIDE)):
        truth = known(pose).model_copy(update={"distortion": LENS})
        rough = known(nudged(pose, (3, -2, 2), (0.2, 0.1, -0.2)))
        pixels = projected(truth, pose, board) + rng.normal(0, 0.05, (24, 2))
        sightings[name] = Sighting(
            rough, board, pixels, [cv2.remap(taken(printed, pose), *lens, cv2.INTER_LINEAR)]
        )
    found = locate_strips(sightings, 100.0)
    for name, pose in (("head", HEAD), ("side", SIDE)):
        mm, degrees = pose_difference(found.table_from_camera[name], pose)
        assert mm < 1.0
        assert degrees < 0.05
        seen = known(pose).model_copy(update={"distortion": found.lenses[name]})
        far = np.array([(0.64, y, 0.0) for y in (-0.4, 0.4)])
        truth = known(pose).model_copy(update={"distortion": LENS})
        assert np.abs(projected(seen, pose, far) - projected(truth, pose, far)).max() < 0.4
    assert [place.strip for place in found.strips] == [0, 1, 2, 3, 4]
    for measured, place in zip(found.strips, PLACES, strict=True):
        assert np.hypot(measured.x_m - place.x_m, measured.y_m - place.y_m) < 1.5e-3
    assert abs(found.stretch) < 1e-3
    dark = [np.zeros((*SIZE[::-1], 3), np.uint8)]
    bare = {name: replace(s, colors=dark, bent=False) for name, s in sightings.items()}
    assert locate_strips(bare, 100.0).strips == ()
    assert locate_strips(bare, 100.0).lenses == {}


def test_a_print_that_is_stretched_tells_by_strips_that_lie_across(printed):
    stretch, wide, high = 0.005, 7 * 0.038 / 2, 3 * 0.038 / 2
    target = board_target(CalibrationBoard())
    board = target.corners_m(np.arange(24))
    a, b = 1 / (1 + stretch), 1 / (1 - stretch)
    about_middle = np.array([[a, 0, wide * (1 - a)], [0, b, high * (1 - b)], [0, 0, 1]])
    pages = [(picture, place @ about_middle) for picture, place in printed]
    middle = board.mean(axis=0)
    longer = middle + (board - middle) * (1 - stretch, 1 + stretch, 1)
    sightings = {
        name: Sighting(
            known(pose), board, projected(known(pose), pose, longer), [taken(pages, pose)]
        )
        for name, pose in (("head", HEAD), ("side", SIDE))
    }
    found = locate_strips(sightings, 100.0)
    assert found.stretch == pytest.approx(stretch, abs=1e-3)
    # How far off its strips are seen is known from then on.
    seen = tuple((*corner, *off) for corner, off in found.off_px["side"].items())
    there = calibration().model_copy(update={"strips": found.strips})
    left_px = []
    for corners in (seen, ()):
        side = known(SIDE).model_copy(update={"strip_corners": corners})
        pose = solved_pose(side, there, sightings["side"].colors[0])
        assert pose is not None
        left_px.append(pose.residual_px)
    assert left_px[0] < 0.1
    assert left_px[1] > 2 * left_px[0]


def test_strips_are_painted_over_and_things_before_them_are_not(printed):
    picture = taken(printed, HEAD)
    size = {"name": "head", "width_px": 1280, "height_px": 720}
    camera = Camera.model_validate({**size, "K": K, "world_from_camera": HEAD.tolist()})
    outlines = [corners.tolist() for corners in strip_outlines_m(calibration())]
    things = np.zeros(picture.shape[:2], bool)
    things[100:300, 600:700] = True
    masked = without_strips(picture, camera, outlines, things)
    assert (masked[things] == picture[things]).all()
    assert detect_strips(np.where(things[..., None], np.uint8(150), masked)) == {}
    assert (masked != picture).any(-1).mean() < 0.2
