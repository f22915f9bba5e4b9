"""Supports: how much less steep a top is than where an object slides or tips; how far the edge of
a base is outside the centre of mass of a board on it.

On one board an object on the other side balances it until it is taken.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from pactwin.sim.actions.handling import SetOn, Take
from pactwin.sim.ladders.base import Quantity, Stepped, laid_out
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import in_steps
from pactwin.sim.objects.stands import ramp_stand
from pactwin.sim.scenarios import beams, things
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors, turned_to_show
from pactwin.sim.scenarios.twins import Pair, Site
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import bounding_radius_m
from pactwin.sim.scene.pose import Vec3
from pactwin.suite import Constraint

_REACH_DEG, _REACH_MM = 16.0, 16.0
_INSIDE_M = (-_REACH_MM / 1000, _REACH_MM / 1000)
_BASE_M, _MIDDLE_M = 0.065, 0.056


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
    steepest = _ramp(color, limit + float(np.deg2rad(_REACH_DEG)))
    turn = turned_to_show(rng, "slope", 1)[0]

    def sites(first: bool, second: bool) -> list[Site]:
        covers = ((0.0, 0.0, bounding_radius_m(steepest)),)
        return [Site(covers, lambda x, y: (standing_at(steepest, x, y, yaw_rad=turn),))]

    place = Pair((steepest, steepest), Constraint.UNSTABLE_SUPPORT, sites)
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
    both = things.two_things(rng, names, str(rng.choice(things.FLAT_TOPPED)))
    pair, moved = beams.edging(rng, colors, both, _INSIDE_M, laden=laden)
    action = Take(both[0].name)
    layout = laid_out(rng, colors, action, pair)
    base = pair.decisive[1]
    stands = layout.item(base).world_from_object

    def at(x: float) -> Layout:
        return layout.moved(base, stands.moved(*moved(x / 1000)))

    return Stepped(action, at)


# Slopes are judged to about 4 degrees, and friction 25 % up or down moves the limit by 6.
SLOPE = Quantity(
    "degrees",
    _REACH_DEG,
    7.0,
    Constraint.UNSTABLE_SUPPORT,
    partial(_leveller, _low, _sliding),
)
# A thing that tips does not depend on friction: what is left is where a hand lets go of it.
TILT = Quantity(
    "degrees",
    _REACH_DEG,
    5.0,
    Constraint.UNSTABLE_SUPPORT,
    partial(_leveller, _tall, _tipping),
)
# Overhangs are judged to about 4 mm; poses that are 1 mm off move the limit.
OVERHANG = Quantity("mm", _REACH_MM, 3.0, Constraint.WOULD_COLLAPSE, partial(_moved_in, False))
BALANCE = Quantity("mm", _REACH_MM, 3.0, Constraint.WOULD_COLLAPSE, partial(_moved_in, True))
