"""Flexible objects: placed in one piece, simulated as a chain of links."""

from collections.abc import Sequence
from dataclasses import replace

import mujoco
import numpy as np

from pactwin.sim.objects.assembly import assembled
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import ORIGIN, Pose, axis_angle, quat_multiply, yaw

LIMP, STIFF = "limp", "stiff"
"""States of things."""

STIFFNESS_NM, DAMPING_NMS = 2e-4, 2e-4
"""Of the joint between two links, per radian: a soft hose."""

_LINKS, _WIDE_M, _MASS_KG = 9, 0.016, 0.06


def tube(long_m: float, state: str, bend_rad: float) -> Item:
    """A tube along x that lies in an S, turned by at most ``bend_rad`` from its direction."""
    step = long_m / _LINKS
    at: np.ndarray = np.zeros(2)
    parts = []
    for k in range(_LINKS):
        turn = bend_rad * float(np.sin(2 * np.pi * (k + 0.5) / _LINKS))
        along = step * np.array((np.cos(turn), np.sin(turn)))
        middle = at + along / 2
        quat = quat_multiply(yaw(turn), axis_angle((0.0, 1.0, 0.0), np.pi / 2))
        pose = Pose((float(middle[0]), float(middle[1]), 0.0), quat)
        parts.append(Part("capsule", (_WIDE_M, _WIDE_M, step + _WIDE_M), pose, role="body"))
        at = at + along
    item = assembled("tube", "white", parts, material="plastic", state=state)
    return replace(item, mass_kg=_MASS_KG)


def links(thing: Item) -> tuple[Item, ...]:
    """Links of a flexible object, each attached to the previous one; any other object itself.

    The first one, which the hand holds, is called what the thing is called.
    """
    if thing.state != LIMP:
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


def loosen(spec: mujoco.MjSpec, chain: Sequence[Item]) -> None:
    """Give each link a joint at the end of the previous one."""
    for link in chain[1:]:
        wide, _, long = link.size_m
        body = spec.body(link.name)
        body.add_joint(
            name=link.name, type=mujoco.mjtJoint.mjJNT_BALL, pos=(0, 0, -(long - wide) / 2)
        )
        for geom in body.geoms:  # what a link rolls on matters less than that it slides
            geom.condim = 3
