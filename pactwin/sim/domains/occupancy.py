"""Occupancy: the destination is occupied.

What occupies a vessel hides its inside; a ring hides as much, and leaves room. So how much of a
vessel is seen tells little.
"""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import moves, uses

DOMAIN = Domain(
    "occupancy",
    (
        Family(0.4, moves.set_on, ("taken",)),
        Family(0.14, moves.put_into, ("filled",)),
        Family(0.32, moves.put_into, ("ringed",)),
        Family(0.14, uses.write, ("taken",)),
    ),
)
