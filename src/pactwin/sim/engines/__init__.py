"""Where the units of a suite are drawn: processes of this machine, or a Ray cluster.

A unit is a pure function of its number, so one that is lost with its worker is drawn again and the
suite comes out the same on every engine.
"""

from pactwin.sim.engines.base import Engine, in_order
from pactwin.sim.engines.local import LocalEngine
from pactwin.sim.engines.ray import RayEngine
from pactwin.sim.engines.watchdog import still_alive

__all__ = ["Engine", "LocalEngine", "RayEngine", "in_order", "still_alive"]
