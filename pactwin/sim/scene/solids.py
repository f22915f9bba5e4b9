"""Surfaces of objects as triangles, for 3D printers and mesh viewers."""

from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.scene.geometry import item_points, part_volume_m3
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import ORIGIN

# A face is inside another part if that reaches so far (m) beyond it.
_BEYOND_M = 1e-4


@dataclass(frozen=True)
class ItemSurface:
    """Surface of an item in its frame.

    ``triangles_m`` (n, 3, 3): each solid part is a closed surface with outward normals (right-hand
    rule). ``area_m2`` is the area of faces outside other parts. ``volume_m3`` is the volume of the
    solid parts and their contents.
    """

    triangles_m: np.ndarray
    area_m2: float
    volume_m3: float


def surface_of(item: Item) -> ItemSurface:
    """The surface of an item built of convex parts."""
    from scipy.spatial import ConvexHull  # half a second to import

    matter = tuple(part for part in item.parts if part.is_matter)
    points, starts = item_points(replace(item, parts=matter, world_from_object=ORIGIN))
    hulls = [ConvexHull(part) for part in np.split(points, starts)]
    triangles = [_outwards(hull.points[hull.simplices], hull.equations[:, :3]) for hull in hulls]
    area = 0.0
    for k, (faces, hull) in enumerate(zip(triangles, hulls, strict=True)):
        beyond = faces.mean(axis=1) + _BEYOND_M * hull.equations[:, :3]
        hidden = np.zeros(len(faces), bool)
        for other in (*hulls[:k], *hulls[k + 1 :]):
            normals, offsets = other.equations[:, :3], other.equations[:, 3]
            hidden |= (beyond @ normals.T + offsets < 0).all(axis=1)
        area += float((np.linalg.norm(_crosses(faces), axis=1) / 2)[~hidden].sum())
    volume = sum(part_volume_m3(part) for part in item.parts if part.weighs)
    return ItemSurface(np.concatenate(triangles), area, float(volume))


def _outwards(faces: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Triangles (n, 3, 3) in the order of corners that makes them face along ``normals``."""
    inwards = np.sum(_crosses(faces) * normals, axis=1) < 0
    faces[inwards] = faces[inwards, ::-1]
    return faces


def _crosses(faces: np.ndarray) -> np.ndarray:
    return np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
