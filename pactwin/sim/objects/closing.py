"""Things that open and close: boxes with lids, bottles with screw caps."""

from dataclasses import replace

import numpy as np

from pactwin.sim.objects.builtin import assembled, open_box
from pactwin.sim.objects.shaping import ring_wall
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, Vec3, axis_angle

WALL_M = 0.005
"""Walls of boxes; also the thickness of lids."""

_OPEN_RAD = float(np.deg2rad(108.0))
_CAP_OVER_M = 0.004


def hinged_box(color: str, inner_m: Vec3, *, closed: bool) -> Item:
    """A printed box around ``inner_m`` whose lid hangs on a hinge at its +y side.

    An open lid leans back, away from the opening.
    """
    box = open_box(color, inner_m, WALL_M, "plastic")
    x, y, z = box.size_m
    hinge = Pose((0.0, y / 2, z / 2), axis_angle((1.0, 0.0, 0.0), 0.0 if closed else -_OPEN_RAD))
    flap = Part("box", (x, y, WALL_M), hinge @ Pose((0.0, -y / 2, WALL_M / 2)), shade=0.75)
    tab = Part(
        "box",
        (0.024, 0.008, WALL_M),
        hinge @ Pose((0.0, -y - 0.004, WALL_M / 2)),
        shade=0.6,
    )
    return centered(
        assembled(
            "box",
            color,
            "plastic",
            (*box.parts, flap, tab),
            box.size_m,
            state="upright, closed" if closed else "upright, open",
        )
    )


def box_lid(color: str, box: Item) -> Item:
    """A loose flat lid for an open box, with a knob: printed."""
    x, y, _ = box.size_m
    knob, height = 0.016, 0.016 + WALL_M
    parts = (
        Part("box", (x + 0.006, y + 0.006, WALL_M), Pose((0.0, 0.0, (WALL_M - height) / 2))),
        Part("box", (0.022, 0.022, knob), Pose((0.0, 0.0, (height - knob) / 2)), shade=0.7),
    )
    return assembled("lid", color, "plastic", parts, (x + 0.006, y + 0.006, height))


def wide_bottle(color: str, diameter_m: float, height_m: float, mouth_m: float) -> Item:
    """A wide-mouth bottle (250 ml, as labs use) without its cap, hollow.

    ``mouth_m`` is the inner diameter of its neck, which is the upper 22 mm.
    """
    wall, floor, neck, shoulder = 0.003, 0.004, 0.022, 0.018
    radius, throat = diameter_m / 2 - wall, mouth_m / 2
    low, high = -height_m / 2, height_m / 2
    bottom = Part("cylinder", (diameter_m, diameter_m, floor), Pose((0.0, 0.0, low + floor / 2)))
    parts = (
        bottom,
        *ring_wall((radius, radius), (low + floor, high - neck - shoulder), wall),
        *ring_wall((radius, throat), (high - neck - shoulder, high - neck), wall, shade=0.95),
        *ring_wall((throat, throat), (high - neck, high), wall, shade=0.9),
    )
    size = (diameter_m, diameter_m, height_m)
    return assembled("bottle", color, "plastic", parts, size, state="upright, open")


def screw_cap(color: str, mouth_m: float) -> Item:
    """The cap of a wide-mouth bottle, its top up (+z)."""
    wide, height = mouth_m + 0.014, 0.022 + _CAP_OVER_M
    return assembled(
        "cap",
        color,
        "plastic",
        (
            Part("cylinder", (wide, wide, height)),
            Part(
                "cylinder",
                (0.8 * wide, 0.8 * wide, 0.0006),
                Pose((0.0, 0.0, height / 2)),
                shade=0.85,
                collides=False,
            ),
        ),
        (wide, wide, height),
        fill=0.3,
    )


def screwed_on(bottle: Item, cap: Item) -> Pose:
    """Where ``cap`` is when it is on ``bottle``: ``world_from_object``."""
    top = (bottle.size_m[2] - cap.size_m[2]) / 2 + _CAP_OVER_M
    return bottle.world_from_object @ Pose((0.0, 0.0, top))


def centered(item: Item) -> Item:
    """The same thing with its frame in the middle of its boxes' bounding box."""
    corners = []
    for part in item.parts:
        half = np.abs(part.pose.matrix()[:3, :3]) @ np.array(part.size_m) / 2
        corners += [np.array(part.pose.pos) - half, np.array(part.pose.pos) + half]
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    x, y, z = ((low + high) / 2).tolist()
    sx, sy, sz = (high - low).tolist()
    parts = tuple(replace(part, pose=part.pose.moved(-x, -y, -z)) for part in item.parts)
    return replace(item, parts=parts, size_m=(sx, sy, sz))
