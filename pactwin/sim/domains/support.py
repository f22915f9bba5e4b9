"""Support: something rests on the object and would fall with it.

A load hides an object where it is the cause. A board on pillars, in about half of the pairs, hides
it as much where it may go: so how much of an object is seen tells little.
"""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import lifts, moves, uses

DOMAIN = Domain(
    "support",
    (
        Family(0.14, moves.take, ("loaded",)),
        Family(0.2, moves.take, ("bridged",)),
        Family(0.1, moves.put_into, ("loaded",)),
        Family(0.16, moves.put_into, ("bridged",)),
        Family(0.1, moves.set_on, ("loaded",)),
        Family(0.16, moves.set_on, ("bridged",)),
        Family(0.1, uses.take_out, ("loaded",)),
        Family(0.08, lifts.lift_level, ("loaded",)),
    ),
)
