"""Camera pose in every picture from marker strips whose places calibration has measured."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

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

T = TypeVar("T")
MIN_CORNERS = 8
"""Minimum number of strip corners in a picture."""
_PLACED_BY = 4
"""Corners of a strip, that a camera places it by."""
_STEADY_PX = 0.1
"""Corners are off by, on average over pictures."""
_SOFT_PX, _NOISE_PX, _MAX_RESIDUAL_PX = 0.5, 0.2, 1.0
"""Scale of the robust loss, corner noise, and maximum residual; a larger one is not noise."""
_MAX_MM, _MAX_DEG = 3.0, 0.3
"""Maximum uncertainty of an accepted pose."""
_SWAY = np.array([np.deg2rad(0.5)] * 3 + [0.005] * 3)
"""What a camera moves by, where nothing tells; one that moved by more has been pushed."""
_PUSHED = 10 * _SWAY
_STILL = np.array([np.deg2rad(0.02)] * 3 + [0.0003] * 3)
"""What a camera on a tripod moves by, unless it was pushed."""
_AS_WELL = 16.8
"""Two poses explain corners alike up to this chi-square: 99 % of six degrees of freedom."""
_LENS = np.array([5e-3, 5e-3, 3e-4, 3e-4])
"""Coefficients k1, k2, p1, p2 that lenses may have without the device's saying so."""
_STRETCH = 0.005
"""What prints may be stretched by."""
_WINDOW_PX, _BESIDE_M, _LEAST_CONTRAST = 4, 0.006, 25.0
GREY = 128
"""Colour painted over strips in pictures for models."""


@dataclass(frozen=True)
class SolvedPose:
    """``table_from_camera`` (4, 4) from one picture, with its uncertainty (one sigma).

    ``moved_strip`` has moved since calibration and was not used.
    """

    table_from_camera: np.ndarray
    mm: float
    degrees: float
    residual_px: float
    corners: int
    moved_strip: int | None = None


def corners_m(
    places: Iterable[StripPlace], corners: Sequence[Corner], ruler_mm: float, stretch: float = 0.0
) -> np.ndarray:
    """Positions (n, 3) of strip corners on the table for these strip places.

    Stretch of the printer lengthens the strips by this factor and shortens their height by it.
    """
    targets = {place.strip: strip_target(place, ruler_mm) for place in places}
    points = np.concatenate([targets[strip].corners_m(np.array([k])) for strip, k in corners])
    if not stretch:
        return points
    there = {place.strip: (place.x_m, place.y_m, place.yaw_rad) for place in places}
    x, y, yaw = np.array([there[strip] for strip, _ in corners]).T
    return _stretched(points, np.column_stack([x, y]), yaw, stretch)


def _stretched(
    points: np.ndarray, middles: np.ndarray, yaw_rad: np.ndarray | float, stretch: float
) -> np.ndarray:
    """Points (n, 3) of a print stretched along ``yaw_rad`` about its middle, and shrunk across."""
    off = points[:, :2] - middles
    c, s = np.cos(yaw_rad), np.sin(yaw_rad)
    along, across = c * off[:, 0] + s * off[:, 1], c * off[:, 1] - s * off[:, 0]
    by = stretch * np.column_stack([c * along + s * across, s * along - c * across])
    return points + np.column_stack([by, np.zeros(len(points))])


def solved_pose(
    camera: CameraCalibration, calibration: Calibration, color: np.ndarray, *, fixed: bool = False
) -> SolvedPose | None:
    """Camera pose from the strips in its picture (h, w, 3); None if they do not suffice.

    Decoded markers give approximate positions of all corners, then all visible ones are measured.
    If they contradict each other, and all others agree without one strip, that strip is assumed to
    have moved. A camera that is ``fixed`` is where calibration found it if that explains the
    corners as well: where things hide strips, those that are left tell less.
    """
    decoded = detect_strips(color)
    for without in (None, *sorted({place.strip for place in calibration.strips})):
        places = tuple(place for place in calibration.strips if place.strip != without)
        trusted = calibration.model_copy(update={"strips": places})
        known = {place.strip for place in places}
        found = {corner: at for corner, at in decoded.items() if corner[0] in known}
        for _ in range(2 if known else 0):
            pose = _fit(camera, trusted, found, _PUSHED).table_from_camera
            found = _seen_corners(camera, places, calibration.ruler_mm, pose, color)
        fit = _fit(camera, trusted, found, _SWAY)
        moved = np.linalg.inv(np.array(camera.table_from_camera)) @ fit.table_from_camera
        turned = np.linalg.norm(Rotation.from_matrix(moved[:3, :3]).as_rotvec())
        if turned > 3 * _SWAY[0] or np.linalg.norm(moved[:3, 3]) > 3 * _SWAY[3]:
            fit = _fit(camera, trusted, found, _PUSHED)
        sure = fit.mm < _MAX_MM and fit.degrees < _MAX_DEG and fit.corners >= MIN_CORNERS
        if sure and fit.residual_px < _MAX_RESIDUAL_PX:
            if fixed and _explains_as_well(still := _fit(camera, trusted, found, _STILL), fit):
                fit = still
            return replace(fit, moved_strip=without)
    return None


def _explains_as_well(pose: SolvedPose, best: SolvedPose) -> bool:
    """Whether corners are as near by ``pose`` as by ``best``, but for their noise."""
    more = 2 * best.corners * (pose.residual_px**2 - best.residual_px**2)
    return more < _AS_WELL * max(best.residual_px, _STEADY_PX) ** 2


def _fit(
    camera: CameraCalibration,
    calibration: Calibration,
    found: Mapping[Corner, np.ndarray],
    prior: np.ndarray,
) -> SolvedPose:
    """The pose that explains corners best; near that of calibration where they do not tell.

    ``prior`` (6,) is one sigma of how far it turns (rad) and moves (m).
    """
    start = np.array(camera.table_from_camera)
    if not found:
        return SolvedPose(start, np.inf, np.inf, 0.0, 0)
    points = corners_m(calibration.strips, list(found), calibration.ruler_mm)
    known = {(strip, k): (x, y) for strip, k, x, y in camera.strip_corners}
    pixels = np.array([at - known.get(corner, (0.0, 0.0)) for corner, at in found.items()])

    def off(by: np.ndarray) -> np.ndarray:
        reprojected = (projected(camera, _moved(start, by), points) - pixels).ravel()
        return np.concatenate([reprojected, _NOISE_PX * by / prior])

    best = least_squares(off, np.zeros(6), loss="soft_l1", f_scale=_SOFT_PX, x_scale=1e-3)
    residual_px = float(np.sqrt(np.mean(off(best.x)[:-6] ** 2)))
    slopes = np.asarray(best.jac)
    spread = np.sqrt(np.diag(np.linalg.inv(slopes.T @ slopes))) * max(residual_px, _NOISE_PX)
    mm, degrees = 1e3 * np.linalg.norm(spread[3:]), np.rad2deg(np.linalg.norm(spread[:3]))
    pose = _moved(start, best.x)
    return SolvedPose(pose, float(mm), float(degrees), residual_px, len(found))


def _seen_corners(
    camera: CameraCalibration,
    places: Sequence[StripPlace],
    ruler_mm: float,
    pose: np.ndarray,
    color: np.ndarray,
) -> dict[Corner, np.ndarray]:
    """Positions of corners, where bright and dark squares meet, near those that a pose predicts."""
    grey = cv2.cvtColor(color, cv2.COLOR_RGB2GRAY)
    names = [(place.strip, k) for place in places for k in range(CORNERS)]
    points = corners_m(places, names, ruler_mm)
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
    yaws = {place.strip: place.yaw_rad for place in places}
    found = {}
    for name, point, guess, pixel in zip(names, points[inside], at, fine, strict=True):
        ways = yaws[name[0]] + np.pi / 4 + np.pi / 2 * np.arange(4)
        ring = point + _BESIDE_M * np.column_stack([np.cos(ways), np.sin(ways), np.zeros(4)])
        near = projected(camera, pose, ring) - guess + pixel
        x, y = (np.ascontiguousarray(side, np.float32)[:, None] for side in near.T)
        a, b, c, d = (float(v) for v in cv2.remap(grey, x, y, cv2.INTER_LINEAR).ravel())
        contrast = abs(a + c - b - d) / 2
        if contrast > _LEAST_CONTRAST and abs(a - c) + abs(b - d) < contrast:
            found[name] = pixel.astype(float)
    return found


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
    """One camera's calibration data: the board's corners on the table and in the picture.

    In pictures ``colors`` strips are looked for. ``camera`` is as the board alone tells; its lens
    is measured by all corners if it is ``bent`` in a way that nobody knows.
    """

    camera: CameraCalibration
    board_m: np.ndarray
    board_px: np.ndarray
    colors: Sequence[np.ndarray]
    bent: bool = True

    def steady_strips(
        self, corners_in: Callable[[np.ndarray], Mapping[Corner, np.ndarray]]
    ) -> dict[Corner, np.ndarray]:
        """Mean corners of the strips with enough markers found to place them."""
        found = steady([corners_in(color) for color in self.colors])
        counts = Counter(strip for strip, _ in found)
        return {corner: at for corner, at in found.items() if counts[corner[0]] >= _PLACED_BY}


@dataclass(frozen=True)
class Located:
    """Cameras (4, 4) and lens distortions by name, and the strips' places.

    ``stretch`` is how much longer prints are along their pages' lower edge, and shorter up.
    ``off_px`` are corners as cameras see them, less where flat, unstretched strips have them.
    """

    table_from_camera: Mapping[str, np.ndarray]
    lenses: Mapping[str, tuple[float, ...]]
    strips: tuple[StripPlace, ...]
    stretch: float = 0.0
    off_px: Mapping[str, Mapping[Corner, np.ndarray]] = field(default_factory=dict)

    def camera(self, name: str, sighting: Sighting) -> CameraCalibration:
        """The camera with the lens that was measured, if it was."""
        bent = {"distortion": self.lenses.get(name, sighting.camera.distortion)}
        return sighting.camera.model_copy(update=bent)


def steady(pictures: Sequence[Mapping[T, np.ndarray]]) -> dict[T, np.ndarray]:
    """Mean corners of the markers found in at least half of the pictures."""
    seen: dict[T, list[np.ndarray]] = {}
    for picture in pictures:
        for name, at in picture.items():
            seen.setdefault(name, []).append(at)
    return {n: np.mean(at, axis=0) for n, at in seen.items() if 2 * len(at) >= len(pictures)}


def locate_strips(sightings: Mapping[str, Sighting], ruler_mm: float) -> Located:
    """Estimate the poses of cameras and strips from all pictures of board and strips.

    The cameras' poses also become more accurate, because strips extend farther than the board. Once
    the decoded markers place the strips, corners that are too far away to decode are used too.
    """
    seen = {name: s.steady_strips(detect_strips) for name, s in sightings.items()}
    strips = sorted({strip for found in seen.values() for strip, _ in found})
    first = tuple(_rough_place(strip, sightings, seen, ruler_mm) for strip in strips)
    poses = {name: np.array(s.camera.table_from_camera) for name, s in sightings.items()}
    if not first:
        return Located(poses, {}, ())
    rough = _adjusted(sightings, seen, Located(poses, {}, first), ruler_mm)
    for name, sighting in sightings.items():
        camera, pose = rough.camera(name, sighting), rough.table_from_camera[name]
        seen[name] = sighting.steady_strips(
            partial(_seen_corners, camera, rough.strips, ruler_mm, pose)
        )
    found = _adjusted(sightings, seen, rough, ruler_mm)
    off_px: dict[str, dict[Corner, np.ndarray]] = {name: {} for name in seen}
    for name, own in seen.items():
        if own:
            camera, points = (
                found.camera(name, sightings[name]),
                corners_m(found.strips, list(own), ruler_mm),
            )
            there = projected(camera, found.table_from_camera[name], points)
            off_px[name] = dict(zip(own, np.array(list(own.values())) - there, strict=True))
    return replace(found, off_px=off_px)


def _adjusted(
    sightings: Mapping[str, Sighting],
    seen: Mapping[str, Mapping[Corner, np.ndarray]],
    start: Located,
    ruler_mm: float,
) -> Located:
    """The bundle adjustment of cameras, lenses and strips to all corners."""
    names = list(sightings)
    free = [name for name in names if sightings[name].bent]
    sizes = (6 * len(names), 4 * len(free), 3 * len(start.strips), 1)

    def located(x: np.ndarray) -> Located:
        poses, lenses, off, ((stretch,),) = (
            part.reshape(-1, width)
            for part, width in zip(np.split(x, np.cumsum(sizes)[:3]), (6, 4, 3, 1), strict=True)
        )
        return Located(
            {n: _moved(start.table_from_camera[n], by) for n, by in zip(names, poses, strict=True)},
            {n: (*by.tolist(), 0.0) for n, by in zip(free, lenses, strict=True)},
            tuple(
                place.model_copy(
                    update={
                        "x_m": place.x_m + dx,
                        "y_m": place.y_m + dy,
                        "yaw_rad": place.yaw_rad + turn,
                    }
                )
                for place, (dx, dy, turn) in zip(start.strips, off.tolist(), strict=True)
            ),
            float(stretch),
        )

    def off(x: np.ndarray) -> np.ndarray:
        there, every = located(x), []
        for name, sighting in sightings.items():
            pixels, camera = sighting.board_px, there.camera(name, sighting)
            points = _stretched(sighting.board_m, middle, -np.pi / 2, there.stretch)
            if own := seen[name]:
                strips = corners_m(there.strips, list(own), ruler_mm, there.stretch)
                points = np.concatenate([points, strips])
                pixels = np.concatenate([pixels, list(own.values())])
            if name in there.lenses:
                every.append(_STEADY_PX * np.array(there.lenses[name][:4]) / _LENS)
            pose = there.table_from_camera[name]
            every.append((projected(camera, pose, points) - pixels).ravel())
        return np.concatenate([*every, [_STEADY_PX * x[-1] / _STRETCH]])

    middle = np.mean([sighting.board_m.mean(axis=0)[:2] for sighting in sightings.values()], axis=0)
    zero = np.zeros(sum(sizes))
    best = least_squares(off, zero, loss="soft_l1", f_scale=_SOFT_PX, x_scale=1e-3)
    return located(best.x)


def _rough_place(
    strip: int,
    sightings: Mapping[str, Sighting],
    seen: Mapping[str, Mapping[Corner, np.ndarray]],
    ruler_mm: float,
) -> StripPlace:
    """Middle and direction of a strip, from where its corners' rays meet the table."""
    middle, own, there = StripPlace(strip=strip, x_m=0, y_m=0, yaw_rad=0), [], []
    for name, sighting in sightings.items():
        pose = np.array(sighting.camera.table_from_camera)
        if mine := {c: at for c, at in seen[name].items() if c[0] == strip}:
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
    """A picture (h, w, 3) with strips painted grey, except pixels (h, w) that show ``things``.

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
