"""Find free places on the table."""

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from pactwin.sim.scene.layout import Item

X_RANGE_M, Y_RANGE_M = (0.07, 0.40), (-0.32, 0.32)
"""The part of the table that cameras see and arms mostly reach, in the table frame."""

GAP_M = 0.02
_ARRANGEMENTS, _TRIES = 30, 12

Disc = tuple[float, float, float]  # x, y, radius, m
Place = tuple[float, float]


class RejectedLayout(Exception):
    """An unusable proposal (no room, objects overlap, ...); its reason is counted."""


def bounding_radius_m(item: Item) -> float:
    """Radius of the vertical cylinder that contains the item at any yaw angle."""
    corners = np.array(list(product((-0.5, 0.5), repeat=3))) * item.size_m
    across = corners @ item.world_from_object.matrix()[:2, :3].T
    return float(np.hypot(across[:, 0], across[:, 1]).max())


def free_places(
    rng: np.random.Generator,
    radii_m: Iterable[float],
    taken: Iterable[Disc] = (),
    x_range: tuple[float, float] = X_RANGE_M,
    y_range: tuple[float, float] = Y_RANGE_M,
) -> list[Place]:
    """Like :func:`places_for`, of one disc each."""
    covers = [((0.0, 0.0, radius),) for radius in radii_m]
    return places_for(rng, covers, taken, x_range, y_range)


def places_for(
    rng: np.random.Generator,
    covers: Iterable[Sequence[Disc]],
    taken: Iterable[Disc] = (),
    x_range: tuple[float, float] = X_RANGE_M,
    y_range: tuple[float, float] = Y_RANGE_M,
) -> list[Place]:
    """Places (x, y) at each of which discs, relative to it, overlap neither others nor ``taken``.

    Discs stay inside the ranges (m). Raises RejectedLayout if 30 arrangements fail.
    """
    arrays = [np.array(discs) for discs in covers]
    for _ in range(_ARRANGEMENTS):
        found: list[Place] = []
        others = np.array([*taken]).reshape(-1, 3)
        for discs in arrays:
            place = _room_for(rng, discs, others, np.transpose((x_range, y_range)))
            if place is None:
                break
            found.append(place)
            others = np.concatenate([others, discs + np.array((*place, 0.0))])
        if len(found) == len(arrays):
            return found
    raise RejectedLayout("no room on the table")


def _room_for(
    rng: np.random.Generator, discs: np.ndarray, others: np.ndarray, bounds_m: np.ndarray
) -> Place | None:
    """A place at which the discs (n, 3) are within bounds and clear of others, if one is found."""
    low = (bounds_m[0] - discs[:, :2] + discs[:, 2:]).max(axis=0)
    high = (bounds_m[1] - discs[:, :2] - discs[:, 2:]).min(axis=0)
    if (low > high).any():
        return None
    for x, y in rng.uniform(low, high, (_TRIES, 2)):
        apart = np.linalg.norm(discs[:, None, :2] + (x, y) - others[None, :, :2], axis=2)
        if (apart > discs[:, None, 2] + others[None, :, 2] + GAP_M).all():
            return float(x), float(y)
    return None


def disc(item: Item) -> Disc:
    """The item's place as a disc (x, y, radius), m."""
    x, y, _ = item.world_from_object.pos
    return x, y, bounding_radius_m(item)


def footprint(items: Iterable[Item]) -> tuple[Disc, ...]:
    """Discs that cover items seen from above: one each, or several in a row along a long one."""
    found: list[Disc] = []
    for item in items:
        x, y, _ = item.world_from_object.pos
        axes = item.world_from_object.matrix()[:2, :3] * item.size_m
        ahead = axes[:, np.linalg.norm(axes, axis=0).argmax()]
        ahead = ahead / np.linalg.norm(ahead)
        long, wide = (
            float(np.abs(a @ axes).sum()) for a in (ahead, np.array((-ahead[1], ahead[0])))
        )
        count = max(1, round(2 * long / wide) - 1)
        radius = float(np.hypot(wide, long / count)) / 2
        places = np.array((x, y)) + np.outer((np.arange(count) + 0.5) / count - 0.5, long * ahead)
        found += [(float(px), float(py), radius) for px, py in places]
    return tuple(dict.fromkeys(found))


def moved(covers: Iterable[Disc], by: Place) -> tuple[Disc, ...]:
    """The discs, each moved along x and y."""
    return tuple((x + by[0], y + by[1], radius) for x, y, radius in covers)
