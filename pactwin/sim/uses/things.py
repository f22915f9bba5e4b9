"""Everyday objects for uses: variants with one attribute changed, and their grasps."""

from dataclasses import replace
from math import pi

import numpy as np

from pactwin.sim.objects import primitives
from pactwin.sim.objects.building import build_thing
from pactwin.sim.objects.palette import COLORS
from pactwin.sim.objects.posing import bounds_m, span_m
from pactwin.sim.scene.layout import CONTENTS, Item, Part
from pactwin.sim.scene.pose import Pose, Vec3, axis_angle, quat_multiply, vec3, yaw
from pactwin.suite import WHOLE

OTHER_END = "other end"
"""Name of the part opposite a handle."""

_HANDLES = frozenset(("handle", "handles", "grip", "grips"))
# What keeps its colour: print, and the steel of a key.
_UNDYED = frozenset((CONTENTS, "print", "marks", "shank"))
_NEAR_END_M = 0.015


def thing_of(kind: str, rng: np.random.Generator) -> Item:
    """An object of a catalogue kind, with its everyday name, lying along x at the origin."""
    return along_x(build_thing(kind, rng))


def along_x(item: Item) -> Item:
    """The object in its pose, turned about the vertical with its longer extent along x."""
    here = item.at(Pose((0.0, 0.0, 0.0), item.world_from_object.quat))
    x, y, _ = size_m(here)
    return yawed(here, pi / 2) if y > x else here


def across(item: Item) -> Item:
    """The object in its pose, turned about the vertical with its longer extent along y."""
    return yawed(along_x(item), pi / 2)


def yawed(item: Item, yaw_rad: float) -> Item:
    """The object where it is, turned about the vertical."""
    pose = item.world_from_object
    return item.at(Pose(pose.pos, quat_multiply(yaw(yaw_rad), pose.quat)))


def stretched(item: Item, along: Vec3) -> Item:
    """The object scaled by these factors along x, y and z of the table's frame, in its pose.

    One that lies askew is scaled along its own axes by what comes closest.
    """
    turn = item.world_from_object.matrix()[:3, :3]
    own = vec3(np.linalg.norm(np.array(along)[:, None] * turn, axis=0))
    return replace(
        item,
        parts=primitives.stretched(item.parts, own),
        size_m=vec3(np.multiply(own, item.size_m)),
        mass_kg=round(item.mass_kg * float(np.prod(own)), 4),
    )


def recolored(item: Item, color: str, name: str, category: str) -> Item:
    """The object in one colour, keeping its shades and its print, called ``name``."""
    shades = {role: 1.0 - 0.22 * (k % 3) for k, role in enumerate(roles(item))}
    parts = tuple(
        part
        if part.role in _UNDYED
        else replace(
            part,
            rgba=None,
            shade=shades.get(part.role, 1.0) * (1.0 if part.rgba else part.shade),
            texture_file=None,
        )
        for part in item.parts
    )
    return replace(item, parts=parts, color=color, rgba=COLORS[color], name=name, category=category)


def roles(item: Item) -> tuple[str, ...]:
    """Names of an object's parts, in order."""
    return tuple(dict.fromkeys(part.role for part in item.parts if part.is_matter and part.role))


def ends(item: Item) -> dict[str, bool]:
    """Parts at the ends of an object that lies along x, and whether each is the front one.

    If one end is a handle, the other is called ``other end``; ``whole`` stands for both if the
    object has a single part.
    """
    low, high = bounds_m(item)
    spans: dict[str, list[np.ndarray]] = {}
    for part, span in _spans_m(item):
        if part.role in roles(item):
            spans.setdefault(part.role, []).append(span[:, 0])
    last = [role for role in spans if np.min(spans[role]) < low[0] + _NEAR_END_M]
    first = [role for role in spans if np.max(spans[role]) > high[0] - _NEAR_END_M]
    if not last or not first:
        return {WHOLE: True}
    back = min(last, key=lambda role: np.mean(spans[role]))
    front = max(first, key=lambda role: np.mean(spans[role]))
    if back == front:
        return {WHOLE: True}
    for one, forward in ((back, True), (front, False)):
        if one in _HANDLES:
            return {one: not forward, OTHER_END: forward}
    return {front: True, back: False}


def parts_between(item: Item, low_x: float, high_x: float) -> tuple[Part, ...]:
    """The solid parts that reach between two x."""
    return tuple(
        part for part, (low, high) in _spans_m(item) if high[0] > low_x and low[0] < high_x
    )


def _spans_m(item: Item) -> list[tuple[Part, np.ndarray]]:
    """Each solid part in the item's pose, with its least and largest x, y, z (2, 3), m."""
    at = item.world_from_object
    return [(part, span_m(at @ part.pose, part)) for part in item.parts if part.collides]


def size_m(item: Item) -> np.ndarray:
    """Extents (3,) of an object along x, y and z of the table's frame, m."""
    low, high = bounds_m(item)
    return high - low


def turned(
    item: Item, *, front: bool = True, roll_rad: float = 0.0, pitch_rad: float = 0.0
) -> Item:
    """An object along x, rolled about x, raised at its front, or reversed."""
    pose = yawed(item, 0.0 if front else pi).world_from_object
    rolled = quat_multiply(axis_angle((1.0, 0.0, 0.0), roll_rad), pose.quat)
    return item.at(Pose(pose.pos, quat_multiply(axis_angle((0.0, 1.0, 0.0), -pitch_rad), rolled)))


def placed(
    item: Item,
    *,
    front_x: float | None = None,
    middle_x: float | None = None,
    y: float = 0.0,
    low_z: float = 0.0,
) -> Item:
    """The object moved: its front end or middle in x, its middle in y, and its foot, given."""
    low, high = bounds_m(item)
    middle = (low + high) / 2
    dx = float((middle_x or 0.0) - middle[0] if front_x is None else front_x - high[0])
    dy, dz = float(y - middle[1]), float(low_z - low[2])
    return item.at(item.world_from_object.moved(dx, dy, dz))
