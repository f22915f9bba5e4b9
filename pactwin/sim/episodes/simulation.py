"""A simulated robot: arms that follow commands with limited torque, and a hand that holds objects.

The arms are the links that decided reach, driven by servos; they push obstacles or are stopped by
them. Hand and fingers are one rigid shape, which does not collide with the object to grasp or with
the place of a release. A compliant weld attaches a held object to the fingertips. A G1's arm has
five joints and cannot choose its hand's orientation freely. So the weld keeps the object's own
orientation, or turns it as commanded, while the hand only follows the position.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import mujoco
import numpy as np

from pactwin.sim.episodes.interface import PERIOD_S, Observation
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.lifting import GROUP, damp, grip_name, hand_name, standing_on
from pactwin.sim.physics.world import World
from pactwin.sim.reach.collider import add_table
from pactwin.sim.reach.starts import reachers
from pactwin.sim.robots.kinematic_model import add_robot
from pactwin.sim.robots.models import PREFIX
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose, Quat
from pactwin.suite import unknown_name

FIRM_S, YIELDING_S = 0.01, 0.02
"""Time constants of the weld: firm for lifting, yielding against a wall."""

_TORQUE_NM = 25.0
_STIFF_NM_RAD, _DAMP_NM_S, _ARMATURE = 900.0, 35.0, 0.05
LEAD_S = _DAMP_NM_S / _STIFF_NM_RAD
"""Lag of an evenly turning joint behind its command."""

_CHUNK_S = 0.01
# Bits of what may touch: things and table, the robot, and the hands, which some things may not.
_THINGS, _ARMS, _HANDS = 1, 2, 4


@dataclass(frozen=True)
class State:
    """Poses of a layout's items, and angles by joint; ``commands_rad`` are the last commanded."""

    poses: tuple[Pose, ...]
    joints_rad: dict[str, float]
    commands_rad: dict[str, float] = field(default_factory=dict)


class SimulatedRobot:
    """A robot with the objects on its table.

    It takes no pictures. ``moments`` are recorded after every command. ``released`` is the height
    (m) of each object when a hand released it, ``turn`` the commanded orientation of the held one.
    ``prepare`` may add to the model. Raises InvalidInputError for an unknown robot.
    """

    def __init__(
        self,
        layout: Layout,
        robot: str,
        held: str,
        *,
        prepare: Callable[[mujoco.MjSpec], None] = lambda spec: None,
    ) -> None:
        self.layout, self.robot = layout, robot_named(robot)

        def add(spec: mujoco.MjSpec) -> None:
            _add_servos(spec, robot)
            prepare(spec)

        self.world = World(layout, Perturbation(), held=held, prepare=add)
        model, data = self.world.model, self.world.data
        model.opt.disableactuator = 1 << GROUP
        self.arms = [arm.name for arm in self.robot.arms]
        self._joints = self.robot.resting_rad
        for name, angle in self._joints.items():
            data.joint(name).qpos[0] = data.actuator(name).ctrl[0] = angle
        mujoco.mj_forward(model, data)
        settle(self.world)
        self.moments: list[State] = []
        self.released: dict[str, float] = {}
        self._grip: tuple[int, np.ndarray] | None = None
        self.turn: Quat = (1.0, 0.0, 0.0, 0.0)
        self._servos: int | None = None
        self._keep()

    def items(self) -> list[Item]:
        """All items at their current poses."""
        return [item.at(self.world.pose(item.name)) for item in self.layout.items]

    def posture(self, arm: int) -> np.ndarray:
        """Current joint angles (j,) of an arm, rad."""
        names = self.robot.arms[arm].joint_names
        return np.array([float(self.world.data.joint(name).qpos[0]) for name in names])

    def command(self, arm: int) -> np.ndarray:
        """Angles (j,) that an arm's joints are commanded to, rad."""
        names = self.robot.arms[arm].joint_names
        return np.array([float(self.world.data.actuator(name).ctrl[0]) for name in names])

    def tip(self, arm: int) -> np.ndarray:
        """Current position (3,) of an arm's fingertips, m."""
        chain = reachers(self.robot.name)[arm].chain
        return chain.forward(self.posture(arm)[None])[0][0]

    def observe(self) -> Observation:
        """Angles of the arms' joints."""
        return Observation({}, self.moments[-1].joints_rad)

    def act(self, joints_rad: Mapping[str, float]) -> None:
        """Turn joints towards angles for one period, and record the states."""
        for joint, angle in joints_rad.items():
            if PREFIX + joint not in self._joints:
                raise unknown_name(
                    "arm joint", joint, [name.removeprefix(PREFIX) for name in self._joints]
                )
            self.world.data.actuator(PREFIX + joint).ctrl[0] = angle
        for _ in range(round(PERIOD_S / _CHUNK_S)):
            self._carry()
            self.world.run(_CHUNK_S)
        self._keep()

    def take(self, arm: int, name: str, grip_time_s: float = FIRM_S) -> None:
        """Close an arm's hand on an object where it is."""
        self.world.hold(name, grip_time_s)
        pose = self.world.pose(name)
        self._grip = arm, pose.matrix()[:3, :3].T @ (self.tip(arm) - pose.pos)
        self.turn = pose.quat
        self.world.grasp()

    def take_handle(self, arm: int, name: str) -> None:
        """Close a hand with limited force and torque on the handle added by ``prepare``."""
        model, site = self.world.model, self.world.data.site(grip_name(0))
        self.world.hold(name)
        self._servos = int(model.body(hand_name(0)).mocapid[0])
        self.turn = self.world.pose(name).quat
        self._grip = arm, site.xpos - self.tip(arm)
        self._carry()
        damp(self.world, (name, *standing_on(self.world, name)), 1)
        model.opt.disableactuator = 0

    def shift_grip(self, way_m: np.ndarray) -> None:
        """Shift the held object in the hand by (3,), along the table's axes."""
        if self._grip is not None:
            arm, at = self._grip
            self._grip = arm, at - self._turn_matrix().T @ way_m

    def _turn_matrix(self) -> np.ndarray:
        return Pose((0.0, 0.0, 0.0), self.turn).matrix()[:3, :3]

    def let_go(self) -> None:
        """Open the hand."""
        self.released[self.held] = self.world.pose(self.held).pos[2]
        self.world.release()
        self._grip = None

    @contextmanager
    def imagined(self, held: str, grip_time_s: float = FIRM_S) -> Iterator[None]:
        """Context in which the robot simulates what it could do with ``held``, its hands empty.

        Afterwards all is as before.
        """
        now, before = self.world.snapshot(), self.held
        self.world.hold(held, grip_time_s)
        try:
            yield
        finally:
            self.world.restore(now)
            self.world.hold(before, FIRM_S)

    @property
    def held(self) -> str:
        """Name of the object that is held, or was last or is to be held first."""
        return self.world.names[self.world.held]

    @property
    def holding(self) -> bool:
        """Return whether a hand holds something."""
        return self._grip is not None

    def yield_to(self, grip_time_s: float) -> None:
        """Set the time constant of the weld that holds the object."""
        self.world.model.eq_solref[0, 0] = grip_time_s

    def hands_pass(self, names: Collection[str]) -> None:
        """Disable contacts of the hands with these items, and enable all others."""
        model = self.world.model
        for item in self.layout.items:
            geoms = model.geom_bodyid == model.body(item.name).id
            bits = _THINGS | _ARMS | (0 if item.name in names else _HANDS)
            model.geom_conaffinity[geoms] = bits

    def _carry(self) -> None:
        if self._grip is None:
            return
        arm, at = self._grip
        data, tip = self.world.data, self.tip(arm)
        if self._servos is not None:
            data.mocap_pos[self._servos], data.mocap_quat[self._servos] = tip + at, self.turn
        else:
            data.mocap_pos[0], data.mocap_quat[0] = tip - self._turn_matrix() @ at, self.turn

    def _keep(self) -> None:
        data, joints = self.world.data, {n.removeprefix(PREFIX): n for n in self._joints}
        self.moments.append(
            State(
                tuple(item.world_from_object for item in self.items()),
                {short: float(data.joint(name).qpos[0]) for short, name in joints.items()},
                {short: float(data.actuator(name).ctrl[0]) for short, name in joints.items()},
            )
        )


def _add_servos(spec: mujoco.MjSpec, name: str) -> None:
    """The robot's links, which gravity does not pull, with a servo at every arm joint."""
    robot = add_robot(spec, name)
    hands = {arm.hand_body for arm in robot.arms}
    for geom in spec.geoms:
        geom.conaffinity = _THINGS | _ARMS | _HANDS
    # The things' table is a plane without an edge, and the robot stands below it.
    spec.geom("table").conaffinity = _THINGS
    table = add_table(spec, "table for the robot")
    table.contype, table.conaffinity = 0, _ARMS | _HANDS
    for body in spec.bodies:
        if not body.name.startswith(PREFIX):
            continue
        body.gravcomp = 1.0
        for geom in body.geoms:
            geom.contype = _HANDS if body.name in hands else _ARMS
            geom.conaffinity = 0
    for arm in robot.arms:
        for joint in arm.joint_names:
            spec.joint(joint).armature = _ARMATURE
            gain, bias = np.zeros(10), np.zeros(10)
            gain[0], bias[1], bias[2] = _STIFF_NM_RAD, -_STIFF_NM_RAD, -_DAMP_NM_S
            spec.add_actuator(
                name=joint,
                trntype=mujoco.mjtTrn.mjTRN_JOINT,
                target=joint,
                gaintype=mujoco.mjtGain.mjGAIN_FIXED,
                biastype=mujoco.mjtBias.mjBIAS_AFFINE,
                gainprm=gain,
                biasprm=bias,
                forcelimited=True,
                forcerange=(-_TORQUE_NM, _TORQUE_NM),
            )
