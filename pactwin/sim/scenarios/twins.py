"""Twin layouts, built from pairs of like objects, one of which may be faulty.

Every scene holds two of each object that the action names, and the fault (a load, a lid, a place
out of reach) may be at either. The twins differ in one of two ways:

- ``exchange``: the faulty and the other object change places and states.
- ``change``: only the object asked about changes; the other is faulty or not in both twins, so that
  a comparison of the two reveals nothing.

Objects that are not asked about may also be faulty in both twins.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.scenarios.common import Colors, exchanged, scatter_distractors
from pactwin.sim.scene.layout import Item, Layout, Region
from pactwin.sim.scene.placement import Disc, Place, footprint, moved, places_for
from pactwin.suite import Constraint

_SEEN_AT_THE_TOP = frozenset(
    (
        Constraint.UNSTABLE_SUPPORT,
        Constraint.OPENING_DOWN,
        Constraint.DOES_NOT_FIT,
        Constraint.OCCUPIED,
    )
)
_SEEN_AT_THE_SEAM = frozenset(
    (Constraint.SUPPORTS_OTHER, Constraint.COVERED, Constraint.WOULD_COLLAPSE)
)
BY_REACH = frozenset((Constraint.OUT_OF_REACH, Constraint.PATH_BLOCKED))
_EXCHANGED = 0.4
_MOST_DISTRACTORS = 2


Items = tuple[Item, ...]


@dataclass(frozen=True)
class Twins:
    """Two layouts that differ as little as possible; the first is intended to be infeasible.

    ``constraint`` is the intended reason why ``action`` is infeasible there.
    """

    infeasible: Layout
    feasible: Layout
    constraint: Constraint
    action: Action


@dataclass(frozen=True)
class Site:
    """Items that stand together, built at one place (x, y).

    ``covers`` are discs (x, y, radius, relative to the place) on which nothing else may stand;
    ``at`` is the place, if it cannot be drawn freely.
    """

    covers: tuple[Disc, ...]
    build: Callable[[float, float], Items]
    at: tuple[float, float] | None = None


@dataclass(frozen=True)
class Pair:
    """Two like objects and possible faults of each, by ``constraint`` (``none``: no fault).

    ``sites`` arranges both objects, faulty or not, always with the same number of sites and radii.
    ``decisive`` names further deciding objects; with ``seam``, the lower edge of the first one,
    where it lies on something or not, must be visible. ``form``, if not "", is the only way in
    which its twins can differ.
    """

    things: tuple[Item, Item]
    constraint: Constraint
    sites: Callable[[bool, bool], Sequence[Site]]
    decisive: tuple[str, ...] = ()
    form: Literal["", "exchange", "change"] = ""
    seam: bool = True


def each(
    both: tuple[Item, Item],
    constraint: Constraint,
    put: Callable[[int, bool, float, float], Items],
    decisive: tuple[str, ...] = (),
    form: Literal["", "exchange", "change"] = "",
    *,
    seam: bool = True,
    room_m: float = 0.0,
) -> Pair:
    """A pair whose objects (0, 1), faulty or not, are ``put`` at places of their own (x, y).

    A place has room for both states, so that the room tells nothing; or that within ``room_m``.
    """
    covers = [
        ((0.0, 0.0, room_m),)
        if room_m
        else footprint(item for violated in (False, True) for item in put(k, violated, 0.0, 0.0))
        for k in (0, 1)
    ]

    def sites(*violated: bool) -> list[Site]:
        return [Site(covers[k], partial(put, k, violated[k])) for k in (0, 1)]

    return Pair(both, constraint, sites, decisive, form, seam)


def as_one(
    both: tuple[Item, Item],
    constraint: Constraint,
    build: Callable[[bool, bool, float, float], Items],
    decisive: tuple[str, ...] = (),
    form: Literal["exchange", "change"] = "change",
    at: Place | None = None,
) -> Pair:
    """A pair that is built together at one place, by which of both are faulty and that x, y."""

    def sites(first: bool, second: bool) -> list[Site]:
        put = partial(build, first, second)
        return [Site(footprint(put(0.0, 0.0)), put, at)]

    return Pair(both, constraint, sites, decisive, form)


@dataclass(frozen=True)
class Draft:
    """Objects of the action: the first of each of some pairs.

    ``failing`` pairs are faulty in the infeasible twin, and the first one's constraint is intended.
    In ``others`` the first object has no fault, but the second does if ``elsewhere``.
    """

    action: Action
    failing: tuple[Pair, ...]
    others: tuple[Pair, ...] = ()
    elsewhere: bool = False
    more: tuple[str, ...] = field(default=())


def staged(rng: np.random.Generator, colors: Colors, draft: Draft) -> Twins:
    """Place everything in both twins, with distractors; raises RejectedLayout."""
    pairs = (*draft.failing, *draft.others)
    states, exchanging = [], []
    for pair in pairs:
        if pair not in draft.failing:
            second = draft.elsewhere and pair.constraint is not Constraint.NONE
            states.append(((False, second), (False, second)))
        elif pair.form == "exchange" or (pair.form == "" and rng.random() < _EXCHANGED):
            states.append(((True, False), (True, False)))
            exchanging.append(pair.things)
        else:
            second = bool(rng.random() < 0.5)
            states.append(((True, second), (False, second)))
    arranged = [
        [pair.sites(*state[k]) for pair, state in zip(pairs, states, strict=True)] for k in (0, 1)
    ]
    before, after = ([site for sites in all_sites for site in sites] for all_sites in arranged)
    places, taken = _places(rng, before, after)
    infeasible, feasible = (
        tuple(item for site, place in zip(sites, at, strict=True) for item in site.build(*place))
        for sites, at in ((before, places[0]), (after, places[1]))
    )
    for one, other in exchanging:
        feasible = exchanged(feasible, one, other)
    return completed(
        rng,
        colors,
        draft.action,
        infeasible,
        feasible,
        critical_objects=_critical(draft),
        constraint=draft.failing[0].constraint,
        regions=_regions(draft),
        taken=taken,
    )


def completed(
    rng: np.random.Generator,
    colors: Colors,
    action: Action,
    infeasible: Items,
    feasible: Items,
    *,
    critical_objects: tuple[str, ...],
    constraint: Constraint,
    regions: tuple[Region, ...] = (),
    taken: Iterable[Disc] | None = None,
) -> Twins:
    """Twins of two arrangements with the same additional objects in both.

    They avoid the discs ``taken`` (x, y, radius), by default of all items in either arrangement.
    ``regions`` must be visible besides the outlines of the critical objects.
    """
    if taken is None:
        taken = footprint((*infeasible, *feasible))
    rest = scatter_distractors(rng, colors, taken, int(rng.integers(_MOST_DISTRACTORS + 1)))
    by_reach = constraint in BY_REACH
    first, second = (
        Layout((*items, *rest), action.phrase, critical_objects, regions, by_reach=by_reach)
        for items in (infeasible, feasible)
    )
    return Twins(first, second, constraint, action)


def _regions(draft: Draft) -> tuple[Region, ...]:
    """Regions to be seen: the top of an item that fails by its shape or load; the base of its load.

    For an item that fails by its position, its own base; for a good stand, its top, too.
    """
    found = []
    for pair in draft.failing:
        name = pair.things[0].name
        if pair.constraint in _SEEN_AT_THE_TOP:
            found.append(Region(name, "top"))
        elif pair.constraint in _SEEN_AT_THE_SEAM and pair.seam:
            found.append(Region(next(iter(pair.decisive), name), "base"))
        elif pair.constraint is Constraint.OUT_OF_REACH:
            found.append(Region(name, "base"))
    holding = (pair.things[0] for pair in draft.others)
    found += [Region(thing.name, "top") for thing in holding if thing.category == "stand"]
    return tuple(found)


def _critical(draft: Draft) -> tuple[str, ...]:
    named = [pair.things[0].name for pair in (*draft.failing, *draft.others)]
    asked = sorted((*named, *draft.more), key=draft.action.phrase.find)
    decisive = [name for pair in draft.failing for name in pair.decisive]
    return tuple(dict.fromkeys((*asked, *decisive)))


def _places(
    rng: np.random.Generator, first: Sequence[Site], second: Sequence[Site]
) -> tuple[list[list[Place]], list[Disc]]:
    """Places of the sites in each twin, and the discs that they cover.

    A site without a place of its own gets a free one, the same in both twins.
    """
    own = ((site, site.at) for site in (*first, *second))
    taken = [disc for site, at in own if at is not None for disc in moved(site.covers, at)]
    both = [(*a.covers, *b.covers) for a, b in zip(first, second, strict=True)]
    free = [k for k, site in enumerate(first) if site.at is None]
    # Large ones first find room more often; the order among equals stays drawn.
    order = sorted(rng.permutation(free).tolist(), key=lambda k: -round(_reach_m(both[k]), 2))
    found = dict(zip(order, places_for(rng, [both[k] for k in order], taken), strict=True))
    taken += [disc for k, place in found.items() for disc in moved(both[k], place)]
    at = [[site.at or found[k] for k, site in enumerate(sites)] for sites in (first, second)]
    return at, taken


def _reach_m(covers: Iterable[Disc]) -> float:
    return max(float(np.hypot(x, y)) + radius for x, y, radius in covers)
