"""Two hands: one hand cannot span the thing, or not hold it level."""

from pactwin.sim.domains.base import Family, Mixed
from pactwin.sim.staging import lifts, moves

DOMAIN = Mixed(
    "two_hands",
    (
        Family(0.25, lifts.lift_level, ("heavy",)),
        Family(0.4, moves.take, ("too_wide",)),
        Family(0.35, moves.set_on, ("too_wide",)),
    ),
    least_arms=2,
)
