"""``pactwin/geometry``: every precondition of an action, from colour, depth and cameras by rules.

Nothing is asked of a language model, and no record is read but the question's text, the pictures of
the views it is asked with, and their cameras; ``-M masks=true`` adds the suite's masks and names of
things, for an upper bound. :mod:`pactwin.perception` does the measuring.

1. Names. "the red block" in the action is the largest thing of that colour.
2. What the action does with them is told by its words: which things are taken, and whether they go
   *into*, *onto*, *on top of* something, are poured from, written with, or lifted by a handle.
3. The preconditions below are gone through in order; the first that fails is the answer.

- ``supports_other``: what is taken away from under something carries it (contact from above).
- ``would_collapse``: without the thing, the centre of mass of the board that it lies on and of what
  stays there is not over the board's supports. All things are taken to be equally dense.
- ``covered``: something else closes the vessel's mouth from above, is stuck to the end of what is
  written with or poured from, or the box that something is to come out of is shut.
- ``opening_down``: the vessel closes itself where its mouth should be, or the plate's middle is
  higher than its rim.
- ``does_not_fit``: the mouth's inner extents are smaller than the thing's cross-section in its best
  turn (a cuboid needs its diagonal in a round mouth).
- ``occupied``: something already rests on or in the place, or a tray's floor has no free square as
  large as the thing.
- ``unstable_support``: less than a quarter of the top of what something is set on is level.
- ``needs_two_hands``: the centre of mass of what is lifted, with its load, is too far from its
  handle, the highest part. A load narrower in its middle than at its ends (a dumbbell) is
  taken to be of steel, another of foam.
- ``out_of_reach``: farther from both shoulders than the arms are long.
- ``path_blocked``: something hangs over the thing or stands between it and both shoulders, higher.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pactwin.perception import (
    DEPTH_SENSORS,
    GREY,
    PALETTE,
    SceneGeometry,
    Segment,
    carried_by,
    free_side_m,
    in_the_way,
    level_share,
    measure_scene,
    opening_of,
    short_of_reach_m,
    tips_without,
)
from pactwin.policies.baselines.constraints import write_reply
from pactwin.policies.question_ref import QuestionRef, cameras_asked, load_records
from pactwin.suite import Constraint, Question, unknown_name

_COLOR = "|".join(PALETTE)
_END = (
    r"(?= (?:into|in|onto|on|with|away|out|and|to|from|of|straight|up|around|so|is|has|may|or|by|"
    r"that|at|off|standing|all|down)\b|[;,.:]|$)"
)
_NAME = re.compile(rf"\b(?:the|a) ((?:{_COLOR}) [a-z]+(?: [a-z]+){{0,2}}?){_END}")
_FITS_M = 0.0
_LEVEL = 0.25
_HANDLE_M = 0.06
"""Farther from the handle than this, the weight is too much for the wrist."""
_STEEL, _BOARD, _FOAM = 3000.0, 30.0, 90.0
"""Densities of upright boxes, kg/m³."""


def geometry(
    asked: QuestionRef,
    question: Question,
    rng: np.random.Generator,
    *,
    masks: bool = False,
    depth_sensor: str = "",
) -> str:
    """The answer of the rules above; a reply that is no answer where a thing is not to be found."""
    records = load_records(asked.suite, asked.suite_hash)
    scene = records.scenes[question.scene_id]
    cameras = cameras_asked(asked, question)
    seen = _measured(asked.suite, asked.suite_hash, scene.id, cameras, masks, depth_sensor)
    decision = decide(question.text, seen, scene.robot)
    if not isinstance(decision, Constraint):  # which is a string, too
        return decision
    if question.form == "choice" and decision in question.equivalent_constraints:
        decision = question.equivalent_constraints[0]
    return write_reply(decision, question)


@lru_cache(maxsize=32)
def _measured(
    suite: str,
    suite_hash: str,
    scene_id: str,
    cameras: tuple[str, ...],
    masks: bool,
    depth_sensor: str,
) -> SceneGeometry:
    records = load_records(suite, suite_hash)
    if depth_sensor and depth_sensor not in DEPTH_SENSORS:
        raise unknown_name("depth sensor", depth_sensor, sorted(DEPTH_SENSORS))
    return measure_scene(
        records.suite,
        records.scenes[scene_id],
        cameras,
        masks=masks,
        sensor=DEPTH_SENSORS[depth_sensor] if depth_sensor else None,
    )


@dataclass(frozen=True)
class _Situation:
    """The things that the action names, in the order of its words, and all that is seen."""

    action: str
    named: tuple[Segment, ...]
    everything: tuple[Segment, ...]
    robot: str

    def others(self, *but: Segment) -> list[Segment]:
        return [segment for segment in self.everything if segment not in but]

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.action) is not None


def decide(text: str, seen: SceneGeometry, robot: str) -> Constraint | str:
    """What prevents the action that ``text`` asks about, NONE, or which thing was not found."""
    action = text.split(": ", 1)[-1].split(". ", 1)[0].lower()
    named: list[Segment] = []
    for name in dict.fromkeys(_NAME.findall(action)):
        found = _called(name, seen.segments)
        if found is None:
            return f"I cannot find the {name} in the depth pictures."
        named.append(found)
    if not named:
        return "I cannot tell which things the action names."
    situation = _Situation(action, tuple(named), seen.segments, robot)
    for rule in _RULES:
        constraint = rule(situation)
        if constraint is not Constraint.NONE:
            return constraint
    return Constraint.NONE


def _called(name: str, segments: Sequence[Segment]) -> Segment | None:
    """The segment of that name; else the largest that has the name's colour."""
    for segment in segments:
        if segment.name == name:
            return segment
    color = name.split()[0]
    alike = [s for s in segments if not s.name and s.color == color]
    if not alike and color in ("white", "black"):  # in shadow, or in bright light
        alike = [s for s in segments if not s.name and s.color == GREY]
    return max(alike, key=lambda segment: len(segment.points), default=None)


def _destination(situation: _Situation) -> Segment | None:
    """Where the first thing goes, where the action has two things and brings them together."""
    if len(situation.named) < 2 or not situation.says(r"\b(?:into|onto|on|in|on top of) the\b"):
        return None
    return None if situation.says(r"\bout of\b") else situation.named[1]


def _moved_away(situation: _Situation) -> Constraint:
    taking = r"\b(?:pick up|take|move|lift|carry|pull|remove|put|set|place|write|pour)\b"
    if not situation.says(taking) or situation.says(r"\b(?:by its handle|turn the order)\b"):
        return Constraint.NONE
    target = situation.named[0]
    others = [o for o in situation.others(target) if not _is_part(o, target)]
    if carried_by(target, others):
        return Constraint.SUPPORTS_OTHER
    if tips_without(target, others):
        return Constraint.WOULD_COLLAPSE
    return Constraint.NONE


def _is_part(other: Segment, of: Segment) -> bool:
    """Caps and the like: small, and no broader than what they are on."""
    small = other.extents_m.prod() < 0.35 * of.extents_m.prod()
    return bool(small and other.extents_m[2] < 0.03)


def _closed(situation: _Situation) -> Constraint:
    target = situation.named[0]
    if situation.says(r"\bwrite\b|\bdraw\b|\bpour\b|\bdrink\b"):
        for other in situation.others(*situation.named):
            if _caps(other, target):
                return Constraint.COVERED
    if situation.says(r"\bout of\b"):
        box = situation.named[-1]
        if opening_of(box, situation.others(box, target)).closed_by is not None:
            return Constraint.COVERED
    return Constraint.NONE


def _caps(cap: Segment, target: Segment) -> bool:
    """Whether ``cap``, a smaller thing, sits on an end of the long axis of ``target``."""
    if cap.extents_m.prod() > target.extents_m.prod():
        return False
    both = np.vstack([target.points, cap.points])
    spread = target.points - target.points.mean(axis=0)
    axis = np.linalg.svd(spread, full_matrices=False)[2][0]
    along, capped = (both[: len(target.points)] @ axis, cap.points @ axis)
    middle = target.points.mean(axis=0)
    off_axis = cap.points.mean(axis=0) - middle
    off_axis = off_axis - (off_axis @ axis) * axis
    gap = max(capped.min() - along.max(), along.min() - capped.max())
    return bool(np.linalg.norm(off_axis) < 0.02 and gap < 0.012)


def _entered(situation: _Situation) -> Constraint:
    vessel = _destination(situation)
    if vessel is None or not situation.says(r"\binto the\b"):
        return Constraint.NONE
    thing = situation.named[0]
    opening = opening_of(vessel, situation.others(thing, vessel))
    if opening.closed_by is vessel:
        return Constraint.OPENING_DOWN
    if opening.closed_by is not None:
        return Constraint.COVERED
    if situation.says(r"\bpour\b"):
        return Constraint.NONE
    if opening.clearance_m(thing) < _FITS_M:
        return Constraint.DOES_NOT_FIT
    return Constraint.OCCUPIED if opening.inside else Constraint.NONE


def _put_on(situation: _Situation) -> Constraint:
    place = _destination(situation)
    if place is None or not situation.says(r"\b(?:onto|on)\b the\b|\bon top of\b"):
        return Constraint.NONE
    if situation.says(r"\bwrite\b"):
        return Constraint.NONE
    if carried_by(place, situation.others(*situation.named)):
        return Constraint.OCCUPIED
    if place.extents_m[2] < 0.05 and _domed(place):
        return Constraint.OPENING_DOWN
    if situation.says(r"\bon top of\b") and level_share(place) < _LEVEL:
        return Constraint.UNSTABLE_SUPPORT
    return Constraint.NONE


def _domed(plate: Segment) -> bool:
    distance = np.linalg.norm(plate.points[:, :2] - plate.box.center_xy, axis=1)
    radius = plate.box.size_m.max() / 2
    inner, outer = (plate.points[m, 2] for m in (distance < 0.5 * radius, distance > 0.85 * radius))
    return bool(len(inner) > 5 and len(outer) > 5 and np.median(inner) > np.median(outer) + 0.004)


def _room_left(situation: _Situation) -> Constraint:
    if not situation.says(r"\bon the floor of\b") or len(situation.named) < 3:
        return Constraint.NONE
    upper, _, tray = situation.named[:3]
    inside = [o for o in situation.others(tray) if o.over(tray, 0.95).mean() > 0.7]
    short = free_side_m(tray, inside) < 0.9 * float(upper.box.size_m.min())
    return Constraint.OCCUPIED if short else Constraint.NONE


def _held_level(situation: _Situation) -> Constraint:
    if not situation.says(r"\bone hand\b.*\bhandle\b"):
        return Constraint.NONE
    carrier = situation.named[0]
    handle = carrier.level_extents_at(carrier.top_m - 0.015, np.inf)
    if handle is None:
        return Constraint.NONE
    loads = [o for o in situation.others(carrier) if o.over(carrier, 1.05).mean() > 0.7]
    masses = [_BOARD * carrier.extents_m.prod()]
    centers = [carrier.box.center_xy]
    for load in loads:
        masses.append((_STEEL if load.waisted else _FOAM) * load.extents_m.prod())
        centers.append(load.box.center_xy)
    center = np.average(centers, axis=0, weights=masses)
    far = float(np.linalg.norm(center - handle.center_xy))
    return Constraint.NEEDS_TWO_HANDS if far > _HANDLE_M else Constraint.NONE


def _reached(situation: _Situation) -> Constraint:
    if situation.says(r"\bby its handle\b"):
        return Constraint.NONE
    target = situation.named[0]
    for segment in filter(None, (target, _destination(situation))):
        if short_of_reach_m(situation.robot, segment.center) > 0.0:
            return Constraint.OUT_OF_REACH
    others = [o for o in situation.others(target) if o not in situation.named]
    blocked = in_the_way(target, others, situation.robot)
    return Constraint.NONE if blocked is None else Constraint.PATH_BLOCKED


_RULES = (_moved_away, _closed, _entered, _put_on, _room_left, _held_level, _reached)
