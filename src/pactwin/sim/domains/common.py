"""What all domains draw alike: colours, places on the table, and things that lie about."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from pactwin.sim.domains.base import RejectedLayout, Twins
from pactwin.sim.layout import Item, Layout
from pactwin.sim.objects import COLORS, distractor_kinds, standing_at
from pactwin.suite import Constraint

# The part of the table that the head camera sees and arms mostly reach, in the table frame.
X_RANGE_M = (0.07, 0.36)
Y_RANGE_M = (-0.27, 0.27)
GAP_M = 0.02

Disc = tuple[float, float, float]  # x, y, radius, m

# Black hides edges: hollows, caps and lids are hard to tell in it.
SHOWING_SHAPE = tuple(color for color in COLORS if color != "black")


class Colors:
    """Deals out each colour once, so that a colour and a kind name one thing in the picture."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._left = [str(c) for c in rng.permutation(sorted(COLORS))]

    def next(self, among: Collection[str] = COLORS) -> str:
        """A colour of ``among`` not yet used; raises RejectedLayout when none is left."""
        for color in reversed(self._left):
            if color in among:
                self._left.remove(color)
                return color
        raise RejectedLayout("no colour left")


def footprint_radius_m(item: Item) -> float:
    """Radius of the vertical cylinder that holds the item as it stands or lies, however turned."""
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


def scatter_distractors(
    rng: np.random.Generator,
    colors: Colors,
    taken: Iterable[Disc],
    count: int,
) -> tuple[Item, ...]:
    """``count`` unrelated things in free places, outside the discs ``taken`` (x, y, radius)."""
    kinds = distractor_kinds()
    names = [str(n) for n in rng.permutation(sorted(kinds))[:count]]
    items = [replace(kinds[name](colors.next(), rng), distractor=True) for name in names]
    radii = [footprint_radius_m(item) for item in items]
    places = free_places(rng, radii, taken, x_range=(0.04, 0.44), y_range=(-0.38, 0.38))
    return tuple(
        standing_at(item, x, y, yaw_rad=any_turn(rng))
        for item, (x, y) in zip(items, places, strict=True)
    )


def disc(item: Item) -> Disc:
    """The item's place as a disc (x, y, radius), m."""
    x, y, _ = item.world_from_object.pos
    return x, y, footprint_radius_m(item)


def any_turn(rng: np.random.Generator) -> float:
    """Any yaw angle."""
    return float(rng.uniform(-np.pi, np.pi))


def oblique_turn(rng: np.random.Generator) -> float:
    """A yaw angle at which no camera looks straight along x: a long thing is seen in its length."""
    turn = rng.choice([-1.0, 1.0]) * np.deg2rad(rng.uniform(30.0, 60.0))
    return float(turn + rng.choice([0.0, np.pi]))


def yaw_rad(item: Item) -> float:
    """How an upright item is turned about the vertical."""
    w, _, _, z = item.world_from_object.quat
    return 2.0 * float(np.arctan2(z, w))


def turned_to_show(rng: np.random.Generator, top: str, count: int) -> list[float]:
    """Yaw angles at which cameras see the profile of stands (see ``unlike_stands``), not one face.

    Ridges show a gable to cameras at the front and at the sides, from where both sides of the roof
    are not to be seen at once; slopes face none of the cameras.
    """
    low, high = (24.0, 34.0) if top == "slope" else (32.0, 44.0)
    turn = rng.choice([-1.0, 1.0], count) * np.deg2rad(rng.uniform(low, high, count))
    return list(map(float, turn + rng.choice([0.0, np.pi], count)))


def exchanged(items: Iterable[Item], a: Item, b: Item) -> tuple[Item, ...]:
    """The same arrangement with ``a`` and ``b``, two of a kind, in each other's place and state.

    What is attached to one of them or set into it stays where it is, and then belongs to the other.
    """
    other = {a.name: b, b.name: a}

    def change(item: Item) -> Item:
        if item.attached_to in other:
            item = replace(item, attached_to=other[item.attached_to].name)
        if item.set_in in other:
            item = replace(item, set_in=other[item.set_in].name)
        if item.name in other:
            who = other[item.name]
            item = replace(item, name=who.name, color=who.color, rgba=who.rgba)
        return item

    return tuple(change(item) for item in items)


def completed(
    rng: np.random.Generator,
    colors: Colors,
    infeasible: Sequence[Item],
    feasible: Sequence[Item],
    *,
    action: str,
    decides: Sequence[str],
    constraint: Constraint,
    params: Mapping[str, float | str] | None = None,
    taken: Iterable[Disc] | None = None,
    most_distractors: int = 3,
) -> Twins:
    """Twins of two arrangements, with things lying about that are alike in both.

    Those keep clear of the discs ``taken``; by default, of everything in either arrangement.
    """
    if taken is None:
        taken = [disc(item) for item in (*infeasible, *feasible)]
    rest = scatter_distractors(rng, colors, taken, int(rng.integers(most_distractors + 1)))
    first, second = (
        Layout((*items, *rest), action, tuple(decides), dict(params or {}))
        for items in (infeasible, feasible)
    )
    return Twins(first, second, constraint)


@dataclass(frozen=True)
class Exchange:
    """An arrangement in which the action fails; with ``pair``, two of a kind, exchanged it works.

    The other fields are those of layouts and twins.
    """

    items: tuple[Item, ...]
    pair: tuple[Item, Item]
    action: str
    decides: tuple[str, ...]
    constraint: Constraint
    params: dict[str, float | str] = field(default_factory=dict)

    def twins(
        self, rng: np.random.Generator, colors: Colors, *, most_distractors: int = 3
    ) -> Twins:
        """The arrangement and the exchanged one, completed."""
        return completed(
            rng,
            colors,
            self.items,
            exchanged(self.items, *self.pair),
            action=self.action,
            decides=self.decides,
            constraint=self.constraint,
            params=self.params,
            most_distractors=most_distractors,
        )
