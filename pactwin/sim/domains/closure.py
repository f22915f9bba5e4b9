"""Closure: a cap or lid closes a vessel that has to be open."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import moves, uses

DOMAIN = Domain(
    "closure",
    (
        Family(0.54, moves.put_into, ("covered",)),
        Family(0.16, uses.write, ("capped",)),
        Family(0.15, uses.take_out, ("covered",)),
        Family(0.15, uses.pour, ("capped",)),
    ),
)
