"""A board that overhangs its base: distance of its centre of mass from the base's edge.

An object on the other side balances the board until it is taken.
"""

from functools import partial

import numpy as np

from pactwin.sim.actions.handling import Take
from pactwin.sim.ladders.base import Quantity, Stepped, laid_out
from pactwin.sim.scenarios import beams, things
from pactwin.sim.scenarios.common import Colors
from pactwin.sim.scene.layout import Layout
from pactwin.suite import Constraint

_REACH_MM = 16.0
_INSIDE_M = (-_REACH_MM / 1000, _REACH_MM / 1000)


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


# Overhangs are judged to about 4 mm; poses that are 1 mm off move the limit.
OVERHANG = Quantity("mm", _REACH_MM, 3.0, Constraint.WOULD_COLLAPSE, partial(_moved_in, False))
BALANCE = Quantity("mm", _REACH_MM, 3.0, Constraint.WOULD_COLLAPSE, partial(_moved_in, True))
