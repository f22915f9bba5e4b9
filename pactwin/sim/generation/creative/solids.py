"""An object made of convex pieces, with raycasts and sections.

This is a second representation of an object's shape, beside the boxes and rasters that measure
parts. Lengths are mm.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from scipy.spatial import ConvexHull

from pactwin.sim.generation.creative.sides import points_m
from pactwin.sim.scene.layout import Item, Part

_FAR_MM = 1e4
_GRID = 40
_LEVELS, _AROUND = 8, 12
_FLOOR = 5
_LEAKS = 40
"""So many rays each way look for a hole in a floor."""
_TOUCHING_MM, _END_MM = 0.2, 1.0
_SAME_WAY = 0.99


@dataclass(frozen=True)
class Piece:
    """One convex piece: outward ``planes`` (f, 4) and ``edges`` (e, 2, 3) of its hull."""

    role: str
    points: np.ndarray
    planes: np.ndarray
    edges: np.ndarray


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
        apart = cv2.distanceTransform(np.pad(cells, 1).astype(np.uint8), cv2.DIST_L2, 5)
        return 2.0 * float(apart.max()) * float(self.cell_mm.min())


@dataclass(frozen=True)
class Hold:
    """A cavity that is open above: its floor's role, its volume, the width of its opening, the
    thickness of its rim, and its roundness (smallest by largest width)."""

    role: str
    volume_ml: float
    opening_mm: float
    rim_mm: float
    round: float


@dataclass(frozen=True)
class Solid:
    """All matter of an object, piece by piece."""

    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, item: Item) -> "Solid":
        """The pieces of an item in its own frame."""
        return cls(tuple(_piece(part) for part in item.parts if part.is_matter))

    @cached_property
    def _edges(self) -> np.ndarray:
        return np.concatenate([piece.edges for piece in self.pieces])

    def only(self, roles: Sequence[str]) -> "Solid":
        """The matter of these roles alone."""
        return Solid(tuple(piece for piece in self.pieces if piece.role in roles))

    @cached_property
    def points(self) -> np.ndarray:
        """All corners (n, 3)."""
        return np.concatenate([piece.points for piece in self.pieces])

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
        a, b = self._edges[:, 0], self._edges[:, 1]
        from_, to = a @ way, b @ way
        run = np.where(np.abs(to - from_) < 1e-9, 1e-9, to - from_)
        ends = np.sort(np.stack([(low - from_) / run, (high - from_) / run]), axis=0)
        first, last = np.maximum(ends[0], 0.0), np.minimum(ends[1], 1.0)
        inside = first <= last
        steps = (b - a)[inside]
        return np.concatenate(
            [a[inside] + share[inside][:, None] * steps for share in (first, last)]
        )

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

    def holds(self, up: np.ndarray) -> list[Hold]:
        """The cavities that hold a filling from above, each probed from a point on its floor.

        Horizontal rays start at heights above that point; the cavity ends where a ray first misses
        the wall.
        """
        across = _across(up)
        flat, top = self.points @ across.T, float((self.points @ up).max())
        low, high = flat.min(axis=0), flat.max(axis=0)
        grid = np.stack(np.meshgrid(*[(np.arange(_FLOOR) + 0.5) / _FLOOR] * 2), -1).reshape(-1, 2)
        starts = (low + grid * (high - low)) @ across + _FAR_MM * up
        enter, _ = self.crossings(starts, np.broadcast_to(-up, starts.shape))
        found: dict[str, list[tuple[Hold, np.ndarray]]] = {}
        for start, reach, piece in zip(
            starts, enter.min(axis=0), enter.argmin(axis=0), strict=True
        ):
            if np.isfinite(reach):
                role = self.pieces[piece].role
                hold = self._hold(role, start - reach * up, up, across, top)
                if hold is not None:
                    found.setdefault(role, []).append(hold)
        kept = []
        for holds in found.values():
            _, rim = max(holds, key=lambda one: one[0].volume_ml)
            if not self._leaks(rim, up):
                kept += [hold for hold, _ in holds]
        return kept

    def _hold(
        self, role: str, floor: np.ndarray, up: np.ndarray, across: np.ndarray, top: float
    ) -> tuple[Hold, np.ndarray] | None:
        """The room above a place on the floor, and its rim (n, 3); None where there is none."""
        high = top - float(floor @ up)
        heights = high * (np.arange(1, _LEVELS + 1) / _LEVELS) ** 2 * 0.995
        turn = 2 * np.pi * np.arange(_AROUND) / _AROUND
        ways = np.stack([np.cos(turn), np.sin(turn)], axis=1) @ across
        starts = (floor + heights[:, None] * up)[:, None].repeat(_AROUND, 1).reshape(-1, 3)
        out = np.tile(ways, (_LEVELS, 1))
        enter, leave = self.crossings(starts, out)
        ahead = np.where(leave > 1e-6, np.maximum(enter, 0.0), np.inf)
        reach = ahead.min(axis=0).reshape(_LEVELS, _AROUND)
        shut = np.isfinite(reach).all(axis=1)
        closed = _LEVELS if shut.all() else int(shut.argmin())
        if not closed or reach[0].min() <= 0.0:
            return None
        # Of the polygon of where the rays end, times what it lacks of a circle.
        areas = np.pi / _AROUND * (reach[:closed] * np.roll(reach[:closed], 1, axis=1)).sum(axis=1)
        thick = np.diff(np.concatenate(([0.0], heights[:closed])))
        breadth = reach[:closed] + np.roll(reach[:closed], _AROUND // 2, axis=1)
        narrow = breadth.min(axis=1)
        walls = np.arange(max(0, closed - 2) * _AROUND, closed * _AROUND)
        thick_mm = _wall_mm(ahead[:, walls], leave[:, walls]).reshape(-1, _AROUND)
        hold = Hold(
            role,
            volume_ml=float(areas @ thick) / 1e3,
            opening_mm=float(narrow[int(narrow.argmax()) :].min()),
            rim_mm=float(np.median(thick_mm, axis=1).max()),
            round=float(narrow[-1] / breadth[-1].max()),
        )
        return hold, floor + heights[closed - 1] * up + reach[closed - 1][:, None] * ways

    def _leaks(self, rim: np.ndarray, up: np.ndarray) -> bool:
        """Whether a ray down from anywhere within a level rim (n, 3) meets nothing."""
        across = _across(up)
        flat = (rim @ across.T).astype(np.float32)
        steps = [np.linspace(*ends, _LEAKS) for ends in zip(flat.min(0), flat.max(0), strict=True)]
        grid = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 2)
        within = [cv2.pointPolygonTest(flat, (x, y), True) > 1.0 for x, y in grid.tolist()]
        spots = grid[within] @ across + float(rim[0] @ up) * up
        if not len(spots):
            return False
        _, leave = self.crossings(spots, np.broadcast_to(-up, spots.shape))
        return bool((leave.max(axis=0) < 0.0).any())


def _wall_mm(enter: np.ndarray, leave: np.ndarray) -> np.ndarray:
    """Thickness of the first wall on each ray, with the pieces that touch it.

    Rays ``enter`` and ``leave`` pieces at these distances, (pieces, n).
    """
    first = enter.min(axis=0)
    end = first
    for _ in range(3):
        end = np.where(enter <= end + _TOUCHING_MM, leave, -np.inf).max(axis=0)
    return np.asarray(end - first)


def circle_mm(points: np.ndarray, way: np.ndarray) -> float:
    """Diameter of the smallest circle around points (n, 3) projected along ``way``."""
    _, radius = cv2.minEnclosingCircle((points @ _across(way).T).astype(np.float32))
    return 2.0 * float(radius)


def sides_mm(points: np.ndarray, way: np.ndarray) -> tuple[float, float]:
    """Smaller and larger side of the smallest rectangle around points projected along ``way``."""
    _, sides, _ = cv2.minAreaRect((points @ _across(way).T).astype(np.float32))
    return min(sides), max(sides)


def _piece(part: Part) -> Piece:
    points = 1e3 * points_m(part)
    hull = ConvexHull(points, qhull_options="QJ")
    pairs = np.sort(
        np.concatenate([hull.simplices[:, [a, b]] for a, b in ((0, 1), (1, 2), (0, 2))])
    )
    edges = points[np.unique(pairs, axis=0)]
    planes = np.unique(hull.equations.round(6), axis=0)
    return Piece(part.role, points[hull.vertices], planes, edges)


def _across(way: np.ndarray) -> np.ndarray:
    """Two unit vectors (2, 3) across ``way``, along the item's axes where those are across."""
    ref = np.eye(3)[int(np.abs(way).argmin())]
    one = np.cross(way, ref)
    one /= np.linalg.norm(one)
    return np.stack([one, np.cross(way, one)])


def _main_axes(points: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2])
