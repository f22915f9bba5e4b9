"""Choose an arm, a grasp and a path before anything moves.

The first grasp of each arm is the one that decided its reach. If the arm cannot continue from there
without a collision, other approach directions are tried.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.sim.episodes.manipulation import Carrying, Manipulator, Stopped
from pactwin.sim.episodes.motion import stations_of
from pactwin.sim.preconditions.surroundings import on_or_over
from pactwin.sim.reach.search import Reach
from pactwin.sim.reach.starts import APPROACHES, reachers
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Vec3

_FREE_M = 0.004
_NEAR_M = 0.03
_LIFT_M = 0.03
_BELOW_TOP_M, _TALL_M = 0.03, 0.08
# So many grasps are looked at beside the first of each arm.
_OTHERS = 6


@dataclass(frozen=True)
class Way:
    """Path of an object: drawn out along ``drawn``, then ``lifted``, and through ``poses``.

    ``onwards`` continues until the object touches the ``place``; ``over`` (m) is the hand's goal
    above it.
    """

    drawn: tuple[Pose, ...]
    lifted: Pose
    poses: tuple[Pose, ...] = ()
    onwards: tuple[Pose, ...] = ()
    place: str = ""
    over: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Option:
    """Plan for one arm: reach an object, grasp it at a ``point`` (m), and carry it along a path.

    ``then`` is the motion over the place; None if there is none.
    """

    arm: int
    found: Reach
    point: np.ndarray
    then: Reach | None = None
    way: Way | None = None
    carrying: Carrying | None = None

    @property
    def share(self) -> float:
        """Share of the path that the arm can complete."""
        if self.carrying is not None:
            return self.carrying.share
        return float(self.way is None)

    @property
    def clear_m(self) -> float:
        """Smallest clearance along the plan, m; negative in collision."""
        ends = [self.found, *([] if self.then is None else [self.then])]
        near = [-np.inf if end.best is None else end.best.clearance_m for end in ends]
        return min([*near, *([] if self.carrying is None else [self.carrying.clear_m])])

    @property
    def good(self) -> bool:
        """Return whether no other option needs to be examined."""
        return self.share == 1.0 and self.clear_m >= _FREE_M

    @property
    def serves(self) -> bool:
        """Return whether the whole plan is free of collisions."""
        return self.share == 1.0 and self.clear_m > 0.0

    def rank(self, m: Manipulator) -> tuple[int, float, float, float]:
        """Rank: the larger share, the larger clearance, the shorter motion."""
        both = [reach.best for reach in (self.found, self.then) if reach is not None]
        there = [best for best in both if best is not None]
        far = sum(
            float(np.abs(np.array(best.angles_rad) - m.robot.posture(self.arm)).sum())
            for best in there
        )
        free = min((best.clearance_m for best in there), default=0.0) > 0
        return len(there) - len(both), self.share * free, min(self.clear_m, _FREE_M), -far


def pick(m: Manipulator, name: str, ways: Sequence[Way] = (), at: Vec3 | None = None) -> Option:
    """Choose an arm, its grasp and the first feasible path, and move the hand there.

    Raises Stopped if no arm reaches the object.
    """
    options, carried = Options(m, name, ways, at), m.robot.world.supported_items(name)
    chosen = options.first()
    best, way = _got_to(m, chosen, carried)
    if best is None:
        others = options.others(chosen)
        best, way = _got_to(m, others, carried)
        chosen += others
    if best is None:
        best = max(chosen, key=lambda option: option.rank(m))
        way = m.way_to(best.arm, best.found, carried)
    m.arm = best.arm
    if best.found.best is None:
        m.stretch(np.array(options.item.world_from_object.pos))
        raise Stopped("out of reach", name)
    if best.way is not None and best.then is not None and best.then.best is None:
        m.stretch(np.array(best.way.over))
        raise Stopped("out of reach", best.way.place)
    # What rests on it is not in the hand's way: how that fares is the question.
    m.robot.hands_pass({*m.parts_of(name), *carried})
    m.go_to(best.found, way)
    m.last_way(best.found, best.point)
    if np.linalg.norm(m.robot.tip(m.arm) - best.point) > _NEAR_M:
        raise Stopped("blocked", name)
    return best


def _got_to(
    m: Manipulator, options: Sequence[Option], carried: Collection[str]
) -> tuple[Option | None, np.ndarray | None]:
    """The best feasible option with a path to its grasp, and the path."""
    tried = set()
    for option in sorted(options, key=lambda option: option.rank(m), reverse=True):
        if not option.serves or option.found.best in tried:
            continue
        tried.add(option.found.best)
        way = m.way_to(option.arm, option.found, carried)
        if way is not None:
            return option, way
    return None, None


class Options:
    """Options of all arms for grasping an object, ``at`` a point if given, to follow ``ways``."""

    def __init__(
        self, m: Manipulator, name: str, ways: Sequence[Way], at: Vec3 | None = None
    ) -> None:
        self.m, self.name, self.ways, self.at = m, name, ways, at
        items = m.robot.items()
        self.item = next(item for item in items if item.name == name)
        self.carried = m.robot.world.supported_items(name)
        there = [self.item.world_from_object.pos]
        self.place, self.on_place = "", set[str]()
        if ways and ways[0].place:
            self.place = ways[0].place
            place = next(item for item in items if item.name == self.place)
            self.on_place = on_or_over(place, items)
            there.append(ways[0].over)
        self.arms = sorted(range(len(m.robot.arms)), key=lambda arm: m.far_m(arm, there))

    def first(self) -> list[Option]:
        """Options with the best grasp of each arm, until one is good."""
        found: list[Option] = []
        for arm in self.arms:
            reached = self.m.reaches(arm, self.name, self.at, self.carried)
            found += self._with(arm, reached, self._over(arm))
            if found[-1].good:
                break
        return found

    def others(self, known: Sequence[Option]) -> list[Option]:
        """Options with other grasps by arms that reach the object and its goal, freest first."""
        over = {option.arm: option.then for option in known if option.found.best is not None}
        had = {option.found.best for option in known}
        grasps = []
        for arm in self.arms:
            then = over.get(arm)
            if arm not in over or (then is not None and not then.found):
                continue
            for approach in APPROACHES:
                found = self.m.reaches(arm, self.name, self.at, self.carried, [approach])
                if found.best is not None and found.found and found.best not in had:
                    grasps.append((found.best.clearance_m, arm, found))
        grasps.sort(key=lambda grasp: -grasp[0])
        options: list[Option] = []
        for _, arm, found in grasps[:_OTHERS]:
            options += self._with(arm, found, over[arm])
            if options[-1].good:
                break
        return options

    def _over(self, arm: int) -> Reach | None:
        """The arm's posture over the place, as the precondition found it."""
        if not self.place:
            return None
        return self.m.reaches(arm, None, self.ways[0].over, {self.name, *self.on_place})

    def _with(self, arm: int, found: Reach, then: Reach | None) -> Iterator[Option]:
        """Options for the ways in order, ending with the first good one."""
        m, first = self.m, self.ways[0] if self.ways else None
        if found.best is None:
            yield Option(arm, found, np.zeros(3), then, first)
            return
        chain = reachers(m.name)[arm].chain
        (tip,), (pointing,) = chain.forward(np.array(found.best.angles_rad)[None])
        point = _grip_point(self.item, tip, pointing) if self.at is None else np.array(self.at)
        if not self.ways or (then is not None and then.best is None):
            yield Option(arm, found, point, then, first)
            return
        start = m.taking(arm, found, point)[-1]
        ignoring = {*self.carried, self.place} - {""}
        here = m.robot.world.pose(self.name)
        drawn: dict[tuple[Pose, ...], Way] = {}
        stuck: set[tuple[Pose, ...]] = set()
        for way in self.ways:
            if way.drawn in stuck:
                continue
            drawn.setdefault(way.drawn, way)
            carrying = m.plan(
                arm,
                start,
                self.name,
                (*way.drawn, way.lifted, *way.poses),
                onwards=way.onwards,
                ignoring=ignoring,
                towards=then,
            )
            option = Option(arm, found, point, then, way, carrying)
            yield option
            if option.good:
                return
            if len(carrying.postures) < len(stations_of([here, *way.drawn])):
                stuck.add(way.drawn)
        for way in (way for draw, way in drawn.items() if way.poses and draw not in stuck):
            low = (way.drawn[-1] if way.drawn else here).moved(dz=_LIFT_M)
            lifted = m.plan(arm, start, self.name, (*way.drawn, low), ignoring=ignoring)
            if lifted.share < 1.0:
                continue
            swung = m.swing(
                arm,
                lifted,
                self.name,
                way.poses[-1],
                onwards=way.onwards,
                ignoring=ignoring,
                towards=then,
            )
            if swung is not None:
                yield Option(arm, found, point, then, way, swung)
                return


def _grip_point(item: Item, chain_tip: np.ndarray, pointing: np.ndarray) -> np.ndarray:
    """Point on the item for the fingertips: its middle or, if it is tall, a point near its top.

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
