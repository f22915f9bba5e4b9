"""Grasp orientations: closing directions for which an object fits between the fingers.

Fingers close along a line that is level or tilted by at most ``_TILT_RAD``, so a flat object is not
grasped by its top and bottom. Both fingers must pass the object, so its whole width along that line
counts, not the distance between contact points.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3

# Open fingers pass a thing this far from it on both sides: at least, and where the span allows it.
_BESIDE_M, _WELL_BESIDE_M = 0.005, 0.008

_TILT_RAD = float(np.deg2rad(45.0))
# A hand leans so far off the way it comes (CONE_RAD), and a little less is not worth a look.
_CONE_RAD = float(np.deg2rad(20.0))
_DEGREES = 180
_TURNS = np.deg2rad(np.arange(_DEGREES))
_LINES = np.stack([np.cos(_TURNS), np.sin(_TURNS), np.zeros(_DEGREES)], axis=1)


@dataclass(frozen=True)
class Grip:
    """Lines along which fingers can close: those ``within_rad`` of one along ``line`` (3,)."""

    line: np.ndarray
    within_rad: float


def points_taken(item: Item, at: Vec3 | None) -> np.ndarray:
    """Points (n, 3) of the grasped item, or of its part nearest to ``at``."""
    points, starts = item_points(item)
    if at is None:
        return points
    parts = np.split(points, list(starts))
    return min(parts, key=lambda part: _apart_m(part, np.array(at)))


def _apart_m(points: np.ndarray, at: np.ndarray) -> float:
    low, high = points.min(axis=0), points.max(axis=0)
    return float(np.linalg.norm(np.maximum(0.0, np.maximum(low - at, at - high))))


def opening_m(points: np.ndarray, span_m: float, line: np.ndarray) -> float:
    """Distance between a hand's open fingers when grasping points (n, 3) along a line (3,)."""
    return min(span_m, width_m(points, line) + 2 * _WELL_BESIDE_M)


def width_m(points: np.ndarray, line: np.ndarray) -> float:
    """Width of points (n, 3) along a line (3,), seen from above."""
    level = line * (1.0, 1.0, 0.0)
    return float(np.ptp(points @ level)) / max(float(np.linalg.norm(level)), 1e-9)


def turns_that_fit(points: np.ndarray, span_m: float) -> np.ndarray:
    """Mask (180,) of finger directions in degrees between which points (n, 3) fit."""
    return np.ptp(_LINES @ points.T, axis=1) + 2 * _BESIDE_M <= span_m


def level_grips(along: np.ndarray) -> list[Grip]:
    """Grips square to the approach ``along`` (3,) of what fits between the fingers at any turn."""
    square = np.array([-along[1], along[0], 0.0])
    lines = [square] if np.linalg.norm(square) > 0.1 else [_LINES[0], _LINES[_DEGREES // 2]]
    return [Grip(line / np.linalg.norm(line), _TILT_RAD) for line in lines]


def grips(fits: np.ndarray) -> list[Grip]:
    """Grips that cover the fitting directions (180,), of which some do not fit."""
    found = []
    for first, count in _runs(fits):
        pieces = np.array_split(
            np.arange(first, first + count), int(np.ceil(count / np.rad2deg(2 * _TILT_RAD)))
        )
        for piece in (piece % _DEGREES for piece in pieces):
            line = _LINES[piece[len(piece) // 2]]
            found.append(Grip(line, float(np.deg2rad(len(piece)) / 2)))
    return found


def can_close(grip: Grip, along: np.ndarray) -> bool:
    """Return whether the approach ``along`` (3,) differs enough from the fingers' closing line."""
    off = np.arcsin(min(1.0, abs(float(grip.line @ along))))
    return bool(off <= grip.within_rad + _CONE_RAD)


def that_fit(among: Sequence[Grip], fits: np.ndarray) -> list[Grip]:
    """The grips whose closing lines, seen from above, are among the fitting directions (180,)."""
    turns = [round(np.rad2deg(np.arctan2(grip.line[1], grip.line[0]))) for grip in among]
    return [grip for grip, turn in zip(among, turns, strict=True) if fits[turn % _DEGREES]]


def _runs(fits: np.ndarray) -> list[tuple[int, int]]:
    """First index and length of each run of True in a circle that is not True throughout."""
    start = int(np.flatnonzero(~fits)[0])
    turned = np.roll(fits, -start).astype(int)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], turned, [0]])))
    return [(start + int(a), int(b - a)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
