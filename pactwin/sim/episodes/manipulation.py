"""Manipulation skills of an arm: reach, grasp, carry, release, retreat.

Each step is planned from the poses at its start. If no free path is found the arm moves
straight, into obstacles: a robot whose model answered "yes" tries.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.episodes.interface import PERIOD_S
from pactwin.sim.episodes.motion import (
    CLEAR_M,
    Mover,
    along,
    ends_at,
    stations_of,
    tips_of,
    turned,
    way_between,
)
from pactwin.sim.episodes.simulation import LEAD_S, SimulatedRobot
from pactwin.sim.reach.collider import arena_for
from pactwin.sim.reach.search import Reach, reach
from pactwin.sim.reach.starts import APPROACHES, CONE_RAD, reachers
from pactwin.sim.scene.pose import Pose, Vec3, quat_angle_rad, vec3

SPEED_M_S = 0.2
_JOINT_RAD_S = 1.0
# So far over what it does not reach a hand is stretched out.
_OVER_M = (0.0, 0.1, 0.2, 0.3)
_DOWN = np.array([0.0, 0.0, -1.0])
_SAME_TURN_RAD = float(np.deg2rad(5.0))
_LAST_WAY = (0.75, 0.5, 0.25, 0.0)
# So far behind its command an arm is stopped by something, and so far a thing behind its hand.
_STOPPED_RAD, STOPPED_M = 0.2, 0.014
# As many starts as the precondition has; fewer where other directions are looked at.
_STARTS, _STARTS_AGAIN = 64, 12
# So many postures at the end of a way are tried.
_ENDS = 4
# Where to an open hand is drawn back, beside the way it points from.
_BACK_M = 0.09
_AWAY = np.array([(0, 0, 1), (-0.7, 0, 0.7), (0, 0.7, 0.7), (0, -0.7, 0.7), (0.7, 0, 0.7)])


class Stopped(Exception):
    """The robot cannot continue; ``reason`` says why, ``name`` names the object."""

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(reason)
        self.reason, self.name = reason, name


@dataclass(frozen=True)
class Carrying:
    """A carrying motion: postures (n, j), and the object's ``poses`` in them.

    The first ``brought`` poses move the object to its goal, the others continue from there. If the
    arm cannot complete the motion, there are fewer postures than poses. ``clear_m`` is the
    clearance of arm and object.
    """

    postures: np.ndarray
    poses: tuple[Pose, ...]
    brought: int
    clear_m: float

    @property
    def share(self) -> float:
        """Share of the motion that the arm can complete."""
        return len(self.postures) / len(self.poses)


class Manipulator:
    """Moves a robot's arms among objects; ``rng`` is used by searches."""

    def __init__(self, robot: SimulatedRobot, rng: np.random.Generator) -> None:
        self.robot, self.rng = robot, rng
        self.name = robot.robot.name
        self.arm = 0

    # Where to

    def reaches(
        self,
        arm: int,
        target: str | None,
        at: Vec3 | None,
        ignoring: Collection[str],
        approaches: Collection[str] | None = None,
    ) -> Reach:
        """Options of an arm to reach an object, or a place with the held object."""
        return reach(
            self.name,
            self.robot.items(),
            target,
            at=at,
            ignoring=set(ignoring),
            arms=[self.robot.arms[arm]],
            approaches=approaches,
            starts=_STARTS if approaches is None else _STARTS_AGAIN,
        )

    def parts_of(self, name: str) -> set[str]:
        """The object with everything fixed to it or inserted into it."""
        items = self.robot.layout.items
        return {i.name for i in items if name in (i.name, i.attached_to)}

    def far_m(self, arm: int, points: Sequence[Vec3]) -> float:
        """Sum of the distances of points from an arm's shoulder, m."""
        shoulder = reachers(self.name)[arm].chain.anchors[0]
        return float(sum(np.linalg.norm(point - shoulder) for point in points))

    # Moving

    def way_to(self, arm: int, found: Reach, ignoring: Collection[str] = ()) -> np.ndarray | None:
        """Postures (n, j) that bring a hand to the pregrasp; None if not found.

        Obstacles in ``ignoring`` may be touched if necessary.
        """
        if found.best is None:
            return None
        goal, start = np.array(found.best.angles_rad), self.robot.posture(arm)
        for passed in dict.fromkeys([(), tuple(ignoring)]):
            way = way_between(self._mover(arm, passed), start, goal, self.rng)
            if way is not None:
                return way[1:]
        return None

    def go_to(self, found: Reach, way: np.ndarray | None) -> None:
        """Move the hand to the pregrasp, along ``way`` if given, else straight."""
        if found.best is None:
            raise ValueError("there is no posture to go to")
        self._follow(np.array(found.best.angles_rad)[None] if way is None else way)

    def taking(self, arm: int, found: Reach, at: np.ndarray) -> np.ndarray:
        """Postures (n, j) from the pregrasp straight until the fingertips are ``at`` (m)."""
        if found.best is None:
            raise ValueError("there is no posture to go on from")
        chain = reachers(self.name)[arm].chain
        q = np.array(found.best.angles_rad)[None]
        ready = chain.forward(q)[0]
        turned = None  # as the grasp is, where there is one
        if found.best.opening_m:
            line = chain.closings(np.array(found.best.taking_rad)[None])
            turned = line, np.array([_SAME_TURN_RAD])
        way, pointing = [], APPROACHES[found.best.approach][None]
        for back in _LAST_WAY:
            goal = at + back * (ready - at)
            q, *_ = chain.solve(q, goal, pointing, CONE_RAD, steps=12, close_m=2e-4, across=turned)
            way.append(q[0])
        return np.array(way)

    def last_way(self, found: Reach, at: np.ndarray) -> None:
        """Straight motion from the pregrasp until the fingertips are ``at`` (m)."""
        self._follow(self.taking(self.arm, found, at), speed_m_s=SPEED_M_S / 2)

    def plan(
        self,
        arm: int,
        start: np.ndarray,
        held: str,
        poses: Sequence[Pose],
        *,
        onwards: Sequence[Pose] = (),
        ignoring: Collection[str] = (),
        towards: Reach | None = None,
    ) -> Carrying:
        """Plan the motion of an object through ``poses``, then ``onwards`` in contact.

        The object is held at the fingertips in the posture ``start``.
        """
        here = self.robot.world.pose(held)
        at = self.grip(arm, start, held)
        brought = stations_of([here, *poses])
        stations = stations_of([here, *poses, *onwards])
        mover = self._mover(arm, ignoring, self.parts_of(held))
        end = None
        if towards is not None and towards.best is not None:
            end = np.array(towards.best.angles_rad)
        way = along(mover, start, tips_of(stations, at), self.rng, end)
        clear = -np.inf
        if len(way):
            clear = mover.clearance_m(way)
            if not self.robot.world.supported_items(held) - self.parts_of(held):
                lies = [self._from_tips(held, pose, at) for pose in brought]
                near = mover.held_clearance_m(way[: len(brought)], lies[: len(way)])
                clear = clear if near > 0.0 else min(clear, near)
        return Carrying(way, tuple(stations), len(brought), clear)

    def swing(
        self,
        arm: int,
        lifted: Carrying,
        held: str,
        to: Pose,
        *,
        onwards: Sequence[Pose] = (),
        ignoring: Collection[str] = (),
        towards: Reach | None = None,
    ) -> Carrying | None:
        """Plan the motion of a ``lifted`` object around obstacles to the pose ``to``, and onwards.

        The object has the orientation of ``to`` from the start. None if no path is found.
        """
        reacher, start = reachers(self.name)[arm], lifted.postures[-1]
        near = start
        if towards is not None and towards.best is not None:
            near = np.array(towards.best.angles_rad)
        tip = reacher.chain.forward(start[None])[0][0]
        at = (lifted.poses[-1].inverse().matrix() @ np.append(tip, 1.0))[:3]
        mover = self._mover(arm, ignoring, self.parts_of(held), self._from_tips(held, to, at))
        stations = stations_of([to, *onwards])
        for goal in ends_at(mover, reacher.sample, tips_of([to], at)[0], near, _ENDS):
            after = along(replace(mover, held={}), goal, tips_of(stations, at), self.rng)
            if len(after) < len(stations):
                continue
            way = way_between(mover, start, goal, self.rng)
            if way is not None:
                poses = (*lifted.poses, *[to] * (len(way) - 1))
                return Carrying(
                    np.concatenate([lifted.postures, way[1:], after]),
                    (*poses, *stations),
                    len(poses),
                    min(lifted.clear_m, CLEAR_M),
                )
        return None

    def grip(self, arm: int, posture: np.ndarray, held: str) -> np.ndarray:
        """Position (3,) of the fingertips in a posture, in the object's current frame, m."""
        tip = reachers(self.name)[arm].chain.forward(posture[None])[0][0]
        return (self.robot.world.pose(held).inverse().matrix() @ np.append(tip, 1.0))[:3]

    def bring(self, carrying: Carrying) -> None:
        """Carry the held object to its goal; Stopped if out of range or blocked."""
        self._go_on(carrying, slice(0, carrying.brought), SPEED_M_S)

    def go_on(self, carrying: Carrying, speed_m_s: float, *, gently: bool = False) -> None:
        """Continue carrying from there; if ``gently``, Stopped at a contact too."""
        self._go_on(carrying, slice(carrying.brought, None), speed_m_s, gently=gently)

    def _go_on(
        self, carrying: Carrying, part: slice, speed_m_s: float, *, gently: bool = False
    ) -> None:
        way, poses = carrying.postures[part], carrying.poses[part]
        if len(way):
            self._follow(way, poses[: len(way)], speed_m_s, gently=gently)
        if len(way) < len(poses):
            raise Stopped("out of reach", self.robot.world.names[self.robot.world.held])

    def _from_tips(self, held: str, pose: Pose, at: np.ndarray) -> dict[int, Pose]:
        """Poses of an object and its parts from the fingertips, oriented as in ``pose``."""
        world = self.robot.world
        here = world.pose(held).inverse()
        lies = Pose(vec3(-pose.matrix()[:3, :3] @ at), pose.quat)
        parts = self.parts_of(held)
        return {
            k: lies @ (here @ world.pose(item.name))
            for k, item in enumerate(self.robot.layout.items)
            if item.name in parts
        }

    def carry(
        self,
        poses: Sequence[Pose],
        *,
        ignoring: Collection[str] = (),
        speed_m_s: float = SPEED_M_S,
    ) -> None:
        """Carry the held object through ``poses``, along straight lines.

        Items in ``ignoring`` are not avoided. Raises Stopped if a pose is out of reach or an item
        blocks the arm; at contacts the object is pushed on.
        """
        held = self.robot.world.names[self.robot.world.held]
        start = self.robot.posture(self.arm)
        planned = self.plan(self.arm, start, held, poses, ignoring=ignoring)
        self._go_on(planned, slice(None), speed_m_s)

    def reach_on(self, way_m: np.ndarray, speed_m_s: float) -> None:
        """Move the held object by (3,) m while the hand stays; Stopped if it is blocked."""
        steps = max(1, int(np.ceil(np.linalg.norm(way_m) / (speed_m_s * PERIOD_S))))
        for step in range(steps + 10):  # the last ones let it catch up
            if step < steps:
                self.robot.shift_grip(way_m / steps)
            self.robot.act({})
            self._check_held()

    def stretch(self, point_m: np.ndarray) -> None:
        """Move the empty hand as close to a point as possible, above any obstacle there."""
        chain = reachers(self.name)[self.arm].chain
        start = self.robot.posture(self.arm)
        mover = self._mover(self.arm)
        for up in _OVER_M:
            point = point_m - up * _DOWN
            goal = chain.solve(start[None], point[None], _DOWN[None], np.pi / 2, steps=200)[0][0]
            way = way_between(mover, start, goal, self.rng)
            if way is not None:
                self._follow(way[1:])
                return

    def draw_back(self, ignoring: Collection[str] = ()) -> None:
        """Retreat with the open hand in the freest direction, and move the arm to rest."""
        q = self.robot.posture(self.arm)
        (tip,), (pointing,) = reachers(self.name)[self.arm].chain.forward(q[None])
        mover = self._mover(self.arm, ignoring)
        ways = []
        for direction in (-pointing, *_AWAY):
            tips = tip + np.linspace(0.2, 1.0, 5)[:, None] * _BACK_M * np.asarray(direction)
            way = along(mover, q, tips, self.rng)
            if len(way):
                # What touches at first is what it lets go of.
                free = mover.clearance_m(way[-1:])
                ways.append((len(way), min(free, CLEAR_M), mover.clearance_m(way), way))
        if ways:
            self._follow(max(ways, key=lambda found: found[:3])[3])
        self.rest()

    def rest(self) -> None:
        """Move the arm to its rest posture if a free path exists."""
        home = np.array(self.robot.robot.home_rad(self.robot.robot.arms[self.arm]))
        way = way_between(self._mover(self.arm), self.robot.posture(self.arm), home, self.rng)
        if way is not None:
            self._follow(way[1:])

    def wait(self, seconds: float) -> None:
        """Hold the arm's posture."""
        for _ in range(round(seconds / PERIOD_S)):
            self.robot.act({})

    def _mover(
        self,
        arm: int,
        ignoring: Collection[str] = (),
        held: Collection[str] = (),
        from_tips: Mapping[int, Pose] | None = None,
    ) -> Mover:
        items = self.robot.items()
        collider = arena_for(self.name, tuple(item.parts for item in items))
        collider.place(items)
        passed = [k for k, item in enumerate(items) if item.name in ignoring]
        gone = [k for k, item in enumerate(items) if item.name in held]
        home = collider.home.copy()
        for k, reacher in enumerate(reachers(self.name)):
            home[reacher.chain.qpos] = self.robot.posture(k)
        collider = replace(collider, home=home)
        ignored, lifted = np.isin(collider.item_of, passed), np.isin(collider.item_of, gone)
        chain = reachers(self.name)[arm].chain
        return Mover(collider, arm, chain, ignored, lifted, from_tips or {})

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
        chain = reachers(self.name)[self.arm].chain
        at = np.array([self.robot.world.data.actuator(name).ctrl[0] for name in arm.joint_names])
        for k, goal in enumerate(way):
            tips = chain.forward(np.stack([at, goal]))[0]
            turn = quat_angle_rad(self.robot.turn, poses[k].quat) if len(poses) else 0.0
            takes_s = max(
                float(np.linalg.norm(tips[1] - tips[0])) / speed_m_s,
                float(np.abs(goal - at).max()) / _JOINT_RAD_S,
                float(turn) / (2 * _JOINT_RAD_S),
            )
            steps = max(1, int(np.ceil(takes_s / PERIOD_S)))
            first = self.robot.turn
            for step in range(1, steps + 1):
                share = step / steps
                now = at + share * (goal - at)
                if len(poses):
                    self.robot.turn = turned(first, poses[k].quat, share)
                ahead = now + (goal - at) / (steps * PERIOD_S) * LEAD_S
                self.robot.act(dict(zip(arm.joints, map(float, ahead), strict=True)))
                self._check(now, gently)
            at = goal
        for _ in range(10):
            self.robot.act(dict(zip(arm.joints, map(float, at), strict=True)))
            self._check(at, gently)

    def _check(self, commanded: np.ndarray, gently: bool) -> None:
        here = self.robot.posture(self.arm)
        if np.abs(here - commanded).max() > _STOPPED_RAD:
            arm = self.robot.robot.arms[self.arm]
            self.robot.act(dict(zip(arm.joints, map(float, here), strict=True)))
            raise Stopped("blocked")
        if gently:
            self._check_held()

    def _check_held(self) -> None:
        if self.robot.holding and self.robot.world.lag_m() > STOPPED_M:
            world = self.robot.world
            met = world.touching(world.names[world.held]) - {"table"}
            raise Stopped("met", min(met, default=""))
