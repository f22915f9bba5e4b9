"""Quantities of ladders, by the module that draws them.

The names are listed here, so that a command can check user input without importing MuJoCo.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pactwin.suite import unknown_name

if TYPE_CHECKING:  # it loads the simulator
    from pactwin.sim.ladders.base import Quantity

_MODULES = {
    "balance": "supports",
    "clearance": "openings",
    "gap": "openings",
    "grip_width": "hands",
    "overhang": "supports",
    "reach": "hands",
    "slope": "supports",
    "tilt": "supports",
    "weight": "hands",
}


def quantity_names() -> tuple[str, ...]:
    """Names of all quantities, sorted."""
    return tuple(sorted(_MODULES))


def load_quantity(name: str) -> "Quantity":
    """The quantity called ``name``; raises InvalidInputError naming those that exist."""
    if name not in _MODULES:
        raise unknown_name("quantity", name, quantity_names())
    found: Quantity = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name.upper())
    return found
