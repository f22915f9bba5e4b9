"""What all domains draw alike: colours, places on the table, and things that lie about."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from pactwin.sim.domains.base import RejectedLayout
from pactwin.sim.layout import Item
from pactwin.sim.objects import COLORS, distractor_kinds, standing_at

# The part of the table that the head camera sees and arms mostly reach, in the table frame.
X_RANGE_M = (0.07, 0.36)
Y_RANGE_M = (-0.27, 0.27)
GAP_M = 0.02


class Colors:
    """Deals out each colour once, so that a colour and a kind name one thing in the picture."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._left = [str(c) for c in rng.permutation(sorted(COLORS))]

    def next(self) -> str:
        """A colour not yet used; raises RejectedLayout when none is left."""
        if not self._left:
            raise RejectedLayout("no colour left")
        return self._left.pop()


def footprint_radius_m(item: Item) -> float:
    """Radius of the vertical cylinder that holds the item, however it is turned."""
    return float(np.hypot(item.size_m[0], item.size_m[1]) / 2)


def free_place(
    rng: np.random.Generator,
    radius_m: float,
    taken: Iterable[tuple[float, float, float]],
    x_range: tuple[float, float] = X_RANGE_M,
    y_range: tuple[float, float] = Y_RANGE_M,
) -> tuple[float, float]:
    """A centre (x, y) where a disc of ``radius_m`` overlaps none of ``taken`` (x, y, radius).

    Raises RejectedLayout if 60 draws find none.
    """
    taken = tuple(taken)
    low = (x_range[0] + radius_m, y_range[0] + radius_m)
    high = (x_range[1] - radius_m, y_range[1] - radius_m)
    if low[0] > high[0] or low[1] > high[1]:
        raise RejectedLayout("too large for the table")
    for _ in range(60):
        x, y = rng.uniform(low, high)
        if all(np.hypot(x - tx, y - ty) > radius_m + tr + GAP_M for tx, ty, tr in taken):
            return float(x), float(y)
    raise RejectedLayout("no room on the table")


def scatter_distractors(
    rng: np.random.Generator,
    colors: Colors,
    taken: Iterable[tuple[float, float, float]],
    count: int,
) -> tuple[Item, ...]:
    """``count`` unrelated things in free places, outside the discs ``taken`` (x, y, radius)."""
    kinds = distractor_kinds()
    names = [str(n) for n in rng.permutation(sorted(kinds))[:count]]
    discs = list(taken)
    items = []
    for name in names:
        item = replace(kinds[name](colors.next(), rng), distractor=True)
        radius = footprint_radius_m(item)
        x, y = free_place(rng, radius, discs, x_range=(0.04, 0.42), y_range=(-0.36, 0.36))
        discs.append((x, y, radius))
        items.append(standing_at(item, x, y, yaw_rad=float(rng.uniform(-np.pi, np.pi))))
    return tuple(items)


def disc(item: Item) -> tuple[float, float, float]:
    """The item's place as a disc (x, y, radius), m."""
    x, y, _ = item.world_from_object.pos
    return x, y, footprint_radius_m(item)
