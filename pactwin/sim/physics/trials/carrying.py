"""Stability of stacked items: position of the weight over its support, and the support's slope."""

from collections.abc import Collection

import cv2
import numpy as np

from pactwin.sim.physics.outcome import distance
from pactwin.sim.physics.world import World
from pactwin.suite import Measurement

# A contact's normal is so much upright at least where it carries anything.
_CARRIES = 0.3


def inside_m(world: World, names: Collection[str], gone: str = "") -> float | None:
    """Distance of the items' common centre of mass inside the edges of their support, m.

    Seen from above; negative outside. The item ``gone`` does not count as support. None without
    support.
    """
    model, data = world.model, world.data
    bodies = [model.body(name).id for name in names]
    points, _ = _contacts(world, bodies, gone)
    if not len(points):
        return None
    middle = np.average(data.xipos[bodies], axis=0, weights=model.body_mass[bodies])
    return _inside_m(points[:, :2], middle[:2])


def slope_left_deg(world: World, name: str) -> float:
    """Additional slope (degrees) of its support at which an item would slide.

    Negative if the slope is already too steep; inf without a support.
    """
    _, left = _contacts(world, [world.model.body(name).id], "")
    return float(left.min(initial=np.inf))


def held_by(world: World, name: str, *, stays: bool) -> Measurement | None:
    """Distance of an item from sliding (degrees), or else from tipping (m); negative if it moves.

    None if neither explains why it moves or stays.
    """
    slope, inside = slope_left_deg(world, name), inside_m(world, [name])
    if slope < 0.0 and not stays:
        return distance(slope, "deg")
    return distance(inside, "m") if inside is not None and (inside > 0.0) == stays else None


def _contacts(world: World, bodies: list[int], gone: str) -> tuple[np.ndarray, np.ndarray]:
    """Contacts (n, 3) at which ``bodies`` rest on others, and by how much each may tilt before it
    slips (n,), degrees.
    """
    model, contact = world.model, world.data.contact
    of = model.geom_bodyid[contact.geom]
    ours = np.isin(of, bodies)
    rests = ours[:, 0] != ours[:, 1]
    if gone:
        rests &= ~(of == model.body(gone).id).any(axis=1)
    # Normals point from the first body to the second.
    up = np.where(ours[:, 0], -contact.frame[:, 2], contact.frame[:, 2])
    rests &= up > _CARRIES
    steep = np.arccos(np.clip(up[rests], -1.0, 1.0))
    return contact.pos[rests], np.rad2deg(np.arctan(contact.friction[rests, 0]) - steep)


def _inside_m(points: np.ndarray, at: np.ndarray) -> float:
    """Signed distance of a point (2,) from the convex hull of points (n, 2): positive inside."""
    hull = cv2.convexHull((points - at).astype(np.float32))
    return float(cv2.pointPolygonTest(hull, (0.0, 0.0), measureDist=True))
