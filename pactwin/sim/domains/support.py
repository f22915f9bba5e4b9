"""Support: something rests on the thing and would fall with it."""

from pactwin.sim.domains.base import Family, Mixed
from pactwin.sim.staging import moves

DOMAIN = Mixed(
    "support",
    (
        Family(0.45, moves.take, ("loaded",)),
        Family(0.25, moves.put_into, ("loaded",)),
        Family(0.3, moves.set_on, ("loaded",)),
    ),
)
