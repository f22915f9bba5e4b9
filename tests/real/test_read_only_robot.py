"""A real robot is read, and never moved."""

import numpy as np
import pytest

from pactwin.hardware import Intrinsics, JointState, RgbdFrame
from pactwin.real import ReadOnlyRobot
from pactwin.suite import InvalidInputError


class Camera:
    name = "head"
    intrinsics = Intrinsics(4, 3, np.eye(3), np.zeros(5))

    def frame(self, newer_than_ns: int = 0) -> RgbdFrame:
        return RgbdFrame(np.full((3, 4, 3), 7, np.uint8), np.zeros((3, 4), np.uint16), 1, 1)

    def close(self) -> None: ...


class Joints:
    def states(self) -> list[JointState]:
        return [JointState({"left_elbow_joint": q}, 1, 0, 5) for q in (0.4, 0.5)]

    def close(self) -> None: ...


def test_it_tells_what_it_senses_and_refuses_to_act() -> None:
    robot = ReadOnlyRobot([Camera()], Joints())
    seen = robot.observe()
    assert seen.joints_rad == {"left_elbow_joint": 0.5}
    assert seen.pictures["head"].shape == (3, 4, 3)
    with pytest.raises(InvalidInputError, match=r"not moved \(left_elbow_joint asked\)"):
        robot.act({"left_elbow_joint": 0.6})
