"""Scenes with one quantity left open, of which each quantity of a ladder has its own.

Of a hand: reach, grip width, and weight at a handle (the logarithm of one hand's limit over the
total weight). Of openings: how much wider they are than an object. Of supports: how much less steep
a top is than where an object slides or tips, and how far the edge of a base is outside the centre
of mass of a board on it; on one board an object on the other side balances it until it is taken.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.actions.handling import PutInto, SetOn, Take
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.ladders.base import Stepped, laid_out
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.household import dumbbell
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import in_steps
from pactwin.sim.objects.stands import ramp_stand
from pactwin.sim.objects.trays import carrier
from pactwin.sim.physics.trials.lifting import FORCE_N
from pactwin.sim.physics.world import GRAVITY_M_S2
from pactwin.sim.reach.search import reach
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scenarios import beams, handreach, things, vessels
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors, turned_to_show
from pactwin.sim.scenarios.lifts import laid_across, on_floor
from pactwin.sim.scenarios.twins import as_one, completed
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import RejectedLayout, disc
from pactwin.sim.scene.pose import Vec3
from pactwin.suite import Constraint

# How far the outermost steps are from the limit: of arms, of hands, of edges and openings, of tops.
_ARM_MM, _SPAN_MM, _NEAR_M, _STEEP_DEG = 80.0, 40.0, 0.016, 16.0
# The limit of reach is looked for within these of the table's near edge, to a tenth of a mm, from
# as many starts as in trials.
_SOUGHT_M, _BISECTIONS, _STARTS = (0.1, 0.8), 13, 64
# A thing's other side is so much longer than a hand spans.
_LONG = 1.7
_CARRIER_M, _BAR_M = (0.36, 0.22), 0.17
# What goes into a vessel squarely, so that one width tells whether it fits.
_FITTING = {
    "box": ("block", "cube puzzle", "cylinder"),
    "cup": ("cylinder", "can", "ball"),
    "pen_stand": ("cylinder", "can", "ball"),
}
_LONGER_M, _SLOT_DEEP_M = (0.01, 0.02), 0.04
_BASE_M, _MIDDLE_M = 0.065, 0.056


def _remade(action: Action, layout: Layout, name: str, make: Callable[[float], Item]) -> Stepped:
    """The item ``name`` is made anew for each x, where it stands."""
    stands = layout.item(name).world_from_object
    return Stepped(action, lambda x: layout.replacing(make(x).at(stands)))


def _nearer(rng: np.random.Generator, robot: str) -> Stepped:
    colors = Colors(rng)
    names = colors.next(), colors.next()
    both = things.two_things(rng, names, str(rng.choice(list(things.FLAT_TOPPED))))
    action = Take(both[0].name)
    layout = laid_out(rng, colors, action, handreach.far(rng, robot, both))
    thing = layout.item(both[0].name)
    limit_m = _limit_m(robot, thing)

    def at(x: float) -> Layout:
        return layout.replacing(_ahead(thing, limit_m - x / 1000))

    others = [disc(item) for item in layout.items if item.name != thing.name]
    for step in np.linspace(-_ARM_MM, _ARM_MM, 2 * round(_ARM_MM / 10) + 1):
        x, y, radius = disc(at(float(step)).item(thing.name))
        if any(np.hypot(x - a, y - b) < radius + c for a, b, c in others):
            raise RejectedLayout("no room on the table")
    return Stepped(action, at)


def _ahead(thing: Item, x_m: float) -> Item:
    """The object ``x_m`` from the table's near edge."""
    there = thing.world_from_object
    return thing.at(replace(there, pos=(x_m, *there.pos[1:])))


def _limit_m(robot: str, thing: Item) -> float:
    """Limit of reach straight ahead, as a distance from the table's near edge, m."""
    near, far = _SOUGHT_M
    for _ in range(_BISECTIONS):
        middle = (near + far) / 2
        ahead = [_ahead(thing, middle)]
        found = reach(robot, ahead, thing.name, starts=_STARTS, comfort_m=0.0, reserve=False)
        near, far = (middle, far) if found.found and not found.turned_wrong else (near, middle)
    return (near + far) / 2


def _narrower(rng: np.random.Generator, robot: str) -> Stepped:
    colors = Colors(rng)
    span_m = robot_named(robot).span_m
    size = round(_LONG * span_m, 3), span_m + _SPAN_MM / 1000, in_steps(rng, 0.045, 0.06, 0.005)
    widest = block(colors.next(), size), block(colors.next(), size)
    action = Take(widest[0].name)
    place = replace(things.plain(rng, widest), constraint=Constraint.NEEDS_TWO_HANDS)
    layout = laid_out(rng, colors, action, place)
    color = widest[0].color
    return _remade(
        action,
        layout,
        widest[0].name,
        lambda x: block(color, (size[0], span_m - x / 1000, size[2])),
    )


def _lighter(rng: np.random.Generator, robot: str) -> Stepped:
    """A carrier and, straight below its bar, a dumbbell: weight alone decides."""
    colors = Colors(rng)
    tote = carrier(colors.next(SHOWING_SHAPE), _CARRIER_M, _BAR_M)
    tote = laid_across(rng, tote, float(rng.uniform(0.2, 0.3)))
    color, turn = colors.next(SHOWING_SHAPE), float(rng.uniform(-0.3, 0.3))

    def loaded(x: float) -> tuple[Item, Item]:
        whole_kg = FORCE_N / GRAVITY_M_S2 * float(np.exp(-x))
        return tote, on_floor(_dumbbell(color, whole_kg - tote.mass_kg), tote, 0.0, turn)

    action, items = LiftLevel(tote.name), loaded(0.0)
    layout = completed(
        rng,
        colors,
        action,
        items,
        items,
        critical_objects=(tote.name, items[1].name),
        constraint=Constraint.NEEDS_TWO_HANDS,
    ).infeasible

    def at(x: float) -> Layout:
        return layout.replacing(*loaded(x))

    return Stepped(action, at)


def _dumbbell(color: str, mass_kg: float) -> Item:
    """A dumbbell of exactly that mass, in the size of those with about that mass."""
    about_kg = mass_kg
    for _ in range(4):
        about_kg += mass_kg - dumbbell(color, about_kg).mass_kg
    return dumbbell(color, about_kg)


def _wider(slotted: bool, rng: np.random.Generator, robot: str) -> Stepped:
    """A vessel for an object; or a box with a slot for a long one, as thick as that is wide."""
    colors = Colors(rng)
    kind = "box" if slotted else str(rng.choice(list(_FITTING)))
    names = colors.next(), colors.next()
    both = (
        things.two_things(rng, names, things.LONG)
        if slotted
        else _upright(rng, names, str(rng.choice(_FITTING[kind])))
    )
    made = vessels.two_vessels(rng, colors, kind, both[0], 0.0 if slotted else _NEAR_M)
    slot = {}
    if slotted:
        more = float(rng.uniform(*_LONGER_M))
        wide = max(both[0].size_m) - vessels.needed_m(both[0], "box") + more
        slot = {"depth_m": _SLOT_DEEP_M, "slot_m": wide}

    def vessel(x: float) -> Item:
        return made.build(made.both[0].color, 0.0, more_m=x / 1000, **slot)

    place = things.plain(rng, (vessel(1000 * _NEAR_M), made.both[1]))
    place = replace(place, constraint=Constraint.DOES_NOT_FIT)
    name = place.things[0].name
    action = PutInto(both[0].name, name)
    layout = laid_out(rng, colors, action, place, things.plain(rng, both))
    return _remade(action, layout, name, vessel)


def _upright(rng: np.random.Generator, names: tuple[str, str], kind: str) -> tuple[Item, Item]:
    """Two objects at least as high as wide: on their side they fit no better."""
    while True:
        both = things.two_things(rng, names, kind)
        if both[0].size_m[2] >= both[0].size_m[0]:
            return both


def _ramp(color: str, angle_rad: float) -> Item:
    rise = _BASE_M / 2 * float(np.tan(angle_rad))
    return ramp_stand(color, _BASE_M, _MIDDLE_M - rise, _MIDDLE_M + rise)


def _leveller(
    size_m: Callable[[np.random.Generator], Vec3],
    limit_rad: Callable[[Item, Item], float],
    rng: np.random.Generator,
    robot: str,
) -> Stepped:
    """A block of some size on a stand whose top is that much less steep than its limit."""
    colors = Colors(rng)
    names, size = (colors.next(), colors.next()), size_m(rng)
    material = str(rng.choice(["wood", "plastic"]))
    both = block(names[0], size, material), block(names[1], size, material)
    color = colors.next(SHOWING_SHAPE)
    limit = limit_rad(both[0], _ramp(color, 0.0))
    steepest = _ramp(color, limit + float(np.deg2rad(_STEEP_DEG)))
    turn = turned_to_show(rng, "slope", 1)[0]

    place = as_one(
        (steepest, steepest),
        Constraint.UNSTABLE_SUPPORT,
        lambda _, __, x, y: (standing_at(steepest, x, y, yaw_rad=turn),),
    )
    action = SetOn(both[0].name, steepest.name)
    layout = laid_out(rng, colors, action, place, things.plain(rng, both))
    x_m, y_m, _ = layout.item(steepest.name).world_from_object.pos

    def at(x: float) -> Layout:
        made = _ramp(color, limit - float(np.deg2rad(x)))
        return layout.replacing(standing_at(made, x_m, y_m, yaw_rad=turn))

    return Stepped(action, at, _friction(both[0], steepest) if limit_rad is _sliding else None)


def _low(rng: np.random.Generator) -> Vec3:
    """An object low enough to slide long before it tips."""
    side = in_steps(rng, 0.05, 0.055, 0.005)
    return side, side, 0.03


def _tall(rng: np.random.Generator) -> Vec3:
    """An object tall enough to tip before it slides."""
    side = in_steps(rng, 0.035, 0.04, 0.005)
    return side, side, 0.1


def _tipping(thing: Item, stand: Item) -> float:
    """Distance of a block's centre from its lower edge on the slope."""
    return float(np.arctan(thing.size_m[0] / thing.size_m[2]))


def _sliding(thing: Item, stand: Item) -> float:
    return float(np.arctan(_friction(thing, stand)))


def _friction(thing: Item, stand: Item) -> float:
    """The coefficient between both: MuJoCo takes the larger one."""
    return float(max(thing.friction, stand.friction))


def _moved_in(laden: bool, rng: np.random.Generator, robot: str) -> Stepped:
    """A base moves under a board; unless ``laden``, only the first object lies on the board."""
    colors = Colors(rng)
    names = colors.next(), colors.next()
    both = things.two_things(rng, names, str(rng.choice(list(things.FLAT_TOPPED))))
    pair, moved = beams.edging(rng, colors, both, (-_NEAR_M, _NEAR_M), laden=laden)
    action = Take(both[0].name)
    layout = laid_out(rng, colors, action, pair)
    base = pair.decisive[1]
    stands = layout.item(base).world_from_object

    def at(x: float) -> Layout:
        return layout.moved(base, stands.moved(*moved(x / 1000)))

    return Stepped(action, at)


DRAWS: dict[str, Callable[[np.random.Generator, str], Stepped]] = {
    "balance": partial(_moved_in, True),
    "clearance": partial(_wider, False),
    "gap": partial(_wider, True),
    "grip_width": _narrower,
    "overhang": partial(_moved_in, False),
    "reach": _nearer,
    "slope": partial(_leveller, _low, _sliding),
    "tilt": partial(_leveller, _tall, _tipping),
    "weight": _lighter,
}
"""Draws a scene for a robot, by quantity."""
