"""Is there an arm posture, free of collisions, from which the hand can take an object?

What is decided: some arm has a posture that holds the hand in front of the object, fingers open and
pointing at it along one of seventeen approach directions, and can go on in a straight line until
the fingertips are beside the object's middle, touching nothing but the object. That such a posture
exists does not say how the arm gets there: no path from the resting posture is planned.

- The hand comes from above, or from one of eight sides at 55 or 20 degrees below the horizontal. A
  G1 arm has five joints and cannot turn its hand freely, so the hand may lean up to ``CONE_RAD``
  off the direction, and its turn about its own axis is left open. The cones cover every way of
  coming from above or level.
- Postures come from damped least squares from many starts at once: those postures of a fixed sample
  of the arm's workspace that are nearest to the goal (:mod:`pactwin.sim.reach.kinematics`).
- Collisions are those of convex bodies (:mod:`pactwin.sim.reach.arena`). The clearance of a posture
  is its least signed distance to anything.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.sim.reach.arena import SEEN_M, Arena, arena_for
from pactwin.sim.reach.kinematics import ANGLE_WEIGHT_M, Chain
from pactwin.sim.reach.starts import (
    ALONG,
    CONE_RAD,
    NAMES,
    Places,
    Reacher,
    Starts,
    places_at,
    places_on,
    reachers,
)
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3

POSITION_TOLERANCE_M = 0.005
RESERVE_M = 0.03
"""How far behind the object reach is looked for, to say how safely it is within reach."""

_BACK = (1 / 3, 2 / 3, 1.0)
# Solutions end on the rim of the cone, give or take rounding.
_LEAN_RAD = CONE_RAD * 1.001

_STEPS = 8
# So many starts for each direction and place first; more only if they do not settle the question.
_FEW = 3
# Nothing gets better with more starts when the hand stays this far away.
_HOPELESS_M = 0.03


@dataclass(frozen=True)
class Posture:
    """An arm's posture in front of the object and how well it serves.

    Errors are the worst along the last straight way; ``clearance_m`` is the least signed distance
    to anything on it (negative: depth of the overlap), at most SEEN_M.
    """

    arm: str
    approach: str
    angles_rad: tuple[float, ...]
    position_error_m: float
    angle_error_rad: float
    clearance_m: float


@dataclass(frozen=True)
class Reach:
    """What the search found.

    ``best`` is the posture with the most clearance among those that serve but for collisions; None
    if no posture takes the hand to the object even in an empty room, and then ``shortfall_m`` is
    how far from it the hand stays. ``reserve_m`` is how much farther from the shoulder the object
    could stand, collisions aside, at most RESERVE_M. ``tried`` counts the postures checked for
    collisions.
    """

    best: Posture | None
    shortfall_m: float
    reserve_m: float
    tried: int

    @property
    def found(self) -> bool:
        """Whether a collision-free posture was found."""
        return self.best is not None and self.best.clearance_m > 0.0


def reach(
    robot: str,
    items: Sequence[Item],
    target: str | None,
    *,
    at: Vec3 | None = None,
    ignoring: Collection[str] = (),
    holding: str | None = None,
    arms: Collection[str] | None = None,
    approaches: Collection[str] | None = None,
    starts: int = 16,
    comfort_m: float = 0.005,
    known: Posture | None = None,
    reserve: bool = True,
) -> Reach:
    """Search for the posture with which ``robot`` takes the item called ``target``.

    Fingertips go to ``at`` (m, in the table frame); by default to the item's middle, or near its
    top if it is tall. With no target they only come to ``at``, and may touch nothing. Items in
    ``ignoring`` are in nobody's way. The item ``holding`` is in the hand, upright, its middle at
    the fingertips, and may touch nothing either. ``starts`` postures are tried for each approach
    direction and place on the object, by each arm, or by ``arms`` alone, along each of
    ``APPROACHES``, or along ``approaches`` alone. The search ends early at a posture with
    ``comfort_m`` of clearance; ``known``, one found for much the same, is tried before all others,
    and is enough if it has that, and reach left behind it. Without ``reserve`` it is not looked how
    much reach is left: it counts as enough. The result depends on nothing but the
    arguments. Raises InvalidInputError for an unknown robot, or one with an arm that hardly gets
    over the table.
    """
    items = sorted(items, key=lambda item: item.name)  # twins' things need one arena
    arena = arena_for(robot, tuple(item.parts for item in items))
    arena.place(items)
    names = [item.name for item in items]
    index = -2 if target is None else names.index(target)
    places = places_on(items[index]) if at is None else places_at([np.array(at)], np.array([at]))
    if approaches is not None:
        places = places.along(approaches)
    ignored = np.isin(arena.item_of, [k for k, name in enumerate(names) if name in ignoring])
    search = _Search(arena, reachers(robot), places, index, ignored, comfort_m, arms)
    search.holding = -1 if holding is None else names.index(holding)
    search.reserve_m = 0.0 if reserve else RESERVE_M
    if known is not None and (arms is None or known.arm in arms):
        search.recall(known)
        if search.best is not None and search.settled and search.reserve_m >= RESERVE_M:
            return search.result()
    few = min(starts, _FEW)
    search.extend(0, few)
    if not search.settled:
        search.extend(few, starts)
    return search.result()


class _Search:
    """Postures found so far for one object."""

    def __init__(
        self,
        arena: Arena,
        reachers: tuple["Reacher", ...],
        places: Places,
        target: int,
        ignored: np.ndarray,
        comfort_m: float,
        arms: Collection[str] | None = None,
    ) -> None:
        self.arena, self.reachers, self.places, self.target = arena, reachers, places, target
        self.ignored, self.holding, self._room = ignored, -1, dict[int, float]()
        self.comfort_m = comfort_m
        self.allowed = [k for k, r in enumerate(reachers) if arms is None or r.arm.name in arms]
        self.best: Posture | None = None
        self.shortfall_m, self.reserve_m = np.inf, 0.0
        self.tried = 0

    @property
    def settled(self) -> bool:
        """Whether more starts would not change the answer."""
        if self.best is None:
            return self.shortfall_m > _HOPELESS_M
        return self.best.clearance_m >= self.comfort_m

    def extend(self, first: int, last: int) -> None:
        """Try the starts ranked ``first`` to ``last``, with the likelier arm first."""
        starts = {k: self.reachers[k].starts(self.places, first, last) for k in self.allowed}
        for arm in sorted(starts, key=lambda k: starts[k].cost_m):
            self._try(arm, starts[arm])
            if self.best is not None and self.settled:
                return

    def recall(self, known: Posture) -> None:
        """Try to take the object as another, or it in another place, was taken."""
        arm = [reacher.arm.name for reacher in self.reachers].index(known.arm)
        goal = np.flatnonzero(self.places.direction == NAMES.index(known.approach))
        q = np.tile(known.angles_rad, (len(goal), 1))
        self._try(arm, Starts(q, goal, np.inf))

    def _try(self, arm: int, starts: "Starts") -> None:
        # The nearest start itself is one way to come that near.
        self.shortfall_m = min(self.shortfall_m, starts.cost_m)
        chain = self.reachers[arm].chain
        ready, taken = self.places.ready[starts.goal], self.places.taken[starts.goal]
        direction = self.places.direction[starts.goal]
        along = ALONG[direction]
        # From the object backwards: what cannot take it need not be looked at further.
        q, off, lean = chain.solve(starts.q, taken, along, CONE_RAD, steps=_STEPS)
        rows = self._served(off, lean)
        if not len(rows):
            return
        self._look_behind(chain, q[rows], taken[rows], along[rows])
        way, off, lean = [q[rows]], off[rows], lean[rows]
        for back in _BACK:
            q, step_off, step_lean = chain.solve(
                way[-1],
                taken[rows] + back * (ready - taken)[rows],
                along[rows],
                CONE_RAD,
                steps=_STEPS // 2,
            )
            off, lean = np.maximum(off, step_off), np.maximum(lean, step_lean)
            way.append(q)
        for k in self._served(off, lean):
            postures = np.array([q[k] for q in reversed(way)])
            worst = -np.inf if self.best is None else self.best.clearance_m
            clearance = min(
                self._room_m(int(starts.goal[rows[k]])),
                self.arena.clearance_m(arm, chain, postures, self.target, worst, self.ignored),
            )
            self.tried += 1
            if self.best is None or clearance > self.best.clearance_m:
                self.best = Posture(
                    arm=self.reachers[arm].arm.name,
                    approach=NAMES[direction[rows[k]]],
                    angles_rad=tuple(map(float, postures[0])),
                    position_error_m=float(off[k]),
                    angle_error_rad=float(lean[k]),
                    clearance_m=clearance,
                )
                if self.settled:
                    return

    def _room_m(self, goal: int) -> float:
        """Clearance of what is in the hand on the last way to a place; SEEN_M with an empty one."""
        if self.holding < 0:
            return SEEN_M
        if goal not in self._room:
            ready, taken = self.places.ready[goal], self.places.taken[goal]
            way = taken + np.array((0.0, *_BACK))[:, None] * (ready - taken)
            self._room[goal] = self.arena.room_m(self.holding, way, self.ignored)
        return self._room[goal]

    def _served(self, off: np.ndarray, lean: np.ndarray) -> np.ndarray:
        """Rows within the tolerances; keeps the least miss of the others."""
        served = (off <= POSITION_TOLERANCE_M) & (lean <= _LEAN_RAD)
        miss = off + ANGLE_WEIGHT_M * np.maximum(0.0, lean - CONE_RAD)
        self.shortfall_m = min(self.shortfall_m, float(miss[~served].min(initial=np.inf)))
        return np.flatnonzero(served)

    def _look_behind(
        self, chain: Chain, q: np.ndarray, taken: np.ndarray, along: np.ndarray
    ) -> None:
        """Could the object stand RESERVE_M farther away? Else: how much of that is missing."""
        if self.reserve_m >= RESERVE_M:
            return
        outwards = (taken - chain.anchors[0]) * (1.0, 1.0, 0.0)
        outwards /= np.linalg.norm(outwards, axis=1)[:, None]
        _, off, lean = chain.solve(q, taken + RESERVE_M * outwards, along, CONE_RAD, steps=_STEPS)
        missing = float(off[lean <= _LEAN_RAD].min(initial=np.inf))
        if missing <= POSITION_TOLERANCE_M:
            missing = 0.0
        self.reserve_m = max(self.reserve_m, RESERVE_M - missing)

    def result(self) -> Reach:
        shortfall = 0.0 if self.best is not None else float(self.shortfall_m)
        return Reach(self.best, shortfall, self.reserve_m, self.tried)
