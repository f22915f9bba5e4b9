"""A real robot is read, and never moved."""

import numpy as np
import pytest

from pactwin.hardware import FrameSet, JointState, RgbdFrame
from pactwin.real import ReadOnlyRobot
from pactwin.suite import InvalidInputError


class Bench:
    def grab(self, *, thorough: bool = False) -> FrameSet:
        frame = RgbdFrame(np.full((3, 4, 3), 7, np.uint8), np.zeros((3, 4), np.uint16), 1, 1)
        return FrameSet({"head": frame}, JointState({"left_elbow_joint": 0.5}, 1, 0, 5), 0.0, 0.0)


def test_it_tells_what_it_senses_and_refuses_to_act() -> None:
    robot = ReadOnlyRobot(Bench())
    seen = robot.observe()
    assert seen.joints_rad == {"left_elbow_joint": 0.5}
    assert seen.pictures["head"].shape == (3, 4, 3)
    with pytest.raises(InvalidInputError, match=r"not moved \(left_elbow_joint asked\)"):
        robot.act({"left_elbow_joint": 0.6})
