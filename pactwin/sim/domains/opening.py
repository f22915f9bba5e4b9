"""Opening: a vessel's opening faces down."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import moves, uses

DOMAIN = Domain(
    "opening",
    (
        Family(0.82, moves.put_into, ("inverted",)),
        Family(0.18, uses.pour, ("inverted",)),
    ),
)
