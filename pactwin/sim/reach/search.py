"""Is there a collision-free arm posture from which the hand can grasp an object?

What is decided: some arm has a posture that holds the hand in front of the object, fingers open and
pointing at it along one of seventeen approach directions, and can go on in a straight line until
the fingertips are beside the object's middle, touching nothing but the object. That such a posture
exists does not say how the arm gets there: no path from the resting posture is planned.

- The hand comes from above, or from one of eight sides at 55 or 20 degrees below the horizontal. A
  G1 arm has five joints, so the hand may lean up to ``CONE_RAD`` off the direction. The cones cover
  every direction from above or level.
- Postures come from damped least squares from many starts at once: those postures of a fixed sample
  of the arm's workspace that are nearest to the goal (:mod:`pactwin.sim.reach.kinematics`).
- Collisions are of convex bodies; clearance is the least signed distance to anything.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.reach.collider import SEEN_M, CollisionModel, arena_for
from pactwin.sim.reach.grips import Grip, opening_m, points_taken, that_fit, turns_that_fit
from pactwin.sim.reach.kinematics import Chain, Solved, off_line_rad
from pactwin.sim.reach.postures import Posture
from pactwin.sim.reach.solver import ANGLE_WEIGHT_M
from pactwin.sim.reach.starts import (
    ALONG,
    CONE_RAD,
    NAMES,
    Around,
    Places,
    Reacher,
    Starts,
    places_at,
    places_on,
    reachers,
)
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3

POSITION_TOLERANCE_M = 0.005
RESERVE_M = 0.03
"""Distance beyond the object up to which reach is searched, to measure the reserve."""

_BEYOND_STEP_M = 0.01
BEYOND_M = tuple(0.04 + _BEYOND_STEP_M * k for k in range(17))
"""Further distances that are searched for the record only; they do not decide."""

_BACK = (1 / 3, 2 / 3, 1.0)
# Solutions end on the rim of the cone, give or take rounding.
_ROUNDING_RAD = 0.001 * CONE_RAD
_LEAN_RAD = CONE_RAD + _ROUNDING_RAD

_STEPS = 8
# Starts for each direction and place; so many times as many while they do not settle the question.
_FEW, _MORE = 3, 4
# With so much reach behind the object it does not matter how much more there is.
_PLAIN_RESERVE_M = RESERVE_M / 2
# Nothing gets better with more starts when the hand stays this far away.
_HOPELESS_M = 0.03
# So many postures are looked at further before more are, and of so many how far they go.
_AT_ONCE, _SPREAD = 32, 8


@dataclass(frozen=True)
class Reach:
    """Result of the search.

    ``best`` is the posture with the largest clearance among those that serve apart from collisions;
    None if no posture reaches the object even in an empty room, and then ``shortfall_m`` is the
    remaining distance. ``reserve_m`` is how much farther from the shoulder the object could stand,
    apart from collisions, at most RESERVE_M; ``beyond_m`` is the same up to the last of BEYOND_M.
    ``tried`` counts the postures checked for collisions. ``turned_wrong`` if the object has sides
    that fit between the fingers and the hand reaches it, but in no posture with such sides between
    them.
    """

    best: Posture | None
    shortfall_m: float
    reserve_m: float
    tried: int
    turned_wrong: bool = False
    beyond_m: float = 0.0

    @property
    def found(self) -> bool:
        """Return whether a collision-free posture was found."""
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
    sample_of: int = 0,
    closing: Sequence[Grip] | None = None,
    tolerance_m: float = POSITION_TOLERANCE_M,
) -> Reach:
    """Search for a posture in which ``robot`` grasps the item called ``target``.

    Fingertips go to ``at`` (m, in the table frame), by default to the item's middle, or near its
    top if it is tall. Without a target they only go to ``at`` and may touch nothing. Items in
    ``ignoring`` are no obstacles. The item ``holding`` is in the hand, upright, with its middle at
    the fingertips, and may touch nothing either. ``starts`` postures are tried for each approach
    direction and place on the object, by each arm or only by ``arms``, along ``APPROACHES`` or only
    along ``approaches``. The search ends early at a posture with ``comfort_m`` of clearance.
    ``known``, a posture of a similar search, is tried first, and suffices if it has that clearance
    and remaining reach. Without ``reserve`` the remaining reach is not computed and counts as
    sufficient. ``sample_of`` selects one of SAMPLES of initial postures. Fingers close only along
    lines of ``closing``, if given, and get to places within ``tolerance_m``. The result depends
    only on the arguments. Raises InvalidInputError for an unknown robot, or one with an arm that
    hardly gets over the table.
    """
    items = sorted(items, key=lambda item: item.name)  # twins' things need one arena
    collider = arena_for(robot, tuple(item.parts for item in items))
    collider.place(items)
    names = [item.name for item in items]
    index = -2 if target is None else names.index(target)
    places = places_on(items[index]) if at is None else places_at([np.array(at)], np.array([at]))
    if approaches is not None:
        places = places.along(approaches)
    ignored = np.isin(collider.item_of, [k for k, name in enumerate(names) if name in ignoring])

    def search(places: Places) -> _Search:
        looking = _Search(
            collider, reachers(robot, sample_of), places, index, ignored, comfort_m, arms
        )
        looking.turned, looking.tolerance_m = closing is not None, tolerance_m
        looking.holding = -1 if holding is None else names.index(holding)
        looking.reserve_m, looking.look_beyond = (0.0 if reserve else RESERVE_M), reserve
        return looking

    few = min(starts, _FEW)
    if target is None:
        places = places if closing is None else places.closing(closing)
        return search(places).run(0, few, known).run(few, starts).result()
    taken, span_m = points_taken(items[index], at), robot_named(robot).span_m
    fits = turns_that_fit(taken, span_m)
    if not fits.any():
        return search(places).run(0, few, known).run(few, starts).result()
    if closing is None:
        gripping = search(places.gripping(fits))
    else:
        gripping = search(places.closing(that_fit(closing, fits)))
    gripping.turned, gripping.fingers = True, _Fingers(taken, span_m)
    gripping.run(0, few, known)
    if closing is not None or gripping.found:
        return gripping.run(few, starts).result()
    # Where the hand does not get there however it is turned, nothing else has to be looked at.
    anyhow = search(places).run(0, few).run(few, starts)
    if anyhow.found and gripping.run(few, starts).found:
        return gripping.result()
    return replace(anyhow.result(), turned_wrong=anyhow.found)


def _in_turn(rows: np.ndarray) -> Iterator[np.ndarray]:
    """Split into two batches, the first one small: one good row is often enough."""
    yield from (some for some in (rows[:_AT_ONCE], rows[_AT_ONCE:]) if len(some))


@dataclass(frozen=True)
class _Fingers:
    """Points (n, 3) between the fingers, and the opening of the fingers."""

    points: np.ndarray
    span_m: float


class _Search:
    """Postures found so far for one object."""

    def __init__(
        self,
        collider: CollisionModel,
        reachers: tuple["Reacher", ...],
        places: Places,
        target: int,
        ignored: np.ndarray,
        comfort_m: float,
        arms: Collection[str] | None = None,
    ) -> None:
        self.collider, self.reachers, self.places, self.target = collider, reachers, places, target
        self.ignored, self.holding, self._room = ignored, -1, dict[int, float]()
        self.comfort_m, self.tolerance_m = comfort_m, POSITION_TOLERANCE_M
        self.turned = self.look_beyond = False
        self.fingers: _Fingers | None = None
        self.allowed = [k for k, r in enumerate(reachers) if arms is None or r.arm.name in arms]
        self.best: Posture | None = None
        self.shortfall_m, self.reserve_m = np.inf, 0.0
        self.tried = 0
        self._around: dict[int, Around] = {}
        self._farthest: tuple[Chain, np.ndarray, np.ndarray] | None = None

    @property
    def settled(self) -> bool:
        """Whether more starts would not change the answer."""
        if self.best is None:
            return self.shortfall_m > _HOPELESS_M
        return self.comfortable and self.reserve_m >= _PLAIN_RESERVE_M

    @property
    def found(self) -> bool:
        """Whether a collision-free posture was found."""
        return self.best is not None and self.best.clearance_m > 0.0

    @property
    def comfortable(self) -> bool:
        """Whether a posture was found that needs no more clearance."""
        return self.best is not None and self.best.clearance_m >= self.comfort_m

    def run(self, first: int, last: int, known: Posture | None = None) -> "_Search":
        """Try the ``known`` posture, then starts ranked ``first`` to ``last`` if needed."""
        if known is not None and known.arm in [self.reachers[k].arm.name for k in self.allowed]:
            self.warm_start(known)
            if self.best is not None and self.settled and self.reserve_m >= RESERVE_M:
                return self
        while first < last and (first == 0 or not self.settled):
            step = min(last, _MORE * first or last)
            self.extend(first, step)
            first = step
        return self

    def extend(self, first: int, last: int) -> None:
        """Try the starts ranked ``first`` to ``last``, with the likelier arm first."""
        if not len(self.places.taken):
            return
        if not self._around:
            self._around = {k: self.reachers[k].around(self.places) for k in self.allowed}
        starts = {k: around.starts(first, last) for k, around in self._around.items()}
        for arm in sorted(starts, key=lambda k: starts[k].cost_m):
            self._try(arm, starts[arm])
            if self.best is not None and self.settled:
                return

    def warm_start(self, known: Posture) -> None:
        """Start from a posture that took another object, or this one in another place."""
        arm = [reacher.arm.name for reacher in self.reachers].index(known.arm)
        goal = np.flatnonzero(self.places.direction == NAMES.index(known.approach))
        # The same grasp first: what is held is turned with the hand.
        (closing,) = self.reachers[arm].chain.closings(np.array([known.taking_rad]))
        goal = goal[np.argsort(off_line_rad(self.places.line[goal], closing), kind="stable")]
        q = np.tile(known.taking_rad, (len(goal), 1))
        self._try(arm, Starts(q, goal, np.inf))

    def _try(self, arm: int, starts: "Starts") -> None:
        # The nearest start itself is one way to come that near.
        self.shortfall_m = min(self.shortfall_m, starts.cost_m)
        chain, places, goal = self.reachers[arm].chain, self.places, starts.goal
        along = ALONG[places.direction[goal]]
        # From the object backwards: what cannot take it need not be looked at further.
        found = self._solved(chain, starts.q, places.taken[goal], goal)
        served = self._within(*self._errors(found, goal))
        for rows in _in_turn(served):
            if self.reserve_m < RESERVE_M:
                self._look_behind(chain, found.q[rows], places.taken[goal[rows]], along[rows])
        for rows in _in_turn(served):
            self._try_ways(arm, Solved(*(of_all[rows] for of_all in found)), goal[rows])
            if self.comfortable:
                return

    def _try_ways(self, arm: int, taking: Solved, goal: np.ndarray) -> None:
        """Check the last straight paths to places (n,), each ending in a grasp."""
        chain, ready, taken = self.reachers[arm].chain, self.places.ready, self.places.taken
        back = np.repeat(_BACK, len(goal))[:, None]
        every = np.tile(goal, len(_BACK))
        behind = taken[every] + back * (ready - taken)[every]
        found = self._solved(chain, np.tile(taking.q, (len(_BACK), 1)), behind, every)
        off, lean, turned = (
            np.vstack([at_end, on_way.reshape(len(_BACK), -1)]).max(axis=0)
            for at_end, on_way in zip(
                self._errors(taking, goal), self._errors(found, every), strict=True
            )
        )
        ways = np.concatenate([taking.q[None], found.q.reshape(len(_BACK), *taking.q.shape)])[::-1]
        for k in self._within(off, lean, turned):
            clearance = self._clearance_m(arm, ways[:, k], int(goal[k]))
            self.tried += 1
            if self.best is None or clearance > self.best.clearance_m:
                self.best = Posture(
                    arm=self.reachers[arm].arm.name,
                    approach=NAMES[self.places.direction[goal[k]]],
                    angles_rad=tuple(map(float, ways[0, k])),
                    taking_rad=tuple(map(float, ways[-1, k])),
                    position_error_m=float(off[k]),
                    angle_error_rad=float(lean[k]),
                    clearance_m=clearance,
                    opening_m=self._opening_m(arm, ways[:, k]),
                )
                if self.comfortable:
                    return

    def _solved(self, chain: Chain, q: np.ndarray, at: np.ndarray, goal: np.ndarray) -> Solved:
        """Solve postures from ``q`` (n, j) for hand positions (n, 3) and ``goal`` (n,)."""
        places = self.places
        across = (places.line[goal], places.within_rad[goal]) if self.turned else None
        along = ALONG[places.direction[goal]]
        return chain.solve(q, at, along, CONE_RAD, steps=_STEPS, across=across)

    def _clearance_m(self, arm: int, postures: np.ndarray, goal: int) -> float:
        """Least clearance of arm, open fingers and held item along ``postures`` (s, j) to a place.

        A lower bound suffices if it is not better than the best so far.
        """
        worst = -np.inf if self.best is None else self.best.clearance_m
        chain = self.reachers[arm].chain
        clearance = min(
            self._room_m(goal),
            self.collider.clearance_m(arm, chain, postures, self.target, worst, self.ignored),
        )
        if self.fingers is not None and clearance > worst:
            opening = self._opening_m(arm, postures)
            near = self.collider.fingers_m(chain, postures, opening, worst, self.ignored)
            clearance = min(clearance, near)
        return clearance

    def _opening_m(self, arm: int, postures: np.ndarray) -> float:
        if self.fingers is None:
            return 0.0
        (closing,) = self.reachers[arm].chain.closings(postures[-1:])
        return opening_m(self.fingers.points, self.fingers.span_m, closing)

    def _room_m(self, goal: int) -> float:
        """Clearance of the held item on the last path to a place; SEEN_M with an empty hand."""
        if self.holding < 0:
            return SEEN_M
        if goal not in self._room:
            ready, taken = self.places.ready[goal], self.places.taken[goal]
            way = taken + np.array((0.0, *_BACK))[:, None] * (ready - taken)
            self._room[goal] = self.collider.room_m(self.holding, way, self.ignored)
        return self._room[goal]

    def _errors(self, found: Solved, goal: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Errors (n,): of the position (m), of the direction and of the fingers' turn (rad)."""
        turned = off_line_rad(found.closing, self.places.line[goal]) - self.places.within_rad[goal]
        return found.off_m, found.lean_rad, turned

    def _within(self, off: np.ndarray, lean: np.ndarray, turned: np.ndarray) -> np.ndarray:
        """Rows of ``off`` (m), ``lean`` and ``turned`` (rad) within the tolerances.

        The smallest excess among the other rows lowers ``shortfall_m``.
        """
        served = (off <= self.tolerance_m) & (lean <= _LEAN_RAD) & (turned <= _ROUNDING_RAD)
        miss = off + ANGLE_WEIGHT_M * np.maximum(0.0, lean - CONE_RAD)
        miss += ANGLE_WEIGHT_M * np.maximum(0.0, turned)
        self.shortfall_m = min(self.shortfall_m, float(miss[~served].min(initial=np.inf)))
        return np.flatnonzero(served)

    def _look_behind(
        self, chain: Chain, q: np.ndarray, taken: np.ndarray, along: np.ndarray
    ) -> None:
        """Could the object stand RESERVE_M farther away? Else: how much of that is missing."""
        outwards = (taken - chain.anchors[0]) * (1.0, 1.0, 0.0)
        outwards /= np.linalg.norm(outwards, axis=1)[:, None]
        found = chain.solve(q, taken + RESERVE_M * outwards, along, CONE_RAD, steps=_STEPS)
        off = np.where(found.lean_rad <= _LEAN_RAD, found.off_m, np.inf)
        missing = float(off.min(initial=np.inf))
        if missing <= POSITION_TOLERANCE_M:
            rows = np.flatnonzero(off <= POSITION_TOLERANCE_M)
            rows = rows[:: -(-len(rows) // _SPREAD)]  # of all directions
            missing, self._farthest = 0.0, (chain, found.q[rows], along[rows])
        self.reserve_m = max(self.reserve_m, RESERVE_M - missing)

    def result(self) -> Reach:
        shortfall = 0.0 if self.best is not None else float(self.shortfall_m)
        beyond = self.reserve_m
        if self.best is not None and self.look_beyond and self._farthest is not None:
            beyond = self._beyond_m(*self._farthest)
        return Reach(self.best, shortfall, self.reserve_m, self.tried, beyond_m=beyond)

    def _beyond_m(self, chain: Chain, angles_rad: np.ndarray, along: np.ndarray) -> float:
        """How much farther postures that reach RESERVE_M behind the object do, m."""
        beyond = np.tile(BEYOND_M, len(angles_rad))
        q, along = (np.repeat(rows, len(BEYOND_M), axis=0) for rows in (angles_rad, along))
        tips, _ = chain.forward(q)
        outwards = (tips - chain.anchors[0]) * (1.0, 1.0, 0.0)
        outwards /= np.linalg.norm(outwards, axis=1)[:, None]
        goals = tips + (beyond - RESERVE_M)[:, None] * outwards
        found = chain.solve(q, goals, along, CONE_RAD, steps=3 * _STEPS)
        short = np.maximum(0.0, found.off_m - POSITION_TOLERANCE_M)
        near = (short < _BEYOND_STEP_M) & (found.lean_rad <= _LEAN_RAD)
        return float((beyond - short)[near].max(initial=RESERVE_M))
