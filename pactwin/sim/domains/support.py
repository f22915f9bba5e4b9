"""Support: something rests on the thing and would fall with it."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.staging import moves

DOMAIN = Domain(
    "support",
    (
        Family(0.38, moves.take, ("loaded",)),
        Family(0.34, moves.put_into, ("loaded",)),
        Family(0.28, moves.set_on, ("loaded",)),
    ),
)
