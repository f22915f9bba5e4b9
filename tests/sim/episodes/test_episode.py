"""Small scenes carried out: what is asked comes about, or what should not have moved is named."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from pactwin.sim.actions.base import Action
from pactwin.sim.actions.handling import SetOn, Take, TakeOut
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.episodes.episode import Episode, carry_out
from pactwin.sim.episodes.manipulation import Manipulator, Stopped
from pactwin.sim.episodes.outcome import dropped, harms
from pactwin.sim.episodes.planning import Goal, Planner
from pactwin.sim.episodes.simulation import SimulatedRobot
from pactwin.sim.episodes.video import frames, write_film
from pactwin.sim.objects.blocks import block, cylinder, plank
from pactwin.sim.objects.closures import hinged_box
from pactwin.sim.objects.everyday import ball
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.trays import FLOOR_M, handled_tray
from pactwin.sim.rendering.cameras import head_camera
from pactwin.sim.rendering.gl import ensure_gl
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose, axis_angle
from pactwin.suite import EnvironmentFaultError, InvalidInputError


def cube(color: str, x: float, y: float, on_z: float = 0.0, size: float = 0.05) -> Item:
    return standing_at(block(color, (size, size, size)), x, y, on_z=on_z)


def carried_out(action: Action, *items: Item) -> Episode:
    named = tuple(item.name for item in items[:2])
    return carry_out(action, Layout(items, "", named), "g1", np.random.default_rng(0))


LOW, HIGH = cube("red", 0.25, 0.15), cube("blue", 0.25, 0.15, 0.05)


def test_a_cube_is_set_on_another_and_stays() -> None:
    thing, support = cube("red", 0.25, 0.2), cube("green", 0.3, 0.0, size=0.07)
    episode = carried_out(SetOn(thing.name, support.name), thing, support)
    assert episode.done, episode.lines()
    assert not episode.harms
    # It lies on the other, to the millimetre that a hand is exact.
    over, below = episode.moments[-1].poses
    apart = np.subtract(over.pos, below.pos)
    np.testing.assert_allclose(apart, (0.0, 0.0, 0.06), atol=0.006)


def test_a_tray_is_lifted_level_with_what_stands_on_it() -> None:
    tray = standing_at(handled_tray("white", (0.26, 0.18)), 0.31, 0.1, yaw_rad=np.pi)
    episode = carried_out(LiftLevel(tray.name), tray, cube("red", 0.27, 0.1, FLOOR_M, 0.04))
    assert episode.done, episode.lines()
    # It comes up steadily: the hand's servos brake, and pull it nowhere when they take hold.
    heights = np.array([moment.poses[0].pos[2] for moment in episode.moments])
    assert np.diff(heights).min() > -0.002
    beside = np.array([moment.poses[0].pos[:2] for moment in episode.moments])
    np.testing.assert_allclose(beside, beside[:1].repeat(len(beside), 0), atol=0.015)


def test_a_hand_draws_back_without_what_it_let_go_of() -> None:
    """On a plate a can was dragged off as the hand drew back through it."""
    can = standing_at(cylinder("red", 0.066, 0.11), 0.25, 0.2)
    episode = carried_out(SetOn(can.name, "green block"), can, cube("green", 0.3, 0.05, size=0.07))
    assert episode.done, episode.lines()
    arm = np.array([list(moment.joints_rad.values()) for moment in episode.moments])
    np.testing.assert_allclose(arm[-1], arm[0], atol=0.05)  # it is at rest again


def test_what_stands_on_a_taken_thing_falls() -> None:
    episode = carried_out(Take(LOW.name), LOW, HIGH)
    assert not episode.done
    assert HIGH.name in {harm.name for harm in episode.harms} or episode.stopped == "blocked"


@pytest.mark.parametrize("closed", [False, True])
def test_a_ball_is_taken_out_of_a_box_that_is_open(closed: bool) -> None:
    box = hinged_box("white", (0.082, 0.07, 0.06), closed=closed)
    stood = standing_at(box, 0.27, 0.15)
    floor = stood.world_from_object.pos[2] - box.size_m[2] / 2
    inside = standing_at(ball("red", 0.045), 0.27, 0.15, on_z=floor + 0.006)
    episode = carried_out(TakeOut("ball", stood.name), stood, inside)
    assert episode.done is not closed, episode.lines()


def test_what_is_far_away_or_too_wide_stays_where_it_is() -> None:
    far = cube("red", 0.75, 0.0)
    wall = standing_at(block("blue", (0.02, 0.5, 0.2)), 0.33, 0.0)
    episode = carried_out(Take(far.name), far, wall)
    assert (episode.done, episode.stopped, episode.at) == (False, "out of reach", far.name)
    assert not episode.harms
    # An arm is seen to try, over what stands in its way.
    angles = np.array([list(moment.joints_rad.values()) for moment in episode.moments])
    assert np.ptp(angles, axis=0).max() > 0.5
    wide = cube("red", 0.25, 0.15, size=0.13)
    episode = carried_out(Take(wide.name), wide)
    assert (episode.done, episode.stopped) == (False, "too wide")


@pytest.mark.parametrize(("deg", "stopped"), [(0.0, ""), (90.0, "fingers turned wrong")])
def test_fingers_close_on_the_narrow_side_of_a_slab_or_not_at_all(deg: float, stopped: str) -> None:
    """A hand was welded to what its fingers, as it was turned, could not span."""
    slab = standing_at(block("blue", (0.15, 0.03, 0.08)), 0.25, 0.15, yaw_rad=np.deg2rad(deg))
    episode = carried_out(Take(slab.name), slab)
    assert (episode.done, episode.stopped) == (not stopped, stopped)


def planner(*items: Item) -> Planner:
    layout = Layout(items, "", (items[0].name,))
    return Planner(SimulatedRobot(layout, "g1", items[0].name), np.random.default_rng(0))


def test_a_plan_goes_around_a_wall_without_touching_it() -> None:
    thing = cube("red", 0.25, 0.2)
    planned = planner(thing, standing_at(block("blue", (0.12, 0.02, 0.14)), 0.25, 0.1))
    over = thing.world_from_object.moved(dy=-0.18, dz=0.02)
    plan = planned.fetch(thing.name, [Goal(over, (over.moved(dz=-0.02),))])
    assert plan is not None
    assert plan.good
    assert plan.approach is not None
    carrying = plan.carrying
    assert len(carrying.postures) == len(carrying.poses)
    # The cube is at its goal where the hand has brought it, and goes straight on from there.
    tips = planned.reachers[plan.arm].chain.forward(carrying.postures)[0]
    grip = planned.reachers[plan.arm].chain.forward(plan.taking[-1:])[0][0]
    there = grip + np.subtract(over.pos, thing.world_from_object.pos)
    np.testing.assert_allclose(tips[carrying.brought - 1], there, atol=0.004)
    np.testing.assert_allclose(tips[-1], there - (0.0, 0.0, 0.02), atol=0.004)
    # Planted: straight through the wall.
    straight = planned.carried(plan.arm, plan.taking[-1], thing.name, [over])
    assert straight.clear_m < -0.005


def moment(*heights_m: float, tilted: bool = False) -> list[Pose]:
    turn = axis_angle((1.0, 0.0, 0.0), 0.6 * tilted)
    return [Pose((0.2, 0.0, height), turn) for height in heights_m]


def test_harms_are_told_by_the_limits_of_the_trials() -> None:
    layout = Layout((LOW, HIGH), "", (LOW.name,))
    rest = moment(0.025, 0.075)
    assert harms(layout, rest, moment(0.025, 0.07), ()) == ()
    (fell,) = harms(layout, rest, moment(0.5, 0.025), {LOW.name})
    assert (fell.kind, fell.name, fell.fallen_m) == ("fallen", HIGH.name, 0.05)
    assert {h.kind for h in harms(layout, rest, moment(0.025, 0.075, tilted=True), ())} == {
        "knocked over"
    }
    fixed = replace(layout, items=(LOW, replace(HIGH, distractor=True)))
    assert harms(fixed, rest, moment(0.025, 0.0), ()) == ()
    (let_go,) = dropped(layout, moment(0.025, 0.025), {HIGH.name: 0.075}, ())
    assert (let_go.kind, let_go.fallen_m) == ("fallen", 0.05)
    assert [h.kind for h in dropped(layout, rest, {}, {LOW.name})] == ["spilled"]


def test_what_lies_below_something_is_drawn_out_before_it_is_lifted() -> None:
    """A plank on two blocks reaches over a cube: lifted it would take the plank along."""
    cube_below = cube("red", 0.25, 0.15)
    posts = [cube(color, 0.25, y, size=0.06) for color, y in (("green", 0.05), ("blue", 0.25))]
    roof = standing_at(plank("white", (0.06, 0.26, 0.01)), 0.25, 0.15, on_z=0.06)
    planned = planner(cube_below, *posts, roof)
    before = planned.robot.world.positions()
    ways = planned.draws(cube_below.name)
    # Blocks stand at both its sides: it goes towards the robot or away from it, far or less far.
    assert {round(out.pos[0] - 0.25, 2) for (out,) in ways} == {-0.12, -0.08, 0.08, 0.12}
    assert all(out.pos[1] == pytest.approx(0.15, abs=0.01) for (out,) in ways)
    assert planned.draws(roof.name) == [()]
    # All of it was imagined.
    np.testing.assert_allclose(planned.robot.world.positions(), before, atol=1e-5)
    assert not planned.robot.holding


def test_a_grip_shifts_what_is_held_and_leaves_the_hand() -> None:
    layout = Layout((LOW,), "", (LOW.name,))
    simulated = SimulatedRobot(layout, "g1", LOW.name)
    manipulator = Manipulator(simulated, np.random.default_rng(0))
    tip, before = simulated.tip(0), simulated.world.pose(LOW.name).pos
    simulated.take(0, LOW.name)
    manipulator.reach_on(np.array([0.0, 0.0, 0.06]))
    moved = np.subtract(simulated.world.pose(LOW.name).pos, before)
    np.testing.assert_allclose(moved, (0.0, 0.0, 0.06), atol=0.002)
    np.testing.assert_allclose(simulated.tip(0), tip, atol=0.003)
    with pytest.raises(Stopped, match="met"):
        manipulator.reach_on(np.array([0.0, 0.0, -0.12]))


@pytest.fixture(scope="module")
def robot() -> SimulatedRobot:
    return SimulatedRobot(Layout((LOW,), "", (LOW.name,)), "g1", LOW.name)


def test_arms_go_where_they_are_told(robot: SimulatedRobot) -> None:
    joint = robot.robot.arms[0].joints[0]
    before = robot.observe().joints_rad
    for _ in range(25):
        robot.act({joint: before[joint] - 0.1})
    after = robot.observe().joints_rad
    assert after[joint] == pytest.approx(before[joint] - 0.1, abs=0.01)
    others = before.keys() - {joint}
    assert all(after[name] == pytest.approx(before[name], abs=0.01) for name in others)
    with pytest.raises(InvalidInputError, match="unknown arm joint 'knee'"):
        robot.act({"knee": 0.0})


def test_a_film_shows_the_arm_move(robot: SimulatedRobot, tmp_path: Path) -> None:
    ensure_gl()
    camera = head_camera("g1", (96, 64))
    first = robot.moments[0]
    raised = {**first.joints_rad, "l_shoulder_pitch_joint": -1.2}
    moved = replace(first, joints_rad=raised)
    look = draw_appearance(np.random.default_rng(0))
    seen = partial(frames, [LOW], look, "g1", [camera])
    here, there = (next(seen([state])).astype(int) for state in (first, moved))
    assert (np.abs(here - there).max(axis=2) > 40).sum() > 50
    path = tmp_path / "film.mp4"
    assert write_film(path, seen([first] * 4 + [moved] * 4)) == 2
    with pytest.raises(EnvironmentFaultError, match="cannot write"):
        write_film(tmp_path / "none" / "film.mp4", seen([first]))
    film = cv2.VideoCapture(str(path))
    read, picture = film.read()
    film.release()
    assert read
    assert picture.shape == (64, 96, 3)
    assert np.abs(picture[..., ::-1].astype(int) - here).mean() < 12
