"""Occupancy: the destination is occupied."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import moves, uses

DOMAIN = Domain(
    "occupancy",
    (
        Family(0.42, moves.set_on, ("taken",)),
        Family(0.44, moves.put_into, ("filled",)),
        Family(0.14, uses.write, ("taken",)),
    ),
)
