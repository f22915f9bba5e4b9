"""The trial behind "take X away; nothing else may fall or shift".

The scene must be at rest. A hand takes hold of X and carries it off slowly; whatever else is on
the table must stay where it was. Lifting straight up is tried first; if that disturbs something
and X may have something on it, X is drawn out sideways and then lifted, in four directions, each
from the same state of rest: only if every way disturbs something is the action infeasible.

Everything else counts as undisturbed below 5 mm and 5 degrees and as disturbed above 15 mm or 15
degrees; between, the scene is undecided and rejected. The disturbance is the larger of
displacement / 10 mm and rotation / 10 degrees, so 1 is the decision limit.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import run_until_still, settle
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Layout
from pactwin.suite import Constraint, Measurement

LIMIT_M = 0.010
LIMIT_RAD = np.deg2rad(10.0)
UNDISTURBED, DISTURBED = 0.5, 1.5
# A run is stopped once something has plainly fallen: more motion would change no verdict.
_PLAINLY_DISTURBED = 2.5
# What tips slowly gets up to 1.5 s, unless all is slower than this (m/s, rad/s).
_PATIENCE_S, _CHUNK_S, _STILL = 1.5, 0.25, (0.005, 0.005)
_CARRY_SPEED_M_S = 0.25
_LIFT = (0.0, 0.0, 0.07)
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
    """The most any other item moved: position (m), rotation (rad), and the item's name."""

    moved_m: float
    turned_rad: float
    fallen_m: float
    worst: str

    @property
    def ratio(self) -> float:
        """In units of the decision limit."""
        return max(self.moved_m / LIMIT_M, self.turned_rad / LIMIT_RAD)


def removal_trial(
    layout: Layout,
    perturbation: Perturbation,
    constraint: Constraint,
    ways: dict[str, Path],
    *,
    target: str = "",
) -> TrialOutcome:
    """Take ``target`` (the first critical object) away; infeasible if all ways disturb the rest.

    ``ways`` are tried in their order until one leaves everything where it was. What is fixed to the
    target or set into it comes along.
    """
    target = target or layout.critical_objects[0]
    world = World(layout, perturbation, held=target)
    if settle_error := settle(world):
        return TrialOutcome.undecided(settle_error)
    along = {item.name for item in layout.items if target in (item.attached_to, item.set_in)}
    at_rest = world.snapshot()
    found: dict[str, Disturbance] = {}
    for name, path in ways.items():
        world.restore(at_rest)
        found[name] = carry_off(world, path, along)
        if found[name].ratio <= UNDISTURBED:
            break
    way = min(found, key=lambda name: found[name].ratio)
    return _outcome(found[way], way, constraint)


def carry_off(world: World, path: Path, along: Collection[str] = ()) -> Disturbance:
    """Take the held item along ``path`` and keep it there; how much that disturbs all else.

    The items ``along`` come with it.
    """
    others = ~np.isin(world.names, [world.names[world.held], *along])
    names = np.array(world.names)[others]
    before = world.poses()

    def disturbance() -> Disturbance:
        moved_m, turned_rad = (of_all[others] for of_all in world.moved_since(before))
        worst = int(np.argmax(np.maximum(moved_m / LIMIT_M, turned_rad / LIMIT_RAD)))
        fallen_m = float((before[0] - world.positions())[others, 2].max())
        return Disturbance(
            float(moved_m.max()), float(turned_rad.max()), fallen_m, str(names[worst])
        )

    def plain() -> bool:
        return disturbance().ratio > _PLAINLY_DISTURBED

    world.grasp()
    world.run(0.05)
    for displacement in path:
        if not world.move_hand(np.array(displacement), _CARRY_SPEED_M_S, stop=plain):
            break
    if not plain():
        run_until_still(world, _PATIENCE_S, _CHUNK_S, _STILL, items=others, stop=plain)
    return disturbance()


def _outcome(found: Disturbance, way: str, constraint: Constraint) -> TrialOutcome:
    measurements = {
        "largest_displacement": Measurement(value=round(found.moved_m, 5), limit=LIMIT_M, unit="m"),
        "largest_rotation": Measurement(
            value=round(float(np.rad2deg(found.turned_rad)), 3), limit=10.0, unit="deg"
        ),
        "largest_drop": Measurement(value=round(max(0.0, found.fallen_m), 5), unit="m"),
    }
    return TrialOutcome.of(
        constraint,
        measurements,
        float(1.0 - found.ratio),
        works=found.ratio <= UNDISTURBED,
        fails=found.ratio >= DISTURBED,
        between=f"neither moved nor at rest ({way})",
    )
