"""Worlds: assets, scenes, domains, trials, cameras, rendering, generation at scale."""

from typing import TYPE_CHECKING

from pactwin.lazy import later
from pactwin.sim.domains import domain_names
from pactwin.sim.engines import Engine, LocalEngine, RayEngine
from pactwin.sim.gl import GLInfo, ensure_gl
from pactwin.sim.layout import Item, Part
from pactwin.sim.packages import deciding_packages
from pactwin.sim.pictures.cameras import CAMERAS
from pactwin.sim.robots import ROBOTS, RobotModel, load_robot_model
from pactwin.sim.solids import Surface, surface_of
from pactwin.sim.stills import (
    Background,
    StillRequest,
    asset_sources,
    draw_still,
    draw_stills,
    kind_names_of,
)
from pactwin.sim.twins import Request, draw_pair, draw_pairs
from pactwin.sim.units import Unit

if TYPE_CHECKING:
    from pactwin.sim.reach import check_stands_free
    from pactwin.sim.reach.portrait import Portrait, portray
    from pactwin.sim.stills.facts import object_facts
    from pactwin.sim.twins.retrial import Retrial, rebuild_layout, retry_trials

__all__ = [
    "Background",
    "Engine",
    "GLInfo",
    "Item",
    "LocalEngine",
    "Part",
    "Portrait",
    "RayEngine",
    "Request",
    "Retrial",
    "RobotModel",
    "StillRequest",
    "Surface",
    "Unit",
    "asset_sources",
    "camera_names",
    "check_stands_free",
    "deciding_packages",
    "domain_names",
    "draw_pair",
    "draw_pairs",
    "draw_still",
    "draw_stills",
    "ensure_gl",
    "kind_names_of",
    "load_robot_model",
    "object_facts",
    "portray",
    "rebuild_layout",
    "retry_trials",
    "robot_names",
    "surface_of",
]


def camera_names() -> tuple[str, ...]:
    """Names of the cameras a suite can have."""
    return CAMERAS


def robot_names() -> tuple[str, ...]:
    """Names of the robots that need no file to stand at the table."""
    return tuple(ROBOTS)


# Trials load MuJoCo: only those who ask for them wait for it.
__getattr__ = later(
    __name__,
    {
        "reach": ("check_stands_free",),
        "reach.portrait": ("Portrait", "portray"),
        "stills.facts": ("object_facts",),
        "twins.retrial": ("Retrial", "rebuild_layout", "retry_trials"),
    },
)
