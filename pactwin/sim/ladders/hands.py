"""Quantities of a hand: reach, grip width, and weight at a handle.

The weight is stepped as the logarithm of one hand's limit over the total weight.
"""

from dataclasses import replace

import numpy as np

from pactwin.sim.actions.handling import Take
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.ladders.base import Quantity, Stepped, laid_out
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.household import dumbbell
from pactwin.sim.objects.standard_sizes import in_steps
from pactwin.sim.objects.trays import carrier
from pactwin.sim.physics.trials.lifting import FORCE_N
from pactwin.sim.physics.world import GRAVITY_M_S2
from pactwin.sim.reach.search import reach
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scenarios import handreach, things
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors
from pactwin.sim.scenarios.lifts import covered_discs, laid_across, on_floor
from pactwin.sim.scenarios.twins import completed
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import RejectedLayout, disc
from pactwin.suite import Constraint

_REACH_MM, _SPAN_MM = 80.0, 40.0
# The limit of reach is looked for within these of the table's near edge, to a tenth of a mm, from
# as many starts as in trials.
_SOUGHT_M, _BISECTIONS, _STARTS = (0.1, 0.8), 13, 64
# A thing's other side is so much longer than a hand spans.
_LONG = 1.7
# Two hands have to hold the heaviest, or no cause is known, and one hand the lightest: also where
# what lies in it is 25 % heavier, as in a repetition, and one hand lifts it fast.
_REACH_LOG = 0.42
_CARRIER_M, _BAR_M = (0.36, 0.22), 0.17


def _nearer(rng: np.random.Generator, robot: str) -> Stepped:
    colors = Colors(rng)
    names = colors.next(), colors.next()
    both = things.two_things(rng, names, str(rng.choice(things.FLAT_TOPPED)))
    action = Take(both[0].name)
    layout = laid_out(rng, colors, action, handreach.far(rng, robot, both))
    thing = layout.item(both[0].name)
    limit_m = _limit_m(robot, thing)

    def at(x: float) -> Layout:
        return layout.replacing(_ahead(thing, limit_m - x / 1000))

    others = [disc(item) for item in layout.items if item.name != thing.name]
    for step in np.linspace(-_REACH_MM, _REACH_MM, 2 * round(_REACH_MM / 10) + 1):
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
    stands = layout.item(widest[0].name)

    def at(x: float) -> Layout:
        made = block(stands.color, (size[0], span_m - x / 1000, size[2]))
        return layout.replacing(made.at(stands.world_from_object))

    return Stepped(action, at)


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
        taken=covered_discs(tote),
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


# Reach is judged to about 2 cm; trials are undecided within 1.2 cm, and a little more.
REACH = Quantity("mm", _REACH_MM, 20.0, Constraint.OUT_OF_REACH, _nearer)
# A hand is seen to about 1 cm; within 15 % of its span nothing is decided.
GRIP_WIDTH = Quantity("mm", _SPAN_MM, 16.0, Constraint.NEEDS_TWO_HANDS, _narrower)
# Weights are judged from sizes to about 10 %; up to 0.38 a repetition fails one hand.
WEIGHT = Quantity("log", _REACH_LOG, 0.4, Constraint.NEEDS_TWO_HANDS, _lighter)
