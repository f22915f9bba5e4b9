"""Pose of an object on the table, from the depth that calibrated cameras measure around it.

The pose (x, y, yaw) is refined until raycasts of the object and everything else on the table agree
with the measured depth; the support below determines the height.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from pactwin.hardware import CameraCalibration, RgbdFrame, Rig
from pactwin.real.raycast import Hits, Rays, cast, cast_all, rays_of
from pactwin.sim import Item

MIN_RAYS = 12
"""Minimum number of rays for a result."""

_ROOM_M, _RAYS = 0.05, 400
"""Search distance from the planned pose, and number of rays of each camera."""
_EDGE_M, _FINE_RAYS = 0.015, 900
"""Margin around the found pose, and number of rays, for the refinement at the outline."""

_NEAREST_M, _FAR_M = 0.1, 1e3

_CLIP_M = 0.012
"""Depth that is off by more counts as this much: it is of something else."""
_YAWS_RAD = (0.0, np.deg2rad(28.0), np.deg2rad(-28.0))
_STARTS, _STEPS = 2, 8
_LOW_M = 0.012
_FLAT_M, _RING_M = 0.025, 0.025
_SEEN_M, _BESIDE_M = 0.010, 0.010
"""Depth error up to which a ray shows the object, or something in its place."""

_GAP_M, _PLAIN_RAYS, _HALF = 0.006, 80, 0.35

_BEFORE_M = 0.03
"""What is so much nearer than a thing stands before it, and not in its place."""
_SLACK_M = 0.003
"""How far a thing may be from where it was found: its size, its place and the cameras are off."""


@dataclass(frozen=True)
class DepthObservation:
    """One camera's depth around an object, and the expected depth without the object."""

    rays: Rays
    measured_m: np.ndarray
    background_depth_m: np.ndarray


@dataclass(frozen=True)
class Fit:
    """A pose of ``item``, its mean depth residual (m), and the number of rays that hit it."""

    item: Item
    pose: np.ndarray
    residual_m: float
    rays: int


def seen_around(
    item: Item, others: Sequence[Item], rig: Rig, frames: Mapping[str, RgbdFrame], *, fine: bool
) -> list[DepthObservation]:
    """Pixels of all cameras that might show the object, with their depth, if any."""
    room_m, count = (_EDGE_M, _FINE_RAYS) if fine else (_ROOM_M, _RAYS)
    found = []
    there = [(other, other.world_from_object.matrix()) for other in others]
    for name, frame in frames.items():
        camera = rig.calibrated(name)
        grid = _inside(_outline_px(item, camera, room_m), frame.depth_mm.shape, count)
        measured = frame.depth_mm[grid[:, 1], grid[:, 0]] * 1e-3
        rays = rays_of(camera, grid[measured > 0])
        found.append(
            DepthObservation(
                rays, measured[measured > 0], np.minimum(cast_all(there, rays)[0], _FAR_M)
            )
        )
    return found


def _outline_px(item: Item, camera: CameraCalibration, room_m: float) -> np.ndarray:
    """The convex outline (n, 2) of the box around an item, so much larger to all sides."""
    signs = np.array(np.meshgrid(*[(-1.0, 1.0)] * 5)).reshape(5, -1).T
    pose = item.world_from_object.matrix()
    corners = (signs[:, :3] * item.size_m / 2) @ pose[:3, :3].T + pose[:3, 3]
    corners[:, :2] += room_m * signs[:, 3:]
    camera_from_table = np.linalg.inv(np.array(camera.table_from_camera))
    points = corners @ camera_from_table[:3, :3].T + camera_from_table[:3, 3]
    if points[:, 2].min() < _NEAREST_M:
        return np.zeros((0, 2))
    pixels = points @ np.array(camera.K).T / points[:, 2:]
    return cv2.convexHull(pixels[:, :2].astype(np.float32))[:, 0]


def _inside(outline: np.ndarray, shape: tuple[int, ...], count: int) -> np.ndarray:
    """About ``count`` pixels (n, 2) of a picture in a convex outline (m, 2)."""
    if len(outline) < 3:
        return np.zeros((0, 2), int)
    low = np.maximum(outline.min(axis=0), 0)
    high = np.minimum(outline.max(axis=0) + 1, shape[1::-1])
    following = np.roll(outline, -1, axis=0)
    sides = following - outline
    area = abs(np.sum(outline[:, 0] * following[:, 1] - following[:, 0] * outline[:, 1])) / 2
    stride = max(round(np.sqrt(area / count)), 1)
    ranges = (np.arange(int(a), int(b), stride) for a, b in zip(low, high, strict=True))
    grid = np.stack(np.meshgrid(*ranges), axis=-1).reshape(-1, 2)
    to = grid[:, None] - outline
    turn = sides[:, 0] * to[..., 1] - sides[:, 1] * to[..., 0]
    return grid[(turn >= 0).all(axis=1) | (turn <= 0).all(axis=1)]


def registered(item: Item, seen: Sequence[DepthObservation], *, turns: bool) -> Fit:
    """Pose near the plan at which the item explains the depth best.

    ``turns`` says whether its yaw is observable. Objects too flat to stand out of the noise are
    tried from all around, too.
    """
    planned = item.world_from_object.matrix()
    places = [(0.0, 0.0)]
    if float(np.abs(planned[2, :3]) @ np.array(item.size_m)) < _FLAT_M:
        places += [
            (_RING_M * np.cos(way), _RING_M * np.sin(way)) for way in np.arange(8) * np.pi / 4
        ]
    return _best(item, [moved_pose(planned, *place, 0.0) for place in places], seen, turns)


def global_search(item: Item, seen: Sequence[DepthObservation], *, turns: bool) -> Fit:
    """Pose of best fit, searched from points that stand out of the scene without the item."""
    planned = item.world_from_object.matrix()
    return _best(
        item, [moved_pose(planned, *_initial_offset(item, planned, seen), 0.0)], seen, turns
    )


def _best(
    item: Item, starts: list[np.ndarray], seen: Sequence[DepthObservation], turns: bool
) -> Fit:
    yaws = _YAWS_RAD if turns else _YAWS_RAD[:1]
    poses = [moved_pose(start, 0.0, 0.0, yaw) for start in starts for yaw in yaws]
    fits = sorted((fit_at(item, pose, seen) for pose in poses), key=lambda fit: fit.residual_m)
    tried = [_gauss_newton(start, seen) for start in fits[:_STARTS]]
    return min(tried, key=lambda fit: fit.residual_m)


def inlier_ratio(fit: Fit, seen: Sequence[DepthObservation], *, loaded: bool) -> float | None:
    """Share of informative rays that agree with the fitted pose.

    Other rays pass through it, or hit something unknown in its place. Rays to an occluder elsewhere
    do not count, nor do those to objects on a ``loaded`` one. For objects that most rays find too
    flat to see through, all rays that might hit them count. None if too few rays are informative.
    """
    size, up = np.array(fit.item.size_m), int(np.abs(fit.pose[2, :3]).argmax())
    its_m = np.delete(size, up).min() / 2 + _BESIDE_M
    own = through = instead = flat = before = telling_rays = 0
    for view in seen:
        hits, front, off = _residuals(fit.item, fit.pose, view)
        telling = front & (hits.depth_m < view.background_depth_m - _CLIP_M)
        own += int((telling & (np.abs(off) < _SEEN_M)).sum())
        through += int((telling & (off > _SEEN_M)).sum())
        flat += int((front & ~telling & (np.abs(off) < _SEEN_M)).sum())
        before, telling_rays = before + int(front.sum()), telling_rays + int(telling.sum())
        if not loaded:
            near = np.flatnonzero(off < -_CLIP_M)
            points = view.rays.at(near, view.measured_m[near])[:, :2]
            beside_m = np.linalg.norm(points - fit.pose[:2, 3], axis=1)
            instead += int((beside_m < its_m).sum())
    own += flat if own + through < MIN_RAYS or 2 * telling_rays < before else 0
    every = own + through + instead
    return own / every if every >= MIN_RAYS else None


def occluded(fit: Fit, seen: Sequence[DepthObservation]) -> bool:
    """Return whether more rays end before the item than pass through its place.

    Then its presence is unknown.
    """
    before = through = 0
    for view in seen:
        hits, front, off = _residuals(fit.item, fit.pose, view)
        before += int((front & (off < -_BEFORE_M)).sum())
        telling = front & (hits.depth_m < view.background_depth_m - _CLIP_M)
        through += int((telling & (off > _SEEN_M)).sum())
    return before > max(through, MIN_RAYS)


def stands_out(fit: Fit, seen: Sequence[DepthObservation]) -> bool:
    """Return whether depth supports an item that differs little from its background.

    This is for flat or inserted items: no single ray separates them from noise, but all rays
    together do. The median ray must lie at the item's depth, neither behind nor in front of it.
    """
    shares = []
    for view in seen:
        hits, front, off = _residuals(fit.item, fit.pose, view)
        gap = view.background_depth_m - hits.depth_m
        telling = front & (gap > _GAP_M)
        shares.append((off / np.maximum(gap, _GAP_M))[telling])
    every = np.concatenate(shares)
    return len(every) >= _PLAIN_RAYS and abs(float(np.median(every))) < _HALF


def fit_at(item: Item, pose: np.ndarray, seen: Sequence[DepthObservation]) -> Fit:
    """Depth residual of the item at ``pose``; each ray counts for at most 12 mm."""
    total, count, hit = 0.0, 0, 0
    for view in seen:
        _, front, off = _residuals(item, pose, view)
        total += float(np.minimum(np.abs(off), _CLIP_M).sum())
        count, hit = count + len(off), hit + int(front.sum())
    return Fit(item, pose, total / max(count, 1), hit)


def residual_without_m(seen: Sequence[DepthObservation]) -> float:
    """Depth residual without the item."""
    every = np.concatenate([np.abs(view.measured_m - view.background_depth_m) for view in seen])
    return float(np.minimum(every, _CLIP_M).mean()) if len(every) else 0.0


def refine(fit: Fit, seen: Sequence[DepthObservation], *, turns: bool) -> Fit:
    """Refine the pose by small moves along its axes and in yaw, also using silhouettes."""
    best = fit_at(fit.item, fit.pose, seen)
    step = np.array([0.005, 0.005, 0.06])
    while step[0] > 0.0007:
        improved = False
        for axis in range(3 if turns else 2):
            for sign in (-1.0, 1.0):
                by = np.zeros(3)
                by[axis] = sign * step[axis]
                tried = fit_at(fit.item, moved_pose(best.pose, *by), seen)
                if tried.residual_m < best.residual_m - 1e-7:
                    best, improved = tried, True
                    break
        if not improved:
            step = step / 2
    return best


def _residuals(
    item: Item, pose: np.ndarray, view: DepthObservation
) -> tuple[Hits, np.ndarray, np.ndarray]:
    """Hits, where the item is in front, and how far depth is from that of the whole scene."""
    hits = cast(item, pose, view.rays)
    front = hits.depth_m < view.background_depth_m
    return hits, front, view.measured_m - np.where(front, hits.depth_m, view.background_depth_m)


def _gauss_newton(start: Fit, seen: Sequence[DepthObservation]) -> Fit:
    """Gauss-Newton steps that bring measured points onto the item's faces."""
    best = start
    for _ in range(_STEPS):
        rows, errors = [], []
        for view in seen:
            hits, front, off = _residuals(best.item, best.pose, view)
            near = np.flatnonzero(front & (np.abs(off) < 0.04))
            points = view.rays.at(near, view.measured_m[near])
            normals = hits.normals[near]
            arm = points - best.pose[:3, 3]
            lever = normals[:, 1] * arm[:, 0] - normals[:, 0] * arm[:, 1]
            gap = np.sum((points - view.rays.at(near, hits.depth_m[near])) * normals, axis=1)
            rows.append(np.stack([normals[:, 0], normals[:, 1], lever], axis=1))
            errors.append(gap)
        A, b = np.concatenate(rows), np.concatenate(errors)
        if len(b) < MIN_RAYS:
            break
        weight = 1 / (1 + (b / 0.004) ** 2)
        H = (A * weight[:, None]).T @ A + np.diag([1e-2, 1e-2, 1e-4]) * len(b) * 0.02
        dx, dy, turn = np.linalg.solve(H, (A * weight[:, None]).T @ b)
        turn = float(np.clip(turn, -0.3, 0.3))
        tried = fit_at(best.item, moved_pose(best.pose, dx, dy, turn), seen)
        if tried.residual_m >= best.residual_m - 1e-6:
            break
        best = tried
    return best


def _initial_offset(
    item: Item, start: np.ndarray, seen: Sequence[DepthObservation]
) -> tuple[float, float]:
    """Initial offset from the plan: the centroid of the points that stand out, minus the item's."""
    measured, expected = [], []
    for view in seen:
        out = np.flatnonzero(view.measured_m < view.background_depth_m - _LOW_M)
        hits, front, _ = _residuals(item, start, view)
        own = np.flatnonzero(front & (hits.depth_m < view.background_depth_m - _LOW_M))
        if len(out) >= MIN_RAYS and len(own) >= MIN_RAYS:
            measured.append(np.median(view.rays.at(out, view.measured_m[out])[:, :2], axis=0))
            expected.append(np.median(view.rays.at(own, hits.depth_m[own])[:, :2], axis=0))
    if not measured:
        return 0.0, 0.0
    off = np.mean(np.array(measured) - np.array(expected), axis=0)
    return float(off[0]), float(off[1])


def discriminative_rays(
    a: Fit, b: Fit, seen: Sequence[DepthObservation], differ_m: float
) -> tuple[int, float, float]:
    """Number of rays that discriminate between two fits, and each fit's depth error (m) there.

    Each fit may have an error of 3 mm: only rays whose depths differ by ``differ_m`` even then
    count.
    """
    off_a: list[np.ndarray] = []
    off_b: list[np.ndarray] = []
    for view in seen:
        low_a, high_a = _range(a, view)
        low_b, high_b = _range(b, view)
        telling = (high_a < low_b - differ_m) | (high_b < low_a - differ_m)
        for off, low, high in ((off_a, low_a, high_a), (off_b, low_b, high_b)):
            beyond = np.maximum(low - view.measured_m, view.measured_m - high)[telling]
            off.append(np.clip(beyond, 0.0, 0.02))
    every_a, every_b = np.concatenate(off_a), np.concatenate(off_b)
    if not len(every_a):
        return 0, 0.0, 0.0
    return len(every_a), float(every_a.mean()), float(every_b.mean())


def _range(fit: Fit, view: DepthObservation) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest depth that rays may have if the item is a little off its fit."""
    depths = []
    for x, y in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        pose = moved_pose(fit.pose, _SLACK_M * x, _SLACK_M * y, 0.0)
        depths.append(np.minimum(cast(fit.item, pose, view.rays).depth_m, view.background_depth_m))
    return np.min(depths, axis=0), np.max(depths, axis=0)


def moved_pose(pose: np.ndarray, dx: float, dy: float, turn_rad: float) -> np.ndarray:
    """The pose moved on the table and turned about its own centre."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    moved = pose.copy()
    moved[:3, :3] = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ pose[:3, :3]
    moved[:2, 3] += dx, dy
    return moved
