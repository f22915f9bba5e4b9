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

# Freely moving, a thing lags the hand by twice the weld's time constant times the speed. The hand
# gives up at so much more, whatever its speed: a slow one must not press harder.
_SPEED_M_S = 0.2
_LAG_M = 0.006
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
    lag_m = _LAG_M + 2 * GRIP_TIME_S * _SPEED_M_S * world.hand_speed_scale
    arrived = world.move_hand(way_m, _SPEED_M_S, stop=lambda: world.lag_m() > lag_m)
    if arrived:
        world.run(_CATCH_UP_S)
    return frozenset() if arrived else world.touching(name)


def release_and_settle(world: World) -> float:
    """Open the hand and wait for rest; returns the object's final speed (m/s)."""
    world.release()
    world.run(_FIRST_S)
    run_until_still(world, _PATIENCE_S - _FIRST_S, _CHUNK_S, _STILL)
    return float(world.speeds()[world.held, 0])
