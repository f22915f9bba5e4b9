"""The packages that decide what is drawn and measured."""

from importlib.metadata import version

_NAMES = ("mujoco", "numpy", "opencv-python-headless", "robosuite", "robosuite-models")


def deciding_packages() -> dict[str, str]:
    """Their names and the versions installed here."""
    return {name: version(name) for name in _NAMES}
