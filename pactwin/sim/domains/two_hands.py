"""Two hands: one hand cannot span the object, or cannot hold it level."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import lifts, moves

DOMAIN = Domain(
    "two_hands",
    (
        Family(0.14, lifts.lift_level, ("heavy",)),
        Family(0.43, moves.take, ("too_wide",)),
        Family(0.43, moves.set_on, ("too_wide",)),
    ),
    least_arms=2,
)
