"""Pictures count only if the robot stands still."""

import numpy as np
import pytest
from played_camera import SPEC

from pactwin.hardware import FrameSet, Imu, JointState, Rig, RobotLink
from pactwin.hardware.bench import sway_deg_s
from pactwin.suite import EnvironmentFaultError


def state(turning_deg_s: float = 0.0, at_ns: int = 0) -> JointState:
    turning = (0.0, float(np.deg2rad(turning_deg_s)), 0.0)
    imu = Imu((1.0, 0.0, 0.0, 0.0), turning, (0.0, 0.0, 9.81))
    return JointState({}, at_ns, 0, 5, pelvis=imu, torso=imu)


RIG = Rig(cameras=(SPEC,), robot=RobotLink(interface="lo"))


def frames(now: JointState, sway: float | None = 0.0) -> FrameSet:
    return FrameSet({}, now, 0.0, 0.0, sway_deg_s=sway)


def test_a_robot_that_turns_while_pictures_are_taken_is_refused() -> None:
    states = [state(4.0 if k % 2 else 0.0, at_ns=k * 2_000_000) for k in range(500)]
    assert sway_deg_s(states, 500_000_000) == pytest.approx(4.0, rel=1e-4)
    assert sway_deg_s(states, 10**12) is None
    frames(states[0], 2.9).check_robot(RIG)
    with pytest.raises(EnvironmentFaultError, match=r"turns by 4\.0 degrees a second"):
        frames(states[0], 4.0).check_robot(RIG)
    frames(JointState({}, 0, 0, 5, mode_pr=1), None).check_robot(RIG)
