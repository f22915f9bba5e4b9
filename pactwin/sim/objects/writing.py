"""Things to write with and on: pen, marker with its cap, notepad."""

import numpy as np

from pactwin.sim.objects.builtin import assembled
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, Vec3

_INK = (0.10, 0.10, 0.11, 1.0)
_GRIP = (0.72, 0.72, 0.70, 1.0)
_LINES = (0.45, 0.50, 0.62, 1.0)
_NIB_M, _GRIP_M = 0.012, 0.024


def pen(color: str, diameter_m: float = 0.013, length_m: float = 0.14) -> Item:
    """A thick ballpoint pen, its tip at the lower end (-z) of its frame."""
    tip = 0.014
    parts = (
        _rod(diameter_m, tip - length_m / 2, length_m / 2),
        _rod(0.45 * diameter_m, -length_m / 2, tip - length_m / 2, rgba=_INK),
    )
    size = (diameter_m, diameter_m, length_m)
    return assembled("pen", color, "plastic", parts, size, fill=0.8)


def marker(color: str, diameter_m: float, length_m: float) -> Item:
    """A broad felt marker without its cap (22-27 mm thick, as for flip charts).

    Its nib, the first part, is at the lower end (-z) of its frame.
    """
    low = -length_m / 2
    parts = (
        Part("capsule", (0.006, 0.006, 2 * _NIB_M), Pose((0.0, 0.0, low + _NIB_M)), rgba=_INK),
        _rod(0.62 * diameter_m, low + _NIB_M, low + _NIB_M + _GRIP_M, rgba=_GRIP),
        _rod(diameter_m, low + _NIB_M + _GRIP_M, -low),
    )
    size = (diameter_m, diameter_m, length_m)
    return assembled("marker", color, "plastic", parts, size, fill=0.6)


def marker_cap(color: str, diameter_m: float) -> Item:
    """The cap of a marker as thick as it, 50 mm long, its open end up (+z)."""
    length, clip = 0.05, 0.003
    parts = (
        _rod(diameter_m, -length / 2, length / 2),
        _rod(0.8 * diameter_m, length / 2, length / 2 + 0.0003, rgba=_INK, collides=False),
        Part(
            "box",
            (clip, 0.006, 0.8 * length),
            Pose(((diameter_m + clip) / 2, 0.0, 0.0)),
            shade=0.8,
            collides=False,
        ),
    )
    return assembled("cap", color, "plastic", parts, (diameter_m, diameter_m, length), fill=0.4)


def capped(marker_there: Item, cap: Item) -> Pose:
    """Where ``cap`` is when it is on ``marker_there``: ``world_from_object``."""
    shoulder = _NIB_M + _GRIP_M - marker_there.size_m[2] / 2
    return marker_there.world_from_object @ Pose((0.0, 0.0, shoulder - cap.size_m[2] / 2))


def notepad(color: str, size_m: Vec3 = (0.074, 0.105, 0.010)) -> Item:
    """A pad of lined paper (A7 unless told otherwise), bound at its end towards +y."""
    x, y, z = size_m
    top, binding = z / 2 + 0.0001, 0.012
    lines = tuple(
        Part("box", (0.86 * x, 0.0008, 0.0002), Pose((0.0, at, top)), rgba=_LINES, collides=False)
        for at in np.linspace(-0.42 * y, 0.36 * y, 11).tolist()
    )
    strip = Part(
        "box", (x, binding, 0.0004), Pose((0.0, (y - binding) / 2, top)), rgba=_INK, collides=False
    )
    return assembled("notepad", color, "paper", (Part("box", size_m), *lines, strip), size_m)


def _rod(
    diameter_m: float,
    low_m: float,
    high_m: float,
    rgba: tuple[float, float, float, float] | None = None,
    collides: bool = True,
) -> Part:
    """A cylinder along z between two heights."""
    size = (diameter_m, diameter_m, high_m - low_m)
    return Part(
        "cylinder", size, Pose((0.0, 0.0, (low_m + high_m) / 2)), rgba=rgba, collides=collides
    )
