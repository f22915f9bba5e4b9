"""Occupancy: the place where a thing should go is taken."""

from pactwin.sim.domains.base import Family, Mixed
from pactwin.sim.staging import moves, uses

DOMAIN = Mixed(
    "occupancy",
    (
        Family(0.55, moves.set_on, ("taken",)),
        Family(0.25, moves.put_into, ("filled",)),
        Family(0.2, uses.write, ("taken",)),
    ),
)
