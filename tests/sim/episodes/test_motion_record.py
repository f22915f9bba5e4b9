"""What is recorded of joints: the actions per frame, given to the servos again, lead there."""

import numpy as np
import pytest

from pactwin.sim.actions.handling import Take
from pactwin.sim.episodes.episode import Episode, carry_out
from pactwin.sim.episodes.interface import PERIOD_S
from pactwin.sim.episodes.simulation import SimulatedRobot
from pactwin.sim.episodes.video import FPS, motion_record
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Layout

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def episode() -> Episode:
    thing = standing_at(block("red", (0.05, 0.05, 0.05)), 0.25, 0.15)
    layout = Layout((thing,), "", (thing.name,))
    return carry_out(Take(thing.name), layout, "g1", np.random.default_rng(0))


def replayed(episode: Episode, actions_rad: np.ndarray, joints: tuple[str, ...]) -> np.ndarray:
    """Angles per frame of a robot that is told the actions, turning evenly between them."""
    thing = episode.layout.items[0].name
    robot = SimulatedRobot(episode.layout, "g1", thing)
    robot.hands_pass([thing])
    home = robot.observe().joints_rad
    told, found = np.array([home[name] for name in joints]), []
    periods = round(1 / FPS / PERIOD_S)
    for action in actions_rad:
        angles = robot.observe().joints_rad
        found.append([angles[name] for name in joints])
        for share in np.arange(1, periods + 1) / periods:
            command = told + share * (action - told)
            robot.act(dict(zip(joints, command.tolist(), strict=True)))
        told = action
    return np.array(found)


def test_the_actions_reproduce_the_joints(episode: Episode) -> None:
    motion = motion_record(episode.moments)
    joints, actions = np.array(motion.joints_rad), np.array(motion.actions_rad)
    assert len(joints) == len(episode.moments[:: round(1 / FPS / PERIOD_S)])
    assert np.ptp(joints, axis=0).max() > 0.5  # it moved
    found = replayed(episode, actions, motion.joints)
    error = np.abs(found - joints).max()
    assert error < 0.02
    # Planted: actions of a frame later, as if a frame's own angles led to it.
    late = np.vstack([actions[:1], actions[:-1]])
    assert np.abs(replayed(episode, late, motion.joints) - joints).max() > 3 * error
