"""Robot descriptions: base pose in the table frame, rest posture, arms, head camera.

All of a robot is rigid except the joints of its arms.
"""

from dataclasses import dataclass, field

import numpy as np

from pactwin.sim.robots.source import ModelSource
from pactwin.sim.scene.pose import Pose
from pactwin.suite import unknown_name

TABLE_HEIGHT_M = 0.74
"""Height of the table top above the floor: the floor is at z = -TABLE_HEIGHT_M."""

ROBOT_GROUP = 3
"""Geom group of the robot's collision shapes, which are never drawn."""

PREFIX = "robot/"
"""Prefix of every body, geom, joint and site of the robot in a compiled model."""

# A camera's body frame looks along x with z up; OpenCV's optical frame looks along z, y down.
_BODY_FROM_OPTICAL = np.array(
    [[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
)


@dataclass(frozen=True)
class Arm:
    """One arm. ``joints`` are in order from the shoulder to the wrist.

    ``hand`` is the arm's last link, which carries the hand with its fingers held still;
    ``hand_from_palm`` places the grasp centre in its frame. In the palm frame z is the approach
    axis (out of the hand, towards what it grasps) and x the axis along which the fingers close.
    Joint and link names are those of the source model: in a compiled one they start with PREFIX.
    """

    name: str
    joints: tuple[str, ...]
    hand: str
    hand_from_palm: Pose

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints in a compiled model."""
        return tuple(PREFIX + joint for joint in self.joints)

    @property
    def hand_body(self) -> str:
        """Name of the hand's body in a compiled model."""
        return PREFIX + self.hand

    @property
    def palm_site(self) -> str:
        """Name of the palm frame's site in a compiled model."""
        return f"{PREFIX}{self.name}_palm"


@dataclass(frozen=True)
class Robot:
    """A robot at the table.

    ``world_from_base`` places the origin of its source model. ``home`` holds every joint that does
    not rest at zero (rad, or m for slides), by its name in the source model. ``world_from_head`` is
    the mount of its head camera (x forward, z up). ``limits_rad`` replace limits of the source
    model joint by joint. ``payload_kg`` is the maker's figure for one arm: 3 kg for both Unitree's
    G1 (EDU) and the Panda. ``span_m`` is the largest width that one hand can grasp: 80 mm is the
    stroke of Franka's gripper.
    """

    name: str
    source: ModelSource
    world_from_base: Pose
    home: dict[str, float]
    arms: tuple[Arm, ...]
    world_from_head: Pose
    limits_rad: dict[str, tuple[float, float]] = field(default_factory=dict)
    payload_kg: float = 3.0
    span_m: float = 0.08

    @property
    def world_from_head_camera(self) -> np.ndarray:
        """The head camera's 4x4 pose with OpenCV axes (x right, y down, z forward)."""
        return self.world_from_head.matrix() @ _BODY_FROM_OPTICAL

    @property
    def moving(self) -> tuple[str, ...]:
        """Joints of all arms."""
        return tuple(joint for arm in self.arms for joint in arm.joints)

    @property
    def resting_rad(self) -> dict[str, float]:
        """Rest angles of the joints of all arms, by their names in a compiled model."""
        return {PREFIX + joint: self.home.get(joint, 0.0) for joint in self.moving}

    def home_rad(self, arm: Arm) -> tuple[float, ...]:
        """Rest posture of ``arm``: one angle per joint."""
        return tuple(self.home.get(joint, 0.0) for joint in arm.joints)

    def arm(self, name: str) -> Arm:
        """The arm called ``name``; raises InvalidInputError."""
        for arm in self.arms:
            if arm.name == name:
                return arm
        raise unknown_name("arm", name, [arm.name for arm in self.arms])
