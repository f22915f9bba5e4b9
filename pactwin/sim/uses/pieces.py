"""Plain pieces outside the catalogue, rigid or flexible.

A piece lies along x at the origin. Its name fits all of its variants and reveals none.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import pi

import mujoco
import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.primitives import Parts, box, hull, loft, made_of
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import ORIGIN, Pose, Vec3, axis_angle, quat_multiply, yaw

FLEXIBLE, STIFF = "limp", "stiff"
"""States of objects."""

STIFFNESS_NM, DAMPING_NMS = 2e-4, 2e-4
"""Stiffness and damping of the joint between two links, per radian: a soft hose."""

_LINKS = 9
_LIES_RAD, _STRAIGHTENED_RAD = 0.75, 0.15
"""Bend of a flexible tube at rest, and after a hand has straightened it to push."""
_TAPER_M = 0.09


def piece(called: str, parts: Parts, state: str = "upright") -> Item:
    """Make an item of ``parts`` with a name."""
    return make_item(called, "white", parts, state=state)


def bar(size_m: Vec3, material: str = "wood", called: str = "piece") -> Item:
    """A cuboid."""
    return piece(called, made_of("body", material, 1.0, box(size_m)))


def board(long_m: float, wide_m: float, thick_m: float, state: str = STIFF) -> Item:
    """A flat board; a flexible one is made of slats that turn on each other."""
    step = long_m / _LINKS
    turned = axis_angle((0.0, 1.0, 0.0), pi / 2)
    slat = thick_m, wide_m, step + thick_m
    slats = [
        Part("box", slat, Pose(((k - (_LINKS - 1) / 2) * step, 0.0, 0.0), turned))
        for k in range(_LINKS)
    ]
    return piece("board", made_of("body", "wood", 1.0, *slats), state)


def tube(long_m: float, wide_m: float, state: str = STIFF) -> Item:
    """A tube; a flexible one lies in an S."""
    return _tube(long_m, wide_m, state, _LIES_RAD if state == FLEXIBLE else 0.0)


def straight(thing: Item) -> Item:
    """A flexible tube, straightened for pushing; any other object as it is."""
    if thing.state != FLEXIBLE or thing.category != "tube":
        return thing
    step, wide = thing.parts[0].size_m[2], thing.parts[0].size_m[0]
    drawn = _tube((step - wide) * _LINKS, wide, FLEXIBLE, _STRAIGHTENED_RAD)
    return replace(thing, parts=drawn.parts, size_m=drawn.size_m)


def _tube(long_m: float, wide_m: float, state: str, bend_rad: float) -> Item:
    step = long_m / _LINKS
    at: np.ndarray = np.zeros(2)
    parts = []
    for k in range(_LINKS):
        turn = bend_rad * float(np.sin(2 * np.pi * (k + 0.5) / _LINKS))
        along = step * np.array((np.cos(turn), np.sin(turn)))
        middle = at + along / 2
        quat = quat_multiply(yaw(turn), axis_angle((0.0, 1.0, 0.0), pi / 2))
        pose = Pose((float(middle[0]), float(middle[1]), 0.0), quat)
        parts.append(Part("capsule", (wide_m, wide_m, step + wide_m), pose))
        at = at + along
    return piece("tube", made_of("body", "hollow_plastic", 1.0, *parts), state)


def rake(long_m: float, out_m: float, rod_m: float = 0.012) -> Item:
    """A rod with a front end that extends ``out_m`` to either side."""
    half = long_m / 2
    handle = box((long_m - rod_m, rod_m, rod_m), (-rod_m / 2, 0.0, 0.0))
    head = box((rod_m, rod_m + 2 * out_m, rod_m), (half - rod_m / 2, 0.0, 0.0))
    return piece(
        "rod", (*made_of("handle", "wood", 1.0, handle), *made_of("head", "wood", 1.0, head))
    )


def sheet(long_m: float, wide_m: float, thick_m: float, fold_rad: float) -> Item:
    """A stiff sheet, folded along its middle; its sides rise by ``fold_rad``."""
    half = wide_m / 2
    out, up = half * np.cos(fold_rad), half * np.sin(fold_rad)
    sides = [
        hull(
            (x, side * y, z + dz)
            for x in (-long_m / 2, long_m / 2)
            for y, z in ((0.0, 0.0), (out, up))
            for dz in (0.0, thick_m)
        )
        for side in (-1, 1)
    ]
    return piece("sheet", made_of("body", "plastic", 1.0, *sides))


def lever(long_m: float, wide_m: float, thick_m: float, edge_m: float) -> Item:
    """A bar with a flat bottom; its front end tapers to an edge of ``edge_m``."""
    half, cut = wide_m / 2, long_m / 2 - _TAPER_M
    ends = ((-long_m / 2, thick_m), (cut, thick_m), (long_m / 2, edge_m))
    sections = [
        [(x, side * half, z) for side in (-1, 1) for z in (0.0, thick)] for x, thick in ends
    ]
    body, tip = loft(sections)
    return piece("bar", (*made_of("body", "wood", 1.0, body), *made_of("tip", "wood", 1.0, tip)))


def links(thing: Item) -> tuple[Item, ...]:
    """Links of a flexible object, each attached to the previous one; any other object itself.

    The first link, which the hand holds, has the name of the object.
    """
    if thing.state != FLEXIBLE:
        return (thing,)
    found: list[Item] = []
    for k, part in enumerate(thing.parts):
        link = replace(
            thing,
            name=f"{thing.name} {k}" if k else thing.name,
            parts=(replace(part, pose=ORIGIN),),
            size_m=part.size_m,
            mass_kg=thing.mass_kg / len(thing.parts),
            world_from_object=thing.world_from_object @ part.pose,
            attached_to=found[-1].name if found else "",
        )
        found.append(link)
    return tuple(found)


def add_chain_joints(spec: mujoco.MjSpec, chain: Sequence[Item]) -> None:
    """Give each link a joint at the end of the previous one."""
    for link in chain[1:]:
        thick, _, long = link.size_m
        body = spec.body(link.name)
        body.add_joint(
            name=link.name, type=mujoco.mjtJoint.mjJNT_BALL, pos=(0, 0, -(long - thick) / 2)
        )
        for geom in body.geoms:  # what a link rolls on matters less than that it slides
            geom.condim = 3
