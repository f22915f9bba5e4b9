"""Preconditions of the robot's own hands: they reach the object and hold it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Literal

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome, distance, measured
from pactwin.sim.preconditions.letting_go import (
    ALIGN_RAD,
    LINES_AROUND,
    letting_go_m,
    lines_after,
    serve_together,
    turns_over,
)
from pactwin.sim.preconditions.reach_outcome import CLEARANCE_UNIT_M, reach_outcome
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene, affected_by
from pactwin.sim.preconditions.surroundings import content_of, on_or_over
from pactwin.sim.reach.grips import Grip
from pactwin.sim.reach.postures import Posture, closing_of
from pactwin.sim.reach.search import POSITION_TOLERANCE_M, Reach, reach
from pactwin.sim.reach.starts import SAMPLES
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Vec3
from pactwin.suite import Constraint, Grasp

# With so much the margin is stored as 1, and no search goes on for more.
_COMFORT_M = 0.8 * CLEARANCE_UNIT_M
# The unperturbed trial looks harder for a posture than its repetitions do, and, to confirm a label,
# so many times harder from each other sample where what it found would not do, though a hand gets
# there: samples differ. To keep one, another draw costs less: of 98 searches 7 missed a posture.
_STARTS, _STARTS_AGAIN, _HARDER = 64, 12, 4
# A way around what lies on a thing that is no freer than this would decide nothing.
_PLAINLY_FREE_M = 0.002
# With so much margin at both ends of its way no other hand is tried.
_ENOUGH = 0.5
# This is a little more than the margin that labels need: grasps that serve at both ends have it.
_JUST_ENOUGH = 0.41
# So near fingertips come: what serves is to serve, too, with things a little off their places.
_WITHIN_M = 0.003
# Shares of what a hand bears or spans within which nothing is decided.
_NEARLY = 0.15


@dataclass(frozen=True)
class _Goal:
    """Where a hand has to get: to an item, or, with no ``target``, to a point ``at`` (m).

    ``what`` is the precondition's name; the items ``ignored`` are in nobody's way, nor are
    ``loads``, which lie on the target, where no way around them is found. ``holding`` is what the
    hand has in it by then.
    """

    what: str
    target: str | None
    at: Vec3 | None
    ignored: tuple[str, ...]
    holding: str | None = None
    loads: tuple[str, ...] = ()


@affected_by("pose")
def hand_gets_to(
    situation: SettledScene, name: str, at: Callable[[Item], Vec3] | None = None
) -> Outcomes:
    """A hand reaches the item, or its handle ``at`` (m, in its frame), along a free path.

    Items that rest on it count as obstacles only if the hand can avoid them; whether the item comes
    off is another precondition. If the hand cannot avoid them, no grasp is found, and it is left
    open whether the item can be taken.
    """
    return _alone(situation, _item_goal(situation, name, at))


@affected_by("pose")
def hand_gets_into(situation: SettledScene, place: str) -> Outcomes:
    """A hand reaches into a place and grasps its content; undecided if no grasp avoids the place.

    Items on, in or over the place do not count as obstacles: whether the place is open, and whether
    its content comes out, are other preconditions.
    """
    over = _place_goal(situation, place)
    ((what, outcome),) = _alone(situation, over).items()
    try:
        content = content_of(situation.item(place), situation.items)
    except LookupError:  # a change of the scene may have left it empty
        return {what: outcome}
    if not outcome.feasible:
        return {what: outcome}
    (taken,) = _alone(situation, _item_goal(situation, content.name)).values()
    if taken.grasp is None:
        return {what: replace(outcome, leaves_open="no grasp of what is in it is free of it")}
    both = min(outcome, taken, key=lambda end: end.margin)
    return {what: replace(both, grasp=taken.grasp)}


@affected_by("pose")
def hand_brings(
    situation: SettledScene,
    name: str,
    place: str,
    onto: str = "",
    *,
    lets_go: Literal["", "on", "in"] = "",
) -> Outcomes:
    """A hand reaches the item and, holding it, reaches over the place, with enough room there.

    An item that goes ``in`` the place is released before its opening (see :func:`letting_go_m`).
    There or ``on`` the place, the hand has the orientation that the item needs (see
    :mod:`letting_go`), with a grasp suitable for both poses; otherwise it is left open whether this
    is possible. With ``onto``, that item stands on the place by then, and no longer at its own. If
    both places can be reached, but not by one hand, the hands would have to pass the item on.
    """
    to = _item_goal(situation, name, gone=onto)
    over = _place_goal(situation, place, name, onto, into=lets_go == "in")
    either = _found(situation, to)
    if situation.ends_at_failure and (either.turned_wrong or not either.found):
        return {to.what: reach_outcome(either)}
    arms = [arm.name for arm in robot_named(situation.robot).arms]
    likely = either.best.arm if either.best is not None else ""
    arms.sort(key=lambda arm: arm != likely)
    tried: list[tuple[Reach, ...]] = []
    for arm in arms:
        known = either.best is None or either.best.arm == arm
        tried.append(
            (either if known else _found(situation, to, arm), _found(situation, over, arm))
        )
        enough = _ENOUGH if situation.nominal else 0.0
        if _least_margin(tried[-1]) > enough:
            break
    both = max(tried, key=_least_margin)
    by_one, margin = both, _least_margin(both)
    if margin <= 0.0:  # each end as well as any hand gets there
        ends = zip(*tried, strict=True)
        both = tuple(max(end, key=_gets_there) for end in ends)
    turns = turns_over(situation, name, place, into=lets_go == "in") if lets_go else None
    turned = both if turns is None or margin <= 0.0 else _turned(situation, (to, over), both, turns)
    taking, placing = turned or both
    if taking.best is not None and placing.best is not None:  # fingers stay as open as they were
        best = replace(placing.best, opening_m=taking.best.opening_m)
        placing = replace(placing, best=best)
    found = {to.what: _kept(situation, to, taking), over.what: _kept(situation, over, placing)}
    if turned is None:
        found[over.what] = replace(
            found[over.what], leaves_open="no grasp serves where it is taken and where it goes"
        )
    if all(outcome.feasible for outcome in found.values()):
        lefts = [reach_outcome(end).distance for end in by_one]
        found[f"one_hand_brings: {name}"] = TrialOutcome.of(
            Constraint.NEEDS_TWO_HANDS,
            {},
            margin,
            works=margin > 0.0,
            fails=True,
            between="",
            distance=min(filter(None, lefts), key=lambda left: left.value),
        )
    return found


def _turned(
    situation: SettledScene, goals: tuple[_Goal, _Goal], ends: tuple[Reach, ...], turns: np.ndarray
) -> tuple[Reach, Reach] | None:
    """How a hand takes the item, and lets it go turned as it has to lie; None if that is not found.

    Each end is sought again, with fingers along the lines that the other one calls for; then both,
    with either arm, and fingers along lines all around.
    """
    taking, placing = ends
    if taking.best is None or placing.best is None or not taking.best.opening_m:
        return taking, placing  # of no grasp it is left open anyway
    first, last = (closing_of(situation.robot, end.best) for end in (taking, placing) if end.best)
    if serve_together(first, last, turns):
        return taking, placing
    enough = _JUST_ENOUGH if situation.nominal else 0.0

    def along(goal: _Goal, arm: str, lines: Sequence[Grip]) -> Reach | None:
        again = _found(situation, goal, arm, lines)
        return again if again.found and reach_outcome(again).margin > enough else None

    to, over = goals
    arm = taking.best.arm
    if again := along(over, arm, lines_after(first, turns)):
        return taking, again
    if again := along(to, arm, lines_after(last, turns.transpose(0, 2, 1))):
        return again, placing
    arms = sorted((a.name for a in robot_named(situation.robot).arms), key=lambda name: name != arm)
    for arm, line in product(arms, LINES_AROUND):
        taken = along(to, arm, [Grip(line, ALIGN_RAD)])
        if taken is None or taken.best is None:
            continue
        closing = closing_of(situation.robot, taken.best)
        if again := along(over, arm, lines_after(closing, turns)):
            return taken, again
    return None


def is_kinematic(trial: Callable[[SettledScene], Outcomes]) -> bool:
    """Return whether a trial checks reach or grip alone, without executing anything."""
    asked = trial.func if isinstance(trial, partial) else trial
    return asked in (hand_gets_to, hand_gets_into, hand_brings, hand_holds)


@affected_by("mass", "pose")
def hand_holds(situation: SettledScene, name: str) -> Outcomes:
    """One hand spans and bears the item, together with items fixed to it or inserted into it."""
    robot = robot_named(situation.robot)
    item = situation.item(name)
    parts = (i.name for i in situation.items if name in (i.name, i.attached_to))
    mass = sum(map(situation.world(name).mass_kg, parts))
    wide = grip_width_m(item)
    loads = mass / robot.payload_kg, wide / robot.span_m
    load = max(loads)
    left = distance(robot.payload_kg - mass, "kg")
    if load == loads[1]:
        left = distance(robot.span_m - wide, "m")
    measurements = {
        "mass": measured(mass, "kg", robot.payload_kg, decimals=4),
        "width": measured(wide, "m", robot.span_m, decimals=4),
    }
    outcome = TrialOutcome.of(
        Constraint.NEEDS_TWO_HANDS,
        measurements,
        (1.0 - load) / (2 * _NEARLY),
        works=load < 1.0 - _NEARLY,
        fails=load > 1.0 + _NEARLY,
        between="about as much as a hand holds",
        distance=left,
    )
    return {f"hand_holds: {name}": outcome}


def _item_goal(
    situation: SettledScene,
    name: str,
    at: Callable[[Item], Vec3] | None = None,
    gone: str = "",
) -> _Goal:
    item = situation.item(name)
    where = None if at is None else (item.world_from_object @ Pose(at(item))).pos
    loads = tuple(situation.world(name).supported_items(name) - {gone})
    return _Goal(f"hand_gets_to: {name}", name, where, (gone,), loads=loads)


def _place_goal(
    situation: SettledScene, place: str, held: str = "", onto: str = "", *, into: bool = False
) -> _Goal:
    item = situation.item(place)
    half = situation.item(held).size_m[2] / 2 if held else 0.0
    half += situation.item(onto).size_m[2] if onto else 0.0
    at = letting_go_m(item, half, into=into)
    ignored = (held, onto, *on_or_over(item, situation.items))
    then = "then_" if onto else ""
    return _Goal(f"{then}hand_gets_to: {place}", None, at, ignored, held or None)


def _alone(situation: SettledScene, goal: _Goal) -> Outcomes:
    return {goal.what: _kept(situation, goal, _found(situation, goal))}


def _kept(situation: SettledScene, goal: _Goal, found: Reach) -> TrialOutcome:
    """Like :func:`reach_outcome`, with the grasp; an unperturbed posture is known from now on."""
    best, outcome = found.best, reach_outcome(found)
    if situation.nominal and best is not None:
        situation.postures[goal.what] = best
    if best is None or not found.found or (goal.target is None and goal.holding is None):
        return outcome
    if goal.target is not None and not best.opening_m:
        return replace(outcome, leaves_open="no grasp is free of what lies on it")
    return replace(outcome, grasp=grasp_of(situation.robot, best))


def grasp_of(robot: str, best: Posture) -> Grasp:
    """A posture in the form of records."""
    joints = robot_named(robot).arm(best.arm).joints
    waiting, taking = (
        {name: round(angle, 5) for name, angle in zip(joints, angles_rad, strict=True)}
        for angles_rad in (best.angles_rad, best.taking_rad)
    )
    return Grasp(
        arm=best.arm,
        approach=best.approach,
        waiting=waiting,
        taking=taking,
        opening_m=round(best.opening_m, 5),
    )


def _found(
    situation: SettledScene, goal: _Goal, arm: str = "", closing: Sequence[Grip] | None = None
) -> Reach:
    around = _searched(situation, goal, arm, closing)
    # Repetitions ask whether there still is a way around.
    if not goal.loads or _is_free(around, by_m=_PLAINLY_FREE_M if situation.nominal else 0.0):
        return around
    through = _searched(
        situation, replace(goal, ignored=(*goal.ignored, *goal.loads)), arm, closing
    )
    if through.best is None:
        return through
    return replace(through, best=replace(through.best, opening_m=0.0))  # which is no grasp


def _is_free(found: Reach, by_m: float) -> bool:
    best = found.best
    return best is not None and best.clearance_m > by_m and not found.turned_wrong


def _searched(
    situation: SettledScene, goal: _Goal, arm: str, closing: Sequence[Grip] | None = None
) -> Reach:
    # Repetitions ask whether there still is a posture, not how good it can be; where there was none
    # that is free they look less hard.
    known = situation.postures.get(goal.what)
    free = known is not None and known.clearance_m > 0.0
    again = _STARTS if free else _STARTS_AGAIN
    starts = _STARTS * situation.longer if situation.nominal else again
    comfort_m = _COMFORT_M if situation.nominal and not situation.ends_at_first else 0.0
    search = partial(
        reach,
        situation.robot,
        situation.items,
        goal.target,
        at=goal.at,
        ignoring=set(goal.ignored),
        holding=goal.holding,
        arms=(arm,) if arm else None,
        closing=closing,
        comfort_m=comfort_m,
        known=known,
        reserve=situation.nominal,
        tolerance_m=_WITHIN_M if situation.nominal else POSITION_TOLERANCE_M,
    )
    sample = situation.perturbation.seed % SAMPLES
    confirms = situation.nominal and situation.longer > 1 and not situation.ends_at_first
    if closing is not None:
        starts = _STARTS_AGAIN * (situation.longer if confirms else 1)
        return search(starts=starts, sample_of=sample)
    found = search(starts=starts, sample_of=sample)
    # A posture that a little noise takes away may be found again from elsewhere.
    lost = free and not situation.nominal
    for other in range(1, SAMPLES if confirms or lost else 1):
        if not (_nearly_serves(found) if confirms else found.turned_wrong or not found.found):
            break
        more = search(starts=max(starts, _HARDER * _STARTS), sample_of=(sample + other) % SAMPLES)
        found = max(found, more, key=_margin)
    return found


def _nearly_serves(found: Reach) -> bool:
    """Whether a hand gets there, but with fingers turned wrong, or with too small a margin."""
    return found.turned_wrong or (found.found and reach_outcome(found).margin < _JUST_ENOUGH)


def _margin(found: Reach) -> float:
    return reach_outcome(found).margin


def _gets_there(found: Reach) -> tuple[bool, float]:
    """To compare hands: one that is blocked gets nearer than one that does not reach, by whatever.

    Else the cause would depend on how far each fails.
    """
    return found.best is not None, _margin(found)


def _least_margin(found: Iterable[Reach]) -> float:
    return min(map(_margin, found))


def grip_width_m(item: Item) -> float:
    """Width that a hand must span to grasp the item from two sides in its pose.

    Fingers cannot get under a flat object, however thin: people and robots first slide it over an
    edge (Hang, Morgan, Dollar: Pre-grasp sliding manipulation of thin objects using soft,
    compliant, or underactuated hands, RA-L 2019), but here nothing may be moved first.
    """
    upright = np.abs(item.world_from_object.matrix()[2, :3])
    return min(size for size, up in zip(item.size_m, upright, strict=True) if up < 0.9)
