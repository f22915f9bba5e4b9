"""Reachability: distances from the shoulders, and obstacles."""

from collections.abc import Mapping, Sequence

import numpy as np

from pactwin.perception.geometry.segments import Segment

SHOULDERS: Mapping[str, tuple[np.ndarray, float]] = {
    "g1": (np.array([[-0.168, 0.154, 0.289], [-0.168, -0.154, 0.289]]), 0.58),
    "panda": (np.array([[-0.25, 0.0, 0.521]]), 0.93),
}
"""Shoulders (n, 3) m in the table frame, and arm length to the fingertips, m."""

SPANS_M: Mapping[str, float] = {"g1": 0.10, "panda": 0.08}
"""Widths that one hand can grasp, m."""

_EDGE_M = 0.035
"""What is lower than this is taken by an edge, thumb above and fingers below."""

_HAND_M = 0.05
"""Half the width of a hand that comes for something."""


def short_of_reach_m(robot: str, at: np.ndarray) -> float:
    """Distance by which the nearest hand misses the point ``at`` (3,), m; negative if it reaches.

    0 for a robot with unknown arms.
    """
    if robot not in SHOULDERS:
        return 0.0
    shoulders, length = SHOULDERS[robot]
    return float(np.linalg.norm(shoulders - at, axis=1).min() - length)


def wider_than_hand_m(robot: str, thing: Segment) -> float:
    """Excess width of ``thing``, as it lies, over a hand's span, m; negative if it fits.

    Also negative for a robot with unknown hands.
    """
    height = float(thing.extents_m[2])
    across = height if height < _EDGE_M else float(thing.box.size_m.min())
    return across - SPANS_M.get(robot, np.inf)


def in_the_way(target: Segment, others: Sequence[Segment], robot: str) -> Segment | None:
    """Obstacle between a hand and ``target``: something much higher, above or in front of it.

    An obstacle above hangs over the target's outline without touching it (a shelf, a cage). An
    obstacle in front stands near it across the path from every shoulder, and is higher (a fence, a
    screen).
    """
    for other in others:
        above = other.points[other.over(target, 1.3), 2]
        if (above > target.top_m + 0.02).sum() >= 10 and other.low_m < target.top_m:
            return other
    shoulders, _ = SHOULDERS.get(robot, SHOULDERS["g1"])
    blocked: list[Segment] = []
    for shoulder in shoulders:
        found = _across(target, others, shoulder)
        if found is None:
            return None
        blocked.append(found)
    return blocked[0]


def _across(target: Segment, others: Sequence[Segment], shoulder: np.ndarray) -> Segment | None:
    way = target.center[:2] - shoulder[:2]
    length = float(np.linalg.norm(way))
    along = way / length
    across = np.array([-along[1], along[0]])
    for other in others:
        relative = other.points[:, :2] - shoulder[:2]
        ahead = relative @ along
        near = (ahead > length - 0.22) & (ahead < length) & (np.abs(relative @ across) < _HAND_M)
        high = other.points[:, 2] > target.top_m + 0.06
        if (near & high).sum() >= 15:
            return other
    return None
