"""Shared by all scenes: colours, yaw angles, distractors."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import numpy as np

from pactwin.sim.objects.palette import COLORS
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import distractor_kinds
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import Disc, RejectedLayout, bounding_radius_m, free_places

# Black hides edges: hollows, caps and lids are hard to tell in it.
SHOWING_SHAPE = tuple(color for color in COLORS if color != "black")


class Colors:
    """Assigns each colour once, so that colour and kind identify an object in the picture."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._left = [str(c) for c in rng.permutation(sorted(COLORS))]

    @property
    def left(self) -> int:
        """Number of unused colours."""
        return len(self._left)

    def next(self, among: Collection[str] = COLORS) -> str:
        """An unused colour of ``among``; raises RejectedLayout if none is left."""
        for color in reversed(self._left):
            if color in among:
                self._left.remove(color)
                return color
        raise RejectedLayout("no colour left")

    def two(
        self, make: Callable[[str], Item], among: Collection[str] = COLORS
    ) -> tuple[Item, Item]:
        """Two like items, each made in an unused colour of ``among``."""
        return make(self.next(among)), make(self.next(among))


def scatter_distractors(
    rng: np.random.Generator, colors: Colors, taken: Iterable[Disc], count: int
) -> tuple[Item, ...]:
    """Up to ``count`` unrelated objects outside the discs ``taken`` (x, y, radius).

    There are fewer where colours or free places are.
    """
    kinds, taken, found = distractor_kinds(), list(taken), list[Item]()
    for name in rng.permutation(sorted(kinds))[: min(count, colors.left)]:
        item = replace(kinds[str(name)](colors.next(), rng), distractor=True)
        radius = bounding_radius_m(item)
        try:
            ((x, y),) = free_places(rng, [radius], taken, (0.04, 0.44), (-0.38, 0.38))
        except RejectedLayout:
            continue
        taken.append((x, y, radius))
        found.append(standing_at(item, x, y, yaw_rad=any_turn(rng)))
    return tuple(found)


def any_turn(rng: np.random.Generator) -> float:
    """Draw any yaw angle."""
    return float(rng.uniform(-np.pi, np.pi))


def oblique_turn(rng: np.random.Generator) -> float:
    """Draw a yaw angle at which no camera looks along x, so that the length is visible."""
    turn = rng.choice([-1.0, 1.0]) * np.deg2rad(rng.uniform(30.0, 60.0))
    return float(turn + rng.choice([0.0, np.pi]))


def yaw_rad(item: Item) -> float:
    """Yaw angle of an upright item."""
    w, _, _, z = item.world_from_object.quat
    return 2.0 * float(np.arctan2(z, w))


def turned_to_show(rng: np.random.Generator, top: str, count: int) -> list[float]:
    """Draw a yaw angle at which cameras see the profile of stands (see ``unlike_stands``).

    Ridges show a gable to cameras at the front and sides, from where both roof sides are never
    visible together; slopes face none of the cameras.
    """
    low, high = (24.0, 34.0) if top == "slope" else (32.0, 44.0)
    turn = rng.choice([-1.0, 1.0], count) * np.deg2rad(rng.uniform(low, high, count))
    return list(map(float, turn + rng.choice([0.0, np.pi], count)))


def exchanged(items: Iterable[Item], a: Item, b: Item) -> tuple[Item, ...]:
    """The same arrangement with ``a`` and ``b``, of one kind, exchanged in place and state.

    Attached items stay in place and then belong to the other object.
    """
    other = {a.name: b, b.name: a}

    def change(item: Item) -> Item:
        if item.attached_to in other:
            item = replace(item, attached_to=other[item.attached_to].name)
        if item.name in other:
            who = other[item.name]
            item = replace(item, name=who.name, color=who.color, rgba=who.rgba)
        return item

    return tuple(change(item) for item in items)
