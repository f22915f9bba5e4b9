"""Reachability: pick X up with the robot's hand, standing where it is.

Physics: once the scene has come to rest, some arm must have a posture without collisions in front
of X, from which the hand gets to X in a straight line (see :mod:`pactwin.sim.reach`, which also
says what that leaves out: the way there). Out of reach is X if no posture takes the hand to it even
in an empty room; its path is blocked if such postures exist but all collide.

Twins exchange X and another thing Y, so that as arrangements they look alike and only *which* thing
stands where a hand can get to decides:

- ``distance``: one of the two stands near, the other beyond the arms' reach.
- ``cage``, ``shelf``, ``closed shelf``, ``screen``, ``fence``: both stand near; an obstacle stands
  over or in front of one of them. A shelf is too low for a hand, a closed one is shut towards the
  robot.

What counts as near or far, and which obstacles keep a hand out, is found for each robot by trying.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import Colors, completed
from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.groceries import bottle, can
from pactwin.sim.objects.obstacles import cage, fence, screen, shelf
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import BOTTLES_M, CAN_M, in_steps, pick
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions.handling import CLEARANCE_UNIT_M, Handling, reach_outcome
from pactwin.sim.reach.search import reach
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import Disc, RejectedLayout, bounding_radius_m
from pactwin.suite import Constraint

# The unperturbed trial looks harder for a posture than its repetitions do.
_STARTS, _STARTS_AGAIN = 64, 12

# How far beyond the limit of reach a far thing stands, less where the table ends, and at least how
# far within a near one: with nothing in the way, so much nearer that a person sees it.
_BEYOND_M, _LEAST_BEYOND_M = (0.12, 0.16), 0.09
_WITHIN_M, _PLAINLY_WITHIN_M = 0.06, 0.13
# Near things stand where arms have room to bend and cameras see them.
_NEAREST_X_M, _FARTHEST_X_M = 0.18, 0.36
# Where the shallowest table has just room for a thing.
_TABLE_END_M = 0.64
# A place that is out of reach for every robot: the shortfall there tells the limit of reach.
_PROBE_X_M = 0.75


class Reachability:
    """See the module's docstring."""

    name = "reachability"
    precondition = "hand_gets_to_it"
    trial_version = 2
    min_margin = 1.0

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if the table is too small for them."""
        colors = Colors(rng)
        if rng.random() < 0.35:
            return _far(rng, colors, robot)
        return _blocked(rng, colors, robot)

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Let the scene settle, then look for a posture that takes X."""
        target = layout.critical_objects[0]
        world = World(layout, perturbation, held=target)
        if settle_error := settle(world):
            return TrialOutcome.undecided(settle_error)
        settled = [item.at(world.pose(item.name)) for item in layout.items]
        starts = _STARTS if perturbation == Perturbation() else _STARTS_AGAIN
        return reach_outcome(
            reach(robot, settled, target, starts=starts, comfort_m=CLEARANCE_UNIT_M)
        )

    def handling(self, layout: Layout) -> Handling:
        """Taking X may move nothing else; whether a hand gets to it the trial decides."""
        return Handling(lifted=layout.critical_objects[:1])


def _thing(rng: np.random.Generator, color: str, *, tall: bool) -> Item:
    """Something a hand can hold."""
    if tall:
        if rng.random() < 0.5:
            return can(color, *CAN_M)
        return bottle(color, *pick(rng, BOTTLES_M))
    width, height = in_steps(rng, 0.055, 0.065, 0.005), 0.05
    material = str(rng.choice(["wood", "plastic"]))
    if rng.random() < 0.5:
        return block(color, (width, width, height), material)
    return cylinder(color, width, height, material)


def _reach_limit_m(robot: str, thing: Item, y: float) -> float:
    """About how far from the table's edge ``thing`` can be reached at ``y``, m."""
    probe = standing_at(thing, _PROBE_X_M, y)
    return _PROBE_X_M - reach(robot, [probe], probe.name, starts=3).shortfall_m


def _near_place(
    rng: np.random.Generator, robot: str, thing: Item, y: float, within_m: float = _WITHIN_M
) -> tuple[float, float]:
    """A place (x, y) within reach for things like ``thing``, by ``within_m`` or more."""
    limit = _reach_limit_m(robot, thing, y) - within_m
    return float(rng.uniform(_NEAREST_X_M, min(_FARTHEST_X_M, limit))), y


def _far(rng: np.random.Generator, colors: Colors, robot: str) -> Twins:
    tall = bool(rng.random() < 0.4)
    things = [_thing(rng, colors.next(), tall=tall) for _ in range(2)]
    side = float(rng.choice([-1.0, 1.0]))
    near_y = -side * float(rng.uniform(0.04, 0.22))
    # Far ahead where the table is deep enough for that, else to the side.
    for between in ((0.04, 0.30), (0.30, 0.46)):
        far_y = side * float(rng.uniform(*between))
        limit = _reach_limit_m(robot, things[0], far_y)
        far_x = min(limit + float(rng.uniform(*_BEYOND_M)), _TABLE_END_M)
        if far_x >= limit + _LEAST_BEYOND_M:
            break
    else:
        raise RejectedLayout("out of reach only beyond the table")
    far = (far_x, far_y)
    near = _near_place(rng, robot, things[0], near_y, _PLAINLY_WITHIN_M)
    return _exchange(rng, colors, things, (far, near), (), Constraint.OUT_OF_REACH)


def _blocked(rng: np.random.Generator, colors: Colors, robot: str) -> Twins:
    guards = guards_against(robot)
    if not guards:
        raise RejectedLayout("no obstacle keeps the robot's hands away")
    kind = guards[rng.integers(len(guards))]
    tall = kind not in _LOW_GUARDS and bool(rng.random() < 0.4)
    things = [_thing(rng, colors.next(), tall=tall) for _ in range(2)]
    side = float(rng.choice([-1.0, 1.0]))
    shut, free = (
        _near_place(rng, robot, things[0], float(s * rng.uniform(0.13, 0.20)))
        for s in (side, -side)
    )
    obstacle = _GUARDS[kind](rng, colors.next(), things, shut)
    return _exchange(rng, colors, things, (shut, free), (obstacle,), Constraint.PATH_BLOCKED)


def _exchange(
    rng: np.random.Generator,
    colors: Colors,
    things: list[Item],
    places: tuple[tuple[float, float], tuple[float, float]],
    obstacles: tuple[Item, ...],
    constraint: Constraint,
) -> Twins:
    """The first thing, X, in the first place, where it cannot be taken; and exchanged with Y."""
    turns = rng.uniform(-np.pi, np.pi, 2)
    (bad_x, bad_y), (good_x, good_y) = places
    taken = [(bad_x, bad_y, 0.06), *_room_for_a_hand(good_x, good_y)]
    for obstacle in obstacles:
        taken += _covering(obstacle)
    target = things[0].name
    action = f"pick up the {target} with a hand, standing where it is; nothing else may be touched"
    critical_objects = (target, *(item.name for item in obstacles))

    def build(order: tuple[int, int]) -> tuple[Item, ...]:
        placed = (
            standing_at(thing, *places[k], yaw_rad=float(turn))
            for thing, k, turn in zip(things, order, turns, strict=True)
        )
        return (*placed, *obstacles)

    return completed(
        rng,
        colors,
        build((0, 1)),
        build((1, 0)),
        action=action,
        critical_objects=critical_objects,
        constraint=constraint,
        taken=taken,
        most_distractors=3 - len(obstacles),
    )


def _room_for_a_hand(x: float, y: float) -> list[Disc]:
    """Space around a thing for fingers, and for the forearm on its way to it."""
    return [(x, y, 0.09), (x - 0.09, 1.1 * y, 0.06)]


def _covering(item: Item) -> list[Disc]:
    """Discs side by side that cover the item's footprint, which is wider along its y than its x."""
    deep, wide, _ = item.size_m
    count = max(1, round(wide / deep))
    radius = float(np.hypot(deep, wide / count)) / 2
    along = item.world_from_object.matrix()[:2, 1] * wide
    x, y, _ = item.world_from_object.pos
    shares = [(k + 0.5) / count - 0.5 for k in range(count)]
    return [(x + float(along[0]) * s, y + float(along[1]) * s, radius) for s in shares]


_Guard = Callable[[np.random.Generator, str, list[Item], tuple[float, float]], Item]


def _over(rng: np.random.Generator, obstacle: Item, place: tuple[float, float]) -> Item:
    return standing_at(obstacle, *place, yaw_rad=float(rng.uniform(-0.15, 0.15)))


def _tallest_m(things: list[Item]) -> float:
    return max(thing.size_m[2] for thing in things)


def _cage(
    rng: np.random.Generator, color: str, things: list[Item], place: tuple[float, float]
) -> Item:
    width = round(2 * max(bounding_radius_m(thing) for thing in things) + 0.06, 2)
    height = _tallest_m(things) + 0.03
    return _over(rng, cage(color, (width, width, height)), place)


def _low_shelf(
    rng: np.random.Generator, color: str, things: list[Item], place: tuple[float, float]
) -> Item:
    depth, width = (pick(rng, (0.15, 0.17)) for _ in "xy")
    under = _tallest_m(things) + 0.011
    return _over(rng, shelf(color, (depth, width), under), place)


def _closed_shelf(
    rng: np.random.Generator, color: str, things: list[Item], place: tuple[float, float]
) -> Item:
    depth, width = (pick(rng, (0.16, 0.19)) for _ in "xy")
    under = _tallest_m(things) + 0.04
    return _over(rng, shelf(color, (depth, width), under, closed_near=True), place)


def _in_front(
    rng: np.random.Generator,
    build: Callable[[str, float, float], Item],
    color: str,
    place: tuple[float, float],
) -> Item:
    board = build(color, 0.30, pick(rng, (0.26, 0.30)))
    x, y = place
    return _over(rng, board, (x - float(rng.uniform(0.06, 0.08)), y))


def _screen(
    rng: np.random.Generator, color: str, things: list[Item], place: tuple[float, float]
) -> Item:
    return _in_front(rng, screen, color, place)


def _fence(
    rng: np.random.Generator, color: str, things: list[Item], place: tuple[float, float]
) -> Item:
    return _in_front(rng, fence, color, place)


_GUARDS: dict[str, _Guard] = {
    "cage": _cage,
    "shelf": _low_shelf,
    "closed shelf": _closed_shelf,
    "screen": _screen,
    "fence": _fence,
}
_LOW_GUARDS = ("shelf", "closed shelf")


@lru_cache
def guards_against(robot: str) -> tuple[str, ...]:
    """The obstacles that keep this robot's hand away, each tried on both sides of the table."""
    found = []
    for kind, guard in _GUARDS.items():
        rng = np.random.default_rng(0)
        thing = block("red", (0.055, 0.055, 0.05))
        for y in (-0.16, 0.16):
            place = _near_place(rng, robot, thing, y)
            items = [standing_at(thing, *place), guard(rng, "blue", [thing], place)]
            if reach(robot, items, thing.name).found:
                break
        else:
            found.append(kind)
    return tuple(found)


DOMAIN = Reachability()
