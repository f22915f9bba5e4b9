"""Packages that determine pictures and measurements, and their folders."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from pactwin.suite import EnvironmentFaultError

_NAMES = (
    "mujoco",
    "numba",
    "numpy",
    "opencv-python-headless",
    "robosuite",
    "robosuite-models",
)
# robosuite 1.5.2 cannot be resolved beside NumPy 2 (through mink); only its files are read.
_INSTALL = {
    "robosuite": "pip install --no-deps robosuite==1.5.2",
    "robosuite_models": "pip install robosuite-models==1.0.0",
}


def environment_versions() -> dict[str, str]:
    """Names and installed versions of these packages; robosuite may be missing."""
    found = {}
    for name in _NAMES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def package_folder(name: str) -> Path | None:
    """Folder of an installed package, found without importing it; None if it is not installed."""
    found = find_spec(name)
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0])


def required_folder(name: str) -> Path:
    """Folder of package ``name``; EnvironmentFaultError tells how to install a missing one."""
    folder = package_folder(name)
    if folder is None:
        install = _INSTALL.get(name, f"pip install {name.replace('_', '-')}")
        raise EnvironmentFaultError(f"{name.replace('_', '-')} is not installed: {install}")
    return folder
