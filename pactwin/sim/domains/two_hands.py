"""Two hands: one hand cannot span the object, or cannot hold it level.

What is too wide is larger than what is narrow, and smaller than what is thin: so size tells little.
"""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import lifts, moves

DOMAIN = Domain(
    "two_hands",
    (
        Family(0.14, lifts.lift_level, ("heavy",)),
        Family(0.2, moves.take, ("too_wide",)),
        Family(0.23, moves.take, ("not_thin",)),
        Family(0.2, moves.set_on, ("too_wide",)),
        Family(0.23, moves.set_on, ("not_thin",)),
    ),
    least_arms=2,
)
