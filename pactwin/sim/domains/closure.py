"""Closure: what has to be open is closed, by a cap or a lid."""

from pactwin.sim.domains.base import Family, Mixed
from pactwin.sim.staging import moves, uses

DOMAIN = Mixed(
    "closure",
    (
        Family(0.5, moves.put_into, ("covered",)),
        Family(0.2, uses.write, ("capped",)),
        Family(0.14, uses.take_out, ("covered",)),
        Family(0.16, uses.pour, ("capped",)),
    ),
)
