"""What an arm does with things: get to one, take it, carry it along, let go of it, draw back.

Each step is planned from where things are when it begins. Where no free way is found the arm goes
straight, into what is there: a robot that was told "yes" tries.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from pactwin.sim.episodes.interface import PERIOD_S
from pactwin.sim.episodes.motion import CLEAR_M, Mover, along, way_between
from pactwin.sim.episodes.simulation import LEAD_S, SimulatedRobot
from pactwin.sim.reach.arena import arena_for
from pactwin.sim.reach.search import APPROACHES, CONE_RAD, Reach, reach, reachers
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Vec3, quat, quat_angle_rad, vec3

SPEED_M_S = 0.2
_JOINT_RAD_S = 1.0
_STEP_M, _TURN_STEP_RAD = 0.015, 0.12
_LAST_WAY = (0.75, 0.5, 0.25, 0.0)
# So far behind its command an arm is stopped by something, and so far a thing behind its hand.
_STOPPED_RAD, STOPPED_M = 0.2, 0.014
_STARTS = 64
# Where to an open hand is drawn back, beside the way it points from.
_BACK_M = 0.09
_AWAY = np.array([(0, 0, 1), (-0.7, 0, 0.7), (0, 0.7, 0.7), (0, -0.7, 0.7), (0.7, 0, 0.7)])
_BELOW_TOP_M, _TALL_M = 0.03, 0.08


class Stopped(Exception):
    """Something keeps the robot from going on; ``reason`` says what, ``name`` which thing."""

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(reason)
        self.reason, self.name = reason, name


class Manipulator:
    """Moves a robot's arms among the things before it; ``rng`` is what searches draw from."""

    def __init__(self, robot: SimulatedRobot, rng: np.random.Generator) -> None:
        self.robot, self.rng = robot, rng
        self.name = robot.robot.name
        self.arm = 0

    # Where to

    def reaches(
        self, arm: int, target: str | None, at: Vec3 | None, ignoring: Collection[str]
    ) -> Reach:
        """How an arm gets to a thing, or to a place with what it holds."""
        return reach(
            self.name,
            self.robot.items(),
            target,
            at=at,
            ignoring=set(ignoring),
            arms=[self.robot.arms[arm]],
            starts=_STARTS,
        )

    def parts_of(self, name: str) -> set[str]:
        """The thing, and what is fixed to it or set into it."""
        items = self.robot.layout.items
        return {i.name for i in items if name in (i.name, i.attached_to, i.set_in)}

    def far_m(self, arm: int, points: Sequence[Vec3]) -> float:
        """How far points are from an arm's shoulder, in sum, m."""
        shoulder = reachers(self.name)[arm].chain.anchors[0]
        return float(sum(np.linalg.norm(point - shoulder) for point in points))

    # Moving

    def go_to(self, found: Reach, ignoring: Collection[str] = ()) -> None:
        """Bring the hand in front of what it is to take, through ``ignoring`` if it must."""
        if found.best is None:
            raise ValueError("there is no posture to go to")
        goal = np.array(found.best.angles_rad)
        start = self.robot.posture(self.arm)
        for passed in dict.fromkeys([(), tuple(ignoring)]):
            way = way_between(self._mover(self.arm, passed), start, goal, self.rng)
            if way is not None:
                self._follow(way[1:])
                return
        self._follow(goal[None])

    def taking(self, arm: int, found: Reach, at: np.ndarray) -> np.ndarray:
        """Postures (n, j) straight on, from in front of a thing to the fingertips ``at`` (m)."""
        if found.best is None:
            raise ValueError("there is no posture to go on from")
        chain = reachers(self.name)[arm].chain
        q = np.array(found.best.angles_rad)[None]
        ready = chain.forward(q)[0]
        way = []
        for back in _LAST_WAY:
            goal = at + back * (ready - at)
            q, *_ = chain.solve(
                q, goal, APPROACHES[found.best.approach][None], CONE_RAD, steps=12, close_m=2e-4
            )
            way.append(q[0])
        return np.array(way)

    def last_way(self, found: Reach, at: np.ndarray) -> None:
        """Straight on, from in front of a thing until the fingertips are ``at`` (m)."""
        self._follow(self.taking(self.arm, found, at), speed_m_s=SPEED_M_S / 2)

    def plan(
        self,
        arm: int,
        start: np.ndarray,
        held: str,
        poses: Sequence[Pose],
        *,
        ignoring: Collection[str] = (),
        towards: Reach | None = None,
    ) -> tuple[np.ndarray, list[Pose], float]:
        """Postures (n, j) that take a thing from where it is through ``poses``, its poses then, and
        their clearance (m).

        It is held where the fingertips are in the posture ``start``. Fewer postures than poses
        where the arm ends.
        """
        here = self.robot.world.pose(held)
        tip = reachers(self.name)[arm].chain.forward(start[None])[0][0]
        at = here.inverse().matrix() @ np.append(tip, 1.0)
        stations = [p for a, b in zip([here, *poses], poses, strict=False) for p in _between(a, b)]
        tips = np.array([(pose.matrix() @ at)[:3] for pose in stations])
        end = None
        if towards is not None and towards.best is not None:
            end = np.array(towards.best.angles_rad)
        mover = self._mover(arm, ignoring, self.parts_of(held))
        way = along(mover, start, tips, self.rng, end)
        return way, stations, mover.clearance_m(way) if len(way) else -np.inf

    def carry(
        self,
        poses: Sequence[Pose],
        *,
        ignoring: Collection[str] = (),
        towards: Reach | None = None,
        speed_m_s: float = SPEED_M_S,
        gently: bool = False,
    ) -> None:
        """Take what is held through ``poses``, straight from one to the next.

        ``ignoring`` are not gone around. Raises Stopped where the arm ends, where something stops
        it, and, if ``gently``, where something stops the thing: else that is pushed on.
        """
        held = self.robot.world.names[self.robot.world.held]
        start = self.robot.posture(self.arm)
        way, stations, _ = self.plan(
            self.arm, start, held, poses, ignoring=ignoring, towards=towards
        )
        if len(way):
            self._follow(way, stations[: len(way)], speed_m_s, gently=gently)
        if len(way) < len(stations):
            raise Stopped("out of reach", held)

    def stretch(self, point_m: np.ndarray) -> None:
        """Bring the empty hand as near to a point as it gets."""
        chain = reachers(self.name)[self.arm].chain
        start = self.robot.posture(self.arm)
        goal = chain.solve(
            start[None],
            np.asarray(point_m)[None],
            np.array([[0.0, 0.0, -1.0]]),
            np.pi / 2,
            steps=200,
        )[0][0]
        way = way_between(self._mover(self.arm), start, goal, self.rng)
        if way is not None:
            self._follow(way[1:])

    def draw_back(self, ignoring: Collection[str] = ()) -> None:
        """Take the open hand away, the way that is freest, and the arm back to rest."""
        chain = reachers(self.name)[self.arm].chain
        q = self.robot.posture(self.arm)
        (tip,), (pointing,) = chain.forward(q[None])
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
        """Take the arm back to where it rests, if there is a free way."""
        home = np.array(self.robot.robot.home_rad(self.robot.robot.arms[self.arm]))
        way = way_between(self._mover(self.arm), self.robot.posture(self.arm), home, self.rng)
        if way is not None:
            self._follow(way[1:])

    def wait(self, seconds: float) -> None:
        """Keep the arm where it is told to be."""
        for _ in range(round(seconds / PERIOD_S)):
            self.robot.act({})

    def _mover(self, arm: int, ignoring: Collection[str] = (), held: Collection[str] = ()) -> Mover:
        items = self.robot.items()
        arena = arena_for(self.name, tuple(item.parts for item in items))
        arena.place(items)
        passed = [k for k, item in enumerate(items) if item.name in ignoring]
        chain = reachers(self.name)[arm].chain
        gone = [k for k, item in enumerate(items) if item.name in held]
        home = arena.home.copy()
        for k, reacher in enumerate(reachers(self.name)):
            home[reacher.chain.qpos] = self.robot.posture(k)
        arena = replace(arena, home=home)
        return Mover(
            arena, arm, chain, np.isin(arena.item_of, passed), np.isin(arena.item_of, gone)
        )

    def _follow(
        self,
        way: np.ndarray,
        poses: Sequence[Pose] = (),
        speed_m_s: float = SPEED_M_S,
        *,
        gently: bool = False,
    ) -> None:
        """Go through postures (n, j); turn what is held as in ``poses``, one for each."""
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
        if np.abs(self.robot.posture(self.arm) - commanded).max() > _STOPPED_RAD:
            arm = self.robot.robot.arms[self.arm]
            here = self.robot.posture(self.arm)
            self.robot.act(dict(zip(arm.joints, map(float, here), strict=True)))
            raise Stopped("blocked")
        if gently and self.robot.holding and self.robot.world.lag_m() > STOPPED_M:
            world = self.robot.world
            met = world.touching(world.names[world.held]) - {"table"}
            raise Stopped("met", min(met, default=""))


def grip_point(item: Item, chain_tip: np.ndarray, pointing: np.ndarray) -> np.ndarray:
    """Where on the item the fingertips go: its middle or, of a tall one, near its top.

    That is the one of both which lies ahead of the fingertips; near the top if both do.
    """
    pose = item.world_from_object
    x, y, z = pose.pos
    half = np.abs(pose.matrix()[2, :3]) @ np.array(item.size_m) / 2
    spots = [np.array(pose.pos)]
    if 2 * half > _TALL_M:
        spots.insert(0, np.array([x, y, z + half - _BELOW_TOP_M]))
    beside = [np.linalg.norm(np.cross(spot - chain_tip, pointing)) for spot in spots]
    if len(beside) == 2 and beside[0] <= beside[1] + 0.006:
        return spots[0]
    return spots[int(np.argmin(beside))]


def turned(a: tuple, b: tuple, share: float) -> tuple[float, float, float, float]:
    """The orientation ``share`` of the way from ``a`` to ``b``."""
    p, q = np.array(a), np.array(b)
    if p @ q < 0:
        q = -q
    angle = float(np.arccos(np.clip(p @ q, -1.0, 1.0)))
    if angle < 1e-6:
        return quat(q)
    mixed = np.sin((1 - share) * angle) * p + np.sin(share * angle) * q
    return quat(mixed / np.linalg.norm(mixed))


def _between(a: Pose, b: Pose) -> list[Pose]:
    """Poses from ``a``, not itself, to ``b`` in small steps."""
    far = float(np.linalg.norm(np.subtract(b.pos, a.pos)))
    turn = float(quat_angle_rad(a.quat, b.quat))
    steps = max(1, int(np.ceil(max(far / _STEP_M, turn / _TURN_STEP_RAD))))
    shares = np.arange(1, steps + 1) / steps
    return [
        Pose(vec3(np.array(a.pos) + s * np.subtract(b.pos, a.pos)), turned(a.quat, b.quat, s))
        for s in shares
    ]
