"""Size mismatch: an object does not fit through the opening."""

from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios import moves

DOMAIN = Domain(
    "size_mismatch",
    (Family(1.0, moves.put_into, ("narrow",)),),
)
