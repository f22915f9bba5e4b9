"""Names of packages that are imported when they are first asked for, so that help answers at once.

A package's face declares them for readers and type checkers under ``TYPE_CHECKING``, and says with
``__getattr__ = later(...)`` (PEP 562) in which of its modules each is found.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def later(package: str, modules: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """A module's ``__getattr__`` for the names that ``modules`` of ``package`` have."""
    homes = {name: f"{package}.{module}" for module, names in modules.items() for name in names}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return get
