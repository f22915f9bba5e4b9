"""What is lowered gets there or names what is in its way; places are tried until one keeps it."""

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.placing import Place, place_on
from pactwin.sim.physics.trials.putting import GRIP_TIME_S, move_to, release_and_settle
from pactwin.sim.physics.trials.removal import Disturbance, carry_off
from pactwin.sim.physics.trials.resting import aimed, flush_on, set_down
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose, quat_angle_rad

THING = standing_at(block("red", (0.04, 0.04, 0.04)), 0.0, 0.0)
BASE = standing_at(block("blue", (0.10, 0.10, 0.05)), 0.3, 0.0)
DOWN = np.array([0.0, 0.0, -1.0])
ON_BASE = Pose((0.3, 0.0, top_m(BASE) + 0.02))


def world_of(*items: Item) -> World:
    layout = Layout(items, "", (items[0].name,))
    return World(layout, Perturbation(), held=items[0].name, grip_time_s=GRIP_TIME_S)


def test_what_meets_nothing_arrives() -> None:
    world = world_of(THING, BASE)
    assert move_to(world, ON_BASE.moved(dz=0.05), 0.05 * DOWN) == frozenset()
    assert world.pose(THING.name).pos == pytest.approx(ON_BASE.pos, abs=0.001)


def test_what_is_in_the_way_is_named() -> None:
    world = world_of(THING, BASE)
    assert move_to(world, ON_BASE.moved(dz=0.03), 0.08 * DOWN) == {BASE.name}
    assert world.positions()[1, 2] == pytest.approx(0.025, abs=0.002), "it is not pushed through"
    assert 0.014 < world.lag_m() < 0.018, "it gives up before it leads by two centimetres"
    assert move_to(world, ON_BASE.moved(dz=-0.01), 0.02 * DOWN) is None, "no room to begin"
    assert move_to(world, ON_BASE.moved(dz=0.05), 0.05 * DOWN, stop=lambda: True) is not None
    assert world.pose(THING.name).pos[2] > ON_BASE.pos[2] + 0.03, "ended at once"


def test_what_is_let_go_of_comes_to_rest_or_is_still_fast_when_time_is_up() -> None:
    world = world_of(THING)
    world.place_held(THING.world_from_object.moved(dz=0.02))
    assert release_and_settle(world) < 0.01
    assert world.pose(THING.name).pos[2] == pytest.approx(0.02, abs=0.001)
    world.place_held(THING.world_from_object.moved(dz=0.6))
    assert release_and_settle(world) < 0.01, "it takes a third of a second to fall"
    world.place_held(THING.world_from_object.moved(dz=60.0))
    assert release_and_settle(world) == pytest.approx(2.0 * 9.81, rel=0.02)


def test_of_places_the_first_that_keeps_it_is_taken() -> None:
    beside, on = ON_BASE.moved(0.0, 0.065), ON_BASE
    world = world_of(THING, BASE)
    places = [Place(at, DOWN, 0.02) for at in (beside, on, on.moved(0.01))]
    found = place_on(world, places)
    assert found.short_m < 0.001 and found.displacement_m < 0.005
    assert world.pose(THING.name).pos[0] == pytest.approx(0.3, abs=0.003), "not the third"
    blocked = place_on(world, [Place(on.moved(dz=-0.03), DOWN, 0.05)])
    assert blocked.short_m == pytest.approx(0.03, abs=0.01)
    assert blocked.stopped_by == {BASE.name}
    full = place_on(world, [Place(on.moved(dz=-0.04), DOWN, 0.02)])
    assert (full.short_m, full.stopped_by) == (0.02, {BASE.name}), "no room where it begins"
    fallen = place_on(world, [Place(beside, DOWN, 0.02)])
    assert fallen.displacement_m > 0.02
    with pytest.raises(ValueError, match="no place"):
        place_on(world, [])


def test_what_is_set_down_stays_on_a_flat_top_and_leaves_a_ball() -> None:
    world = world_of(THING, BASE)
    place = flush_on(world, THING, BASE)
    assert place is not None
    assert place.pos == pytest.approx(np.add(ON_BASE.pos, (0, 0, 0.001)), abs=5e-4)
    aside = flush_on(world, THING, BASE, (0.02, -0.01))
    assert aside is not None and aside.pos[:2] == pytest.approx((0.32, -0.01), abs=5e-4)
    assert flush_on(world, THING, BASE, (0.08, 0.0)) is None, "beside it there is no top"
    kept = set_down(world, place)
    assert kept.stopped_by == frozenset() and kept.displacement < 0.2
    blocked = set_down(world, place.moved(dz=-0.02))
    assert (blocked.stopped_by, blocked.displacement) == ({BASE.name}, 4.0)

    globe = standing_at(ball("green", 0.06), 0.3, 0.0)
    world = world_of(THING, globe)
    place = flush_on(world, THING, globe)
    assert place is not None
    assert set_down(world, place.moved(0.004)).displacement == 4.0


def test_a_hand_misses_by_one_to_three_millimetres_and_up_to_two_degrees() -> None:
    rng = np.random.default_rng(0)
    drawn = [aimed(rng, ON_BASE) for _ in range(400)]
    off = np.array([np.subtract(at.pos, ON_BASE.pos) for at in drawn])
    missed, turned = np.linalg.norm(off, axis=1), np.array([at.quat for at in drawn])
    assert 0.001 <= missed.min() < 0.0011 and 0.0029 < missed.max() <= 0.003
    assert not off[:, 2].any()
    assert np.abs(off.mean(axis=0)).max() < 0.0003, "to all sides alike"
    angles = np.rad2deg(quat_angle_rad(turned, np.array([ON_BASE.quat] * len(drawn))))
    assert 1.9 < angles.max() <= 2.0
    assert (turned[:, 3] > 0).any() and (turned[:, 3] < 0).any()


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
