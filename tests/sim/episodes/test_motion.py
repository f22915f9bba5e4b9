"""Ways of an arm: they begin and end where they should, and touch nothing."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pactwin.sim.episodes.motion import CLEAR_M, Mover, along, ends_at, stations_of, way_between
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.reach.collider import arena_for
from pactwin.sim.reach.search import reach
from pactwin.sim.reach.starts import reachers
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, axis_angle, quat_angle_rad

HOME = np.array(robot_named("g1").home_rad(robot_named("g1").arms[0]))


def mover(items: Sequence[Item] = ()) -> Mover:
    collider = arena_for("g1", tuple(item.parts for item in items))
    collider.place(items)
    nothing = np.zeros(collider.model.ngeom, bool)
    return Mover(collider, 0, reachers("g1")[0], nothing, nothing)


@pytest.fixture(scope="module")
def goal() -> np.ndarray:
    """A posture of the left arm over the table."""
    found = reach("g1", (), None, at=(0.3, 0.15, 0.1), arms=["left"], starts=3).best
    assert found is not None
    assert found.arm == "left"
    return np.array(found.angles_rad)


def test_a_way_goes_around_what_stands_on_the_straight_one(goal: np.ndarray) -> None:
    tip = mover().reacher.chain.forward((HOME + goal)[None] / 2)[0][0]
    wall = standing_at(block("red", (0.04, 0.04, 0.25)), float(tip[0]), float(tip[1]))
    free = mover([wall])
    straight = HOME + np.linspace(0, 1, 60)[:, None] * (goal - HOME)
    assert free.clearance_m(straight) < 0, "the test needs an obstacle"
    way = way_between(free, HOME, goal, np.random.default_rng(0))
    assert way is not None
    np.testing.assert_array_equal(way[[0, -1]], [HOME, goal])
    fine = [a + s * (b - a) for a, b in pairwise(way) for s in np.linspace(0, 1, 9)]
    assert free.clearance_m(np.array(fine)) > CLEAR_M / 2


def test_there_is_no_way_into_a_thing(goal: np.ndarray) -> None:
    tip = mover().reacher.chain.forward(goal[None])[0][0]
    there = standing_at(block("red", (0.1, 0.1, 0.3)), float(tip[0]), float(tip[1]))
    assert way_between(mover([there]), HOME, goal, np.random.default_rng(0)) is None


def test_fingertips_follow_a_path_to_where_the_arm_ends(goal: np.ndarray) -> None:
    arm = mover()
    start = arm.reacher.chain.forward(goal[None])[0][0]
    path = start + np.linspace(0, 1, 80)[1:, None] * (1.0, 0.0, 0.0)
    way = along(arm, goal, path, np.random.default_rng(0))
    assert 3 < len(way) < len(path)
    tips = arm.reacher.chain.forward(way)[0]
    assert np.linalg.norm(tips - path[: len(way)], axis=1).max() < 0.004


def test_what_is_held_takes_its_room(goal: np.ndarray) -> None:
    """A cube under the fingertips is as far from a wall as by hand, wherever the hand is clear."""
    tip = mover().reacher.chain.forward(goal[None])[0][0]
    cube = block("blue", (0.04, 0.04, 0.04))
    wall = standing_at(block("red", (0.02, 0.3, 0.07)), float(tip[0]) + 0.036, float(tip[1]))
    arm = mover([wall, cube.at(Pose((0.5, 0.4, 0.3)))])
    below = float(tip[2]) - 0.05
    for far_m in (0.006, 0.002, -0.01):
        # The wall's face is 26 mm ahead of the tips, the cube's 20 mm ahead of its middle.
        held = {1: Pose((0.006 - far_m, 0.0, -below))}
        carrying = replace(arm, gone=arm.collider.item_of == 1, held=held)
        assert carrying.clearance_m(goal[None]) == pytest.approx(far_m, abs=1e-4)
    assert replace(carrying, held={}).clearance_m(goal[None]) > 0.006


def test_ends_of_a_way_are_free_and_at_their_place(goal: np.ndarray) -> None:
    arm = mover()
    tip = arm.reacher.chain.forward(goal[None])[0][0]
    found = ends_at(arm, tip, HOME, 3)
    assert len(found) == 3
    near = [arm.clearance_m(posture[None]) for posture in found]
    assert near == sorted(near, reverse=True)
    assert near[-1] > CLEAR_M
    np.testing.assert_allclose(arm.reacher.chain.forward(np.array(found))[0], [tip] * 3, atol=0.003)


def test_stations_go_evenly_from_pose_to_pose() -> None:
    start = Pose((0.1, 0.0, 0.2), (-1.0, 0.0, 0.0, 0.0))
    end = Pose((0.1, 0.09, 0.2), axis_angle((0.0, 0.0, 1.0), 0.6))
    found = [start, *stations_of([start, end])]
    assert found[-1].pos == pytest.approx(end.pos)
    for a, b in pairwise(found):
        assert np.subtract(b.pos, a.pos) == pytest.approx((0.0, 0.09 / (len(found) - 1), 0.0))
        assert quat_angle_rad(a.quat, b.quat) == pytest.approx(0.6 / (len(found) - 1), abs=1e-6)


def test_a_way_is_cut_before_it_hits_something(goal: np.ndarray) -> None:
    tip = mover().reacher.chain.forward(goal[None])[0][0]
    arm = mover([standing_at(block("red", (0.1, 0.1, 0.3)), float(tip[0]), float(tip[1]))])
    way = HOME + np.linspace(0, 1, 40)[:, None] * (goal - HOME)
    free = arm.free_part(way)
    assert 3 < len(free) < len(way)
    assert arm.clearance_m(free) > -0.0011
    assert arm.clearance_m(way[len(free)][None]) < -0.001
