"""Camera poses in the table frame, from pictures of the calibration board.

Pictures cannot show a wrong scale of the print: 1 % moves a camera at 0.9 m by 11 mm, while the
reprojection error stays at 0.04 px, even if only one axis is scaled. So a ruler along each axis is
measured. A print is refused if its rulers differ, or if its size contradicts the depth of all
cameras.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import cv2
import numpy as np

from pactwin.hardware import (
    MIN_CORNERS,
    Bench,
    Calibration,
    CameraCalibration,
    FrameSet,
    Intrinsics,
    JointState,
    RgbdFrame,
    Rig,
    Target,
    board_target,
    detect,
    pixel_rays,
    posture_of,
    predicted_head_camera,
)
from pactwin.real.strips import Sighting, locate_strips, steady
from pactwin.suite import InvalidInputError

_RULER_MM = (90.0, 110.0)
_UNLIKE_MM = 0.4
"""Rulers that differ by more are of a print that is stretched: a camera would be 4 mm off."""
_MAX_STRETCH = 0.003
"""By which a print is longer one way and shorter the other. Rulers allow 0.2 %, measured to
0.1 %; a camera would be 3 mm off."""
_DEPTH_OFF, _ALL_DEPTH_OFF = 0.025, 0.015
"""Maximum relative depth error of one camera, and of all cameras in one direction. Each D435i may
be off by 2 %, so two that agree may be right about less: then the rulers are measured again."""
MIN_HEIGHT_PX = 720
"""Minimum height of pictures: at half this height distant markers are not read, and two
calibrations of one fixed camera differed by up to 4 mm."""
MIN_PLACES = 3
"""Minimum number of board positions for measuring a lens."""


@dataclass(frozen=True)
class Calibrated:
    """The calibration, and a head camera's deviation from its pose by URDF and joints.

    ``off`` are mm and degrees by camera.
    """

    calibration: Calibration
    off: dict[str, tuple[float, float]]


def check_picture_size(rig: Rig) -> None:
    """Raise InvalidInputError if a camera's pictures are too small for calibration."""
    for camera in rig.cameras:
        if camera.color.height_px < MIN_HEIGHT_PX:
            raise InvalidInputError(
                f"camera {camera.name!r}: pictures of {camera.color.width_px}x"
                f"{camera.color.height_px} are too small to calibrate it by: use 1280x720"
            )


def checked_ruler_mm(along_mm: float, away_mm: float) -> float:
    """Lengths of both rulers of a print, in mm: along the table's edge, and away from it.

    Raises InvalidInputError if they are not near 100 mm, or differ.
    """
    for measured_mm in (along_mm, away_mm):
        if not _RULER_MM[0] <= measured_mm <= _RULER_MM[1]:
            raise InvalidInputError(
                f"a ruler of {measured_mm:g} mm was printed for 100 mm: print it anew at 100 %"
            )
    if abs(along_mm - away_mm) > _UNLIKE_MM:
        raise InvalidInputError(
            f"the print is stretched: its rulers measure {along_mm:g} and {away_mm:g} mm; measure "
            "both again, or print it with another printer"
        )
    return (along_mm + away_mm) / 2


def calibrate(
    bench: Bench,
    rulers_mm: tuple[float, float],
    frame_sets: int,
    elsewhere: Sequence[FrameSet] = (),
    *,
    measured_twice: bool = False,
) -> Calibrated:
    """Calibrate all cameras of a bench; the rulers printed on its board measure ``rulers_mm``.

    The first ruler is along the table's edge, the second perpendicular to it. Lens distortion is
    measured from ``elsewhere``, pictures of the board at other places without lens corrections;
    otherwise it stays unchanged. Rulers that were ``measured_twice`` are believed against depth
    that all cameras agree on. Raises InvalidInputError for an implausible ruler, too small
    pictures, too little of the board in view, or a reprojection error above the rig's limit;
    EnvironmentFaultError if a device fails.
    """
    rig = bench.rig
    check_picture_size(rig)
    ruler_mm = checked_ruler_mm(*rulers_mm)
    target = board_target(rig.board, ruler_mm)
    bench.depth_scales = {}  # which are measured anew
    if elsewhere:
        bench.set_undistortion(
            {
                name: measured_lens(
                    name,
                    target,
                    camera.intrinsics,
                    [frame_set.frames[name] for frame_set in elsewhere],
                )
                for name, camera in bench.cameras.items()
            }
        )
    taken = [bench.grab() for _ in range(frame_sets)]
    for frames in taken:
        frames.check_robot(rig)
    found, boards = dict[str, CameraCalibration](), dict[str, Mapping[int, np.ndarray]]()
    for name, device in bench.cameras.items():
        pictures = [frame_set.frames[name] for frame_set in taken]
        boards[name] = board_corners(target, pictures)
        found[name] = calibrate_camera(
            name, target, device.intrinsics, pictures, rig.limits.reprojection_px, boards[name]
        )
    bent = not elsewhere and not any(rig.lenses.values())
    sightings = _sightings(found, target, taken, boards, bent=bent)
    located = locate_strips(sightings, ruler_mm)
    if not located.strips:
        raise InvalidInputError(
            "no camera sees a marker strip: tape them down at the table's edges (docs/rig.md)"
        )
    if abs(located.stretch) > _MAX_STRETCH:
        along, away = (100 * (1 + sign * located.stretch) * ruler_mm / 100 for sign in (1, -1))
        raise InvalidInputError(
            f"the print is stretched: board and strips say that its rulers measure about "
            f"{along:.1f} and {away:.1f} mm; measure both again, or print with another printer"
        )
    for name, camera in found.items():
        pose, shown = located.table_from_camera[name], sightings[name]
        pictures, known = (
            [frame_set.frames[name] for frame_set in taken],
            bench.cameras[name].intrinsics,
        )
        scale = _depth_scale(name, np.linalg.inv(pose), known, shown.board_m, pictures)
        lens = located.lenses.get(name, bench.lenses[name].coefficients)
        found[name] = camera.model_copy(
            update={
                "table_from_camera": tuple(map(tuple, np.round(pose, 7).tolist())),
                "lens": tuple(np.round(lens, 6).tolist()),
                "depth_scale": scale,
                "strip_corners": tuple(
                    (*corner, *np.round(off, 3).tolist())
                    for corner, off in located.off_px[name].items()
                ),
            }
        )
    if not measured_twice:
        check_size(found, ruler_mm)
    calibration = Calibration(
        date=datetime.now(UTC).replace(microsecond=0),
        board=rig.board.id,
        ruler_mm=ruler_mm,
        cameras=found,
        posture=posture_of(taken[-1].state),
        strips=located.strips,
    )
    return Calibrated(calibration, _off_prediction(rig, calibration, taken[-1].state))


def _sightings(
    found: Mapping[str, CameraCalibration],
    target: Target,
    taken: Sequence[FrameSet],
    boards: Mapping[str, Mapping[int, np.ndarray]],
    *,
    bent: bool,
) -> dict[str, Sighting]:
    """Corners of the board, where they are on average, and pictures of the strips."""
    sightings = {}
    for name, camera in found.items():
        colors = [frames.frames[name].color for frames in taken]
        board = boards[name]
        points = target.corners_m(np.array(sorted(board)))
        pixels = np.array([board[corner] for corner in sorted(board)])
        sightings[name] = Sighting(
            camera, points, pixels, colors, bent and not any(camera.distortion)
        )
    return sightings


def board_corners(target: Target, frames: Sequence[RgbdFrame]) -> dict[int, np.ndarray]:
    """Mean positions (2,) of board corners that at least half of the pictures show."""
    seen = [detect(target, frame.color) for frame in frames]
    return steady([dict(zip(one.ids.tolist(), one.pixels, strict=True)) for one in seen])


def measured_lens(
    name: str, target: Target, known: Intrinsics, frames: Sequence[RgbdFrame]
) -> tuple[float, ...]:
    """Distortion of a lens (5 coefficients) from pictures of the board at several positions.

    Focal lengths and principal point remain those reported by the device, because a flat board on a
    flat table cannot separate them from its distance. Raises InvalidInputError for too few places.
    """
    points, pixels = [], []
    for frame in frames:
        found = detect(target, frame.color)
        if len(found.ids) >= MIN_CORNERS:
            points.append(target.corners_m(found.ids).astype(np.float32))
            pixels.append(found.pixels.astype(np.float32))
    if len(points) < MIN_PLACES:
        raise InvalidInputError(
            f"camera {name!r} sees the board in {len(points)} of {len(frames)} places, "
            f"{MIN_PLACES} are needed: lay it where all cameras see most of it"
        )
    # Tables' coordinates may be anything: only a plane of its own makes poses easy to start from.
    level = [np.column_stack([p[:, :2], np.zeros(len(p), np.float32)]) for p in points]
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_FOCAL_LENGTH
        | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_FIX_K3
    )
    size = known.width_px, known.height_px
    start = known.distortion.astype(float).copy()
    _, _, bent, _, _ = cv2.calibrateCamera(level, pixels, size, known.K.copy(), start, flags=flags)
    return tuple(float(value) for value in np.round(bent.ravel()[:5], 6))


def calibrate_camera(
    name: str,
    target: Target,
    known: Intrinsics,
    frames: Sequence[RgbdFrame],
    limit_px: float,
    board: Mapping[int, np.ndarray] | None = None,
) -> CameraCalibration:
    """Pose of one camera from several pictures of the resting board; raises the errors above.

    ``board`` is as :func:`board_corners` finds it in them.
    """
    found = board_corners(target, frames) if board is None else board
    if len(found) < MIN_CORNERS:
        raise InvalidInputError(
            f"camera {name!r} sees {len(found)} corners of the board, {MIN_CORNERS} are needed: "
            "move it nearer or higher, or light the board"
        )
    ids = np.array(sorted(found))
    pixels = np.array([found[corner] for corner in sorted(found)])
    table_m = target.corners_m(ids)
    camera_from_table = _pose(table_m, pixels, known)
    off_px = _reprojected(known, camera_from_table, table_m) - pixels
    error_px = float(np.sqrt(np.mean(np.sum(off_px**2, axis=1))))
    if error_px > limit_px:
        raise InvalidInputError(
            f"camera {name!r}: reprojection error {error_px:.2f} px, the limit is {limit_px:g} px: "
            "is the board flat, and are its columns, rows and squares those of the rig file?"
        )
    return CameraCalibration.model_validate(
        {
            "K": known.K.tolist(),
            "distortion": known.distortion.tolist(),
            "table_from_camera": np.round(np.linalg.inv(camera_from_table), 7).tolist(),
            "reprojection_px": round(error_px, 4),
            "views": len(frames),
            "corners": len(ids),
            "depth_scale": _depth_scale(name, camera_from_table, known, table_m, frames),
        }
    )


def _reprojected(
    known: Intrinsics, camera_from_table: np.ndarray, table_m: np.ndarray
) -> np.ndarray:
    """Pixels (n, 2) of points (n, 3) on the table."""
    turn, shift = cv2.Rodrigues(camera_from_table[:3, :3])[0], camera_from_table[:3, 3]
    pixels, _ = cv2.projectPoints(table_m, turn, shift, known.K, known.distortion)
    return np.asarray(pixels)[:, 0]


def _pose(table_m: np.ndarray, pixels: np.ndarray, known: Intrinsics) -> np.ndarray:
    """``camera_from_table`` (4, 4) that reprojects best.

    From one plane there are two candidates; both are refined, and the better one is taken.
    """
    found = []
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        table_m, pixels, known.K, known.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    for start in zip(turns, shifts, strict=True):
        turn, shift = cv2.solvePnPRefineLM(table_m, pixels, known.K, known.distortion, *start)
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = cv2.Rodrigues(turn)[0], shift.ravel()
        found.append((float(np.sum((_reprojected(known, pose, table_m) - pixels) ** 2)), pose))
    return min(found, key=lambda candidate: candidate[0])[1]


def _depth_scale(
    name: str,
    camera_from_table: np.ndarray,
    known: Intrinsics,
    table_m: np.ndarray,
    frames: Sequence[RgbdFrame],
) -> float:
    """The depth scale that puts the board's corners on the table plane.

    The median over all pixels among the corners.
    """
    corners = _reprojected(known, camera_from_table, table_m)
    hull = cv2.convexHull(np.round(corners).astype(np.int32))
    inside = np.zeros((known.height_px, known.width_px), np.uint8)
    cv2.fillConvexPoly(inside, hull, 1)
    rows, columns = np.nonzero(inside)
    rays = pixel_rays(known.K, known.distortion, np.stack([columns, rows], axis=1))
    normal, origin = camera_from_table[:3, 2], camera_from_table[:3, 3]
    expected_mm = 1e3 * (normal @ origin) / (rays @ normal)
    ratios = []
    for frame in frames:
        measured = frame.depth_mm[rows, columns].astype(float)
        there = measured > 0
        if there.mean() > 0.2:
            ratios.append(np.median(expected_mm[there] / measured[there]))
    if not ratios:
        raise InvalidInputError(
            f"camera {name!r} measures no depth on the board: is the emitter on and the board lit?"
        )
    scale = float(np.median(ratios))
    if abs(scale - 1) > _DEPTH_OFF:
        raise InvalidInputError(
            f"camera {name!r}: its depth is off by {1 - scale:+.1%} of what the board's size says: "
            "measure both rulers again, and compare the printed square with the rig file; if they "
            "are right, calibrate the camera's depth (Intel's self-calibration)"
        )
    return round(scale, 5)


def check_size(found: Mapping[str, CameraCalibration], ruler_mm: float) -> None:
    """Refuse a print whose size contradicts the depth of all cameras."""
    scales = [camera.depth_scale for camera in found.values()]
    off = float(np.mean(scales)) - 1
    agree = all((scale - 1) * off > 0 for scale in scales)
    if len(scales) > 1 and agree and abs(off) > _ALL_DEPTH_OFF:
        raise InvalidInputError(
            f"depth of all cameras says that the board's rulers measure about "
            f"{ruler_mm / (1 + off):.1f} mm, not {ruler_mm:g}: measure both again; if they are "
            "right, say --measured-twice"
        )


def _off_prediction(
    rig: Rig, calibration: Calibration, state: JointState
) -> dict[str, tuple[float, float]]:
    posture = posture_of(state)
    if posture is None:
        return {}
    predicted = predicted_head_camera(rig.robot, posture.waist_rad)
    return {
        camera.name: pose_difference(
            predicted, np.array(calibration.cameras[camera.name].table_from_camera)
        )
        for camera in rig.cameras
        if camera.mount == "head"
    }


def pose_difference(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Distance (mm) and angle (degrees) between two poses (4, 4)."""
    turn = a[:3, :3].T @ b[:3, :3]
    angle = np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))
    return float(1e3 * np.linalg.norm(a[:3, 3] - b[:3, 3])), float(np.rad2deg(angle))
