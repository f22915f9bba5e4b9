"""Expected pose of the G1's head camera from its joints and Unitree's URDF.

Source: unitree_ros, robots/g1_description/g1_29dof_rev_1_0.urdf and g1_23dof_rev_1_0.urdf. Measured
units differ by a few cm and degrees, so this is to be compared with, not to be relied on.
"""

from collections.abc import Mapping
from math import cos, sin

import numpy as np

from pactwin.hardware.rig_file import RobotLink, RobotPosture
from pactwin.hardware.sources import JointState

_WAIST = tuple(f"waist_{axis}_joint" for axis in ("yaw", "roll", "pitch"))
_TORSO_M = (-0.0039635, 0.0, 0.044)
_CAMERA_M, _CAMERA_PITCH_RAD = (0.0576235, 0.01753, 0.42987), 0.8307767
_COLOR_M = (0.0, 0.015, 0.0)
"""The URDF has the depth camera's origin; colour is seen from so far left of it (D435i)."""
# A camera's body looks along x with z up; OpenCV's frame looks along z, y down.
_BODY_FROM_OPTICAL = np.array([[0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]])


def predicted_head_camera(link: RobotLink, q_rad: Mapping[str, float]) -> np.ndarray:
    """``table_from_camera`` (4, 4), OpenCV axes, for a robot that stands as in the rig file."""
    waist = [q_rad.get(name, 0.0) for name in _WAIST]
    yaw = _turn(2, waist[0])
    torso = _shift(_TORSO_M)
    # With 29 joints the yaw axis goes through the pelvis' origin, with 23 through the torso's.
    upper = torso @ yaw if link.variant == "23dof" else yaw @ torso
    pelvis_from_torso = upper @ _turn(0, waist[1]) @ _turn(1, waist[2])
    torso_from_body = _shift(_CAMERA_M) @ _turn(1, _CAMERA_PITCH_RAD) @ _shift(_COLOR_M)
    torso_from_camera = torso_from_body @ _BODY_FROM_OPTICAL
    table_from_pelvis = _shift([length / 1e3 for length in link.pelvis_mm])
    return table_from_pelvis @ pelvis_from_torso @ torso_from_camera


def posture_of(state: JointState) -> RobotPosture | None:
    """The robot's lean, for comparison with that at calibration.

    None if ``mode_pr`` says that the waist reports motor angles: no public formula turns these
    into roll and pitch. None without an inertial sensor in the pelvis, too.
    """
    if state.mode_pr != 0 or state.pelvis is None:
        return None
    waist = {name: state.q_rad.get(name, 0.0) for name in _WAIST}
    return RobotPosture(waist_rad=waist, pelvis=state.pelvis.quaternion)


def _shift(by_m: "tuple[float, ...] | list[float]") -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = by_m
    return pose


def _turn(axis: int, angle_rad: float) -> np.ndarray:
    pose = np.eye(4)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    pose[a, a] = pose[b, b] = cos(angle_rad)
    pose[b, a], pose[a, b] = sin(angle_rad), -sin(angle_rad)
    return pose
