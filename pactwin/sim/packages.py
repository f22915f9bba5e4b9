"""The packages that decide what is drawn and measured, and where packages lie."""

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

_NAMES = ("mujoco", "numpy", "opencv-python-headless", "robosuite", "robosuite-models")


def environment_versions() -> dict[str, str]:
    """Their names and the versions installed here."""
    return {name: version(name) for name in _NAMES}


def package_folder(name: str) -> Path | None:
    """Where an installed package lies, found without importing it; None if it is not installed."""
    found = find_spec(name)
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0])
