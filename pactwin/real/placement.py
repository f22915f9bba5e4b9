"""The placement check: does every thing stand where the simulated scene has it, and how it does?

Depth of all calibrated cameras, scaled to the table, is compared with what rays against the
scene's things say. Each thing's place (x, y, yaw) is refined until it fits; its height is given by
what it stands on. Forms it could have by mistake (upside down, as in the twin scene, not there) are
tried, too, and the one that explains the depth best is reported.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pactwin.hardware import Limits, RgbdFrame, Rig
from pactwin.real.colours import Palette
from pactwin.real.footprints import footprints
from pactwin.real.poses import placed
from pactwin.real.raycast import Hits, Rays, cast, cast_all, rays_of
from pactwin.sim import Item, Layout

State = Literal["ok", "displaced", "turned", "wrong state", "wrong thing", "missing", "not seen"]

_ACROSS = 28
"""Rays across the part of a picture in which a thing may be."""

_ROOM_M = 0.05
_CLIP_M = 0.012
"""Depth that is off by more counts as this much: it is of something else."""
_STARTS_RAD = (0.0, np.deg2rad(28.0), np.deg2rad(-28.0))
_STEPS = 12
_LEAST_RAYS = 12
_LOW_M = 0.012
_TELLS_M, _TELLING_SHARE = 0.008, 0.05
"""Depths that differ by more tell two forms apart, if they are that share of all or more."""
_FORM_GAIN = 0.85
"""Another form has to explain the depth better by this factor than the expected one."""


@dataclass(frozen=True)
class Placement:
    """One thing as found. ``table_from_object`` is its measured pose, None if it is not there.

    ``position_mm`` and ``yaw_deg`` are off the plan; ``misfit_mm`` is how far depth is from that of
    the thing in that place, on average; ``rays`` is how many pixels were compared.
    """

    name: str
    state: State
    position_mm: float | None
    yaw_deg: float | None
    misfit_mm: float
    rays: int
    table_from_object: np.ndarray | None
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Whether it may be captured like this."""
        return self.state == "ok"


@dataclass(frozen=True)
class _Seen:
    """What one camera measured around a thing."""

    rays: Rays
    measured_m: np.ndarray


def check_placement(
    layout: Layout, twin: Layout, rig: Rig, frames: Mapping[str, RgbdFrame]
) -> list[Placement]:
    """Every item of ``layout``, bottom ones first.

    ``twin`` is the other scene of the pair, whose things are the same in other states. Raises
    InvalidInputError if a camera is not calibrated.
    """
    from threadpoolctl import threadpool_limits

    # Thousands of small products: threads would cost more than they bring.
    with threadpool_limits(1):
        return _check_all(layout, twin, rig, frames)


def _check_all(
    layout: Layout, twin: Layout, rig: Rig, frames: Mapping[str, RgbdFrame]
) -> list[Placement]:
    prints = footprints(layout.items)
    order = [p.item for p in prints]
    poses = {item.name: item.world_from_object.matrix() for item in order}
    forms: dict[str, Item] = {item.name: item for item in order}
    palette = Palette(layout, rig, frames)
    found = []
    for footprint in prints:
        item = footprint.item
        others = [(forms[o.name], poses[o.name]) for o in order if o.name != item.name]
        views = [_around(item, rig, name, frame) for name, frame in frames.items()]
        placement = _check(item, _other_forms(item, twin), others, views, rig.limits, palette)
        if placement.table_from_object is not None:
            poses[item.name] = placement.table_from_object
        found.append(placement)
    return palette.swaps(found)


def _other_forms(item: Item, twin: Layout) -> dict[str, Item]:
    """Forms the thing could be given by mistake, where it should stand, by what they are."""
    forms = {}
    over = np.diag([1.0, -1.0, -1.0, 1.0])
    pose = item.world_from_object.matrix()
    upside = pose.copy()
    upside[:3, :3] = over[:3, :3] @ pose[:3, :3]
    forms["upside down"] = placed(item, upside)
    there = {other.name: other for other in twin.items}
    other = there.get(item.name)
    if other is not None and (other.state, other.parts) != (item.state, item.parts):
        turned = other.world_from_object.matrix()
        turned[:3, 3] = pose[:3, 3]
        turned[2, 3] += _half_height(other) - _half_height(item)
        forms[other.state] = placed(other, turned)
    return forms


def _half_height(item: Item) -> float:
    return float(np.abs(item.world_from_object.matrix()[2, :3]) @ np.array(item.size_m)) / 2


def _around(item: Item, rig: Rig, name: str, frame: RgbdFrame) -> _Seen:
    """Pixels in which the thing could be if it were some cm off, with their depth."""
    camera = rig.calibrated(name)
    height, width = frame.depth_mm.shape
    pose = np.linalg.inv(np.array(camera.table_from_camera))
    middle = pose[:3, :3] @ np.array(item.world_from_object.pos) + pose[:3, 3]
    radius = float(np.linalg.norm(item.size_m)) / 2 + _ROOM_M
    focal = camera.K[0][0]
    if middle[2] < 0.1:
        return _Seen(rays_of(camera, np.zeros((0, 2))), np.zeros(0))
    u, v = (np.array(camera.K) @ middle)[:2] / middle[2]
    reach = focal * radius / middle[2]
    stride = max(int(2 * reach / _ACROSS), 1)
    columns = np.arange(max(int(u - reach), 0), min(int(u + reach), width), stride)
    rows = np.arange(max(int(v - reach), 0), min(int(v + reach), height), stride)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    measured = frame.depth_mm[grid[:, 1], grid[:, 0]] * 1e-3 * camera.depth_scale
    there = measured > 0
    return _Seen(rays_of(camera, grid[there]), measured[there])


def _check(
    item: Item,
    forms: Mapping[str, Item],
    others: Sequence[tuple[Item, np.ndarray]],
    views: Sequence[_Seen],
    limits: Limits,
    palette: Palette,
) -> Placement:
    behind = [cast_all(others, view.rays)[0] for view in views]
    planned = item.world_from_object.matrix()
    starts = [_fitted(item, planned, start, views, behind) for start in _STARTS_RAD]
    fit = _polished(item, min(starts, key=lambda start: start.misfit_m), views, behind)
    if fit.rays < _LEAST_RAYS:
        # Where nothing of it can be seen, it fits: under others, or where no camera looks.
        planned_rays = sum(
            int(_residuals(item, planned, view, depth)[1].sum())
            for view, depth in zip(views, behind, strict=True)
        )
        gone: State = "missing" if planned_rays >= _LEAST_RAYS else "not seen"
        return Placement(item.name, gone, None, None, 0.0, planned_rays, None)
    missing = _misfit_without(views, behind)
    detail, state = "", "ok"
    if missing < fit.misfit_m:
        return Placement(item.name, "missing", None, None, 1e3 * missing, fit.rays, None)
    for what, form in forms.items():
        there = form.world_from_object.matrix()
        if not _look_unlike(item, planned, form, there, views, behind):
            continue
        there[:2, 3] = fit.pose[:2, 3]
        other = _polished(form, _fitted(form, there, 0.0, views, behind), views, behind)
        if other.rays >= _LEAST_RAYS and _compared(item, fit, form, other, views, behind):
            state, detail = "wrong state", what
    off = fit.pose @ np.linalg.inv(planned)
    position_mm = 1e3 * float(np.linalg.norm(fit.pose[:2, 3] - planned[:2, 3]))
    yaw_deg = float(np.rad2deg(np.arctan2(off[1, 0], off[0, 0])))
    round_ = next(p.heading_rad is None for p in footprints([item]))
    if state == "ok" and position_mm > limits.position_mm:
        state = "displaced"
    elif state == "ok" and not round_ and abs(yaw_deg) > limits.yaw_deg:
        state = "turned"
    return Placement(
        item.name,
        state,  # type: ignore[arg-type]
        position_mm,
        None if round_ else yaw_deg,
        1e3 * fit.misfit_m,
        fit.rays,
        fit.pose,
        detail,
    )


@dataclass(frozen=True)
class _Fit:
    pose: np.ndarray
    misfit_m: float
    rays: int


def _residuals(
    item: Item, pose: np.ndarray, view: _Seen, behind: np.ndarray
) -> tuple[Hits, np.ndarray, np.ndarray]:
    """Hits, where the item is in front, and how far depth is from that of the whole scene."""
    hits = cast(item, pose, view.rays)
    front = hits.depth_m < behind
    return hits, front, view.measured_m - np.where(front, hits.depth_m, behind)


def _fitted(
    item: Item, start: np.ndarray, yaw_rad: float, views: Sequence[_Seen], behind: list[np.ndarray]
) -> _Fit:
    """The pose, moved on the table, at which the item explains the depth best.

    First it is put where points stand out of the scene without it, then it is moved by
    Gauss-Newton steps that bring measured points onto its faces.
    """
    pose = _moved(start, *_stray(item, start, views, behind), yaw_rad)
    best = _Fit(pose, _misfit(item, pose, views, behind), 0)
    for _ in range(_STEPS):
        rows, errors = [], []
        for view, depth in zip(views, behind, strict=True):
            hits, front, off = _residuals(item, best.pose, view, depth)
            near = np.flatnonzero(front & (np.abs(off) < 0.04))
            points = view.rays.at(near, view.measured_m[near])
            normals = hits.normals[near]
            arm = points - best.pose[:3, 3]
            lever = normals[:, 1] * arm[:, 0] - normals[:, 0] * arm[:, 1]
            gap = np.sum((points - view.rays.at(near, hits.depth_m[near])) * normals, axis=1)
            rows.append(np.stack([normals[:, 0], normals[:, 1], lever], axis=1))
            errors.append(gap)
        A, b = np.concatenate(rows), np.concatenate(errors)
        if len(b) < _LEAST_RAYS:
            break
        weight = 1 / (1 + (b / 0.004) ** 2)
        H = (A * weight[:, None]).T @ A + np.diag([1e-2, 1e-2, 1e-4]) * len(b) * 0.02
        dx, dy, turn = np.linalg.solve(H, (A * weight[:, None]).T @ b)
        turn = float(np.clip(turn, -0.3, 0.3))
        tried = _moved(best.pose, dx, dy, turn)
        misfit = _misfit(item, tried, views, behind)
        if misfit >= best.misfit_m:
            break
        best = _Fit(tried, misfit, len(b))
    count = sum(
        int(_residuals(item, best.pose, v, d)[1].sum()) for v, d in zip(views, behind, strict=True)
    )
    return _Fit(best.pose, best.misfit_m, count)


def _polished(item: Item, fit: _Fit, views: Sequence[_Seen], behind: list[np.ndarray]) -> _Fit:
    """Small moves along x, y and yaw, as long as one of them helps: silhouettes count here."""
    step = np.array([0.006, 0.006, 0.08])
    pose, misfit = fit.pose, fit.misfit_m
    while step[0] > 0.001:
        improved = False
        for axis in range(3):
            for sign in (-1.0, 1.0):
                by = np.zeros(3)
                by[axis] = sign * step[axis]
                tried = _moved(pose, *by)
                value = _misfit(item, tried, views, behind)
                if value < misfit - 1e-7:
                    pose, misfit, improved = tried, value, True
        if not improved:
            step = step / 2
    return _Fit(pose, misfit, fit.rays)


def _misfit(
    item: Item, pose: np.ndarray, views: Sequence[_Seen], behind: list[np.ndarray]
) -> float:
    """Mean distance (m) of depth from the scene with the item at ``pose``, each at most _CLIP_M."""
    total, count = 0.0, 0
    for view, depth in zip(views, behind, strict=True):
        _, _, off = _residuals(item, pose, view, depth)
        total += float(np.minimum(np.abs(off), _CLIP_M).sum())
        count += len(off)
    return total / max(count, 1)


def _misfit_without(views: Sequence[_Seen], behind: list[np.ndarray]) -> float:
    """The same without the item."""
    offs = [np.abs(view.measured_m - depth) for view, depth in zip(views, behind, strict=True)]
    every = np.concatenate(offs)
    return float(np.minimum(every, _CLIP_M).mean()) if len(every) else 0.0


def _look_unlike(
    item: Item,
    pose: np.ndarray,
    form: Item,
    there: np.ndarray,
    views: Sequence[_Seen],
    behind: list[np.ndarray],
) -> bool:
    """Whether depth could tell the two apart: a can that stands on its head looks as before."""
    differ = own = 0
    for view, depth in zip(views, behind, strict=True):
        ours = np.minimum(cast(item, pose, view.rays).depth_m, depth)
        theirs = np.minimum(cast(form, there, view.rays).depth_m, depth)
        seen = np.isfinite(ours) & np.isfinite(theirs)
        differ += int((np.abs(ours[seen] - theirs[seen]) > _TELLS_M).sum())
        own += int((ours < depth).sum())
    return differ >= max(_LEAST_RAYS, _TELLING_SHARE * own)


def _compared(
    item: Item,
    fit: _Fit,
    form: Item,
    other: _Fit,
    views: Sequence[_Seen],
    behind: list[np.ndarray],
) -> bool:
    """Whether ``form`` explains what the two would show differently, and the item does not."""
    ours, theirs = [], []
    for view, depth in zip(views, behind, strict=True):
        _, _, off = _residuals(item, fit.pose, view, depth)
        _, _, off_other = _residuals(form, other.pose, view, depth)
        differ = np.abs(off - off_other) > 0.006
        ours.append(np.minimum(np.abs(off[differ]), 0.02))
        theirs.append(np.minimum(np.abs(off_other[differ]), 0.02))
    a, b = np.concatenate(ours), np.concatenate(theirs)
    return len(a) >= _LEAST_RAYS and float(b.mean()) < _FORM_GAIN * float(a.mean())


def _stray(
    item: Item, start: np.ndarray, views: Sequence[_Seen], behind: list[np.ndarray]
) -> tuple[float, float]:
    """How far from its plan the item seems to be: the mean of what stands out, less its own."""
    measured, expected = [], []
    for view, depth in zip(views, behind, strict=True):
        out = np.flatnonzero(view.measured_m < depth - _LOW_M)
        hits, front, _ = _residuals(item, start, view, depth)
        own = np.flatnonzero(front & (hits.depth_m < depth - _LOW_M))
        if len(out) >= _LEAST_RAYS and len(own) >= _LEAST_RAYS:
            measured.append(np.median(view.rays.at(out, view.measured_m[out])[:, :2], axis=0))
            expected.append(np.median(view.rays.at(own, hits.depth_m[own])[:, :2], axis=0))
    if not measured:
        return 0.0, 0.0
    off = np.mean(np.array(measured) - np.array(expected), axis=0)
    return float(off[0]), float(off[1])


def _moved(pose: np.ndarray, dx: float, dy: float, turn_rad: float) -> np.ndarray:
    """The pose moved on the table and turned about its own middle."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    moved = pose.copy()
    moved[:3, :3] = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ pose[:3, :3]
    moved[:2, 3] += dx, dy
    return moved
