"""Trial of removal: carry an object away slowly, and measure the motion of the others.

Paths: lifting straight up, and drawing out in one of four directions and then lifting.

Everything else counts as undisturbed below 5 mm and 5 degrees and as disturbed above 15 mm or 15
degrees; between, the scene is undecided and rejected. The disturbance is the larger of
displacement / 10 mm and rotation / 10 degrees, so 1 is the decision limit.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from pactwin.sim.physics.settling import run_until_still
from pactwin.sim.physics.world import World
from pactwin.sim.scene.pose import Pose

LIMIT_M = 0.010
LIMIT_RAD = np.deg2rad(10.0)
UNDISTURBED, DISTURBED = 0.5, 1.5
PLAINLY_DISTURBED = 2.5
"""Fall after which a run stops: more motion would not change the verdict."""
# What tips slowly gets up to 1.44 s, unless all is slower than this (m/s, rad/s).
_PATIENCE_S, _CHUNK_S, _STILL = 1.44, 0.24, (0.005, 0.005)
_CARRY_SPEED_M_S = 0.25
_GRASP_S = 0.048
_LIFT = (0.0, 0.0, 0.07)
# Items on the way of another are looked for in steps of this.
_STEP_M = 0.005
Path = tuple[tuple[float, float, float], ...]  # displacements of the hand, one after the other, m
LIFTING: dict[str, Path] = {"lift": (_LIFT,)}
LIFTING_OR_DRAWING: dict[str, Path] = LIFTING | {
    "draw towards the robot": ((-0.12, 0.0, 0.0), _LIFT),
    "draw to the left": ((0.0, 0.12, 0.0), _LIFT),
    "draw to the right": ((0.0, -0.12, 0.0), _LIFT),
    "draw away from the robot": ((0.12, 0.0, 0.0), _LIFT),
}


@dataclass(frozen=True)
class Disturbance:
    """Largest motion of other items: position (m), rotation (rad); items that fell, how far (m).

    ``moved`` names all disturbed items.
    """

    moved_m: float
    turned_rad: float
    fallen_m: float
    moved: frozenset[str]

    @property
    def ratio(self) -> float:
        """Motion relative to the decision limit."""
        return max(self.moved_m / LIMIT_M, self.turned_rad / LIMIT_RAD)


def carry_off(world: World, path: Path, along: Collection[str] = ()) -> Disturbance:
    """Carry the held item along ``path`` and keep it there; returns the disturbance of all others.

    The items ``along`` are carried too.
    """
    others = everything_but(world, (world.names[world.held], *along))
    before = world.poses()

    plain = world.displaced_beyond(
        others, PLAINLY_DISTURBED * LIMIT_M, PLAINLY_DISTURBED * LIMIT_RAD
    )
    world.grasp()
    world.run(_GRASP_S)
    for displacement in path:
        if not world.move_hand(np.array(displacement), _CARRY_SPEED_M_S, stop=plain):
            break
    if not plain():
        run_until_still(world, _PATIENCE_S, _CHUNK_S, _STILL, items=others, stop=plain)
    return disturbance_since(world, before, others)


def hanging_over(world: World) -> set[str]:
    """Items that the held item would hit when lifted, except those that stand on the table.

    Like a board on others that it does not touch; a cage or a shelf is in the hand's way.
    """
    stands = {other for other in world.names if "table" in world.touching(other)}
    return _met(world, world.pose(world.names[world.held]), _LIFT) - stands


def in_the_way(world: World) -> set[str]:
    """Items that the held item would hit on a path along which it may come off, overlaps ignored.

    It is drawn out only if something rests on it or hangs over it.
    """
    name = world.names[world.held]
    here, carried = world.pose(name), world.supported_items(name)
    over = hanging_over(world)
    if over | carried:
        over |= set().union(
            *(_met(world, here, first) for first, *_ in LIFTING_OR_DRAWING.values())
        )
    return over


def _met(world: World, start: Pose, displacement_m: tuple[float, float, float]) -> set[str]:
    """Items that the held item touches when it is moved straight from ``start``."""
    met, count = set[str](), round(max(map(abs, displacement_m)) / _STEP_M)
    for share in np.arange(1, count + 1) / count:
        dx, dy, dz = (float(share) * step for step in displacement_m)
        met |= world.touched_at(start.moved(dx, dy, dz))
    return met - {"table"}


def everything_but(world: World, names: Collection[str]) -> np.ndarray:
    """Mask (n,) of the world's items that have none of these names."""
    return ~np.isin(world.names, list(names))


def disturbance_since(
    world: World, before: tuple[np.ndarray, np.ndarray], others: np.ndarray
) -> Disturbance:
    """Motion of ``others``, a mask (n,) of items, since the poses ``before``."""
    names = np.array(world.names)[others]
    moved_m, turned_rad = (of_all[others] for of_all in world.moved_since(before))
    ratio = np.maximum(moved_m / LIMIT_M, turned_rad / LIMIT_RAD)
    return Disturbance(
        float(moved_m.max(initial=0.0)),
        float(turned_rad.max(initial=0.0)),
        float((before[0] - world.positions())[others, 2].max(initial=0.0)),
        frozenset(names[ratio > UNDISTURBED].tolist()),
    )
