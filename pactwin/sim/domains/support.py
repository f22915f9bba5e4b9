"""Support: something rests on the object and would fall with it."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import lifts, moves, uses

DOMAIN = Domain(
    "support",
    (
        Family(0.34, moves.take, ("loaded",)),
        Family(0.26, moves.put_into, ("loaded",)),
        Family(0.26, moves.set_on, ("loaded",)),
        Family(0.1, uses.take_out, ("loaded",)),
        Family(0.08, lifts.lift_level, ("loaded",)),
    ),
)
