"""Segment the table's point cloud into objects, by masks or by colour and clustering."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import ConvexHull, QhullError, cKDTree

from pactwin.perception.geometry.clouds import ViewCloud, downsampled, open3d, without_strays

VOXEL_M = 0.003
LEAST_POINTS = 25
"""Segments with fewer points (one per voxel) count as noise."""

PALETTE: Mapping[str, tuple[float, float, float]] = {
    "red": (0.72, 0.07, 0.07),
    "orange": (0.96, 0.45, 0.05),
    "yellow": (0.96, 0.82, 0.10),
    "green": (0.10, 0.50, 0.16),
    "blue": (0.08, 0.24, 0.72),
    "purple": (0.40, 0.14, 0.58),
    "pink": (0.95, 0.52, 0.68),
    "white": (0.92, 0.92, 0.90),
    "black": (0.06, 0.06, 0.07),
}
"""Typical sRGB of the colours in names; white, grey and black differ by lightness."""

GREY = "grey"
_NEUTRAL_CHROMA = 0.16
# Apart in space (m) by more than this, points of one colour belong to different things.
_GAP_M = 0.018
# Neighbours of a point, and within which distance (m) they are.
_AROUND, _AROUND_M = 16, 0.008
_MARKING = 0.85
"""Of so large a share of its points near other things, a patch is a marking of theirs."""
_TABLE_M = 0.004
"""What is lower than this over the table top cannot be told from it."""


@dataclass(frozen=True, eq=False)
class Segment:
    """A segment: ``points`` (n, 3) m in the table frame; ``name`` is empty if unknown."""

    name: str
    color: str
    points: np.ndarray

    @cached_property
    def low_m(self) -> float:
        """Height of its lowest points (2nd percentile)."""
        return float(np.percentile(self.points[:, 2], 2))

    @cached_property
    def top_m(self) -> float:
        """Height of its highest points (99th percentile)."""
        return float(np.percentile(self.points[:, 2], 99))

    @cached_property
    def box(self) -> "UprightBox":
        """The upright bounding box with the smallest footprint."""
        return upright_box(self.points)

    @property
    def center(self) -> np.ndarray:
        """Middle of the upright box, (3,) m."""
        return np.array([*self.box.center_xy, (self.low_m + self.top_m) / 2])

    @cached_property
    def round(self) -> bool:
        """Return whether its outline from above is a disc rather than a rectangle."""
        return self.box.filled < 0.87

    @cached_property
    def extents_m(self) -> np.ndarray:
        """Extents (3,) m of the upright box: along its two level axes, and in height."""
        return np.array([*self.box.size_m, self.top_m - self.low_m])

    @cached_property
    def waisted(self) -> bool:
        """Return whether it is much narrower at half its length than at its widest."""
        local = self.box.local(self.points[:, :2])
        if self.box.size_m[1] > self.box.size_m[0]:
            local = local[:, ::-1]
        middle = local[np.abs(local[:, 0]) < 0.1 * self.box.size_m.max(), 1]
        return bool(len(middle) > 4 and np.ptp(middle) < 0.7 * self.box.size_m.min())

    def level_extents_at(self, from_m: float, to_m: float) -> "UprightBox | None":
        """Box of the points between two heights; None if they are too few."""
        z = self.points[:, 2]
        chosen = self.points[(z >= from_m) & (z <= to_m)]
        return upright_box(chosen) if len(chosen) >= 8 else None

    def over(self, other: "Segment", shrink: float = 1.0) -> np.ndarray:
        """Mask (n,) of its points over or under ``other``'s scaled upright box."""
        return other.box.holds(self.points[:, :2], shrink)


@dataclass(frozen=True)
class UprightBox:
    """A rectangle on the table: ``center_xy`` (2,) m, unit ``axes`` (2, 2) rows, ``size_m`` (2,).

    ``filled`` is the share of its area covered by the points' hull: π/4 for a disc.
    """

    center_xy: np.ndarray
    axes: np.ndarray
    size_m: np.ndarray
    filled: float

    def local(self, xy: np.ndarray) -> np.ndarray:
        """Points (n, 2) in the rectangle's frame, m."""
        return (xy - self.center_xy) @ self.axes.T

    def holds(self, xy: np.ndarray, shrink: float = 1.0) -> np.ndarray:
        """Mask (n,) of the points (n, 2) inside the rectangle, scaled about its centre."""
        return (np.abs(self.local(xy)) <= shrink * self.size_m / 2).all(axis=1)


def upright_box(points: np.ndarray) -> UprightBox:
    """The rectangle of least area around the points (n, 2 or 3), seen from above."""
    xy = points[:, :2]
    try:
        hull = ConvexHull(xy)
        corners, area = xy[hull.vertices], hull.volume
    except (QhullError, ValueError):
        corners, area = xy, 0.0
    edges = np.diff(np.vstack([corners, corners[:1]]), axis=0)
    best: UprightBox | None = None
    for angle in np.unique(np.round(np.arctan2(edges[:, 1], edges[:, 0]) % (np.pi / 2), 2)):
        axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        local = corners @ axes.T
        low, high = local.min(axis=0), local.max(axis=0)
        size = np.maximum(high - low, 1e-4)
        if best is None or size.prod() < best.size_m.prod():
            share = float(area / size.prod())
            best = UprightBox((low + high) / 2 @ axes, axes, size, share)
    if best is None:
        return UprightBox(xy.mean(axis=0), np.eye(2), np.full(2, 1e-4), 0.0)
    return best


def color_names(colors: np.ndarray) -> np.ndarray:
    """Palette name, or grey, of each RGB colour (n, 3) in 0..1, ignoring lightness."""
    names = np.array([name for name in PALETTE if name not in ("white", "black")])
    linear = colors**2.2
    typical = np.array([PALETTE[name] for name in names]) ** 2.2

    def direction(rgb: np.ndarray) -> np.ndarray:
        return rgb / np.maximum(np.linalg.norm(rgb, axis=1, keepdims=True), 1e-6)

    nearest = names[np.argmax(direction(linear) @ direction(typical).T, axis=1)].astype(object)
    brightest = colors.max(axis=1)
    chroma = (brightest - colors.min(axis=1)) / np.maximum(brightest, 0.08)
    neutral = chroma < _NEUTRAL_CHROMA
    nearest[neutral] = np.where(
        brightest[neutral] < 0.33, "black", np.where(brightest[neutral] > 0.45, "white", GREY)
    )
    nearest[brightest < 0.13] = "black"
    return nearest


def segments_from_masks(
    views: Sequence[ViewCloud], names: Mapping[int, str], noise_m: float = 0.0
) -> tuple[Segment, ...]:
    """Segments of the objects in ``names`` {instance id: name}, cut out by the masks.

    If the depth has the error ``noise_m``, points between surfaces are left out.
    """
    points = np.concatenate([view.points for view in views])
    ids = np.concatenate([view.ids for view in views])
    colors = np.concatenate([view.colors for view in views])
    found = (
        named_segment(n, points[ids == i], colors[ids == i], noise_m) for i, n in names.items()
    )
    return tuple(segment for segment in found if segment is not None)


def segments_by_clustering(
    views: Sequence[ViewCloud], table_m: float = 0.0, noise_m: float = 0.0
) -> tuple[Segment, ...]:
    """Unnamed segments separated by colour and by gaps, largest first.

    Each point takes the most frequent colour in its neighbourhood, so that edges, where colours
    mix, and narrow stripes get their object's colour. Connected points of one colour are an object
    (DBSCAN), unless nearly all of them lie on larger objects: then they are markings of those.
    """
    points = np.concatenate([view.points for view in views])
    colors = np.concatenate([view.colors for view in views])
    above = above_table(points, table_m, noise_m)
    points, colors = points[above], colors[above]
    named = color_names(colors)
    thin = {name: _cleaned(points[named == name], noise_m) for name in sorted(set(named))}
    points, named = _as_around(thin)
    patches = [
        (name, points[named == name][label])
        for name in sorted(set(named))
        for label in clusters(points[named == name])
    ]
    patches.sort(key=lambda patch: -len(patch[1]))
    return _merged(patches, noise_m)


def _as_around(thin: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """All points (n, 3) and their colours (n,), each the one that most have around it."""
    points = np.concatenate([np.empty((0, 3)), *thin.values()])
    owner = np.repeat(np.arange(len(thin)), [len(part) for part in thin.values()])
    if len(points) == 0:
        return points, np.empty(0, object)
    _, near = cKDTree(points).query(points, k=_AROUND, distance_upper_bound=_AROUND_M)
    theirs = np.append(owner, -1)[near]  # -1: farther away
    votes = np.stack([(theirs == k).sum(axis=1) for k in range(len(thin))], axis=1)
    return points, np.array(list(thin), object)[votes.argmax(axis=1)]


def above_table(points: np.ndarray, table_m: float, noise_m: float) -> np.ndarray:
    """Mask of the ``points`` (n, 3) that are clearly above the table."""
    x, y, z = points.T
    on_table = (x > 0.0) & (x < 0.9) & (np.abs(y) < 0.75)
    return on_table & (z > table_m + _TABLE_M + 3.0 * noise_m) & (z < 0.6)


def clusters(points: np.ndarray) -> list[np.ndarray]:
    """Indices of the points of each cluster."""
    if len(points) == 0:
        return []
    o3d = open3d()
    cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(points))
    labels = np.asarray(cloud.cluster_dbscan(eps=_GAP_M, min_points=4))
    return [np.nonzero(labels == label)[0] for label in range(labels.max(initial=-1) + 1)]


def named_segment(
    name: str, points: np.ndarray, colors: np.ndarray, noise_m: float
) -> Segment | None:
    """Segment of ``points`` (n, 3) with RGB ``colors`` (n, 3); None if there are too few."""
    thin = _cleaned(points, noise_m)
    if len(thin) < LEAST_POINTS:
        return None
    values, counts = np.unique(color_names(colors).astype(str), return_counts=True)
    return Segment(name, str(values[counts.argmax()]), thin)


def _cleaned(points: np.ndarray, noise_m: float) -> np.ndarray:
    thin = downsampled(points, VOXEL_M)
    return without_strays(thin, 2 * VOXEL_M + 2 * noise_m) if noise_m else thin


def _merged(patches: Sequence[tuple[str, np.ndarray]], noise_m: float) -> tuple[Segment, ...]:
    """Segments of patches (largest first); markings, grey and very small patches join others."""
    things: list[tuple[str, list[np.ndarray]]] = []
    for color, points in patches:
        gaps, nearest = _nearest(points, things)
        touches = gaps.min(initial=np.inf) < 0.012
        marking = (gaps < _AROUND_M + 2 * noise_m).mean() > _MARKING
        if touches and (marking or color == GREY or len(points) < LEAST_POINTS):
            for k in np.unique(nearest):
                things[k][1].append(points[nearest == k])
        elif len(points) >= LEAST_POINTS:
            things.append((color, [points]))
    return tuple(Segment("", color, np.vstack(parts)) for color, parts in things)


def _nearest(
    points: np.ndarray, things: Sequence[tuple[str, list[np.ndarray]]]
) -> tuple[np.ndarray, np.ndarray]:
    """Distance (m) of each point to the nearest of ``things``, and its index."""
    if not things:
        return np.full(len(points), np.inf), np.zeros(len(points), int)
    gaps = np.stack([cKDTree(parts[0]).query(points)[0] for _, parts in things])
    return gaps.min(axis=0), gaps.argmin(axis=0)
