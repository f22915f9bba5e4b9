"""``pactwin/geometry``: rules for every precondition, from colour, depth and cameras.

Nothing is asked of a language model, and no record is read but the question's text, the pictures of
the views it is asked with, and their cameras. ``-M masks=true`` adds the suite's masks and names of
things, for an upper bound; ``-M detections=NAME`` boxes that ``pactwin detect`` stored.
:mod:`pactwin.perception` does the measuring.

1. Names. "the red block" in the action is the largest thing of that colour, or what a box names so.
2. The action's words tell which things are taken and where they go: into, onto, to be written on,
   poured into, taken out of, or up by a handle.
3. The preconditions below are gone through in order; the first that fails is the answer.

A thing is taken:

- ``supports_other``: something rests on it (contact from above) that nothing else keeps in balance
  and that is no cap of its own.
- ``would_collapse``: without it, the centre of mass of the board that it lies on and of what stays
  there is not over the board's supports. All things are taken to be equally dense.
- ``needs_two_hands``: from its sides it is wider than a hand spans, or thicker by its edge. Of what
  is lifted by a handle, its highest part, the centre of mass with its load is too far from there; a
  load narrower in its middle than at its ends (a dumbbell) is taken to be of steel, another of
  foam.
- ``covered``: something is stuck to the end of what is written with or poured from, or the box that
  something is to come out of is shut.

It goes into a vessel, or something is poured there:

- ``covered``: something else closes the mouth from above.
- ``opening_down``: the vessel closes itself where its mouth should be, with a level face.
- ``unstable_support``: it does so with an edge or a curve: it lies on its side.
- ``does_not_fit``: the mouth's inner extents are smaller than the thing's cross-section in its best
  turn (a cuboid needs its diagonal in a round mouth).
- ``occupied``: something stands in it, up to two fifths of its depth or more.

It is set on a place, or the place is written on:

- ``occupied``: something rests on or in the place, and beside it there is no room for the thing.
- ``unstable_support``: the place's top is a tip, a ridge, a steep slope or a curve: what is within
  2 mm of its highest points is much narrower than what is within 5 mm, and it is no plane that
  rises by less than 0.36 of its length.

And hands get there:

- ``out_of_reach``: thing or place is farther from all shoulders than the arms are long.
- ``path_blocked``: something hangs over it or stands between it and all shoulders, higher.

With a depth sensor that errs, all distances that decide are allowed that error.
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
    Detection,
    SceneGeometry,
    Segment,
    falls_with,
    flat_top,
    has_room,
    in_the_way,
    measure_scene,
    opening_of,
    short_of_reach_m,
    supported_items,
    tips_without,
    wider_than_hand_m,
)
from pactwin.solvers.baselines.constraints import write_reply
from pactwin.solvers.baselines.detector import SURE_ENOUGH, stored_detections
from pactwin.solvers.question_ref import QuestionRef, cameras_asked, load_records
from pactwin.suite import Constraint, InvalidInputError, Question, unknown_name

_COLOR = "|".join(PALETTE)
_PHRASES = (
    ("restack", "set the {first} on the {place}, then the {thing} on top of"),
    ("write", "write (?:on|across the middle of) the {place} with the {thing}"),
    ("pour", "pour (?:what is in|from) the {thing} into the {place}"),
    ("take_out", "take the [a-z ]+? out of the {place}"),
    ("lift", "lift the {thing} .*by its handle"),
    ("put_into", "(?:put|drop|place|move) the {thing} into the {place}"),
    ("set_on", "(?:set|put|place|move|stack) the {thing} (?:on|onto|on top of) the {place}"),
    ("take", "(?:pick up|take|lift|pull out|remove|carry) the {thing}"),
)
_END = r"(?= (?:into|in|onto|on|with|out|then|straight|and|all|away|up|off|so|to)\b|[;,.:]|$)"
_NAME = rf"(?P<NAME>(?:{_COLOR})(?: [a-z]+){{1,3}}?){_END}"
_ACTIONS = tuple(
    (kind, re.compile(re.sub(r"{(\w+)}", lambda m: _NAME.replace("NAME", m[1]), phrase)))
    for kind, phrase in _PHRASES
)
_HANDLE_M = 0.06
"""Farther from the handle than this, the weight is too much for the wrist."""
_ABOVE_M = 0.02
"""A hand lets go of things so high over their place."""
_PATCH_M = 0.006
_STEEL, _BOARD, _FOAM = 3000.0, 30.0, 90.0
"""Densities of upright boxes, kg/m³."""


def geometry(
    asked: QuestionRef,
    question: Question,
    rng: np.random.Generator,
    *,
    masks: bool = False,
    detections: str = "",
    depth_sensor: str = "",
) -> str:
    """Answer by the rules above; no answer if an object is not found.

    InvalidInputError for both ``masks`` and ``detections``, and for an unknown ``depth_sensor``.
    """
    records = load_records(asked.suite, asked.suite_hash)
    scene = records.scenes[question.scene_id]
    cameras = cameras_asked(asked, question)
    source = (masks, detections, depth_sensor)
    seen = _measured(asked.suite, asked.suite_hash, scene.id, cameras, *source)
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
    detections: str,
    depth_sensor: str,
) -> SceneGeometry:
    records = load_records(suite, suite_hash)
    if depth_sensor and depth_sensor not in DEPTH_SENSORS:
        raise unknown_name("depth sensor", depth_sensor, sorted(DEPTH_SENSORS))
    if masks and detections:
        raise InvalidInputError("pactwin/geometry takes either masks or detections")
    return measure_scene(
        records.suite,
        records.scenes[scene_id],
        cameras,
        masks=masks,
        boxes=_boxes(suite, suite_hash, detections, scene_id) if detections else None,
        sensor=DEPTH_SENSORS[depth_sensor] if depth_sensor else None,
    )


def _boxes(
    suite: str, suite_hash: str, name: str, scene_id: str
) -> dict[str, tuple[Detection, ...]]:
    """Detections above the threshold in a scene's pictures, by camera."""
    return {
        camera: tuple(d for d in found if d.score >= SURE_ENOUGH)
        for (scene, camera), found in stored_detections(suite, suite_hash, name).views.items()
        if scene == scene_id
    }


@dataclass(frozen=True)
class _SceneFacts:
    """The objects of an action: those ``taken``, in order, and their destination ``place``."""

    kind: str
    taken: tuple[Segment, ...]
    place: Segment | None
    seen: SceneGeometry
    robot: str

    def others(self, *but: Segment | None) -> list[Segment]:
        return [segment for segment in self.seen.segments if segment not in but]

    @property
    def goes_in(self) -> bool:
        return self.kind in ("put_into", "pour")

    @property
    def goes_on(self) -> bool:
        return self.kind in ("set_on", "restack", "write")


def decide(text: str, seen: SceneGeometry, robot: str) -> Constraint | str:
    """The constraint on the action in ``text``, NONE, or the name of an object not found."""
    action = text.split(": ", 1)[-1].split(". ", 1)[0].lower()
    matches = ((kind, phrase.search(action)) for kind, phrase in _ACTIONS)
    kind, match = next((pair for pair in matches if pair[1]), ("", None))
    if match is None:
        return "I cannot tell which things the action names."
    found: dict[str, Segment] = {}
    for role, name in match.groupdict().items():
        segment = _called(name, seen.segments)
        if segment is None:
            return f"I cannot find the {name} in the depth pictures."
        found[role] = segment
    taken = tuple(found[role] for role in ("first", "thing") if role in found)
    situation = _SceneFacts(kind, taken, found.get("place"), seen, robot)
    for rule in _RULES:
        constraint = rule(situation)
        if constraint is not Constraint.NONE:
            return constraint
    return Constraint.NONE


def _called(name: str, segments: Sequence[Segment]) -> Segment | None:
    """The segment of that name, or the largest with the name's colour."""
    for segment in segments:
        if segment.name == name:
            return segment
    color = name.split()[0]
    alike = [s for s in segments if not s.name and s.color == color]
    if not alike and color in ("white", "black"):  # in shadow, or in bright light
        alike = [s for s in segments if not s.name and s.color == GREY]
    return max(alike, key=lambda segment: len(segment.points), default=None)


def _comes_off(situation: _SceneFacts) -> Constraint:
    if situation.kind == "lift":  # with its load
        return Constraint.NONE
    gone: list[Segment] = []
    for target in situation.taken:
        whole, others = _joined(target, situation.others(target, *gone))
        rest = [other for other in others if not _is_cap(other, target)]
        if falls_with(whole, rest):
            return Constraint.SUPPORTS_OTHER
        if tips_without(whole, rest):
            return Constraint.WOULD_COLLAPSE
        gone.append(target)
    return Constraint.NONE


def _is_cap(other: Segment, of: Segment) -> bool:
    """Whether it is a cap: a disc on the end of something round, and not broader than that."""
    small = other.extents_m.prod() < 0.35 * of.extents_m.prod() and other.extents_m[2] < 0.04
    broader = other.box.size_m.max() > 1.1 * of.box.size_m.max()
    return bool(small and not broader and other.round and (of.round or _long(of)))


def _joined(thing: Segment, others: Sequence[Segment]) -> tuple[Segment, list[Segment]]:
    """``thing`` joined with its patches, and the remaining segments."""
    patches = [other for other in others if _is_patch(other, thing)]
    rest = [other for other in others if other not in patches]
    if not patches:
        return thing, rest
    points = np.vstack([thing.points, *(patch.points for patch in patches)])
    return Segment(thing.name, thing.color, points), rest


def _is_patch(other: Segment, of: Segment) -> bool:
    """Whether an unnamed segment is a coloured patch on ``thing``: a label, a can's end."""
    if other.name:
        return False
    if other.over(of, 1.05).mean() <= 0.95:  # seen from one side, its body is narrower than its end
        longest, end = of.box.size_m.max(), other.box.size_m.max()
        thin = other.round and other.extents_m[2] < 3 * _PATCH_M
        return bool(
            thin and 0.9 * longest < end < 1.02 * longest and of.over(other, 1.1).mean() > 0.8
        )
    if other.top_m < of.top_m + _PATCH_M:
        return True
    flush = np.allclose(other.box.size_m, of.box.size_m, rtol=0.1, atol=0.003)
    through = other.low_m < of.top_m - 2 * _PATCH_M or other.extents_m[2] < 3 * _PATCH_M
    return bool(other.round and flush and through)


def _long(segment: Segment) -> bool:
    low, _, high = np.sort(segment.extents_m)
    return bool(high > 4 * low)


def _held(situation: _SceneFacts) -> Constraint:
    if situation.kind == "lift":
        return _held_level(situation.taken[0], situation.others(situation.taken[0]))
    slack = 2 * situation.seen.noise_m
    too_wide = any(wider_than_hand_m(situation.robot, thing) > slack for thing in situation.taken)
    return Constraint.NEEDS_TWO_HANDS if too_wide else Constraint.NONE


def _held_level(carrier: Segment, others: Sequence[Segment]) -> Constraint:
    handle = carrier.level_extents_at(carrier.top_m - 0.015, np.inf)
    if handle is None:
        return Constraint.NONE
    loads = [o for o in others if o.over(carrier, 1.05).mean() > 0.7]
    masses = [_BOARD * carrier.extents_m.prod()]
    centers = [carrier.box.center_xy]
    for load in loads:
        masses.append((_STEEL if load.waisted else _FOAM) * load.extents_m.prod())
        centers.append(load.box.center_xy)
    center = np.average(centers, axis=0, weights=masses)
    far = float(np.linalg.norm(center - handle.center_xy))
    return Constraint.NEEDS_TWO_HANDS if far > _HANDLE_M else Constraint.NONE


def _open(situation: _SceneFacts) -> Constraint:
    if situation.kind in ("write", "pour"):
        tool = situation.taken[0]
        if any(_caps(other, tool) for other in situation.others(tool, situation.place)):
            return Constraint.COVERED
    if situation.kind == "take_out" and situation.place is not None:
        box = situation.place
        if opening_of(box, situation.others(box)).closed_by is not None:
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


def _entered(situation: _SceneFacts) -> Constraint:
    vessel = situation.place
    if vessel is None or not situation.goes_in:
        return Constraint.NONE
    thing = situation.taken[0]
    opening = opening_of(vessel, situation.others(thing, vessel))
    if opening.closed_by is vessel:
        lies = not flat_top(vessel, situation.seen.noise_m)
        return Constraint.UNSTABLE_SUPPORT if lies else Constraint.OPENING_DOWN
    if opening.closed_by is not None:
        return Constraint.COVERED
    if situation.kind == "pour":
        return Constraint.NONE
    if opening.clearance_m(thing) < -2 * situation.seen.noise_m:
        return Constraint.DOES_NOT_FIT
    return Constraint.OCCUPIED if opening.inside else Constraint.NONE


def _put_on(situation: _SceneFacts) -> Constraint:
    place = situation.place
    if place is None or not situation.goes_on:
        return Constraint.NONE
    whole, others = _joined(place, situation.others(place, *situation.taken))
    there = supported_items(whole, others)
    if there and (situation.kind == "write" or not has_room(whole, there, situation.taken[0])):
        return Constraint.OCCUPIED
    if situation.kind != "write" and not flat_top(whole, situation.seen.noise_m):
        return Constraint.UNSTABLE_SUPPORT
    return Constraint.NONE


def _reached(situation: _SceneFacts) -> Constraint:
    if situation.kind == "lift":
        return Constraint.NONE
    place = situation.place
    ends = [thing.center for thing in situation.taken]
    if place is not None:
        held_m = situation.taken[0].extents_m[2] / 2 if situation.taken else 0.0
        ends.append(np.array([*place.box.center_xy, place.top_m + held_m + _ABOVE_M]))
    if any(short_of_reach_m(situation.robot, at) > situation.seen.noise_m for at in ends):
        return Constraint.OUT_OF_REACH
    named = (*situation.taken, place)
    others = situation.others(*named)
    if place is not None:
        there = supported_items(place, others)  # and has left room
        others = [other for other in others if other not in there]
    for target in filter(None, named):
        if in_the_way(target, others, situation.robot) is not None:
            return Constraint.PATH_BLOCKED
    return Constraint.NONE


_RULES = (_comes_off, _open, _entered, _put_on, _held, _reached)
