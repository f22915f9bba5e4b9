"""What is lowered gets there or names what is in its way."""

import numpy as np
import pytest
from told_worlds import ToldSpeeds

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.putting import GRIP_TIME_S, move_to, release_and_settle
from pactwin.sim.physics.trials.removal import Disturbance, carry_off
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose

THING = standing_at(block("red", (0.04, 0.04, 0.04)), 0.0, 0.0)
BASE = standing_at(block("blue", (0.10, 0.10, 0.05)), 0.3, 0.0)
DOWN = np.array([0.0, 0.0, -1.0])
ON_BASE = Pose((0.3, 0.0, top_m(BASE) + 0.02))


def world_of(*items: Item, fast: float = 1.0) -> World:
    layout = Layout(items, "", (items[0].name,))
    disturbed = Perturbation(hand_speed_scale=fast)
    return World(layout, disturbed, held=items[0].name, grip_time_s=GRIP_TIME_S)


def test_what_is_in_the_way_is_named() -> None:
    world = world_of(THING, BASE)
    assert move_to(world, ON_BASE.moved(dz=0.03), 0.08 * DOWN) == {BASE.name}
    assert world.positions()[1, 2] == pytest.approx(0.025, abs=0.002), "it is not pushed through"
    assert move_to(world, ON_BASE.moved(dz=-0.01), 0.02 * DOWN) is None, "no room to begin"


@pytest.mark.parametrize("fast", [0.5, 1.0, 1.25])
def test_a_slow_hand_and_a_fast_one_press_alike(fast: float) -> None:
    world = world_of(THING, BASE, fast=fast)
    assert move_to(world, ON_BASE.moved(dz=0.03), 0.08 * DOWN) == {BASE.name}
    assert 0.012 < world.lag_m() < 0.012 + 0.003, "as far as the weld stretches, and a chunk more"


def test_a_hand_leads_at_twenty_centimetres_a_second_and_waits_until_its_thing_has_followed():
    world = world_of(THING, BASE)
    assert move_to(world, ON_BASE.moved(dz=0.05), 0.05 * DOWN) == frozenset()
    assert world.data.time == pytest.approx(0.05 / 0.2 + 0.06, abs=0.008)
    assert world.pose(THING.name).pos == pytest.approx(ON_BASE.pos, abs=0.001)


@pytest.mark.parametrize(("deep_mm", "begins"), [(0.9, True), (1.1, False)])
def test_a_thing_begins_where_it_overlaps_by_no_more_than_a_millimetre(deep_mm, begins):
    world = world_of(THING, BASE)
    world.deepest_contact_m = lambda name="": deep_mm / 1000  # type: ignore[method-assign]
    found = move_to(world, ON_BASE, -0.01 * DOWN)
    assert (found is not None) is begins


@pytest.mark.parametrize(
    ("told", "waited_s"),
    [([(0.009, 5.0)], 0.3), ([(0.02, 0.0), (0.009, 0.0)], 0.4), ([(0.011, 0.0)], 2.0)],
)
def test_what_is_let_go_of_is_looked_at_ten_times_a_second_for_two(told, waited_s):
    world = ToldSpeeds(told, Layout((THING,), "", (THING.name,)), Perturbation(), held=THING.name)
    assert release_and_settle(world) == told[-1][0]
    assert world.data.time == pytest.approx(waited_s)


def test_a_disturbance_is_measured_in_units_of_its_limit() -> None:
    assert Disturbance(0.02, 0.0, 0.0, frozenset()).ratio == pytest.approx(2.0)
    assert Disturbance(0.0, np.deg2rad(5.0), 0.0, frozenset()).ratio == pytest.approx(0.5)
    rider = standing_at(block("white", (0.03, 0.03, 0.03)), 0.0, 0.0, on_z=top_m(THING))
    path = ((0.12, 0.0, 0.0), (0.0, 0.0, 0.07))
    taken = carry_off(world_of(THING, rider, BASE), path)
    assert taken.moved == {rider.name}
    assert taken.ratio > 1.5
    along = carry_off(world_of(THING, rider, BASE), path, along=[rider.name])
    assert (along.moved, along.fallen_m) == (frozenset(), pytest.approx(0.0, abs=1e-3))


@pytest.mark.parametrize(("moved_m", "turned_rad"), [(0.0, np.deg2rad(12.0)), (0.012, 0.0)])
def test_what_only_moves_or_only_turns_is_disturbed(moved_m: float, turned_rad: float) -> None:
    class Disturbed(World):
        def moved_since(self, before: object) -> tuple[np.ndarray, np.ndarray]:
            return np.array([0.0, moved_m]), np.array([0.0, turned_rad])

    world = Disturbed(Layout((THING, BASE), "", (THING.name,)), Perturbation(), held=THING.name)
    found = carry_off(world, ((0.0, 0.0, 0.02),))
    assert (found.moved, found.ratio) == ({BASE.name}, pytest.approx(1.2))
