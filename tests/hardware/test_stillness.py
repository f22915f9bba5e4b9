"""Pictures count only if the robot stands still, and as it stood at calibration."""

from datetime import UTC, datetime

import numpy as np
import pytest
from played_camera import SPEC

from pactwin.hardware import (
    Calibration,
    CameraCalibration,
    FrameSet,
    Imu,
    JointState,
    Rig,
    RobotLink,
    posture_of,
)
from pactwin.hardware.bench import sway_deg_s
from pactwin.suite import EnvironmentFaultError


def state(
    turning_deg_s: float = 0.0, pitch_rad: float = 0.0, waist_rad: float = 0.0, at_ns: int = 0
) -> JointState:
    half = pitch_rad / 2
    imu = Imu(
        (np.cos(half), 0.0, np.sin(half), 0.0),
        (0.0, float(np.deg2rad(turning_deg_s)), 0.0),
        (0.0, 0.0, 9.81),
    )
    return JointState({"waist_pitch_joint": waist_rad}, at_ns, 0, 5, pelvis=imu, torso=imu)


def rig(posture: JointState) -> Rig:
    head = SPEC.model_copy(update={"mount": "head"})
    eye = np.eye(4).tolist()
    known = CameraCalibration.model_validate(
        {"K": np.eye(3).tolist(), "distortion": [], "table_from_camera": eye}
        | {"reprojection_px": 0, "views": 1, "corners": 4, "depth_scale": 1}
    )
    calibration = Calibration(
        date=datetime.now(UTC),
        board="b",
        ruler_mm=100,
        cameras={head.name: known},
        posture=posture_of(posture),
    )
    return Rig(cameras=(head,), robot=RobotLink(interface="lo"), calibration=calibration)


def frames(now: JointState, sway: float | None = 0.0) -> FrameSet:
    return FrameSet({}, now, 0.0, 0.0, sway_deg_s=sway)


def test_a_robot_that_turns_while_pictures_are_taken_is_refused() -> None:
    states = [state(4.0 if k % 2 else 0.0, at_ns=k * 2_000_000) for k in range(500)]
    assert sway_deg_s(states, 500_000_000) == pytest.approx(4.0, rel=1e-4)
    assert sway_deg_s(states, 10**12) is None
    frames(states[0], 2.9).check_robot(rig(states[0]))
    with pytest.raises(EnvironmentFaultError, match=r"turns by 4\.0 degrees a second"):
        frames(states[0], 4.0).check_robot(rig(states[0]))


@pytest.mark.parametrize("lean", ["pitch_rad", "waist_rad"])
def test_a_robot_that_leans_otherwise_than_at_calibration_is_refused(lean: str) -> None:
    known = rig(state(pitch_rad=0.02, waist_rad=0.01))
    frames(state(pitch_rad=0.02, waist_rad=0.01)).check_robot(known)
    with pytest.raises(EnvironmentFaultError, match=r"camera moved \d+ mm and 1\.7 degrees"):
        pitch_rad, waist_rad = (0.05, 0.01) if lean == "pitch_rad" else (0.02, 0.04)
        frames(state(pitch_rad=pitch_rad, waist_rad=waist_rad)).check_robot(known)


def test_what_the_robot_does_not_tell_is_not_checked() -> None:
    known = rig(state())
    mute = JointState({}, 0, 0, 5, mode_pr=1)
    frames(mute, None).check_robot(known)
