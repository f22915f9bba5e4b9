"""Quantities of ladders: declared in ``quantities.yaml``, scenes of each drawn in ``draws``.

Their names need no simulator, so that a command can check user input without MuJoCo.
"""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pactwin.catalogue import read_data
from pactwin.suite import Constraint, Record, unknown_name

if TYPE_CHECKING:  # it loads the simulator
    from pactwin.sim.ladders.base import Quantity


class _Declared(Record):
    """What is declared of a quantity, see :class:`~pactwin.sim.ladders.base.Quantity`."""

    unit: str
    reach: float
    band: float
    constraint: Constraint


def quantity_names() -> tuple[str, ...]:
    """Names of all quantities, sorted."""
    return tuple(sorted(_declared()))


def load_quantity(name: str) -> "Quantity":
    """The quantity called ``name``; raises InvalidInputError naming those that exist."""
    if name not in _declared():
        raise unknown_name("quantity", name, quantity_names())
    from pactwin.sim.ladders.base import Quantity
    from pactwin.sim.ladders.draws import DRAWS

    return Quantity(draw=DRAWS[name], **dict(_declared()[name]))


@cache
def _declared() -> dict[str, _Declared]:
    return read_data(Path(__file__).with_name("quantities.yaml"), dict[str, _Declared])
