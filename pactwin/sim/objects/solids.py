"""An object made of convex pieces, with raycasts, sections, and the rooms that they enclose.

Lengths are mm.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import cv2
import numpy as np
from scipy.ndimage import distance_transform_edt, label
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull

from pactwin.catalogue import load_catalogue
from pactwin.sim.scene.geometry import part_volume_m3, points_of_parts
from pactwin.sim.scene.layout import Item, Part

_FAR_MM = 1e4
_GRID = 40
_CELLS, _LEAST_LEVELS = 1_000_000, 9
_LEAST_CELLS = 100
_END_MM, _TOUCH_MM = 1.0, 1.0
_SAME_WAY = 0.99


@dataclass(frozen=True)
class Piece:
    """One convex piece: its ``points`` (n, 3) in the item's frame, the part it is, its material."""

    part: Part
    points: np.ndarray
    material: str

    @property
    def mass_g(self) -> float:
        """Mass by volume and material."""
        return self.volume_mm3 * 1e-6 * load_catalogue().material(self.material).density_kg_m3

    @property
    def role(self) -> str:
        """The role of the part."""
        return self.part.role

    @property
    def volume_mm3(self) -> float:
        """Volume of the piece."""
        return 1e9 * part_volume_m3(self.part)

    @property
    def thickness_mm(self) -> float:
        """Smallest distance of two parallel planes that enclose the piece (over its faces)."""
        if self.part.shape != "hull":
            return 1e3 * min(self.part.size_m)
        return float(np.ptp(self.points @ self.planes[:, :3].T, axis=0).min())

    @cached_property
    def _hull(self) -> ConvexHull:
        return ConvexHull(self.points, qhull_options="QJ")

    @cached_property
    def planes(self) -> np.ndarray:
        """Outward planes (f, 4) of the faces."""
        return np.unique(self._hull.equations.round(6), axis=0)

    @cached_property
    def edges(self) -> np.ndarray:
        """Ends (e, 2, 3) of the edges."""
        pairs = self._hull.simplices[:, [[0, 1], [1, 2], [0, 2]]].reshape(-1, 2)
        return self.points[np.unique(np.sort(pairs), axis=0)]

    def slab(self, way: np.ndarray, low: float, high: float) -> np.ndarray:
        """Points (n, 3) whose hull is the matter between two planes perpendicular to ``way``."""
        return _slab(self.edges, way, low, high)


@dataclass(frozen=True)
class Seen:
    """Hits of parallel rays on a grid (n, n): depths of the first and last matter, -1 for no piece
    in ``piece``; ``cell_mm`` (2,) are the grid's steps."""

    first: np.ndarray
    last: np.ndarray
    piece: np.ndarray
    cell_mm: np.ndarray

    def widest_mm(self, cells: np.ndarray) -> float:
        """Diameter of the largest disc within ``cells`` (n, n)."""
        return _widest(np.pad(cells, 1)) * float(self.cell_mm.min())


@dataclass(frozen=True)
class Room:
    """A cavity that is open above: its floor's role, its volume, the width of its opening, the
    thickness of its walls in the upper quarter, and the rim's roundness (largest circle inside by
    smallest around)."""

    role: str
    volume_ml: float
    opening_mm: float
    rim_mm: float
    round: float


@dataclass(frozen=True)
class Solid:
    """All matter of an object, piece by piece."""

    pieces: tuple[Piece, ...]

    @cached_property
    def _edges(self) -> np.ndarray:
        return np.concatenate([piece.edges for piece in self.pieces])

    def only(self, roles: Sequence[str]) -> "Solid":
        """The matter of these roles alone."""
        return Solid(tuple(piece for piece in self.pieces if piece.role in roles))

    def largest(self) -> "Solid":
        """The connected pieces of largest volume."""
        groups = touching([piece.points for piece in self.pieces])
        some = [tuple(self.pieces[k] for k in group) for group in groups]
        return Solid(max(some, key=lambda pieces: sum(piece.volume_mm3 for piece in pieces)))

    @cached_property
    def points(self) -> np.ndarray:
        """All points (n, 3)."""
        return np.concatenate([np.empty((0, 3)), *(piece.points for piece in self.pieces)])

    @property
    def wall_mm(self) -> float:
        """Median thickness of the pieces, weighted by area."""
        thick = sorted((piece.thickness_mm, piece.volume_mm3) for piece in self.pieces)
        area = np.cumsum([volume / thickness for thickness, volume in thick])
        return thick[int(np.searchsorted(area, area[-1] / 2))][0]

    @property
    def volume_mm3(self) -> float:
        """Volume of all pieces."""
        return sum(piece.volume_mm3 for piece in self.pieces)

    @cached_property
    def directions(self) -> np.ndarray:
        """Unit vectors (n, 3), both signs: the item's axes, principal axes of it and its roles."""
        some = [np.eye(3), _main_axes(self.points)]
        some += [_main_axes(self.only((role,)).points) for role in self.roles]
        kept: list[np.ndarray] = []
        for way in np.concatenate([axes for both in some for axes in (both, -both)]):
            if all(way @ other < _SAME_WAY for other in kept):
                kept.append(way)
        return np.array(kept)

    @property
    def roles(self) -> tuple[str, ...]:
        """Each role once, in order."""
        return tuple(dict.fromkeys(piece.role for piece in self.pieces))

    def slab(self, way: np.ndarray, low: float, high: float) -> np.ndarray:
        """Points (n, 3) whose hull is the matter between two planes perpendicular to ``way``."""
        return _slab(self._edges, way, low, high)

    def end_roles(self, way: np.ndarray) -> frozenset[str]:
        """The roles that extend farthest along ``way``."""
        far = {role: (self.only((role,)).points @ way).max() for role in self.roles}
        return frozenset(role for role, at in far.items() if at > max(far.values()) - _END_MM)

    def crossings(self, starts: np.ndarray, ways: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances at which rays (n, 3) enter and leave each piece (pieces, n); inf for a miss."""
        enters, leaves = [], []
        for piece in self.pieces:
            slope = ways @ piece.planes[:, :3].T
            apart = starts @ piece.planes[:, :3].T + piece.planes[:, 3]
            with np.errstate(divide="ignore", invalid="ignore"):
                at = -apart / slope
            enter = np.where(slope < -1e-9, at, -np.inf).max(axis=1)
            leave = np.where(slope > 1e-9, at, np.inf).min(axis=1)
            missed = (enter > leave) | ((np.abs(slope) <= 1e-9) & (apart > 0)).any(axis=1)
            enters.append(np.where(missed, np.inf, enter))
            leaves.append(np.where(missed, -np.inf, leave))
        return np.array(enters), np.array(leaves)

    def seen(self, way: np.ndarray) -> Seen:
        """Raycast hits along ``way`` on a grid over the whole object."""
        across = _across(way)
        flat = self.points @ across.T
        low, high = flat.min(axis=0), flat.max(axis=0)
        cell = (high - low) / _GRID
        middles = [low[k] + cell[k] * (np.arange(_GRID) + 0.5) for k in (0, 1)]
        at = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 2)
        starts = at @ across - _FAR_MM * way
        enter, leave = self.crossings(starts, np.broadcast_to(way, starts.shape))
        nearest = enter.argmin(axis=0)
        hit = np.isfinite(enter.min(axis=0))
        return Seen(
            (enter.min(axis=0) - _FAR_MM).reshape(_GRID, _GRID),
            (leave.max(axis=0) - _FAR_MM).reshape(_GRID, _GRID),
            np.where(hit, nearest, -1).reshape(_GRID, _GRID),
            cell,
        )

    def slabs(self, up: np.ndarray) -> "Slabs":
        """The object cut into level slabs, each as a raster of what it covers."""
        across = _across(up)
        flat, along = self.points @ across.T, self.points @ up
        low, size, high = flat.min(axis=0), np.ptp(flat, axis=0), float(np.ptp(along))
        cell = float(np.cbrt(size.prod() * high / _CELLS))
        edges = np.linspace(along.min(), along.max(), round(high / cell) + _LEAST_LEVELS)
        matter = np.zeros((len(edges) - 1, *np.ceil(size / cell).astype(int) + 5), np.uint8)
        for level, ends in zip(matter, pairwise(edges.tolist()), strict=True):
            for piece in self.pieces:
                points = piece.slab(up, *ends)
                if len(points):
                    cells = (points @ across.T - low) / cell + 2
                    fill(level, cells, self.roles.index(piece.role) + 1)
        return Slabs(matter, cell, edges)

    def rooms(self, up: np.ndarray) -> Iterator[Room]:
        """The cavities that hold a filling from above and are open there."""
        slabs = self.slabs(up)
        for room in slabs.rooms():
            opening_mm = slabs.opening_mm(room)
            if not opening_mm:
                continue
            first, last = np.flatnonzero(room.any(axis=(1, 2)))[[0, -1]].tolist()
            near_rim = slabs.edges_mm[(first + 3 * last) // 4]
            cuts = [piece.slab(up, near_rim, near_rim) for piece in self.pieces]
            thick = [sides_mm(cut, up)[0] for cut in cuts if len(cut) >= 3]
            _, radius = cv2.minEnclosingCircle(np.argwhere(room[last]).astype(np.float32))
            floor = np.bincount(slabs.matter[first - 1][room[first]]).argmax()
            yield Room(
                self.roles[floor - 1],
                volume_ml=slabs.volume_mm3(room) / 1e3,
                opening_mm=opening_mm,
                rim_mm=float(np.median(thick)),
                round=_widest(room[last]) / (2.0 * radius + 1.0),
            )


@dataclass(frozen=True)
class Slabs:
    """Numbers of roles, from 1, on rasters of level slabs between ``edges_mm``, the lowest first.

    What a slab covers is a cell broader than the matter is.
    """

    matter: np.ndarray
    cell_mm: float
    edges_mm: np.ndarray

    def rooms(self) -> Iterator[np.ndarray]:
        """Masks of connected cells that hold a filling (see :func:`held`), the largest first."""
        numbers, _ = label(held(self.matter == 0))
        sizes = np.bincount(numbers.ravel())[1:]
        for k in np.argsort(-sizes, kind="stable"):
            if sizes[k] >= _LEAST_CELLS:
                yield numbers == k + 1

    def volume_mm3(self, cells: np.ndarray) -> float:
        """Volume of a mask of cells."""
        high = float(self.edges_mm[1] - self.edges_mm[0])
        return float(np.count_nonzero(cells)) * self.cell_mm**2 * high

    def opening_mm(self, room: np.ndarray) -> float:
        """Smallest width of a room's levels from the top down to the widest; 0 if it is shut."""
        above = room[:-1] & ~room[1:] & (self.matter[1:] == 0)
        if not (above.any() or room[-1].any()):
            return 0.0
        wide = [_widest(level) for level in room if level.any()]
        return self.cell_mm * min(wide[int(np.argmax(wide)) :])

    def thickness_mm(self) -> float:
        """Diameter of the largest ball that fits into the matter."""
        steps = (float(self.edges_mm[1] - self.edges_mm[0]), self.cell_mm, self.cell_mm)
        apart = distance_transform_edt(np.pad(self.matter > 0, 1), sampling=steps)
        return 2.0 * float(apart.max()) - self.cell_mm


@lru_cache(maxsize=256)
def solid_of(item: Item) -> Solid:
    """The matter of an item in its own frame, in pieces."""
    return Solid(tuple(piece_of(part, item) for part in item.parts if part.is_matter))


def piece_of(part: Part, item: Item) -> Piece:
    """A part of an item as a piece."""
    (points_m,) = points_of_parts([part])
    return Piece(part, 1e3 * points_m, part.material or item.material)


def touching(outlines: Sequence[np.ndarray]) -> list[list[int]]:
    """Groups of outlines (n, k) whose boxes are no further than 1 mm from each other."""
    low = np.array([points.min(axis=0) - _TOUCH_MM for points in outlines])
    high = np.array([points.max(axis=0) for points in outlines])
    near = (low[:, None] <= high).all(axis=2)
    count, group_of = connected_components(np.logical_and(near, near.T))
    return [np.flatnonzero(group_of == k).tolist() for k in range(count)]


def held(free: np.ndarray) -> np.ndarray:
    """Mask of the free cells of levels, from the lowest, that a filling cannot leave.

    It spreads within its level to the raster's border, and down into free cells from which it does.
    """
    found = np.zeros_like(free)
    below = np.zeros(free.shape[1:], bool)
    for k, level in enumerate(free):
        runs, _ = label(level)
        border = [runs[0], runs[-1], runs[..., 0], runs[..., -1], runs[~below]]
        escaping = np.unique(np.concatenate([np.ravel(some) for some in border]))
        found[k] = level & ~np.isin(runs, escaping)
        below = ~level | found[k]
    return found


def fill(raster: np.ndarray, cells: np.ndarray, value: int) -> None:
    """Fill the hull of points (n, 2), in rows and columns, on a raster of bytes."""
    at = np.round(cells[:, ::-1]).astype(np.int32)
    cv2.fillConvexPoly(raster, cv2.convexHull(np.ascontiguousarray(at)), value)


def _slab(edges: np.ndarray, way: np.ndarray, low: float, high: float) -> np.ndarray:
    a, b = edges[:, 0], edges[:, 1]
    from_, to = a @ way, b @ way
    run = np.where(np.abs(to - from_) < 1e-9, 1e-9, to - from_)
    ends = np.sort(np.stack([(low - from_) / run, (high - from_) / run]), axis=0)
    first, last = np.maximum(ends[0], 0.0), np.minimum(ends[1], 1.0)
    inside = first <= last
    steps = (b - a)[inside]
    return np.concatenate([a[inside] + share[inside][:, None] * steps for share in (first, last)])


def _widest(cells: np.ndarray) -> float:
    """Diameter, in cells, of the largest disc within ``cells``, which do not touch the border."""
    return 2.0 * float(cv2.distanceTransform(cells.astype(np.uint8), cv2.DIST_L2, 5).max())


def circle_mm(points: np.ndarray, way: np.ndarray) -> float:
    """Diameter of the smallest circle around points (n, 3) projected along ``way``."""
    _, radius = cv2.minEnclosingCircle((points @ _across(way).T).astype(np.float32))
    return 2.0 * float(radius)


def sides_mm(points: np.ndarray, way: np.ndarray) -> tuple[float, float]:
    """Smaller and larger side of the smallest rectangle around points projected along ``way``."""
    _, sides, _ = cv2.minAreaRect((points @ _across(way).T).astype(np.float32))
    return min(sides), max(sides)


def _across(way: np.ndarray) -> np.ndarray:
    """Two unit vectors (2, 3) across ``way``, along the item's axes where those are across."""
    ref = np.eye(3)[int(np.abs(way).argmin())]
    one = np.cross(way, ref)
    one /= np.linalg.norm(one)
    return np.stack([one, np.cross(way, one)])


def _main_axes(points: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2])
