"""The trial behind "take X away; nothing else may fall or shift".

The scene must be at rest. A hand takes hold of X and carries it off slowly; whatever else is on
the table must stay where it was. Lifting straight up is tried first; if that disturbs something
and X may have something on it, X is drawn out sideways and then lifted, in four directions, each
from the same state of rest: only if every way disturbs something is the action infeasible.

Everything else counts as undisturbed below 5 mm and 5 degrees and as disturbed above 15 mm or 15
degrees; between, the scene is undecided and rejected. The disturbance is the larger of
displacement / 10 mm and rotation / 10 degrees, so 1 is the decision limit.
"""

from dataclasses import dataclass

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Layout
from pactwin.suite import Constraint, Measurement

LIMIT_M = 0.010
LIMIT_RAD = np.deg2rad(10.0)
UNDISTURBED, DISTURBED = 0.5, 1.5
# A run is stopped once something has plainly fallen: more motion would change no verdict.
_PLAINLY_DISTURBED = 2.5
_REST_DRIFT_M, _REST_TURN_RAD, _REST_SPEED = 0.002, np.deg2rad(1.5), (0.01, 0.15)
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


def rotation_rad(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Angles (n,) between unit quaternions w x y z, (n, 4) each."""
    return 2 * np.arccos(np.clip(np.abs(np.sum(a * b, axis=1)), 0.0, 1.0))


def settle(world: World) -> str:
    """Let the scene come to rest where it was laid out; returns "" or why it did not."""
    start_pos, start_quat = world.positions(), world.quats()
    for _ in range(4):  # at rest within 0.25 s as a rule, 1 s at most
        world.run(0.25)
        speed = world.speeds().max(axis=0)
        if speed[0] < _REST_SPEED[0] and speed[1] < _REST_SPEED[1]:
            break
    else:
        return "not at rest: still moving"
    drift = np.linalg.norm(world.positions() - start_pos, axis=1).max()
    turn = rotation_rad(world.quats(), start_quat).max()
    if drift > _REST_DRIFT_M or turn > _REST_TURN_RAD:
        return "not at rest: settles elsewhere"
    if world.deepest_contact_m() > 0.002:
        return "impossible contact depth"
    return ""


def removal_trial(
    layout: Layout, perturbation: Perturbation, constraint: Constraint, ways: dict[str, Path]
) -> TrialOutcome:
    """Take ``layout.decides[0]`` away; infeasible with ``constraint`` if all ways disturb the rest.

    ``ways`` are tried in their order until one leaves everything where it was.
    """
    world = World(layout, perturbation, held=layout.decides[0])
    if unrest := settle(world):
        return TrialOutcome.undecided(unrest)
    at_rest = world.snapshot()
    found: dict[str, Disturbance] = {}
    for name, path in ways.items():
        world.restore(at_rest)
        found[name] = carry_off(world, path)
        if found[name].ratio <= UNDISTURBED:
            break
    way = min(found, key=lambda name: found[name].ratio)
    return _outcome(found[way], way, constraint)


def carry_off(world: World, path: Path) -> Disturbance:
    """Take the held item along ``path`` and keep it there; how much that disturbs all else."""
    others = np.arange(len(world.names)) != world.held
    names = [name for k, name in enumerate(world.names) if others[k]]
    pos0, quat0 = world.positions()[others], world.quats()[others]

    def disturbance() -> Disturbance:
        shift = world.positions()[others] - pos0
        moved = np.linalg.norm(shift, axis=1)
        turned = rotation_rad(world.quats()[others], quat0)
        worst = int(np.argmax(np.maximum(moved / LIMIT_M, turned / LIMIT_RAD)))
        return Disturbance(
            float(moved.max()), float(turned.max()), float(-shift[:, 2].min()), names[worst]
        )

    world.grasp()
    world.run(0.05)
    for displacement in path:
        if not world.move_hand(
            np.array(displacement),
            _CARRY_SPEED_M_S,
            stop=lambda: disturbance().ratio > _PLAINLY_DISTURBED,
        ):
            break
    for _ in range(6):  # what tips slowly gets up to 1.5 s
        if disturbance().ratio > _PLAINLY_DISTURBED:
            break
        world.run(0.25)
        if world.speeds()[others].max() < 0.005:
            break
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
