"""Openings: difference between their width and the object's."""

from dataclasses import replace

import numpy as np

from pactwin.sim.actions.handling import PutInto
from pactwin.sim.ladders.base import Quantity, Stepped, laid_out
from pactwin.sim.scenarios import things, vessels
from pactwin.sim.scenarios.common import Colors
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Constraint

# What goes into a vessel squarely, so that one width tells whether it fits.
_FITTING = {
    "box": ("block", "cube puzzle", "cylinder"),
    "cup": ("cylinder", "can", "ball"),
    "pen_stand": ("cylinder", "can", "ball"),
}
_REACH_MM = 16.0
_LONGER_M, _SLOT_DEEP_M = (0.01, 0.02), 0.04


def _wider(rng: np.random.Generator, robot: str) -> Stepped:
    colors = Colors(rng)
    kind = str(rng.choice(list(_FITTING)))
    names = colors.next(), colors.next()
    both = _upright(rng, names, str(rng.choice(_FITTING[kind])))
    made = vessels.two_vessels(rng, colors, kind, both[0], _REACH_MM / 1000)
    vessel = made.both[0]
    place = replace(things.plain(rng, made.both), constraint=Constraint.DOES_NOT_FIT)
    action = PutInto(both[0].name, vessel.name)
    layout = laid_out(rng, colors, action, place, things.plain(rng, both))
    stands = layout.item(vessel.name).world_from_object

    def at(x: float) -> Layout:
        return layout.replacing(made.build(vessel.color, 0.0, more_m=x / 1000).at(stands))

    return Stepped(action, at)


def _longer(rng: np.random.Generator, robot: str) -> Stepped:
    """A box with a slot, and a long thing that is as thick as the slot is wide."""
    colors = Colors(rng)
    both = things.two_things(rng, (colors.next(), colors.next()), things.LONG)
    made = vessels.two_vessels(rng, colors, "box", both[0])
    color, more = made.both[0].color, float(rng.uniform(*_LONGER_M))

    def slotted(x: float) -> Item:
        wide = max(both[0].size_m) - vessels.needed_m(both[0], "box") + more
        return made.build(color, 0.0, _SLOT_DEEP_M, slot_m=wide, more_m=x / 1000)

    place = things.plain(rng, (slotted(_REACH_MM), made.both[1]))
    vessel = place.things[0]
    action = PutInto(both[0].name, vessel.name)
    place = replace(place, constraint=Constraint.DOES_NOT_FIT)
    layout = laid_out(rng, colors, action, place, things.plain(rng, both))
    stands = layout.item(vessel.name).world_from_object
    return Stepped(action, lambda x: layout.replacing(slotted(x).at(stands)))


def _upright(rng: np.random.Generator, names: tuple[str, str], kind: str) -> tuple[Item, Item]:
    """Two objects at least as high as wide: on their side they fit no better."""
    while True:
        both = things.two_things(rng, names, kind)
        if both[0].size_m[2] >= both[0].size_m[0]:
            return both


# People judge such openings to 3 or 4 mm; below 3.2 mm the trials' margin is too small.
CLEARANCE = Quantity("mm", _REACH_MM, 5.0, Constraint.DOES_NOT_FIT, _wider)
GAP = Quantity("mm", _REACH_MM, 5.0, Constraint.DOES_NOT_FIT, _longer)
