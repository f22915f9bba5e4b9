"""Find free places on the table."""

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from pactwin.sim.scene.layout import Item

# The part of the table that the head camera sees and arms mostly reach, in the table frame.
X_RANGE_M = (0.07, 0.36)
Y_RANGE_M = (-0.27, 0.27)
GAP_M = 0.02

Disc = tuple[float, float, float]  # x, y, radius, m


class RejectedLayout(Exception):
    """An unusable proposal (no room, objects overlap, ...); its reason is counted."""


def bounding_radius_m(item: Item) -> float:
    """Radius of the vertical cylinder that contains the item at any yaw angle."""
    corners = np.array(list(product((-0.5, 0.5), repeat=3))) * item.size_m
    across = corners @ item.world_from_object.matrix()[:2, :3].T
    return float(np.hypot(across[:, 0], across[:, 1]).max())


def free_places(
    rng: np.random.Generator,
    radii_m: Sequence[float],
    taken: Iterable[Disc] = (),
    x_range: tuple[float, float] = X_RANGE_M,
    y_range: tuple[float, float] = Y_RANGE_M,
) -> list[tuple[float, float]]:
    """Centres (x, y) for discs of ``radii_m`` that overlap neither each other nor ``taken``.

    Discs stay inside the ranges (m). Raises RejectedLayout if 40 arrangements fail.
    """
    taken = tuple(taken)
    for _ in range(40):
        placed: list[Disc] = []
        for radius in radii_m:
            low = (x_range[0] + radius, y_range[0] + radius)
            high = (x_range[1] - radius, y_range[1] - radius)
            if low[0] > high[0] or low[1] > high[1]:
                raise RejectedLayout("too large for the table")
            for x, y in rng.uniform(low, high, (10, 2)):
                if all(
                    np.hypot(x - tx, y - ty) > radius + tr + GAP_M
                    for tx, ty, tr in (*taken, *placed)
                ):
                    placed.append((float(x), float(y), radius))
                    break
            else:
                break
        if len(placed) == len(radii_m):
            return [(x, y) for x, y, _ in placed]
    raise RejectedLayout("no room on the table")


def disc(item: Item) -> Disc:
    """The item's place as a disc (x, y, radius), m."""
    x, y, _ = item.world_from_object.pos
    return x, y, bounding_radius_m(item)
