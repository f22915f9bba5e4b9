"""Size mismatch: a thing does not fit into the opening it has to go through."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import moves

DOMAIN = Domain(
    "size_mismatch",
    (Family(1.0, moves.put_into, ("narrow",)),),
)
