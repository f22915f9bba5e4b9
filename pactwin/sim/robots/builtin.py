"""Built-in robots: Unitree's G1, and the Panda of robosuite and robosuite-models."""

from math import pi

from pactwin.sim.robots.models import TABLE_HEIGHT_M, Arm, Robot
from pactwin.sim.robots.source import ModelSource
from pactwin.sim.scene.pose import Pose, axis_angle, yaw


def _g1_arm(side: str) -> Arm:
    s = side[0]
    # The hand's x runs along the fingers, which close towards the other hand (left: -y). Thumb and
    # fingertips meet about 11 cm ahead of the wrist flange (at 0.12 m) and 5 cm off the palm.
    inwards = -1.0 if s == "l" else 1.0
    z_along_fingers = Pose((0.23, 0.05 * inwards, 0.0), axis_angle((0.0, 1.0, 0.0), pi / 2))
    x_across = Pose((0.0, 0.0, 0.0), yaw(pi / 2))
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
        source=ModelSource(
            package=package,
            model="assets/robots/g1/robot.xml",
            attached=tuple((f"{s}_eef", hand.format(s), s) for s in ("left", "right")),
        ),
        world_from_base=base,
        home=home,
        # Wide open, thumb and fingers of the model are 141 mm apart; they hold what leaves them
        # bent inwards around it.
        span_m=0.10,
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
        source=ModelSource(
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
                hand_from_palm=Pose((0.0, 0.0, 0.1065 + 0.097), yaw(-pi / 4)),
            ),
        ),
        world_from_head=mast @ Pose((0.0, 0.0, 0.0), axis_angle((0.0, 1.0, 0.0), 0.8307767)),
    )


ROBOTS: dict[str, Robot] = {robot.name: robot for robot in (_g1(), _panda())}
