"""Where a camera is in every picture, by marker strips whose places calibration has measured."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from pactwin.hardware import (
    CORNERS,
    Calibration,
    CameraCalibration,
    Corner,
    StripPlace,
    detect_strips,
    pixel_rays,
    strip_target,
)
from pactwin.suite import Camera

MIN_CORNERS = 8
"""Of the strips, in a picture."""
_SOFT_PX, _NOISE_PX, _MAX_RESIDUAL_PX = 0.5, 0.2, 1.0
"""Corners are found to about the second; beyond the third something else than noise is at work."""
_MAX_MM, _MAX_DEG = 3.0, 0.3
"""A pose that is less sure than this is not taken."""
_PRIOR = np.array([np.deg2rad(5.0)] * 3 + [0.05] * 3)
"""What a camera moves by, where nothing tells."""
_WINDOW_PX, _BESIDE_M, _LEAST_CONTRAST = 4, 0.006, 25.0
GREY = 128
"""What strips are painted over with in pictures that models are asked about."""


@dataclass(frozen=True)
class SolvedPose:
    """``table_from_camera`` (4, 4) as one picture tells it, and how sure that is: one sigma.

    ``moved_strip`` does not lie where it lay at calibration, and was not used.
    """

    table_from_camera: np.ndarray
    mm: float
    degrees: float
    residual_px: float
    corners: int
    moved_strip: int | None = None


def corners_m(
    places: Iterable[StripPlace], corners: Sequence[Corner], ruler_mm: float
) -> np.ndarray:
    """Where (n, 3) corners of strips are on the table, if the strips lie at these places."""
    targets = {place.strip: strip_target(place, ruler_mm) for place in places}
    return np.concatenate([targets[strip].corners_m(np.array([k])) for strip, k in corners])


def solved_pose(
    camera: CameraCalibration, calibration: Calibration, color: np.ndarray
) -> SolvedPose | None:
    """Where a camera is, by the strips in its picture (h, w, 3); None if they do not tell.

    Decoded markers tell roughly where every corner is, then all that are seen are measured. If they
    contradict each other, one strip that all others agree without is taken to have moved.
    """
    decoded = detect_strips(color)
    for without in (None, *sorted({place.strip for place in calibration.strips})):
        places = tuple(place for place in calibration.strips if place.strip != without)
        trusted = calibration.model_copy(update={"strips": places})
        known = {place.strip for place in places}
        found = {corner: at for corner, at in decoded.items() if corner[0] in known}
        for _ in range(2 if known else 0):
            pose = _fit(camera, trusted, found).table_from_camera
            found = _seen_corners(camera, trusted, pose, color)
        fit = _fit(camera, trusted, found)
        sure = fit.mm < _MAX_MM and fit.degrees < _MAX_DEG and fit.corners >= MIN_CORNERS
        if sure and fit.residual_px < _MAX_RESIDUAL_PX:
            return replace(fit, moved_strip=without)
    return None


def _fit(
    camera: CameraCalibration, calibration: Calibration, found: Mapping[Corner, np.ndarray]
) -> SolvedPose:
    """The pose that explains corners best; the one of calibration where they do not tell."""
    start = np.array(camera.table_from_camera)
    if not found:
        return SolvedPose(start, np.inf, np.inf, 0.0, 0)
    points = corners_m(calibration.strips, list(found), calibration.ruler_mm)
    pixels = np.array(list(found.values()))

    def off(by: np.ndarray) -> np.ndarray:
        reprojected = (projected(camera, _moved(start, by), points) - pixels).ravel()
        return np.concatenate([reprojected, _NOISE_PX * by / _PRIOR])

    best = least_squares(off, np.zeros(6), loss="soft_l1", f_scale=_SOFT_PX, x_scale=1e-3)
    residual_px = float(np.sqrt(np.mean(off(best.x)[:-6] ** 2)))
    slopes = np.asarray(best.jac)
    spread = np.sqrt(np.diag(np.linalg.inv(slopes.T @ slopes))) * max(residual_px, _NOISE_PX)
    mm, degrees = 1e3 * np.linalg.norm(spread[3:]), np.rad2deg(np.linalg.norm(spread[:3]))
    pose = _moved(start, best.x)
    return SolvedPose(pose, float(mm), float(degrees), residual_px, len(found))


def _seen_corners(
    camera: CameraCalibration, calibration: Calibration, pose: np.ndarray, color: np.ndarray
) -> dict[Corner, np.ndarray]:
    """Where corners are seen near where a pose puts them: bright and dark squares meet there."""
    grey = cv2.cvtColor(color, cv2.COLOR_RGB2GRAY)
    names = [(place.strip, k) for place in calibration.strips for k in range(CORNERS)]
    points = corners_m(calibration.strips, names, calibration.ruler_mm)
    at = projected(camera, pose, points)
    room = 2 * _WINDOW_PX
    inside = ((at > room) & (at < np.array(grey.shape[::-1]) - room)).all(axis=1)
    inside &= (points - pose[:3, 3]) @ pose[:3, 2] > 0
    if not inside.any():
        return {}
    names = [name for name, there in zip(names, inside, strict=True) if there]
    at, stop = at[inside], (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 0.005)
    window = (_WINDOW_PX, _WINDOW_PX)
    fine = np.asarray(
        cv2.cornerSubPix(grey, at[:, None].astype(np.float32).copy(), window, (-1, -1), stop)
    )[:, 0]
    yaws = {place.strip: place.yaw_rad for place in calibration.strips}
    found = {}
    for name, point, guess, pixel in zip(names, points[inside], at, fine, strict=True):
        ways = yaws[name[0]] + np.pi / 4 + np.pi / 2 * np.arange(4)
        ring = point + _BESIDE_M * np.column_stack([np.cos(ways), np.sin(ways), np.zeros(4)])
        near = projected(camera, pose, ring) - guess + pixel
        a, b, c, d = (float(v) for v in _levels(grey, near))
        contrast = abs(a + c - b - d) / 2
        if contrast > _LEAST_CONTRAST and abs(a - c) + abs(b - d) < contrast:
            found[name] = pixel.astype(float)
    return found


def _levels(grey: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    x, y = (np.ascontiguousarray(side, np.float32)[:, None] for side in pixels.T)
    return np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR), float).ravel()


def projected(
    camera: CameraCalibration | Camera, pose: np.ndarray, points_m: np.ndarray
) -> np.ndarray:
    """Pixels (n, 2) of points (n, 3) on the table, with the camera at ``pose`` (4, 4)."""
    camera_from_table = np.linalg.inv(pose)
    pixels, _ = cv2.projectPoints(
        points_m,
        cv2.Rodrigues(camera_from_table[:3, :3])[0],
        camera_from_table[:3, 3],
        np.array(camera.K),
        np.array(camera.distortion),
    )
    return np.asarray(pixels)[:, 0]


def _moved(pose: np.ndarray, by: np.ndarray) -> np.ndarray:
    """A pose turned about its own origin by ``by[:3]`` (own axes) and moved by ``by[3:]``, m."""
    found = pose.copy()
    found[:3, :3] = pose[:3, :3] @ Rotation.from_rotvec(by[:3]).as_matrix()
    found[:3, 3] += by[3:]
    return found


@dataclass(frozen=True)
class Sighting:
    """What one camera shows at calibration: the board's corners on the table and in the picture.

    ``strips`` are where (2,) their corners are seen.
    """

    camera: CameraCalibration
    board_m: np.ndarray
    board_px: np.ndarray
    strips: Mapping[Corner, np.ndarray]


def locate_strips(
    sightings: Mapping[str, Sighting], ruler_mm: float
) -> tuple[dict[str, np.ndarray], tuple[StripPlace, ...]]:
    """Where cameras (4, 4) and strips are, from all pictures of board and strips together.

    Cameras get better, too: strips reach farther than the board. Without strips poses stay.
    """
    names = list(sightings)
    starts = {name: np.array(s.camera.table_from_camera) for name, s in sightings.items()}
    counts = Counter(strip for s in sightings.values() for strip, _ in s.strips)
    first = [_rough_place(strip, sightings, ruler_mm) for strip, n in counts.items() if n >= 2]
    if not first:
        return starts, ()
    seen = {
        name: {c: at for c, at in s.strips.items() if counts[c[0]] >= 2}
        for name, s in sightings.items()
    }

    def places(x: np.ndarray) -> tuple[StripPlace, ...]:
        off = x[6 * len(names) :].reshape(-1, 3)
        return tuple(
            StripPlace(
                strip=place.strip,
                x_m=place.x_m + dx,
                y_m=place.y_m + dy,
                yaw_rad=place.yaw_rad + turn,
            )
            for place, (dx, dy, turn) in zip(first, off.tolist(), strict=True)
        )

    def off(x: np.ndarray) -> np.ndarray:
        there, every = places(x), []
        for k, name in enumerate(names):
            points, pixels = sightings[name].board_m, sightings[name].board_px
            if own := seen[name]:
                points = np.concatenate([points, corners_m(there, list(own), ruler_mm)])
                pixels = np.concatenate([pixels, list(own.values())])
            pose = _moved(starts[name], x[6 * k : 6 * k + 6])
            every.append(projected(sightings[name].camera, pose, points) - pixels)
        return np.concatenate(every).ravel()

    zero = np.zeros(6 * len(names) + 3 * len(first))
    best = least_squares(off, zero, loss="soft_l1", f_scale=_SOFT_PX, x_scale=1e-3).x
    poses = {n: _moved(starts[n], best[6 * k : 6 * k + 6]) for k, n in enumerate(names)}
    return poses, places(best)


def _rough_place(strip: int, sightings: Mapping[str, Sighting], ruler_mm: float) -> StripPlace:
    """Middle and direction of a strip, from where its corners' rays meet the table."""
    middle, own, there = StripPlace(strip=strip, x_m=0, y_m=0, yaw_rad=0), [], []
    for sighting in sightings.values():
        pose = np.array(sighting.camera.table_from_camera)
        if mine := {c: at for c, at in sighting.strips.items() if c[0] == strip}:
            K, bent = np.array(sighting.camera.K), np.array(sighting.camera.distortion)
            ways = pixel_rays(K, bent, np.array(list(mine.values()))) @ pose[:3, :3].T
            there.append((pose[:3, 3] - ways * (pose[2, 3] / ways[:, 2:]))[:, :2])
            own.append(corners_m([middle], list(mine), ruler_mm)[:, :2])
    a, b = np.concatenate(own), np.concatenate(there)
    u, v = a - a.mean(axis=0), b - b.mean(axis=0)
    yaw = float(np.arctan2((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum(), (u * v).sum()))
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = b.mean(axis=0) - a.mean(axis=0) @ np.array([[c, s], [-s, c]])
    return StripPlace(strip=strip, x_m=float(x), y_m=float(y), yaw_rad=yaw)


def without_strips(
    color: np.ndarray,
    camera: Camera,
    outlines_m: Sequence[Sequence[Sequence[float]]],
    things: np.ndarray,
) -> np.ndarray:
    """A picture (h, w, 3) with strips painted grey, but for pixels (h, w) that show ``things``.

    ``outlines_m`` are corners of each strip on the table.
    """
    paper = np.zeros(color.shape[:2], np.uint8)
    pose = np.array(camera.world_from_camera)
    for corners in map(np.array, outlines_m):
        if (((corners - pose[:3, 3]) @ pose[:3, 2]) > 0).all():
            at = np.rint(projected(camera, pose, corners)).astype(np.int32)
            cv2.fillConvexPoly(paper, at, 1)
    paper = np.asarray(cv2.dilate(paper, np.ones((9, 9), np.uint8)), np.uint8)
    return np.where(((paper > 0) & ~things)[..., None], np.uint8(GREY), color)
