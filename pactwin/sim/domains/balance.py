"""Balance: the object does not stay steady on its support or in its vessel.

A stand with a tip, a ridge, a slope or a ball on top, a can that lies, a pen stand that lies with
its opening lower than its foot.
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
