"""What is set down lies flush on a top as it is felt, and stays there, rolls on it or falls off."""

from dataclasses import replace

import numpy as np
import pytest
from told_worlds import ToldSpeeds

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.everyday import ball
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.objects.stands import ramp_stand, tapered_stand
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.putting import GRIP_TIME_S, HOVER_M
from pactwin.sim.physics.trials.resting import aimed, flush_on, set_down
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose, quat_angle_rad

THING = standing_at(block("red", (0.04, 0.04, 0.04)), 0.0, 0.0)
BASE = standing_at(block("blue", (0.10, 0.10, 0.05)), 0.3, 0.0)
ON_BASE = Pose((0.3, 0.0, top_m(BASE) + 0.02))


def world_of(*items: Item) -> World:
    layout = Layout(items, "", (items[0].name,))
    return World(layout, Perturbation(), held=items[0].name, grip_time_s=GRIP_TIME_S)


def test_what_is_set_down_stays_on_a_flat_top_and_leaves_a_ball() -> None:
    world = world_of(THING, BASE)
    place = flush_on(world, THING, BASE)
    assert place is not None
    assert place.pos == pytest.approx(np.add(ON_BASE.pos, (0, 0, 0.001)), abs=3e-4)
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


@pytest.mark.parametrize("degrees", [20.0, -20.0])
@pytest.mark.parametrize("yaw_rad", [0.0, 0.5, 2.5])
def test_a_thing_lies_flush_on_a_slope_a_millimetre_off_it(degrees: float, yaw_rad: float) -> None:
    wide, rise = 0.08, 0.08 * float(np.tan(np.deg2rad(abs(degrees))))
    turn = yaw_rad if degrees > 0 else yaw_rad + np.pi
    slope = standing_at(ramp_stand("blue", wide, 0.02, 0.02 + rise), 0.3, 0.1, yaw_rad=turn)
    place = flush_on(world_of(THING, slope), THING, slope, (0.01, -0.005))
    assert place is not None
    tilt = np.deg2rad(20.0)
    uphill = np.array([np.cos(turn), np.sin(turn), 0.0])
    normal = np.cos(tilt) * np.array([0.0, 0.0, 1.0]) - np.sin(tilt) * uphill
    assert place.matrix()[:3, 2] == pytest.approx(normal, abs=1e-6)
    own = slope.world_from_object.matrix()[:3, :3] @ (0.01, -0.005, 0.0)
    below = np.array(place.pos) - 0.021 * normal
    assert below[:2] == pytest.approx(np.add((0.3, 0.1), own[:2]), abs=4e-4)
    along = (below[:2] - (0.3, 0.1)) @ uphill[:2]
    assert below[2] == pytest.approx(0.02 + rise / 2 + along * np.tan(tilt), abs=2e-4)
    across = np.cross(place.matrix()[:3, 0], slope.world_from_object.matrix()[:3, 0])
    assert abs(across @ uphill) < 1e-6, "turned as the slope is"


def test_a_top_is_felt_eight_millimetres_around_its_middle() -> None:
    """A flat of two centimetres is all that is felt of a stand, but for its slopes."""
    stand = standing_at(tapered_stand("blue", 0.09, 0.06, (0.02, 0.02)), 0.3, 0.0)
    found = flush_on(world_of(THING, stand), THING, stand)
    assert found is not None
    assert found.matrix()[2, 2] == pytest.approx(1.0, abs=1e-9)
    assert found.pos[2] == pytest.approx(top_m(stand) + 0.021, abs=1e-6)


@pytest.mark.parametrize(
    ("told", "waited_s"),
    [
        ([(0.0, 0.0)], 0.3),
        ([(0.0, 0.0), (0.003, 0.0), (0.0015, 0.015)], 0.5),
        ([(0.0025, 0.0)], 3.0),
        ([(0.0, 0.025)], 3.0),
    ],
    ids=["still", "still later", "slides", "turns"],
)
def test_a_thing_is_at_rest_once_it_was_still_three_times_or_three_seconds_are_over(told, waited_s):
    """It comes down the last millimetres at 20 cm/s, in tenths of seconds after."""
    items = (THING, BASE)
    layout = Layout(items, "", (THING.name,))
    world = ToldSpeeds(told, layout, Perturbation(), held=THING.name, grip_time_s=GRIP_TIME_S)
    assert set_down(world, ON_BASE.moved(dz=0.001)).displacement < 0.3
    assert world.data.time == pytest.approx(HOVER_M / 0.2 + 0.06 + waited_s, abs=0.011)


def test_what_is_set_rolling_counts_too() -> None:
    """A thing that is set down on one end of a board tips it by a degree or two."""
    foot = standing_at(block("green", (0.03, 0.10, 0.05)), 0.3, 0.0)
    under = standing_at(block("yellow", (0.03, 0.10, 0.049)), 0.36, 0.0)
    board = standing_at(block("white", (0.16, 0.10, 0.01)), 0.3, 0.0, on_z=0.05)
    marble = standing_at(ball("red", 0.02), 0.3, 0.0, on_z=0.06)
    place, heavy = THING.world_from_object.moved(0.36, dz=0.061), replace(THING, mass_kg=1.0)
    assert set_down(world_of(heavy, foot, under, board), place).displacement < 0.5
    assert set_down(world_of(heavy, foot, under, board, marble), place).displacement > 1.5
