"""Balance: the object does not stay steady on its support or in its vessel.

Causes: a stand with a tip, ridge, slope or ball on top; a lying can; a lying pen stand whose
opening is lower than its foot.
"""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import moves

DOMAIN = Domain(
    "balance",
    (
        Family(0.58, moves.set_on, ("unsteady",)),
        Family(0.42, moves.put_into, ("lying",)),
    ),
)
