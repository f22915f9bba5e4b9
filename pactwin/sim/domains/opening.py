"""Opening: what a thing should go into is upside down."""

from pactwin.sim.domains.base import Family, Mixed
from pactwin.sim.staging import moves, uses

DOMAIN = Mixed(
    "opening",
    (
        Family(0.85, moves.put_into, ("inverted",)),
        Family(0.15, uses.pour, ("inverted",)),
    ),
)
