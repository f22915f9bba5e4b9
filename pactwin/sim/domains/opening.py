"""Opening: put a ball or a pen into a vessel and let go; it has to stay in there.

Physics: a thing gets into a vessel through its opening and stays if the vessel's wall holds it
there. The trial lowers it onto the vessel from above, then along the vessel's axis, with a hand
that yields to what is in the way, and lets go. It is in when it ends at rest more than 0.8 of the
way from the rim to the vessel's floor, out below 0.4; between, the scene is rejected.

Two vessels of one kind stand on the table; the twins exchange them, so that only *which* vessel is
asked about decides:

- ``inverted``: one stands upside down, the other upright.
- ``lying``: one lies on its side, its opening lower than its foot, so that a ball rolls out.
- ``covered``: a lid or a book lies on one of them (not on a bowl: it would hide it).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import SHOWING_SHAPE, Colors, Exchange, oblique_turn
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.posing import (
    ON_SIDE,
    UPSIDE_DOWN,
    heights_m,
    resting_at,
    standing_at,
    top_m,
)
from pactwin.sim.objects.standard_sizes import (
    BALLS_M,
    BOWLS_M,
    CUPS_M,
    PEN_M,
    PEN_STANDS_M,
    in_steps,
    pick,
)
from pactwin.sim.objects.stationery import book, lying_pen_stand, pen, pen_stand
from pactwin.sim.objects.tableware import bowl, cup, lid
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.putting import GRIP_TIME_S, HOVER_M, move_to, release_and_settle
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions.handling import Grasp, Handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import alike_places, bounding_radius_m, disc
from pactwin.sim.scene.pose import Pose, quat_angle_rad, vec3
from pactwin.suite import Constraint, Measurement

_IN, _LIMIT, _OUT = 0.8, 0.6, 0.4
# The hand lets go this far above the vessel's floor.
_ABOVE_FLOOR_M = 0.004
_UP = 0.95
_MOVES_M_S = 0.1
_TIPPED_RAD = np.deg2rad(10.0)


class Opening:
    """See the module's docstring."""

    name = "opening"
    precondition = "it_goes_in_and_stays"
    trial_version = 2
    min_margin = 0.75

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if the table has no room."""
        colors = Colors(rng)
        family = (_inverted, _lying, _covered)[rng.integers(3)]
        return family(rng, colors).twins(rng, colors)

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Try to get the thing into the vessel, let go, and see whether it is in there."""
        thing, vessel = (layout.item(name) for name in layout.critical_objects[:2])
        world = World(layout, perturbation, held=thing.name, grip_time_s=GRIP_TIME_S)
        if settle_error := settle(world):
            return TrialOutcome.undecided(settle_error)
        at_rest = world.snapshot()
        hollow = Hollow.of(vessel, layout, world)
        tries = []
        for start, way in hollow.ways(thing, _clear_m(layout)):
            world.restore(at_rest)
            tried = _attempt(world, hollow, thing, start, way)
            if tried is not None:
                tries.append(tried)
            if tries and tries[-1].kept > _IN:
                break
        return _outcome(tries, hollow)

    def handling(self, layout: Layout) -> Handling:
        """A hand takes the thing and comes over the vessel."""
        thing, place = layout.critical_objects[:2]
        return Handling((Grasp(thing),), (place,), (thing,))


@dataclass(frozen=True)
class Hollow:
    """The inside of a vessel that stands, lies or is upside down: a tube with a floor.

    ``pose`` is ``world_from_vessel``; ``height_m`` is the vessel's, ``depth_m`` that of its inside,
    ``radius_m`` that of the mouth.
    """

    vessel: str
    pose: Pose
    height_m: float
    depth_m: float
    radius_m: float

    @classmethod
    def of(cls, vessel: Item, layout: Layout, world: World) -> "Hollow":
        """The inside of ``vessel`` where it is now, from the layout's numbers about it."""
        depth, mouth = (float(layout.params[key]) for key in ("depth_m", "mouth_m"))
        return cls(vessel.name, world.pose(vessel.name), vessel.size_m[2], depth, mouth / 2)

    @property
    def axis(self) -> np.ndarray:
        """Unit vector out of the opening."""
        return self.pose.matrix()[:3, 2]

    def ways(self, thing: Item, clear_m: float) -> Iterator[tuple[Pose, np.ndarray]]:
        """Where the thing can come from and how far it goes: from above, and through the opening.

        ``clear_m`` is a height above everything.
        """
        half = thing.size_m[2] / 2
        x, y, z = self.pose.pos
        floor = z - self.height_m / 2 + (self.height_m - self.depth_m) + _ABOVE_FLOOR_M
        yield Pose((x, y, clear_m + HOVER_M + half)), np.array((0, 0, floor - clear_m - HOVER_M))
        if self.axis[2] < _UP:
            start = np.array(self.pose.pos) + self.axis * (self.height_m / 2 + HOVER_M + half)
            way = -self.axis * (HOVER_M + self.depth_m - _ABOVE_FLOOR_M)
            yield Pose(vec3(start), self.pose.quat), way

    def depth_of(self, thing: Item, world: World) -> float:
        """How far the thing's innermost point is from the rim now, of the depth; 0 outside."""
        here = world.pose(self.vessel).inverse() @ world.pose(thing.name)
        lowest, _ = heights_m(thing.at(here))
        outside = np.hypot(here.pos[0], here.pos[1]) > self.radius_m
        if outside or lowest < -self.height_m / 2:
            return 0.0
        return float(np.clip((self.height_m / 2 - lowest) / self.depth_m, 0.0, 1.0))


@dataclass(frozen=True)
class _Try:
    """How deep the thing got in and was in the end (of the depth), and what stopped it."""

    entered: float
    kept: float
    stopped_by: frozenset[str] = frozenset()
    undecided: str = ""


def _attempt(
    world: World, hollow: Hollow, thing: Item, start: Pose, way_m: np.ndarray
) -> _Try | None:
    """Try one way; None if there is no room at its start."""
    stopped_by = move_to(world, start, way_m)
    if stopped_by is None:
        return None
    entered = hollow.depth_of(thing, world)
    if entered < _OUT:
        return _Try(entered, entered, stopped_by)
    # A pen that leans in a corner chatters a little, a ball in a bowl rolls on for a while.
    moves = release_and_settle(world) > _MOVES_M_S
    kept = hollow.depth_of(thing, world)
    undecided = "the thing still moves" if moves and kept > _OUT else ""
    if quat_angle_rad(world.pose(hollow.vessel).quat, hollow.pose.quat) > _TIPPED_RAD:
        undecided = "the vessel tips over"
    return _Try(entered, kept, stopped_by, undecided)


def _outcome(tries: list[_Try], hollow: Hollow) -> TrialOutcome:
    kept = max(t.kept for t in tries)
    entered = max(t.entered for t in tries)
    up = float(hollow.axis[2])
    measurements = {
        "kept_depth": Measurement(value=round(kept, 3), limit=_LIMIT, unit="of the depth"),
        "entered_depth": Measurement(value=round(entered, 3), unit="of the depth"),
        "opening_upwards": Measurement(value=round(up, 3), unit="of 1"),
    }
    margin = (kept - _LIMIT) / (1.0 - _LIMIT)
    if up < -0.5:
        constraint = Constraint.OPENING_DOWN
    elif entered > _IN:
        constraint = Constraint.UNSTABLE_SUPPORT
    elif frozenset().union(*(t.stopped_by for t in tries)) - {hollow.vessel, "table"}:
        constraint = Constraint.COVERED
    else:
        constraint = Constraint.DOES_NOT_FIT
    undecided = next((t.undecided for t in tries if t.undecided), "")
    return TrialOutcome.of(
        constraint,
        measurements,
        margin,
        works=kept > _IN and not undecided,
        fails=kept < _OUT and not undecided,
        between=undecided or "half way in",
    )


def _clear_m(layout: Layout) -> float:
    """Height of the vessel's top and of what lies over it."""
    x, y, radius = disc(layout.item(layout.critical_objects[1]))
    tops = [
        heights_m(item)[1]
        for item in layout.items
        if item.name != layout.critical_objects[0]
        for there in [disc(item)]
        if np.hypot(there[0] - x, there[1] - y) < radius + there[2]
    ]
    return max(tops)


@dataclass(frozen=True)
class _Vessels:
    """Two vessels of one kind and size, not yet placed, and the numbers of their hollow."""

    one: Item
    other: Item
    mouth_m: float

    def exchange(
        self, items: tuple[Item, ...], thing: Item, constraint: Constraint, *covers: Item
    ) -> Exchange:
        """The thing is to go into the first vessel; ``covers`` decide too."""
        vessel = self.one.name
        return Exchange(
            items,
            (self.one, self.other),
            f"put the {thing.name} into the {vessel} and let go; it has to stay in there",
            (thing.name, vessel, *(cover.name for cover in covers)),
            constraint,
            {
                "depth_m": self.one.size_m[2] - self.one.parts[0].size_m[2],
                "mouth_m": self.mouth_m,
            },
        )


def _vessels(rng: np.random.Generator, colors: Colors, kinds: Sequence[str]) -> _Vessels:
    kind = str(rng.choice(kinds))
    names = colors.next(SHOWING_SHAPE), colors.next(SHOWING_SHAPE)
    match kind:
        case "pen_stand":
            mouth, high, foot = pick(rng, PEN_STANDS_M)
            made = [pen_stand(color, mouth, high, foot) for color in names]
            return _Vessels(made[0], made[1], mouth)
        case "cup":
            mouth, *size = pick(rng, CUPS_M)
            made = [cup(color, mouth, *size) for color in names]
        case _:
            mouth, *size = pick(rng, BOWLS_M)
            made = [bowl(color, mouth, *size) for color in names]
    return _Vessels(made[0], made[1], mouth)


def _thing(rng: np.random.Generator, color: str, vessels: _Vessels) -> Item:
    """A ball or a pen, lying; pens only where they would not tip out again."""
    if vessels.one.category == "bowl" or rng.random() < 0.5:
        return ball(color, BALLS_M[0])
    return pen(color, *PEN_M)


def _laid(thing: Item, x: float, y: float, yaw_rad: float) -> Item:
    if thing.category == "pen":
        return resting_at(thing, x, y, ON_SIDE, yaw_rad=yaw_rad, state="on_side")
    return standing_at(thing, x, y, yaw_rad=yaw_rad)


def _radius_m(thing: Item) -> float:
    return max(thing.size_m) / 2


def _inverted(rng: np.random.Generator, colors: Colors) -> Exchange:
    vessels = _vessels(rng, colors, ("pen_stand", "cup", "bowl"))
    thing = _thing(rng, colors.next(), vessels)
    radius = bounding_radius_m(vessels.one)
    places = alike_places(rng, radius, _radius_m(thing))
    turns = rng.uniform(-np.pi, np.pi, 3)
    (ax, ay), (bx, by), (cx, cy) = places
    items = (
        resting_at(vessels.one, ax, ay, UPSIDE_DOWN, yaw_rad=float(turns[0]), state="inverted"),
        standing_at(vessels.other, bx, by, yaw_rad=float(turns[1])),
        _laid(thing, cx, cy, float(turns[2])),
    )
    return vessels.exchange(items, thing, Constraint.OPENING_DOWN)


def _lying(rng: np.random.Generator, colors: Colors) -> Exchange:
    vessels = _vessels(rng, colors, ("pen_stand",))
    thing = ball(colors.next(), BALLS_M[0])
    radius = bounding_radius_m(vessels.one)
    places = alike_places(rng, radius, _radius_m(thing))
    turns = rng.uniform(-np.pi, np.pi, 2)
    (ax, ay), (bx, by), (cx, cy) = places
    items = (
        lying_pen_stand(vessels.one, ax, ay, yaw_rad=oblique_turn(rng)),
        standing_at(vessels.other, bx, by, yaw_rad=float(turns[0])),
        _laid(thing, cx, cy, float(turns[1])),
    )
    return vessels.exchange(items, thing, Constraint.UNSTABLE_SUPPORT)


def _covered(rng: np.random.Generator, colors: Colors) -> Exchange:
    vessels = _vessels(rng, colors, ("pen_stand", "cup"))
    thing = _thing(rng, colors.next(), vessels)
    over = vessels.mouth_m + 2 * vessels.one.parts[1].size_m[0]
    if rng.random() < 0.5:
        cover = lid(colors.next(), over + 0.006)
    else:
        cover = book(colors.next(), (over + 0.015, over + 0.04, in_steps(rng, 0.015, 0.02, 0.005)))
    radius = max(bounding_radius_m(vessels.one), bounding_radius_m(cover))
    places = alike_places(rng, radius, _radius_m(thing))
    turns = rng.uniform(-np.pi, np.pi, 4)
    (ax, ay), (bx, by), (cx, cy) = places
    stood = standing_at(vessels.one, ax, ay, yaw_rad=float(turns[0]))
    items = (
        stood,
        standing_at(vessels.other, bx, by, yaw_rad=float(turns[1])),
        _laid(thing, cx, cy, float(turns[2])),
        standing_at(cover, ax, ay, on_z=top_m(stood), yaw_rad=float(turns[3])),
    )
    return vessels.exchange(items, thing, Constraint.COVERED, cover)


DOMAIN = Opening()
