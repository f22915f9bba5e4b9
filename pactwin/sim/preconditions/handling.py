"""What hands have to do for an action, and whether this robot's hands can do each of it.

A domain's trial plays an ideal hand: it decides whether the physics allows the action. Here is
decided what the robot itself adds, each by a trial of its own: a hand gets to what has to be taken
and to where it goes, with nothing in the way; it can bear the weight; and taking it disturbs
nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.removal import LIFTING_OR_DRAWING, removal_trial
from pactwin.sim.physics.world import World
from pactwin.sim.reach.search import CONE_RAD, POSITION_TOLERANCE_M, RESERVE_M, Reach, reach
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import bounding_radius_m
from pactwin.sim.scene.pose import Pose, Vec3
from pactwin.suite import Constraint, Measurement

# One unit of margin: within reach, or out of it, by this much; free of collisions, or blocked.
_REACH_UNIT_M = RESERVE_M
CLEARANCE_UNIT_M = 0.005
LEAST_MARGIN = 0.4
"""A precondition nearer to its limit than this is not decided: the scene is rejected."""

# The unperturbed trial looks harder for a posture than its repetitions do.
_STARTS, _STARTS_AGAIN = 64, 12
# A hand lets go so high above the place (m), beside half of what it holds.
_ABOVE_M = 0.02


@dataclass(frozen=True)
class Grasp:
    """Hands take hold of the item ``name``, of its handle at ``at`` (m, in the item's frame)."""

    name: str
    at: Vec3 | None = None


@dataclass(frozen=True)
class Handling:
    """What hands take hold of, one after the other, and the items over which they then come.

    What lies on or over those items is not in the way here: whether a place is free and open is
    the action's own precondition. ``lifted`` are the items that must come off without disturbing
    anything else, where the domain's own trial does not decide that.
    """

    grasps: tuple[Grasp, ...] = ()
    destinations: tuple[str, ...] = ()
    lifted: tuple[str, ...] = ()


def check_handling(
    layout: Layout, handling: Handling, perturbation: Perturbation, robot: str
) -> dict[str, TrialOutcome]:
    """The outcome of each precondition of ``handling``, by its name.

    Friction, masses and time step do not enter where hands get to, and what is taken stands loose:
    under perturbations without pose noise nothing is tried again.
    """
    nominal = perturbation == Perturbation()
    if handling == Handling() or not (nominal or perturbation.pose_noise_m):
        return {}
    world = World(layout, perturbation, held=layout.critical_objects[0])
    if settle_error := settle(world):
        return {"at_rest": TrialOutcome.undecided(settle_error)}
    items = [item.at(world.pose(item.name)) for item in layout.items]
    # Repetitions ask whether there still is a posture, not how good it can be.
    starts, comfort_m = (_STARTS, CLEARANCE_UNIT_M) if nominal else (_STARTS_AGAIN, 0.0)
    by_name = {item.name: item for item in items}
    found: dict[str, TrialOutcome] = {}
    for grasp in handling.grasps:
        item = by_name[grasp.name]
        at = None if grasp.at is None else (item.world_from_object @ Pose(grasp.at)).pos
        result = reach(robot, items, grasp.name, at=at, starts=starts, comfort_m=comfort_m)
        found[f"hand_gets_to: {grasp.name}"] = reach_outcome(result)
        found[f"hand_bears: {grasp.name}"] = _borne(layout, grasp.name, robot)
    for name in handling.lifted:
        found[f"nothing_else_moves_with: {name}"] = removal_trial(
            layout, perturbation, Constraint.SUPPORTS_OTHER, LIFTING_OR_DRAWING, target=name
        )
    held = handling.grasps[0].name if handling.grasps else ""
    for name in handling.destinations:
        result = reach(
            robot,
            items,
            None,
            at=_above(by_name[name], by_name.get(held)),
            ignoring={held, *_on_or_over(by_name[name], items)},
            starts=starts,
            comfort_m=comfort_m,
        )
        found[f"hand_gets_to: {name}"] = reach_outcome(result)
    return found


def reach_outcome(found: Reach) -> TrialOutcome:
    """Out of reach, blocked or free, with what the search measured."""
    measurements = {
        "distance_short_of_reach": Measurement(
            value=round(found.shortfall_m, 4), limit=POSITION_TOLERANCE_M, unit="m"
        ),
        "reach_left_behind_target": Measurement(
            value=round(found.reserve_m, 4), limit=0.0, unit="m"
        ),
        "postures_checked_for_collisions": Measurement(value=found.tried, unit="1"),
    }
    best = found.best
    if best is None:
        margin = -found.shortfall_m / _REACH_UNIT_M
        return TrialOutcome(False, Constraint.OUT_OF_REACH, measurements, round(margin, 4))
    measurements |= {
        "best_posture_clearance": Measurement(
            value=round(best.clearance_m, 5), limit=0.0, unit="m"
        ),
        "best_posture_position_error": Measurement(
            value=round(best.position_error_m, 5), limit=POSITION_TOLERANCE_M, unit="m"
        ),
        "best_posture_angle_error": Measurement(
            value=round(float(np.rad2deg(best.angle_error_rad)), 2),
            limit=round(float(np.rad2deg(CONE_RAD)), 2),
            unit="deg",
        ),
    }
    margin = best.clearance_m / CLEARANCE_UNIT_M
    if not found.found:
        return TrialOutcome(False, Constraint.PATH_BLOCKED, measurements, round(margin, 4))
    margin = min(margin, found.reserve_m / _REACH_UNIT_M)
    return TrialOutcome(True, Constraint.NONE, measurements, round(margin, 4))


def _borne(layout: Layout, name: str, robot: str) -> TrialOutcome:
    """Whether one hand bears the item and what is fixed to it or set into it."""
    limit = robot_named(robot).payload_kg
    mass = sum(
        item.mass_kg for item in layout.items if name in (item.name, item.attached_to, item.set_in)
    )
    load = mass / limit
    return TrialOutcome.of(
        Constraint.NEEDS_TWO_HANDS,
        {"mass": Measurement(value=round(mass, 4), limit=limit, unit="kg")},
        1.0 - load,
        works=load < 1.0 - LEAST_MARGIN / 2,
        fails=load > 1.0 + LEAST_MARGIN / 2,
        between="about as heavy as a hand bears",
    )


def _above(place: Item, held: Item | None) -> Vec3:
    """Where fingertips are (m, in the table frame) when they let go over the middle of a place."""
    points, _ = item_points(place)
    x, y, _ = place.world_from_object.pos
    half = held.size_m[2] / 2 if held else 0.0
    return x, y, float(points[:, 2].max()) + half + _ABOVE_M


def _on_or_over(place: Item, items: Sequence[Item]) -> set[str]:
    """Names of what stands on, in or over a place, or is part of it."""
    x, y, _ = place.world_from_object.pos
    lowest = item_points(place)[0][:, 2].min()
    around = bounding_radius_m(place)
    found = {item.name for item in items if place.name in (item.attached_to, item.set_in)}
    for item in items:
        there = item.world_from_object.pos
        apart = np.hypot(there[0] - x, there[1] - y)
        if item.name != place.name and apart < around and item_points(item)[0][:, 2].min() > lowest:
            found.add(item.name)
    return found
