"""Plan how an arm fetches an object: a grasp, and a motion of hand and object to a goal.

An object is drawn out if something is on or over it, lifted, and swung to its goal around what is
in the way; from there it goes on in a straight line until it touches its place. The first grasp of
each arm is the one that decided its reach. If the arm cannot continue from there without a
collision, other approach directions are tried, and the plan that gets farthest is kept.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from pactwin.sim.episodes.motion import (
    TOUCH_M,
    Mover,
    along,
    ends_at,
    stations_of,
    tips_of,
    way_between,
)
from pactwin.sim.episodes.simulation import SimulatedRobot
from pactwin.sim.objects.posing import heights_m
from pactwin.sim.physics.trials.removal import LIFTING_OR_DRAWING, UNDISTURBED, carry_off
from pactwin.sim.reach.collider import arena_for
from pactwin.sim.reach.postures import Posture
from pactwin.sim.reach.search import reach
from pactwin.sim.reach.starts import APPROACHES, CONE_RAD, reachers
from pactwin.sim.scene.pose import Pose, Vec3, quat_angle_rad, vec3

# More clearance is not better.
_FREE_M = 0.004
_LIFTS_M = (0.12, 0.09, 0.06, 0.03)
# What lies below the end of something need not be drawn as far as the trials do.
_DRAWS = (1.0, 0.67)
# As many starts as the precondition has; fewer where other directions are looked at.
_STARTS, _STARTS_AGAIN = 64, 12
# So many grasps are looked at beside the first of each arm, and postures at the end of a way.
_OTHERS, _ENDS = 6, 4
_SAME_TURN_RAD = float(np.deg2rad(5.0))
_LAST_WAY = np.array([0.25, 0.5, 0.75, 1.0])


@dataclass(frozen=True)
class Goal:
    """Where an object goes: to a ``pose`` over a ``place``, then ``onwards`` until it touches it.

    Without a pose it is only lifted.
    """

    pose: Pose | None = None
    onwards: tuple[Pose, ...] = ()
    place: str = ""


@dataclass(frozen=True)
class Carrying:
    """A carrying motion: postures (n, j), and the object's ``poses`` in them.

    The first ``brought`` poses move the object to its goal, the others continue from there. If the
    arm cannot complete the motion, there are fewer postures than poses. ``clear_m`` is the smallest
    clearance of arm and object until the object is at its goal.
    """

    postures: np.ndarray
    poses: tuple[Pose, ...]
    brought: int
    clear_m: float

    @property
    def share(self) -> float:
        """Share of the motion that the arm can complete."""
        return len(self.postures) / len(self.poses)

    @property
    def rank(self) -> tuple[float, float]:
        """Rank of motions: the share if it is free, and the clearance."""
        return self.share * (self.clear_m > -TOUCH_M), min(self.clear_m, _FREE_M)


@dataclass(frozen=True)
class Plan:
    """What an arm does: postures (n, j) of its ``approach``, of ``taking`` hold, and the carrying.

    ``approach`` is None if there is no free way to the ``grasp``.
    """

    arm: int
    grasp: Posture
    approach: np.ndarray | None
    taking: np.ndarray
    carrying: Carrying

    @property
    def rank(self) -> tuple[bool, bool, float, float]:
        """Rank of plans: a free way to the grasp, fingers that fit, share of the motion, room."""
        free, clear_m = self.carrying.rank
        near_m = min(self.grasp.clearance_m, clear_m)
        return self.approach is not None, self.grasp.opening_m > 0.0, free, near_m

    @property
    def good(self) -> bool:
        """Return whether no other plan needs to be examined."""
        return self.rank >= (True, True, 1.0, -TOUCH_M)


class Planner:
    """Plans motions of a robot among its objects as they are; ``rng`` is used by searches."""

    def __init__(self, robot: SimulatedRobot, rng: np.random.Generator) -> None:
        self.robot, self.rng = robot, rng
        self.reachers = reachers(robot.robot.name)

    def fetch(self, name: str, goals: Sequence[Goal], at: Vec3 | None = None) -> Plan | None:
        """The best plan to take an object, ``at`` a point (m) if given, to one of ``goals``.

        None if no arm reaches the object.
        """
        carried = self.robot.world.supported_items(name)
        draws = [()] if at else self.draws(name)
        best: Plan | None = None
        for arm, grasp in self._grasps(name, at, carried):
            taking = self.taking(arm, grasp)
            for goal in goals:
                passing = {*carried, goal.place} - {""}
                carrying = self._carrying(arm, taking[-1], name, goal, draws, passing)
                approach = self.way_to(arm, np.array(grasp.angles_rad), carried)
                plan = Plan(arm, grasp, approach, taking, carrying)
                if best is None or plan.rank > best.rank:
                    best = plan
                if plan.good:
                    return plan
        return best

    def grasp(
        self,
        arm: int,
        name: str | None,
        at: Vec3 | None,
        ignoring: Collection[str],
        approaches: Collection[str] | None = None,
    ) -> Posture | None:
        """An arm's best posture at an object, or with an empty hand ``at`` a point (m)."""
        return reach(
            self.robot.robot.name,
            self.robot.items(),
            name,
            at=at,
            ignoring=set(ignoring),
            arms=[self.robot.arms[arm]],
            approaches=approaches,
            starts=_STARTS if approaches is None else _STARTS_AGAIN,
        ).best

    def _grasps(
        self, name: str, at: Vec3 | None, carried: Collection[str]
    ) -> Iterator[tuple[int, Posture]]:
        """The best grasp of each arm, the nearer one first; then free ones from other sides."""
        where = self.robot.world.pose(name).pos
        arms = sorted(
            range(len(self.reachers)),
            key=lambda arm: np.linalg.norm(self.reachers[arm].chain.anchors[0] - where),
        )
        found = [(arm, self.grasp(arm, name, at, carried)) for arm in arms]
        first = [(arm, grasp) for arm, grasp in found if grasp is not None]
        yield from first
        others = [
            (arm, self.grasp(arm, name, at, carried, [approach]))
            for (arm, _), approach in product(first, APPROACHES)
        ]
        free = [(arm, grasp) for arm, grasp in others if grasp and grasp.clearance_m > 0.0]
        yield from sorted(free, key=lambda grasp: -grasp[1].clearance_m)[:_OTHERS]

    def taking(self, arm: int, grasp: Posture) -> np.ndarray:
        """Postures (n, j) on the straight way from the pregrasp to the grasp."""
        chain = self.reachers[arm].chain
        ends = np.array([grasp.angles_rad, grasp.taking_rad])
        q, tips = (
            start + _LAST_WAY[:, None] * (end - start)
            for start, end in (ends, chain.forward(ends)[0])
        )
        pointing = np.tile(APPROACHES[grasp.approach], (len(q), 1))
        way = chain.solve(q, tips, pointing, CONE_RAD, steps=12, close_m=2e-4).q
        way[-1] = ends[1]
        return way

    def draws(self, name: str) -> list[tuple[Pose, ...]]:
        """Poses through which to draw an object out before lifting it, so that nothing else moves.

        Lifting it, or else drawing it out in each direction, is simulated. If all of that moves
        something, it is lifted.
        """
        world, parts = self.robot.world, self.parts_of(name)
        here, found = world.pose(name), list[tuple[Pose, ...]]()
        for (*draw, lift), scale in product(LIFTING_OR_DRAWING.values(), _DRAWS):
            drawn = [vec3(scale * np.array(displacement)) for displacement in draw]
            with self.robot.imagined(name):
                moved = carry_off(world, (*drawn, lift), parts).ratio
            if moved <= UNDISTURBED:
                found.append(tuple(here.moved(*displacement) for displacement in drawn))
            if found == [()]:
                break
        return found or [()]

    def _carrying(
        self,
        arm: int,
        start: np.ndarray,
        name: str,
        goal: Goal,
        draws: Sequence[tuple[Pose, ...]],
        passing: Collection[str],
    ) -> Carrying:
        """Motion of an object, held in the posture ``start``, to its goal.

        If there is no free one, it goes straight there, into whatever is in the way.
        """
        lifts = []
        for height, drawn in product(_LIFTS_M, draws):
            poses = self._lift(name, drawn, height, goal)
            lifts.append(self.carried(arm, start, name, poses, passing=passing))
            if lifts[-1].rank >= (1.0, -TOUCH_M):
                break
        lifted = max(lifts, key=lambda lift: lift.rank)
        if goal.pose is None:
            return lifted
        if lifted.rank >= (1.0, -TOUCH_M):
            at = self._grip(arm, start, name)
            swung = self._swung(arm, at, lifted, name, goal.pose, goal.onwards, passing)
            if swung is not None:
                return swung
        poses = (*lifted.poses, goal.pose)
        return self.carried(arm, start, name, poses, goal.onwards, passing=passing)

    def _lift(
        self, name: str, drawn: tuple[Pose, ...], height_m: float, goal: Goal
    ) -> tuple[Pose, ...]:
        """Poses of an object that is drawn out, lifted, and turned as it is at its goal."""
        here = drawn[-1] if drawn else self.robot.world.pose(name)
        lifted = here.moved(dz=height_m)
        if goal.pose is None or quat_angle_rad(here.quat, goal.pose.quat) < _SAME_TURN_RAD:
            return (*drawn, lifted)
        item, turned = self.robot.layout.item(name), Pose(lifted.pos, goal.pose.quat)
        lower = heights_m(item.at(lifted))[0] - heights_m(item.at(turned))[0]
        return (*drawn, lifted, turned.moved(dz=max(0.0, lower)))

    def carried(
        self,
        arm: int,
        start: np.ndarray,
        name: str,
        poses: Sequence[Pose],
        onwards: Sequence[Pose] = (),
        *,
        passing: Collection[str] = (),
    ) -> Carrying:
        """Motion of an object through ``poses`` in straight lines, then ``onwards`` in contact.

        The object is held at the fingertips in the posture ``start``. The hand may touch the items
        ``passing``.
        """
        here, at = self.robot.world.pose(name), self._grip(arm, start, name)
        brought = len(stations_of([here, *poses]))
        stations = stations_of([here, *poses, *onwards])
        mover = self.mover(arm, passing, self.parts_of(name))
        way = along(mover, start, tips_of(stations, at), self.rng)
        clear = min(
            (
                replace(mover, held=self._from_tips(name, pose, at)).clearance_m(q[None])
                for q, pose in zip(way[:brought], stations, strict=False)
            ),
            default=-np.inf,
        )
        return Carrying(way, tuple(stations), brought, clear)

    def _swung(
        self,
        arm: int,
        at: np.ndarray,
        lifted: Carrying,
        name: str,
        to: Pose,
        onwards: Sequence[Pose],
        passing: Collection[str],
    ) -> Carrying | None:
        """Continue with a ``lifted`` object around obstacles to the pose ``to``, then onwards.

        It is held ``at`` a point (m, in its frame). None if there is no free path.
        """
        start = lifted.postures[-1]
        mover = self.mover(arm, passing, self.parts_of(name), self._from_tips(name, to, at))
        stations = stations_of([to, *onwards])
        touching, tips = replace(mover, held={}), tips_of(stations, at)
        ends = ends_at(mover, tips_of([to], at)[0], start, _ENDS)
        found = [(end, touching.free_part(along(touching, end, tips, self.rng))) for end in ends]
        for end, after in sorted(found, key=lambda way: -len(way[1])):
            way = way_between(mover, start, end, self.rng)
            if way is not None:
                poses = (*lifted.poses, *[to] * (len(way) - 1))
                clear = min(lifted.clear_m, mover.clearance_m(way))
                ways = np.concatenate([lifted.postures, way[1:], after])
                return Carrying(ways, (*poses, *stations), len(poses), clear)
        return None

    def _grip(self, arm: int, posture: np.ndarray, name: str) -> np.ndarray:
        """Position (3,) of the fingertips in a posture, in the current frame of an object."""
        (tip,), _ = self.reachers[arm].chain.forward(posture[None])
        return np.array((self.robot.world.pose(name).inverse() @ Pose(vec3(tip))).pos)

    def _from_tips(self, held: str, pose: Pose, at: np.ndarray) -> dict[int, Pose]:
        """Poses of an object and its parts from the fingertips, oriented as in ``pose``.

        Empty if something rests on it: how that fares is the question.
        """
        world, parts = self.robot.world, self.parts_of(held)
        if world.supported_items(held) - parts:
            return {}
        here = world.pose(held).inverse()
        lies = Pose(vec3(-pose.matrix()[:3, :3] @ at), pose.quat)
        return {
            k: lies @ (here @ world.pose(item.name))
            for k, item in enumerate(self.robot.layout.items)
            if item.name in parts
        }

    def parts_of(self, name: str) -> set[str]:
        """The object with everything fixed to it or inserted into it."""
        items = self.robot.layout.items
        return {i.name for i in items if name in (i.name, i.attached_to)}

    def way_to(
        self, arm: int, goal: np.ndarray, passing: Collection[str] = ()
    ) -> np.ndarray | None:
        """Free postures (n, j) after the current one to ``goal``; None if not found.

        The hand may touch the items ``passing`` if necessary.
        """
        for passed in dict.fromkeys([(), tuple(passing)]):
            mover = self.mover(arm, passed)
            way = way_between(mover, self.robot.posture(arm), goal, self.rng)
            if way is not None:
                return way[1:]
        return None

    def mover(
        self,
        arm: int,
        passing: Collection[str] = (),
        gone: Collection[str] = (),
        held: Mapping[int, Pose] | None = None,
    ) -> Mover:
        """An arm among the objects as they are, see :class:`Mover`."""
        items = self.robot.items()
        collider = arena_for(self.robot.robot.name, tuple(item.parts for item in items))
        collider.place(items)
        home = collider.home.copy()
        for k, reacher in enumerate(self.reachers):
            home[reacher.chain.qpos] = self.robot.posture(k)
        passed, lifted = (
            np.isin(collider.item_of, [k for k, item in enumerate(items) if item.name in names])
            for names in (passing, gone)
        )
        reacher = self.reachers[arm]
        return Mover(replace(collider, home=home), arm, reacher, passed, lifted, held or {})
