"""Worlds: assets, scenes, domains, trials, cameras, rendering, generation at scale."""

from importlib import import_module
from typing import TYPE_CHECKING

from pactwin.sim.domains import domain_names
from pactwin.sim.engines import Engine, LocalEngine, RayEngine
from pactwin.sim.generate import Pair, Request, draw_pair, draw_pairs
from pactwin.sim.gl import GLInfo, ensure_gl
from pactwin.sim.layout import Item, Part
from pactwin.sim.packages import deciding_packages
from pactwin.sim.pictures.cameras import CAMERAS
from pactwin.sim.robots import ROBOTS
from pactwin.sim.solids import Surface, surface_of

if TYPE_CHECKING:
    from pactwin.sim.retrial import Retrial, rebuild_layout, retry_trials

__all__ = [
    "Engine",
    "GLInfo",
    "Item",
    "LocalEngine",
    "Pair",
    "Part",
    "RayEngine",
    "Request",
    "Retrial",
    "Surface",
    "camera_names",
    "deciding_packages",
    "domain_names",
    "draw_pair",
    "draw_pairs",
    "ensure_gl",
    "rebuild_layout",
    "retry_trials",
    "robot_names",
    "surface_of",
]


def camera_names() -> tuple[str, ...]:
    """Names of the cameras a suite can have."""
    return CAMERAS


def robot_names() -> tuple[str, ...]:
    """Names of the robots that can stand at the table."""
    return tuple(ROBOTS)


def __getattr__(name: str) -> object:
    # Trials load MuJoCo: only those who ask for them wait for it.
    if name in ("Retrial", "rebuild_layout", "retry_trials"):
        return getattr(import_module("pactwin.sim.retrial"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
