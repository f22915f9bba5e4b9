"""The robots: where they stand, how they rest, and their arms as a kinematic model.

A robot stands at the table in the table frame, everything welded except the joints of its arms.
:func:`add_robot` puts its moving collision shapes into an ``MjSpec``, for reach; what is drawn
comes from :func:`draw_robot`. The source models are those of robosuite and robosuite-models
(see :mod:`pactwin.sim.robots.assets`).
"""

from dataclasses import dataclass
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.pose import Pose, axis_angle, yaw
from pactwin.sim.robots.assets import Source, load_links
from pactwin.suite import unknown_name

if TYPE_CHECKING:
    import mujoco

TABLE_HEIGHT_M = 0.74
"""Height of the table top above the floor: the floor is at z = -TABLE_HEIGHT_M."""

ROBOT_GROUP = 3
"""Geom group of the robot's collision shapes, which pictures never show."""

PREFIX = "robot/"
"""Every body, geom, joint and site of the robot starts with this in a compiled model."""

# A camera's body frame looks along x with z up; OpenCV's optical frame looks along z, y down.
_BODY_FROM_OPTICAL = np.array(
    [[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
)


@dataclass(frozen=True)
class Arm:
    """One arm. ``joints`` go from the shoulder to the wrist.

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

    ``world_from_base`` places the root of its source model; ``home`` holds every joint that is not
    at zero when it rests (rad, or m for slides), under the names of the source model.
    ``world_from_head`` is the mount of its head camera (x forward, z up).
    """

    name: str
    source: Source
    world_from_base: Pose
    home: dict[str, float]
    arms: tuple[Arm, ...]
    world_from_head: Pose

    @property
    def world_from_head_camera(self) -> np.ndarray:
        """The head camera's 4x4 pose with OpenCV axes (x right, y down, z forward)."""
        return self.world_from_head.matrix() @ _BODY_FROM_OPTICAL

    @property
    def moving(self) -> tuple[str, ...]:
        """The joints of all arms."""
        return tuple(joint for arm in self.arms for joint in arm.joints)

    def home_rad(self, arm: Arm) -> tuple[float, ...]:
        """Where ``arm`` rests: one angle per joint."""
        return tuple(self.home.get(joint, 0.0) for joint in arm.joints)

    def arm(self, name: str) -> Arm:
        """The arm called ``name``; raises InvalidInputError."""
        for arm in self.arms:
            if arm.name == name:
                return arm
        raise unknown_name("arm", name, [arm.name for arm in self.arms])


def _g1_arm(side: str) -> Arm:
    s = side[0]
    # The hand's x runs along the fingers, which close towards the other hand (left: -y). Thumb and
    # fingertips meet about 11 cm ahead of the wrist flange (at 0.12 m) and 5 cm off the palm.
    inwards = -1.0 if s == "l" else 1.0
    z_along_fingers = Pose((0.23, 0.05 * inwards, 0.0), axis_angle((0.0, 1.0, 0.0), pi / 2))
    x_across = Pose((0.0, 0.0, 0.0), axis_angle((0.0, 0.0, 1.0), pi / 2))
    joints = ("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow_pitch", "elbow_roll")
    return Arm(
        name=side,
        joints=tuple(f"{s}_{joint}_joint" for joint in joints),
        hand=f"{s}_elbow_roll_link",
        hand_from_palm=z_along_fingers @ x_across,
    )


def _g1() -> Robot:
    package = "robosuite_models"
    hand = "assets/grippers/g1_three_finger_{}_gripper.xml"
    base = Pose((-0.165, 0.0, -TABLE_HEIGHT_M))
    # Unitree's 29-DoF URDF has the D435i at (0.0576235, 0.01753, 0.42987) in torso_link, pitched
    # down by 0.8307767 rad. The torso frame of the model used here is the pelvis, 0.755 m above
    # the floor; Unitree's lies at (-0.0039635, 0, 0.044) m in it.
    mount = Pose((0.05366, 0.01753, 0.755 + 0.47387), axis_angle((0.0, 1.0, 0.0), 0.8307767))
    home: dict[str, float] = {}
    for side, s in (("left", 1.0), ("right", -1.0)):
        # Arms hang in front of the table's edge, elbows slightly bent, fingers half closed.
        home |= {
            f"{side[0]}_shoulder_pitch_joint": 0.1,
            f"{side[0]}_shoulder_roll_joint": 0.3 * s,
            f"{side[0]}_elbow_pitch_joint": 1.15,
            f"{side}/{side[0]}_one_joint": 0.3 * s,
            f"{side}/{side[0]}_three_joint": -0.35 * s,
            f"{side}/{side[0]}_four_joint": -0.45 * s,
            f"{side}/{side[0]}_five_joint": -0.35 * s,
            f"{side}/{side[0]}_six_joint": -0.45 * s,
        }
    return Robot(
        name="g1",
        source=Source(
            package=package,
            model="assets/robots/g1/robot.xml",
            attached=tuple((f"{s}_eef", hand.format(s), s) for s in ("left", "right")),
        ),
        world_from_base=base,
        home=home,
        arms=(_g1_arm("left"), _g1_arm("right")),
        world_from_head=base @ mount,
    )


def _panda() -> Robot:
    # Its pedestal is 0.928 m high and stands on the floor.
    base = Pose((-0.25, 0.0, 0.928 - TABLE_HEIGHT_M))
    joints = tuple(f"joint{i}" for i in range(1, 8))
    home = dict(zip(joints, (0.0, -1.0, 0.0, -2.6, 0.0, 1.6, pi / 4), strict=True))
    home |= {"right/finger_joint1": 0.03, "right/finger_joint2": -0.03}
    # A Panda has no head: its "head" camera stands on a mast at its left, a little higher above the
    # table than the G1's, turned towards the middle of what its arm reaches.
    mast = Pose((-0.12, 0.32, 0.55), yaw(-0.69))
    return Robot(
        name="panda",
        source=Source(
            package="robosuite",
            model="models/assets/robots/panda/robot.xml",
            attached=(
                ("base", "models/assets/bases/rethink_mount.xml", "mount"),
                ("right_hand", "models/assets/grippers/panda_gripper.xml", "right"),
            ),
        ),
        world_from_base=base,
        home=home,
        arms=(
            Arm(
                name="right",
                joints=joints,
                hand="link7",
                # The flange is at 0.1065 m, turned by -45 degrees, the fingertips 0.097 m on; the
                # gripper is turned by another -90 degrees and its fingers slide along its y.
                hand_from_palm=Pose(
                    (0.0, 0.0, 0.1065 + 0.097), axis_angle((0.0, 0.0, 1.0), -pi / 4)
                ),
            ),
        ),
        world_from_head=mast @ Pose((0.0, 0.0, 0.0), axis_angle((0.0, 1.0, 0.0), 0.8307767)),
    )


ROBOTS: dict[str, Robot] = {robot.name: robot for robot in (_g1(), _panda())}


def robot_named(name: str) -> Robot:
    """The robot called ``name``; raises InvalidInputError."""
    if name not in ROBOTS:
        raise unknown_name("robot", name, list(ROBOTS))
    return ROBOTS[name]


def add_robot(spec: "mujoco.MjSpec", name: str) -> Robot:
    """Add the robot's kinematics to ``spec``, in the table frame: arm joints and collision shapes.

    One body per link, named PREFIX + its name in the source model; all that does not move is in
    the body PREFIX + "base". Geoms are convex, in ROBOT_GROUP, invisible to pictures. Pairs of
    links that touch at rest are excluded from contact. Every arm gets its palm site.

    Raises InvalidInputError for an unknown name, EnvironmentFaultError if the robot's package is
    not installed.
    """
    import mujoco

    robot = robot_named(name)
    # Angles in a specification are in the unit that its compiler expects.
    unit = 180.0 / pi if spec.compiler.degree else 1.0
    bodies: dict[str, mujoco.MjsBody] = {}
    links = load_links(robot.source, robot.world_from_base, tuple(robot.home.items()), robot.moving)
    for link in links.links:
        parent = bodies[link.parent] if link.parent else spec.worldbody
        body = parent.add_body(
            name=PREFIX + link.name, pos=link.parent_from_link.pos, quat=link.parent_from_link.quat
        )
        bodies[link.name] = body
        if link.joint:
            body.add_joint(
                name=PREFIX + link.joint,
                type=mujoco.mjtJoint.mjJNT_HINGE,
                axis=link.axis,
                range=[angle * unit for angle in link.range_rad],
                limited=mujoco.mjtLimited.mjLIMITED_TRUE,
            )
        for k, shape in enumerate(link.shapes):
            geom = body.add_geom(
                name=f"{PREFIX}{link.name}_{k}",
                type=mujoco.mjtGeom(shape.type),
                pos=shape.link_from_geom.pos,
                quat=shape.link_from_geom.quat,
                group=ROBOT_GROUP,
            )
            if shape.hull is None:
                geom.size = shape.size
            else:
                geom.meshname = spec.add_mesh(name=geom.name, uservert=shape.hull.ravel()).name
    for a, b in links.touching:
        spec.add_exclude(bodyname1=PREFIX + a, bodyname2=PREFIX + b)
    for arm in robot.arms:
        bodies[arm.hand].add_site(
            name=arm.palm_site, pos=arm.hand_from_palm.pos, quat=arm.hand_from_palm.quat
        )
    return robot
