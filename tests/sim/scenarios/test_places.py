"""From where alike things stand nobody tells which is faulty, unless that is planted again."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from pactwin.sim.actions.handling import Take
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scenarios import twins
from pactwin.sim.scenarios.common import Colors, scatter_distractors
from pactwin.sim.scenarios.twins import Draft, Pair, Site, staged
from pactwin.sim.scene import placement
from pactwin.sim.scene.placement import (
    GAP_M,
    X_RANGE_M,
    Y_RANGE_M,
    Place,
    RejectedLayout,
    footprint,
    free_places,
)
from pactwin.suite import Constraint
from pactwin.suite.checking.leaks import _forest, _judge

PAIRS = 60
RoomFor = Callable[..., Place | None]


def target_places(spoiled_m: float, other_m: float) -> np.ndarray:
    """Where (x, y) the target stands in twins that exchange two blocks with so much room each."""
    rows: list[Any] = []
    for seed in range(4 * PAIRS):
        rng = np.random.default_rng(seed)
        colors = Colors(rng)
        one, other = (block(colors.next(), (0.05, 0.05, 0.05)) for _ in "ab")

        def site(item: Any, violated: bool) -> Site:
            room = spoiled_m if violated else other_m
            return Site(((0.0, 0.0, room),), lambda x, y: (standing_at(item, x, y),))

        pair = Pair(
            (one, other),
            Constraint.SUPPORTS_OTHER,
            lambda a, b, one=one, other=other, site=site: [site(one, a), site(other, b)],  # type: ignore[misc]
            form="exchange",
        )
        try:
            drawn = staged(rng, colors, Draft(Take(one.name), (pair,)))
        except RejectedLayout:
            continue
        for layout in (drawn.infeasible, drawn.feasible):
            rows.append(layout.item(one.name).world_from_object.pos[:2])
        if len(rows) == 2 * PAIRS:
            break
    return np.array(rows)


def p_of_chance(places: np.ndarray) -> float:
    """As `check` judges groups of quantities: how likely so many pairs are ranked by chance."""
    wins, _ = _judge(places, np.tile([True, False], PAIRS), _forest)
    decided = wins[wins != 0.5]
    return float(binomtest(int(decided.sum()), len(decided), alternative="greater").pvalue)


@pytest.fixture(autouse=True)
def _nothing_lies_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins, "_MOST_DISTRACTORS", 0)


@pytest.fixture
def _nearer_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is placed first stands nearer."""
    whole: RoomFor = placement._room_for

    def nearer(rng: Any, discs: Any, others: np.ndarray, bounds: Any) -> Place | None:
        found = whole(rng, discs, others, bounds)
        return found and (found[0] if len(others) else 0.07 + (found[0] - 0.07) / 2, found[1])

    monkeypatch.setattr(placement, "_room_for", nearer)


@pytest.mark.usefixtures("_nearer_first")
def test_which_of_two_is_placed_first_is_a_coin(monkeypatch: pytest.MonkeyPatch) -> None:
    assert p_of_chance(target_places(0.06, 0.06)) > 0.001

    class Unshuffled:
        def __init__(self, rng: Any) -> None:
            self.uniform = rng.uniform

        def permutation(self, items: list[int]) -> np.ndarray:
            return np.array(items)

    drawn: Any = twins._places
    monkeypatch.setattr(twins, "_places", lambda rng, *sites: drawn(Unshuffled(rng), *sites))
    assert p_of_chance(target_places(0.06, 0.06)) < 1e-4


def test_another_radius_for_the_spoiled_one_is_found() -> None:
    assert p_of_chance(target_places(0.15, 0.05)) < 1e-4


def test_free_places_keep_their_distance_from_each_other_and_from_what_is_there() -> None:
    taken = [(0.2, 0.0, 0.05)]
    for seed in range(20):
        radii = [0.05, 0.04, 0.03]
        found = free_places(np.random.default_rng(seed), radii, taken)
        discs = [*taken, *((x, y, r) for (x, y), r in zip(found, radii, strict=True))]
        for (ax, ay, a), (bx, by, b) in combinations(discs, 2):
            assert np.hypot(ax - bx, ay - by) > a + b + GAP_M
        for x, y, r in discs[1:]:
            assert X_RANGE_M[0] <= x - r and x + r <= X_RANGE_M[1]
            assert Y_RANGE_M[0] <= y - r and y + r <= Y_RANGE_M[1]
    for radii in ([0.2], [0.06] * 8):
        with pytest.raises(RejectedLayout):
            free_places(np.random.default_rng(1), radii, taken)


def test_a_full_table_or_the_last_colours_leave_out_distractors_not_the_scene() -> None:
    def scattered(colors: Colors, taken: list[tuple[float, float, float]]) -> int:
        return len(scatter_distractors(np.random.default_rng(2), colors, taken, 2))

    rng = np.random.default_rng(2)
    assert scattered(Colors(rng), []) == 2
    assert scattered(Colors(rng), [(0.2, 0.0, 0.6)]) == 0
    few = Colors(rng)
    while few.left > 1:
        few.next()
    assert scattered(few, []) == 1


def test_a_footprint_covers_what_lies_there_and_little_else() -> None:
    """Long things are covered by several discs, whichever way they point."""
    for turn in np.linspace(0.0, np.pi, 7):
        for size, count, reach in (((0.05, 0.05, 0.1), 1, 0.71), ((0.3, 0.06, 0.01), 9, 0.58)):
            item = standing_at(block("red", size), 0.2, -0.1, yaw_rad=float(turn))
            discs = np.array(footprint([item, item]))
            assert len(discs) == count
            pose = item.world_from_object.matrix()
            grid = np.stack(np.meshgrid(*np.linspace(-0.5, 0.5, 21)[None].repeat(2, 0)), axis=-1)
            points = (grid.reshape(-1, 2) * size[:2]) @ pose[:2, :2].T + pose[:2, 3]
            apart = np.linalg.norm(points[:, None] - discs[:, :2], axis=2)
            assert (apart <= discs[:, 2] + 1e-9).any(axis=1).all()
            assert (discs[:, 2] < reach * size[1]).all()
