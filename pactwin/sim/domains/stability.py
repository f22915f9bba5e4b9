"""Stability: the remaining objects lose their balance without the object."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import moves

DOMAIN = Domain(
    "stability",
    (
        Family(0.34, moves.take, ("balancing",)),
        Family(0.36, moves.put_into, ("balancing",)),
        Family(0.3, moves.set_on, ("balancing",)),
    ),
)
