"""Manipulation skills of an arm: fetch, carry on, release, retreat.

Each step is planned from the poses at its start (:mod:`pactwin.sim.episodes.planning`). If no free
path is found the arm moves straight, into obstacles: a robot whose model answered "yes" tries.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress

import numpy as np

from pactwin.sim.episodes.interface import PERIOD_S
from pactwin.sim.episodes.motion import CLEAR_M, along, turns_between
from pactwin.sim.episodes.planning import Carrying, Goal, Planner
from pactwin.sim.episodes.simulation import LEAD_S, YIELDING_S, SimulatedRobot
from pactwin.sim.preconditions.handling import grip_width_m
from pactwin.sim.reach.grips import width_m
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Vec3, quat_angle_rad

SPEED_M_S, LOWERING_M_S = 0.2, 0.12
_JOINT_RAD_S = 1.0
_SETTLE_S, _OPENING_S = 1.0, 0.4
# As many postures are tried to stretch a hand out.
_STRETCHED = 40
# So far behind its command an arm is stopped by something, and so far a thing behind its hand.
_STOPPED_RAD, STOPPED_M = 0.2, 0.014
# A hand farther from its grasp does not get there.
_NEAR_M = 0.03
# Where to an open hand is drawn back, beside the way it points from.
_BACK_M = 0.09
_AWAY = np.array([(0, 0, 1), (-0.7, 0, 0.7), (0, 0.7, 0.7), (0, -0.7, 0.7), (0.7, 0, 0.7)])


class Stopped(Exception):
    """The robot cannot continue; ``reason`` says why, ``name`` names the object."""

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(reason)
        self.reason, self.name = reason, name


class Manipulator:
    """Moves a robot's arms among objects; ``rng`` is used by searches."""

    def __init__(self, robot: SimulatedRobot, rng: np.random.Generator) -> None:
        self.robot, self.rng, self.planner = robot, rng, Planner(robot, rng)
        self.arm = 0

    def item(self, name: str) -> Item:
        """The item called ``name`` at its current pose."""
        return self.robot.layout.item(name).at(self.robot.world.pose(name))

    def fetch(
        self, name: str, goals: Sequence[Goal] = (Goal(),), handle_at: Vec3 | None = None
    ) -> Carrying:
        """Take an object, at its handle (m) if given, and bring it to the best of ``goals``.

        Returns the motion, for :meth:`go_on`. Raises Stopped if that is not possible.
        """
        robot, parts = self.robot, self.planner.parts_of(name)
        plan = self.planner.fetch(name, goals, handle_at)
        if plan is None:
            self.stretch(handle_at or robot.world.pose(name).pos)
            raise Stopped("out of reach", name)
        self.arm = plan.arm
        # What rests on it is not in the hand's way: how that fares is the question.
        robot.hands_pass({*parts, *robot.world.supported_items(name)})
        ready = np.array(plan.grasp.angles_rad)[None]
        self._follow(ready if plan.approach is None else plan.approach)
        self._follow(plan.taking, speed_m_s=SPEED_M_S / 2)
        chain = self.planner.reachers[self.arm].chain
        if np.linalg.norm(robot.tip(self.arm) - chain.forward(plan.taking[-1:])[0][0]) > _NEAR_M:
            raise Stopped("blocked", name)
        if handle_at is not None:
            robot.take_handle(self.arm, name)
        else:
            self._check_hold(name)
            robot.take(self.arm, name)
        self._carry(plan.carrying, slice(0, plan.carrying.brought), SPEED_M_S)
        return plan.carrying

    def _check_hold(self, name: str) -> None:
        """Stopped if the object is too wide or too heavy for this grasp; it stays where it is."""
        robot, item = self.robot.robot, self.item(name)
        mass = sum(self.item(part).mass_kg for part in self.planner.parts_of(name))
        chain = self.planner.reachers[self.arm].chain
        (closing,) = chain.closings(self.robot.posture(self.arm)[None])
        wrong = {
            "too wide": grip_width_m(item) > robot.span_m,
            "fingers turned wrong": width_m(item_points(item)[0], closing) > robot.span_m,
            "too heavy": mass > robot.payload_kg,
        }
        for what, is_so in wrong.items():
            if is_so:
                self.draw_back({name})
                raise Stopped(what, name)

    def go_on(
        self, carrying: Carrying, speed_m_s: float = SPEED_M_S, *, gently: bool = False
    ) -> None:
        """Carry the held object on from its goal; if ``gently``, Stopped at a contact too."""
        self._carry(carrying, slice(carrying.brought, None), speed_m_s, gently=gently)

    def carry(self, poses: Sequence[Pose], passing: Collection[str] = ()) -> bool:
        """Carry the held object slowly through ``poses`` in straight lines, in contact if need be.

        The hand may touch the items ``passing``. Returns whether the arm gets there; it does not
        move otherwise. Raises Stopped if something blocks it.
        """
        held, posture = self.robot.held, self.robot.posture(self.arm)
        planned = self.planner.carried(self.arm, posture, held, poses, passing=passing)
        if planned.share == 1.0:
            self._carry(planned, slice(None), LOWERING_M_S)
        return planned.share == 1.0

    def _carry(
        self, carrying: Carrying, part: slice, speed_m_s: float, *, gently: bool = False
    ) -> None:
        way, poses = carrying.postures[part], carrying.poses[part]
        self._follow(way, poses[: len(way)], speed_m_s, gently=gently)
        if len(way) < len(poses):
            raise Stopped("out of reach", self.robot.held)

    def put(self, name: str, place: str, goals: Sequence[Goal]) -> None:
        """Fetch an object, lower it until it touches something, let go, and draw back."""
        carrying = self.fetch(name, goals)
        self.robot.yield_to(YIELDING_S)
        self.robot.hands_pass({*self.planner.parts_of(name), place})
        with suppress(Stopped):  # it lets go where it is stopped
            self.go_on(carrying, LOWERING_M_S, gently=True)
        self.robot.let_go()
        self.wait(_OPENING_S)
        self.draw_back({name, place})
        self.robot.hands_pass(())
        self.wait(_SETTLE_S)

    def reach_on(self, way_m: np.ndarray) -> None:
        """Move the held object by (3,) m while the hand stays; Stopped if it is blocked."""
        steps = max(1, int(np.ceil(np.linalg.norm(way_m) / (LOWERING_M_S * PERIOD_S))))
        for step in range(steps + 10):  # the last ones let it catch up
            if step < steps:
                self.robot.shift_grip(way_m / steps)
            self.robot.act({})
            self._check_held()

    def go_to(self, place: str, point_m: Vec3, passing: Collection[str]) -> None:
        """Bring an empty hand to a point over a place; Stopped if it is out of reach.

        The hand may touch the items ``passing``.
        """
        grasps = [
            (grasp.clearance_m, arm, grasp)
            for arm in range(len(self.robot.arms))
            if (grasp := self.planner.grasp(arm, None, point_m, passing)) is not None
        ]
        if not grasps:
            self.stretch(point_m)
            raise Stopped("out of reach", place)
        _, self.arm, grasp = max(grasps, key=lambda found: found[0])
        ready = np.array(grasp.angles_rad)
        way = self.planner.way_to(self.arm, ready, passing)
        self._follow(ready[None] if way is None else way)
        self._follow(self.planner.taking(self.arm, grasp), speed_m_s=SPEED_M_S / 2)

    def stretch(self, point_m: Vec3) -> None:
        """Move the empty hand as close to a point as a free posture gets."""
        reacher = self.planner.reachers[self.arm]
        near = np.argsort(np.linalg.norm(reacher.tips - point_m, axis=1))[:_STRETCHED]
        ways = (self.planner.way_to(self.arm, goal) for goal in reacher.sample[near])
        way = next((way for way in ways if way is not None), None)
        if way is not None:
            self._follow(way)

    def draw_back(self, passing: Collection[str] = ()) -> None:
        """Retreat with the open hand in the freest direction, and move the arm to rest."""
        q, strict = self.robot.posture(self.arm), self.planner.mover(self.arm)
        mover = self.planner.mover(self.arm, passing)
        (tip,), (pointing,) = mover.reacher.chain.forward(q[None])
        ways = []
        for direction in (-pointing, *_AWAY):
            tips = tip + np.linspace(0.2, 1.0, 5)[:, None] * _BACK_M * np.asarray(direction)
            way = along(mover, q, tips, self.rng)
            if len(way):
                free = min(mover.clearance_m(way), strict.clearance_m(way[-1:]))
                ways.append((min(free, CLEAR_M), way))
        if ways:
            self._follow(max(ways, key=lambda found: found[0])[1])
        home = np.array(self.robot.robot.home_rad(self.robot.robot.arms[self.arm]))
        way_home = self.planner.way_to(self.arm, home)
        if way_home is not None:
            self._follow(way_home)

    def wait(self, seconds: float) -> None:
        """Hold the arm's posture."""
        for _ in range(round(seconds / PERIOD_S)):
            self.robot.act({})

    def _follow(
        self,
        way: np.ndarray,
        poses: Sequence[Pose] = (),
        speed_m_s: float = SPEED_M_S,
        *,
        gently: bool = False,
    ) -> None:
        """Follow postures (n, j); turn the held object as in ``poses``, one for each."""
        arm = self.robot.robot.arms[self.arm]
        chain = self.planner.reachers[self.arm].chain
        at = self.robot.command(self.arm)
        turns = [pose.quat for pose in poses] or [self.robot.turn] * len(way)
        for goal, turn in zip(way, turns, strict=True):
            tips = chain.forward(np.stack([at, goal]))[0]
            takes_s = max(
                float(np.linalg.norm(tips[1] - tips[0])) / speed_m_s,
                float(np.abs(goal - at).max()) / _JOINT_RAD_S,
                float(quat_angle_rad(self.robot.turn, turn)) / (2 * _JOINT_RAD_S),
            )
            steps = max(1, int(np.ceil(takes_s / PERIOD_S)))
            shares = np.arange(1, steps + 1) / steps
            between = turns_between(self.robot.turn, turn, shares)
            for share, self.robot.turn in zip(shares, between, strict=True):
                now = at + share * (goal - at)
                ahead = now + (goal - at) / (steps * PERIOD_S) * LEAD_S
                self.robot.act(dict(zip(arm.joints, ahead.tolist(), strict=True)))
                self._check(now, gently)
            at = goal
        for _ in range(10):
            self.robot.act(dict(zip(arm.joints, at.tolist(), strict=True)))
            self._check(at, gently)

    def _check(self, commanded: np.ndarray, gently: bool) -> None:
        here = self.robot.posture(self.arm)
        if np.abs(here - commanded).max() > _STOPPED_RAD:
            joints = self.robot.robot.arms[self.arm].joints
            self.robot.act(dict(zip(joints, here.tolist(), strict=True)))
            raise Stopped("blocked")
        if gently:
            self._check_held()

    def _check_held(self) -> None:
        if self.robot.holding and self.robot.world.lag_m() > STOPPED_M:
            met = self.robot.world.touching(self.robot.held) - {"table"}
            raise Stopped("met", min(met, default=""))
