"""Stability: without the thing, what stays behind loses its balance."""

from pactwin.sim.domains.base import Family, Mixed
from pactwin.sim.staging import moves

DOMAIN = Mixed(
    "stability",
    (
        Family(0.4, moves.take, ("balancing",)),
        Family(0.3, moves.put_into, ("balancing",)),
        Family(0.3, moves.set_on, ("balancing",)),
    ),
)
