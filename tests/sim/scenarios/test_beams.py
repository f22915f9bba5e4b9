"""Boards on a base: what holds the balance, and that no one glance tells it."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.everyday import can
from pactwin.sim.objects.standard_sizes import CAN_M
from pactwin.sim.scenarios import beams
from pactwin.sim.scenarios.beams import balancing
from pactwin.sim.scenarios.common import Colors
from pactwin.sim.scenarios.twins import Items
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite.checking.margins import fullest_bin

pytestmark = pytest.mark.slow

SIDE = 0.05
Twin = tuple[Items, Items]


@pytest.fixture(scope="module")
def twins() -> list[Twin]:
    """Infeasible and feasible arrangements, the first thing in them the one to be taken."""
    found = []
    for seed in range(90):
        rng = np.random.default_rng(seed)
        colors = Colors(rng)
        things = tuple(block(colors.next(), (SIDE, SIDE, 0.06)) for _ in range(2))
        try:
            pair = balancing(rng, colors, (things[0], things[1]))
        except RejectedLayout:
            continue
        second = pair.form == "change"
        (bad,), (good,) = pair.sites(True, False), pair.sites(False, second)
        found.append((bad.build(0.25, 0.0), good.build(0.25, 0.0)))
    assert len(found) > 50
    return found


def along(items: Items) -> np.ndarray:
    """Offsets (n,) of all items along the board, m; the base first, then the board."""
    board = items[1].world_from_object.matrix()
    return np.array(
        [board[:2, 0] @ (np.array(i.world_from_object.pos) - board[:3, 3])[:2] for i in items]
    )


def inside_m(items: Items, without: str = "") -> float:
    """How far what the base carries has its centre of mass from the nearer edge, m, by hand."""
    base, *carried = items
    offsets = dict(zip([item.name for item in items], along(items), strict=True))
    kept = [item for item in carried if item.name != without]
    middle = np.average([offsets[i.name] for i in kept], weights=[i.mass_kg for i in kept])
    return base.size_m[0] / 2 - abs(middle - offsets[base.name])


def test_all_stand_and_without_the_first_the_board_tips_in_one_twin(twins: list[Twin]) -> None:
    for bad, good in twins:
        first = bad[2].name
        assert {item.name for item in bad} == {item.name for item in good}
        assert inside_m(bad) > 0.005
        assert inside_m(good) > 0.005
        assert inside_m(bad, first) < -0.008
        assert inside_m(good, first) > 0.008


def test_by_how_much_a_board_stands_or_tips_is_spread(twins: list[Twin]) -> None:
    left = [inside_m(items, bad[2].name) for bad, good in twins for items in (bad, good)]
    assert fullest_bin(np.array(left)) < 0.35


def test_no_weights_overlap_and_none_stands_out_over_an_end(twins: list[Twin]) -> None:
    for items in (arranged for twin in twins for arranged in twin):
        sizes = np.array([item.size_m[0] for item in items])
        low, high = (along(items) + side * sizes / 2 for side in (-1, 1))
        ends = list(zip(low[2:], high[2:], strict=True))
        half = items[1].size_m[0] / 2
        assert all(-half < a and b < half for a, b in ends)
        assert all(a[1] < b[0] for a, b in pairwise(sorted(ends)))


def test_no_single_glance_tells_twins_apart(twins: list[Twin]) -> None:
    """At the outer of the two, at the base, at how far the load is or how large."""

    def glances(items: Items) -> dict[str, float]:
        base, _, first, second, *load = along(items)
        weight = items[4].mass_kg if load else 0.0
        return {
            "outer": float(abs(first) > abs(second)),
            "from the base": abs(first - base),
            "overhang": abs(base),
            "load": weight,
            "load from the base": abs(load[0] - base) if load else 0.0,
        }

    told = Counter[str]()
    for bad, good in twins:
        one, other = glances(bad), glances(good)
        told.update({k: 0.5 + 0.5 * float(np.sign(round(one[k] - other[k], 6))) for k in one})
    for glance, right in told.items():
        share = right / len(twins)
        assert 0.5 - 0.17 < share < 0.5 + 0.17, glance


def test_bases_loads_places_and_the_two_things_change(twins: list[Twin]) -> None:
    def changed(bad: Item, good: Item) -> bool:
        return bad.world_from_object != good.world_from_object or bad.size_m != good.size_m

    kinds = Counter(
        tuple(k for k, (a, b) in enumerate(zip(bad, good, strict=True)) if changed(a, b))
        for bad, good in twins
    )
    assert set(kinds) == {(0,), (2, 3), (4,)}, "the base, both things, or the load"
    assert min(kinds.values()) >= 1


def test_where_only_the_base_moves_it_moves_towards_the_first_thing_or_away_from_it() -> None:
    """Else the base that stands farther from it would always be the one that does not do."""
    rng = np.random.default_rng(5)
    drawn = beams._drawn(rng, can("red", *CAN_M), 4000, laden=False)
    bad, good = beams._on_bases(rng, "base", drawn, drawn)
    away = np.abs(good.base_at - bad.slots[:, 0]) > np.abs(bad.base_at - bad.slots[:, 0])
    assert 0.2 < away.mean() < 0.8
