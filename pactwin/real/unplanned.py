"""Unplanned objects on or over the table, and what they hide from each camera."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from pactwin.hardware import Rig
from pactwin.real.scene_depth import SceneDepth
from pactwin.sim import Item

_EDGE_M, _LOW_M, _HIGH_M = 0.02, 0.012, 0.7
"""Observed space over the table: distance inside its edges, lower and upper height."""
_LEAST_M2 = 0.014**2
"""What covers less is not told from noise."""
_SLIM_M = 0.019
"""What one camera alone sees has to be wider than the shadows beside tall things in stereo."""
_OPENED = 2
"""Cells that noise is less wide than; by three a block of 22 mm was lost at 0.8 m and farther."""
_SAME_M = 0.06
_HIDDEN_SHARE, _GONE_SHARE = 0.2, 0.5
_LEAST_CELLS = 15


@dataclass(frozen=True)
class Stranger:
    """An unplanned object: its middle (x, y, z) on the table and its width, m; and who sees it.

    ``unseen_by`` are cameras that look through its place.
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
    """Everything in front of the expected surfaces, on or over the table, largest first."""
    found: list[tuple[np.ndarray, float, bool, list[str]]] = []
    for name, view in depths.items():
        for middle, wide, plain in _clusters(view, rig):
            for k, (at, known, was_plain, seen_by) in enumerate(found):
                if np.linalg.norm(at - middle) < _SAME_M + (wide + known) / 4:
                    found[k] = at, max(known, wide), was_plain or plain, sorted({*seen_by, name})
                    break
            else:
                found.append((middle, wide, plain, [name]))
    looked = [
        Stranger(
            middle,
            wide,
            tuple(seen_by),
            tuple(n for n, v in depths.items() if n not in seen_by and _looks_through(v, middle)),
        )
        for middle, wide, plain, seen_by in found
        if plain or len(seen_by) > 1
    ]
    return sorted(looked, key=lambda s: -s.wide_m)


def _clusters(view: SceneDepth, rig: Rig) -> list[tuple[np.ndarray, float, bool]]:
    """Middles (x, y, z), how wide they are (m), and whether one camera is enough to believe it."""
    points = view.points
    wide, deep = rig.table.width_mm / 1e3, rig.table.depth_mm / 1e3
    with np.errstate(invalid="ignore"):
        inside = (points[..., 0] > _EDGE_M) & (points[..., 0] < deep - _EDGE_M)
        inside &= np.abs(points[..., 1]) < wide / 2 - _EDGE_M
        inside &= (points[..., 2] > _LOW_M) & (points[..., 2] < _HIGH_M)
    found = []
    for own, plain in _components(view, inside & view.nearer):
        if view.area_m2[own].sum() > _LEAST_M2:
            mine = points[own]
            low, high = np.quantile(mine, [0.05, 0.95], axis=0)
            wide = float(np.linalg.norm((high - low)[:2]))
            found.append((np.median(mine, axis=0), wide, plain))
    return found


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


def _looks_through(view: SceneDepth, place_m: np.ndarray) -> bool:
    """Whether a camera that looks at a place (3,) measures something behind it."""
    toward = place_m - view.rays.eye
    ways = view.rays.ways
    cosine = ways @ toward / np.linalg.norm(ways, axis=1) / np.linalg.norm(toward)
    nearest = int(cosine.argmax())
    if cosine[nearest] < np.cos(np.deg2rad(1.0)):  # outside the picture
        return False
    measured = view.measured.ravel()[nearest]
    return bool(measured > np.linalg.norm(toward) / np.linalg.norm(ways[nearest]) + 0.05)


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
