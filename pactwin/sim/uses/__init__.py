"""Simulated creative uses: every module here with a ``USE`` is one.

Names are those of the modules, so that a command can check user input without MuJoCo.
"""

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

from pactwin.suite import unknown_name

if TYPE_CHECKING:  # it loads the simulator
    from pactwin.sim.uses.base import Use

_NOT_USES = {"base", "deciding", "pieces", "things"}


def use_names() -> tuple[str, ...]:
    """Names of all uses, sorted."""
    return tuple(sorted({module.name for module in pkgutil.iter_modules(__path__)} - _NOT_USES))


def load_use(name: str) -> "type[Use]":
    """The use called ``name``; raises InvalidInputError naming those that exist."""
    if name not in use_names():
        raise unknown_name("use", name, use_names())
    use: type[Use] = import_module(f"{__name__}.{name}").USE
    return use
