"""Order: two actions in sequence, or two causes at once.

If there are two causes, an answer may name either of them.
"""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import moves

DOMAIN = Domain(
    "order",
    (
        Family(0.1, moves.restack, ("unsteady",)),
        Family(0.1, moves.restack, ("taken",)),
        Family(0.1, moves.restack, ("loaded",)),
        Family(0.1, moves.restack, ("place_far",)),
        Family(0.1, moves.restack, ("place_guarded",)),
        Family(0.13, moves.set_on, ("loaded", "taken")),
        Family(0.12, moves.set_on, ("bridged", "taken")),
        Family(0.13, moves.put_into, ("loaded", "filled")),
        Family(0.12, moves.put_into, ("bridged", "filled")),
    ),
)
