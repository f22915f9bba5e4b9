"""Trial of putting an object down: lowered by a compliant hand, then released.

The hand moves in a straight line and stops when the object lags behind it, because something blocks
the object.
"""

import numpy as np

from pactwin.sim.physics.settling import run_until_still
from pactwin.sim.physics.world import World
from pactwin.sim.scene.pose import Pose

GRIP_TIME_S = 0.02
"""Time constant of the hand's weld, which yields rather than force an object through a wall."""

HOVER_M = 0.008
"""Distance of the object from the opening before it goes in."""

# The hand gives up where it pulls as hard as a weld that is stretched so far: slow and fast hands
# press alike. Fast ones are ahead by less when the thing first meets something.
_SPEED_M_S = 0.2
_STRETCH_M = 0.012
_CATCH_UP_S = 0.06
OVERLAP_M = 0.001
"""An object has no room at a place where it penetrates others deeper (m) than this."""
# What is let go of starts slowly: it is not looked at at once. Any turning counts as rest.
_FIRST_S, _PATIENCE_S, _CHUNK_S, _STILL = 0.2, 2.0, 0.1, (0.01, np.inf)


def move_to(world: World, start: Pose, way_m: np.ndarray) -> frozenset[str] | None:
    """Move the held object from ``start`` along ``way_m`` (m); names the obstacle that stopped it.

    None if it has no room at ``start``. The hand keeps holding it.
    """
    world.place_held(start)
    name = world.names[world.held]
    if world.deepest_contact_m(name) > OVERLAP_M:
        return None
    world.grasp()
    arrived = world.move_hand(way_m, _SPEED_M_S, stop=lambda: _stretched_m(world) > _STRETCH_M)
    if arrived:
        world.run(_CATCH_UP_S)
    return frozenset() if arrived else world.touching(name)


def _stretched_m(world: World) -> float:
    """How far the held object is behind where a hand of its speed would leave it, m."""
    body = world.bodies[world.held]
    first = world.model.jnt_dofadr[world.model.body_jntadr[body]]
    behind = world.data.mocap_pos[0] - world.data.xpos[body]
    return float(np.linalg.norm(behind - 2 * GRIP_TIME_S * world.data.qvel[first : first + 3]))


def release_and_settle(world: World) -> float:
    """Open the hand and wait for rest; returns the object's final speed (m/s)."""
    world.release()
    world.run(_FIRST_S)
    run_until_still(world, _PATIENCE_S - _FIRST_S, _CHUNK_S, _STILL)
    return float(world.speeds()[world.held, 0])
