"""Measure cavities and material thickness of an item on a grid of cells."""

from dataclasses import dataclass

import numpy as np

from pactwin.sim.objects.posing import span_m
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import Item, Part

# Parts that close what they are on: the room inside is measured without them.
CLOSING = frozenset({"cap", "flaps", "lid", "tab"})

_CELLS = 150_000
# Thin parts become this many cells thick: no path from cell to cell leads through, nor past seams.
_TIGHT = 1.15
# Less water than this share of the solid stands in dents, not in a hollow.
_DENT = 0.05


@dataclass(frozen=True)
class Inside:
    """Cavity of an item that stands upright without its lid.

    ``cavity_m3`` is the largest volume of water that stays inside, or 0. ``opening_m`` is the
    diameter of the largest ball that reaches the widest place inside, 0 if there is no way in.
    ``thickness_m`` is the wall thickness of a hollow item, or else the diameter of the largest ball
    that fits into its material.
    """

    cavity_m3: float
    opening_m: float
    thickness_m: float


def inside_of(item: Item) -> Inside:
    """Measure an item of convex solid parts, in its own frame (z up as it is normally used)."""
    solid = [part for part in item.parts if part.is_matter]
    grid = _Grid([part for part in solid if part.role not in CLOSING])
    water = grid.water()
    cavity = float(np.count_nonzero(water)) * grid.cell_m**3
    if cavity < _DENT * sum(part_volume_m3(part) for part in solid):
        return Inside(0.0, 0.0, grid.thickness_m())
    return Inside(cavity, grid.way_in_m(water), wall_m(solid))


def part_thickness_m(part: Part) -> float:
    """Smallest distance of two parallel planes that enclose the part (over its faces)."""
    if part.shape != "hull":
        return min(part.size_m)
    normals, _ = _faces(part)
    reach = normals @ np.array(part.corners_m).T
    return float((reach.max(axis=1) - reach.min(axis=1)).min())


def wall_m(solid: list[Part]) -> float:
    """Median thickness of the parts, weighted by area."""
    thick = sorted((part_thickness_m(part), part_volume_m3(part)) for part in solid)
    area = np.cumsum([volume / thickness for thickness, volume in thick])
    return thick[int(np.searchsorted(area, area[-1] / 2))][0]


class _Grid:
    """Cells (x, y, z), a layer of empty ones around; those are solid whose centre is in a part.

    Parts thinner than a cell are thickened to one: then no path from cell to cell leads through.
    """

    def __init__(self, parts: list[Part]) -> None:
        spans = np.array([[span_m(p.pose, p, axis) for axis in range(3)] for p in parts])
        low, high = spans[:, :, 0].min(axis=0), spans[:, :, 1].max(axis=0)
        self.cell_m = float((np.prod(high - low) / _CELLS) ** (1 / 3))
        count = np.ceil((high - low) / self.cell_m).astype(int) + 2
        self.solid = np.zeros(count, bool)
        start = (low + high) / 2 - self.cell_m * (count - 1) / 2
        axes = [start[k] + self.cell_m * np.arange(count[k]) for k in range(3)]
        for part, span in zip(parts, spans, strict=True):
            grow = max(0.0, (_TIGHT * self.cell_m - part_thickness_m(part)) / 2)
            near = [
                slice(*np.searchsorted(axis, (a - grow, b + grow)))
                for axis, (a, b) in zip(axes, span, strict=True)
            ]
            block = np.stack(
                np.meshgrid(*(axis[s] for axis, s in zip(axes, near, strict=True)), indexing="ij"),
                axis=-1,
            )
            self.solid[tuple(near)] |= _holds(part, block, grow)

    def water(self) -> np.ndarray:
        """Cells that hold water after rain: no escape leads only sideways and down."""
        from scipy.ndimage import label

        found = np.zeros_like(self.solid)
        for layer in range(self.solid.shape[2]):
            labels, _ = label(~self.solid[:, :, : layer + 1])
            out = labels[0, 0, 0]  # the border is all empty, hence one piece
            found[:, :, layer] = (labels[:, :, layer] != out) & ~self.solid[:, :, layer]
        return found

    def way_in_m(self, water: np.ndarray) -> float:
        """Smallest width of the layers of water from the top down to the widest layer."""
        if not self._open_above(water):
            return 0.0
        layers = np.flatnonzero(water.any(axis=(0, 1)))
        wide = [self._widest_m(water[:, :, layer]) for layer in layers]
        return min(wide[int(np.argmax(wide)) :])

    def _open_above(self, water: np.ndarray) -> bool:
        above = np.zeros_like(water)
        above[:, :, 1:] = water[:, :, :-1]
        return bool((above & ~water & ~self.solid).any())

    def thickness_m(self) -> float:
        """Diameter of the largest ball that fits into the solid."""
        return self._widest_m(self.solid)

    def _widest_m(self, cells: np.ndarray) -> float:
        """The diameter of the largest circle or ball of ``cells``, to half a cell either way."""
        from scipy.ndimage import distance_transform_edt

        return (2 * float(distance_transform_edt(cells).max()) - 0.5) * self.cell_m


def _holds(part: Part, points: np.ndarray, grow: float) -> np.ndarray:
    """Mask of the points (..., 3), in the item's frame, in the part thickened by ``grow``."""
    pose = part.pose.matrix()
    local = (points - pose[:3, 3]) @ pose[:3, :3]
    half = np.array(part.size_m) / 2 + grow
    match part.shape:
        case "box":
            return (np.abs(local) <= half).all(axis=-1)
        case "cylinder":
            across = np.hypot(local[..., 0], local[..., 1])
            return (across <= half[0]) & (np.abs(local[..., 2]) <= half[2])
        case "sphere" | "ellipsoid":
            return ((local / half) ** 2).sum(axis=-1) <= 1.0
        case "capsule":
            local[..., 2] -= np.clip(local[..., 2], half[0] - half[2], half[2] - half[0])
            return (local**2).sum(axis=-1) <= half[0] ** 2
        case "hull":
            normals, offsets = _faces(part)
            return (local @ normals.T <= offsets + grow).all(axis=-1)
        case _:
            raise ValueError(f"the inside of a {part.shape!r} part is not known")


def _faces(part: Part) -> tuple[np.ndarray, np.ndarray]:
    """Outward normals (n, 3) and offsets (n,) of a hull's faces: n @ x <= offset inside."""
    from scipy.spatial import ConvexHull  # half a second to import

    equations = ConvexHull(part.corners_m).equations
    return equations[:, :3], -equations[:, 3]
