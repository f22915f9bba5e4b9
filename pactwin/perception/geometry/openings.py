"""Openings of vessels, and clearances through them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.perception.geometry.segments import Segment
from pactwin.perception.geometry.support import seen_from_above

_WALL_M = 0.005
"""Of a vessel whose wall cannot be measured: what cups and boxes have."""
_TAKEN_UP = 0.4
"""What fills less of the depth leaves room for something else."""


@dataclass(frozen=True)
class Opening:
    """A vessel's mouth: inner extents (2,) m, whether it is round, and what closes it.

    ``closed_by`` is None for an open mouth, the vessel's own name if it closes itself (it is upside
    down, or its lid is shut), or the segment that covers it. ``inside`` is an object in it that
    takes up its room.
    """

    inner_m: np.ndarray
    round: bool
    closed_by: Segment | None
    inside: tuple[Segment, ...]

    def clearance_m(self, thing: Segment) -> float:
        """Opening minus ``thing`` in its best orientation, m; negative if the thing is too large.

        An object that is round in two extents goes in as a disc; a cuboid needs its diagonal in a
        round opening.
        """
        extents = np.sort(thing.extents_m)
        ways = [(extents[i], extents[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
        mouth = np.sort(self.inner_m)
        best = -np.inf
        for narrow, wide in ways:
            if self.round:
                disc = thing.round and wide - narrow < 0.12 * wide
                best = max(best, mouth[0] - (wide if disc else float(np.hypot(narrow, wide))))
            else:
                best = max(best, min(mouth[0] - narrow, mouth[1] - wide))
        return best


def opening_of(vessel: Segment, others: Sequence[Segment]) -> Opening:
    """Opening of ``vessel``, seen from above, given the ``others`` around it."""
    height = vessel.top_m - vessel.low_m
    rim = vessel.level_extents_at(vessel.top_m - max(0.008, 0.15 * height), np.inf) or vessel.box
    near_top = vessel.top_m - max(0.006, 0.25 * height)
    # What is highest may be the edge of a lid that stands open, off the middle.
    off_middle = float(np.linalg.norm(rim.center_xy - vessel.box.center_xy))
    mouth = rim if off_middle < 0.1 * vessel.box.size_m.min() else vessel.box
    in_the_middle = _within(mouth.center_xy, 0.35 * mouth.size_m.min())
    covers = [
        other
        for other in others
        if (in_the_middle(other.points) & (other.points[:, 2] > near_top)).sum() >= 6
        and other.low_m > vessel.low_m + 0.35 * height
        and other.top_m > vessel.top_m - 0.005  # what is lower than the rim lies in it
        and other.low_m < vessel.top_m + 0.03
    ]
    inside = tuple(
        other
        for other in others
        if other.over(vessel, 0.9).mean() > 0.6
        and vessel.low_m - 0.004 < other.low_m < vessel.top_m - 0.01
        and other.top_m > vessel.low_m + _TAKEN_UP * height
    )
    closed: Segment | None = covers[0] if covers else None
    middle = seen_from_above(vessel.points[in_the_middle(vessel.points)])[:, 2]
    high, deep = (middle > near_top).sum(), (middle < vessel.low_m + 0.5 * height).sum()
    if closed is None and high >= 4 and high > deep:  # else one sees in past an open lid
        closed = vessel
    inner = rim.size_m - 2 * _WALL_M
    return Opening(inner, rim.filled < 0.87, closed, inside)


def _within(center_xy: np.ndarray, radius_m: float):
    def inside(points: np.ndarray) -> np.ndarray:
        return np.linalg.norm(points[:, :2] - center_xy, axis=1) < radius_m

    return inside
