"""When a world counts as at rest: what still moves, moved or lies in another thing does not."""

import numpy as np
import pytest
from told_worlds import ToldSpeeds

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import run_until_still, settle
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout

THING = block("red", (0.05, 0.05, 0.05))
LYING = standing_at(THING, 0.2, 0.0)


def world_of(*items: Item) -> World:
    return World(Layout(items, "", (items[0].name,)), Perturbation(), held=items[0].name)


def as_fast(told: list[tuple[float, float]]) -> ToldSpeeds:
    return ToldSpeeds(told, Layout((LYING,), "", (LYING.name,)), Perturbation(), held=LYING.name)


@pytest.mark.parametrize(
    ("told", "in_a_row", "looks", "still"),
    [
        ([(0.2, 0.0), (0.0, 0.2), (0.0, 0.0)], 1, 3, True),
        ([(0.0, 0.0), (0.2, 0.0), (0.0, 0.0), (0.0, 0.0)], 2, 4, True),
        ([(0.09, 0.09)], 1, 1, True),
        ([(0.0, 0.2)] * 5, 1, 5, False),
    ],
)
def test_still_is_what_is_slow_as_often_as_is_asked(told, in_a_row, looks, still):
    world = as_fast(told)
    assert run_until_still(world, 0.05, 0.01, (0.1, 0.1), in_a_row=in_a_row) is still
    assert world.looks == looks
    assert world.data.time == pytest.approx(0.01 * looks)


def test_what_is_plain_already_ends_the_wait() -> None:
    falling = world_of(standing_at(THING, 0.2, 0.0, on_z=1.0))
    assert not run_until_still(falling, 0.4, 0.1, (0.0, 0.0), stop=lambda: falling.data.time > 0.15)
    assert falling.data.time == pytest.approx(0.2)


def test_only_what_is_asked_about_has_to_be_still() -> None:
    falling = standing_at(block("blue", (0.05, 0.05, 0.05)), 0.0, 0.0, on_z=3.0)
    world = world_of(LYING, falling)
    assert not run_until_still(world, 0.2, 0.1, (0.01, 0.15))
    assert run_until_still(world, 0.2, 0.1, (0.01, 0.15), items=[0])


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (LYING, ""),
        (standing_at(THING, 0.2, 0.0, on_z=4.0), "not at rest: still moving"),
        (standing_at(THING, 0.2, 0.0, on_z=0.003), "not at rest: settles elsewhere"),
        (standing_at(THING, 0.2, 0.0, on_z=0.001), ""),
    ],
)
def test_a_scene_is_at_rest_where_it_was_laid_out(item: Item, reason: str) -> None:
    assert settle(world_of(item)) == reason


@pytest.mark.parametrize(
    ("fast", "looks"), [((0.004, 0.07), 8), ((0.006, 0.0), 9), ((0.0, 0.08), 9)]
)
def test_for_a_second_a_scene_may_come_to_rest(fast: tuple[float, float], looks: int) -> None:
    """Slower than 5 mm/s and 4 degrees/s, in one of eight looks."""
    world = as_fast([(1.0, 1.0)] * 7 + [fast])
    settle(world)
    assert world.data.time == pytest.approx(0.12 * looks)


@pytest.mark.parametrize(
    ("moved_mm", "turned_deg", "reason"),
    [
        (0.5, 0.4, ""),
        (0.7, 0.0, "not at rest: still moving"),
        (0.0, 0.6, "not at rest: still moving"),
    ],
)
def test_what_buzzes_is_at_rest_where_it_gets_nowhere(
    moved_mm: float, turned_deg: float, reason: str
) -> None:
    """As fast as that on average, in a ninth look."""
    world = as_fast([(1.0, 1.0)] * 8)
    moved = np.array([moved_mm / 1000]), np.array([np.deg2rad(turned_deg)])
    world.moved_since = lambda before: moved  # type: ignore[method-assign]
    assert settle(world) == reason


@pytest.mark.parametrize(
    ("moved_mm", "turned_deg", "stays"), [(1.9, 1.4, True), (2.1, 0.0, False), (0.0, 1.6, False)]
)
def test_what_moves_two_millimetres_or_turns_more_than_one_and_a_half_degrees_settles_elsewhere(
    moved_mm: float, turned_deg: float, stays: bool
) -> None:
    world = world_of(LYING)
    moved = np.array([moved_mm / 1000]), np.array([np.deg2rad(turned_deg)])
    world.moved_since = lambda before: moved  # type: ignore[method-assign]
    assert settle(world) == ("" if stays else "not at rest: settles elsewhere")


def test_things_that_lie_in_one_another_are_no_scene() -> None:
    world = world_of(LYING)
    world.deepest_contact_m = lambda name="": 0.0021  # type: ignore[method-assign]
    assert settle(world) == "impossible contact depth"
    world.deepest_contact_m = lambda name="": 0.0019  # type: ignore[method-assign]
    assert settle(world) == ""
