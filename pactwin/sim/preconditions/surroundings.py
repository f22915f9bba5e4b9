"""Which items lie in, on or over an item."""

from collections.abc import Sequence

import numpy as np

from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import bounding_radius_m

# What begins no higher than this above another's foot does not stand on that, but on the table.
_STANDS_BESIDE_M = 0.001


def content_of(box: Item, items: Sequence[Item]) -> Item:
    """The object within a box's sides and below its top; LookupError without one."""
    inwards = box.world_from_object.inverse()
    for item in items:
        here = (inwards @ item.world_from_object).pos
        if item.name != box.name and all(
            abs(x) + s / 2 < b / 2 for x, s, b in zip(here, item.size_m, box.size_m, strict=True)
        ):
            return item
    raise LookupError(f"nothing lies in the {box.name}")


def on_or_over(place: Item, items: Sequence[Item]) -> set[str]:
    """Names of items on, in or over a place and its parts."""
    x, y, _ = place.world_from_object.pos
    lowest = item_points(place)[0][:, 2].min() + _STANDS_BESIDE_M
    around = bounding_radius_m(place)
    found = {item.name for item in items if item.attached_to == place.name}
    for item in items:
        there = item.world_from_object.pos
        apart = np.hypot(there[0] - x, there[1] - y)
        if item.name != place.name and apart < around and item_points(item)[0][:, 2].min() > lowest:
            found.add(item.name)
    return found
