"""Unplanned objects on or over the table, and what they hide from each camera."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from pactwin.hardware import Rig, strip_outlines_m
from pactwin.real.scene_depth import SceneDepth
from pactwin.sim import Item

_EDGE_M, _LOW_M, _HIGH_M = 0.02, 0.012, 0.7
"""Observed space over the table: distance inside its edges, lower and upper height."""
_OVER_STRIPS_M = 0.03
"""Lower height over marker strips, whose squares all look alike to stereo."""
_LEAST_M2, _HARDLY = 1e-4, 0.1
"""Another camera confirms what it shows so much of (m2). It denies what it shows less of than this
share."""
_SLIM_M = 0.019
"""What one camera alone sees has to be wider than the shadows beside tall things in stereo."""
_OPENED = 2
"""Cells that noise is less wide than; by three a block of 22 mm was lost at 0.8 m and farther."""
_SAME_M = 0.06
_GAP_M, _BEHIND_M = 0.01, 0.05
"""A camera shows a point if it measures more than half of the way to there from what is planned,
which is farther by this at least; it shows another scene if it measures so much behind it."""
_HIDDEN_SHARE, _GONE_SHARE = 0.2, 0.5
_LEAST_CELLS = 15


@dataclass(frozen=True)
class Stranger:
    """An unplanned object: its middle (x, y, z) on the table and its width, m; and who sees it.

    ``unseen_by`` are cameras that look through it.
    """

    middle_m: np.ndarray
    wide_m: float
    seen_by: tuple[str, ...]
    unseen_by: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The position in words, as seen by the operator from the table's near edge."""
        x, left, up = 1e3 * self.middle_m
        side = "left" if left >= 0 else "right"
        return (
            f"{x:.0f} mm from the edge, {abs(left):.0f} mm to the {side}, {up:.0f} mm high, about "
            f"{1e3 * self.wide_m:.0f} mm wide"
        )


def strangers(depths: Mapping[str, SceneDepth], rig: Rig) -> list[Stranger]:
    """Everything in front of the expected surfaces, on or over the table, largest first.

    What another camera shows, too, counts. What it does not show counts if it is too wide for a
    shadow of stereo, and that camera does not look there, or so far through it that the two show
    different scenes.
    """
    found: list[Stranger] = []
    for name, view in depths.items():
        for own, plain in _clusters(view, rig):
            points, area_m2 = view.points[own], view.area_m2[own]
            others = {n: _looked_at(v, points) for n, v in depths.items() if n != name}
            behind_m = {n: far for n, (shown, far) in others.items() if shown.mean() < _HARDLY}
            area = {n: area_m2[shown].sum() for n, (shown, _) in others.items()}
            seen_by = [n for n in area if area[n] > _LEAST_M2 and n not in behind_m]
            denied_by = [n for n, far in behind_m.items() if np.isfinite(far)]
            unseen_by = [n for n in denied_by if behind_m[n] > _BEHIND_M]
            if seen_by or (plain and unseen_by == denied_by):
                low, high = np.quantile(points, [0.05, 0.95], axis=0)
                wide = float(np.linalg.norm((high - low)[:2]))
                everybody = tuple(sorted([name, *seen_by]))
                middle = np.median(points, axis=0)
                found.append(Stranger(middle, wide, everybody, tuple(unseen_by)))
    found.sort(key=lambda s: -s.wide_m)
    return [s for k, s in enumerate(found) if not any(_near(s, other) for other in found[:k])]


def _near(one: Stranger, other: Stranger) -> bool:
    """Whether they may be sides of the same thing."""
    near_m = _SAME_M + (one.wide_m + other.wide_m) / 4
    return float(np.linalg.norm(one.middle_m - other.middle_m)) < near_m


def _clusters(view: SceneDepth, rig: Rig) -> Iterator[tuple[np.ndarray, bool]]:
    """Cells (h, w) in front of what is planned, and whether one camera is enough to believe it."""
    points = view.points
    wide, deep = rig.table.width_mm / 1e3, rig.table.depth_mm / 1e3
    strips = np.zeros(view.measured.shape, np.uint8)
    for outline in strip_outlines_m(rig.calibration) if rig.calibration else ():
        cv2.fillConvexPoly(strips, view.cells_of(outline)[0].astype(np.int32), 1)
    low_m = np.where(strips, _OVER_STRIPS_M, _LOW_M)
    with np.errstate(invalid="ignore"):
        inside = (points[..., 0] > _EDGE_M) & (points[..., 0] < deep - _EDGE_M)
        inside &= np.abs(points[..., 1]) < wide / 2 - _EDGE_M
        inside &= (points[..., 2] > low_m) & (points[..., 2] < _HIGH_M)
    yield from _components(view, inside & view.nearer)


def _components(view: SceneDepth, which: np.ndarray) -> Iterator[tuple[np.ndarray, bool]]:
    """Connected cells (h, w), and whether they are too wide to be shadows of stereo."""
    kernel = np.ones((_OPENED,) * 2, np.uint8)
    # The dilation is of the mirrored kernel: with an even one it would shift onto cells beside,
    # which may have no depth.
    there = cv2.dilate(cv2.erode(which.astype(np.uint8), kernel), kernel, anchor=(0, 0))
    count, labels = cv2.connectedComponents(there)
    within = np.maximum(2 * np.asarray(cv2.distanceTransform(there, cv2.DIST_L2, 5)) - 1, 0)
    inner_m = within * np.sqrt(view.area_m2)
    for label in range(1, count):
        own = labels == label
        yield own, float(inner_m[own].max()) > _SLIM_M


def _looked_at(view: SceneDepth, points: np.ndarray) -> tuple[np.ndarray, float]:
    """Which points (n, 3) of another camera are shown, and how far behind them depth is (m).

    That is NaN if most points are hidden, outside the picture or without depth.
    """
    cells, far_m = view.cells_of(points)
    high, wide = view.measured.shape
    x, y = np.clip(cells, 0, (wide - 1, high - 1)).T
    behind_m, gap_m = view.measured[y, x] - far_m, view.low[y, x] - far_m
    telling = (cells == np.stack([x, y], axis=1)).all(axis=1) & (gap_m > _GAP_M)
    telling &= np.isfinite(behind_m)
    most = 2 * telling.sum() > len(points)
    return telling & (behind_m < gap_m / 2), float(np.median(behind_m[telling])) if most else np.nan


def hidden_things(view: SceneDepth, items: Sequence[Item]) -> dict[str, float]:
    """Objects of which a good part is hidden from a camera, with the hidden share."""
    hiding = np.zeros(view.measured.shape, bool)
    for own, plain in _components(view, view.nearer):
        hiding |= own & plain
    return _shares(view, items, hiding, _HIDDEN_SHARE)


def absent_things(view: SceneDepth, items: Sequence[Item]) -> dict[str, float]:
    """Objects that a camera sees through, with the share."""
    return _shares(view, items, view.farther, _GONE_SHARE)


def _shares(
    view: SceneDepth, items: Sequence[Item], which: np.ndarray, limit: float
) -> dict[str, float]:
    found = {}
    for number, item in enumerate(items):
        own = (view.thing == number) & np.isfinite(view.measured)
        if own.sum() >= _LEAST_CELLS and (share := float(which[own].mean())) > limit:
            found[item.name] = share
    return found
