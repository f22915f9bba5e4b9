"""Reachability: an object or a place is out of reach, or an obstacle blocks the hand."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import lifts, moves, uses

DOMAIN = Domain(
    "reachability",
    (
        Family(0.07, moves.take, ("far",)),
        Family(0.07, moves.take, ("guarded",)),
        Family(0.03, moves.put_into, ("far",)),
        Family(0.03, moves.put_into, ("guarded",)),
        Family(0.03, moves.put_into, ("place_far",)),
        Family(0.03, moves.put_into, ("place_guarded",)),
        Family(0.03, moves.set_on, ("far",)),
        Family(0.03, moves.set_on, ("guarded",)),
        Family(0.03, moves.set_on, ("place_far",)),
        Family(0.03, moves.set_on, ("place_guarded",)),
        Family(0.1, uses.write, ("place_far",)),
        Family(0.1, uses.write, ("place_guarded",)),
        Family(0.13, uses.take_out, ("place_far",)),
        Family(0.13, uses.take_out, ("place_guarded",)),
        Family(0.06, uses.pour, ("far",)),
        Family(0.06, uses.pour, ("guarded",)),
        Family(0.06, uses.pour, ("place_far",)),
        Family(0.06, uses.pour, ("place_guarded",)),
        Family(0.1, lifts.lift_level, ("away",)),
        Family(0.1, lifts.lift_level, ("guarded",)),
    ),
)
