"""Support relations: resting, tipping, free space."""

from collections.abc import Sequence

import numpy as np

from pactwin.perception.geometry.segments import Segment

_CONTACT_M = 0.012
_HIDDEN_M = 0.015
"""Of what carries something so much may be hidden under it."""
_BELOW_TOP_M = (0.002, 0.005)
_AS_WIDE, _LEAST_TOP_M = 0.8, 0.012
_WALL_M = 0.006
_FRICTION = 0.36
"""A slope that is steeper (20 degrees) holds nothing smooth."""


def supported_items(support: Segment, others: Sequence[Segment]) -> tuple[Segment, ...]:
    """The ``others`` that rest on or in ``support`` and not on the table.

    An object counts if it starts where the support ends below it, or stands inside its outline
    above its foot.
    """
    return tuple(other for other in others if _rests(other, support))


def _rests(thing: Segment, support: Segment) -> bool:
    # Of a sheet only the top is seen above the table.
    if thing.low_m < min(support.low_m + 0.003, support.top_m - 0.001):
        return False
    foot = thing.points[thing.points[:, 2] < thing.low_m + 0.025]
    over = support.box.holds(foot[:, :2], 1.0)
    under = support.points[thing.box.holds(support.points[:, :2], 1.0)]
    if over.sum() < 5:
        return False
    # What covers all that it lies on hides it.
    surface = np.percentile(under[:, 2], 99) if len(under) >= 5 else support.top_m
    touches = -_CONTACT_M < thing.low_m - surface < _HIDDEN_M
    sunk = over.mean() > 0.6 and thing.low_m < surface
    return bool(touches or sunk)


def flat_top(support: Segment, noise_m: float = 0.0) -> bool:
    """Return whether the top is flat or a rim, rather than a tip, ridge, slope or curve.

    On a level top, points within 2 mm of the highest ones span the same width as those within 5 mm;
    both heights grow with the depth error ``noise_m``. A slope is a plane, and may be as steep as
    friction allows.
    """
    high, lower = (_width_m(support, below + 2 * noise_m) for below in _BELOW_TOP_M)
    level = high > _AS_WIDE * lower and high > _LEAST_TOP_M
    return level or _gentle_slope(support, noise_m)


def _gentle_slope(support: Segment, noise_m: float) -> bool:
    seen = seen_from_above(support.points[support.box.holds(support.points[:, :2], 0.9)])
    if len(seen) < 12:
        return False
    across = np.column_stack([seen[:, :2], np.ones(len(seen))])
    plane, *_ = np.linalg.lstsq(across, seen[:, 2], rcond=None)
    off = np.abs(across @ plane - seen[:, 2])
    even = (off < _BELOW_TOP_M[0] + 2 * noise_m).mean() > 0.9
    return bool(even and np.hypot(*plane[:2]) < _FRICTION)


def seen_from_above(points: np.ndarray, cell_m: float = 0.006) -> np.ndarray:
    """The highest point of ``points`` (n, 3) over each cell of the table."""
    by_height = points[np.argsort(-points[:, 2], kind="stable")]
    _, first = np.unique(np.floor(by_height[:, :2] / cell_m).astype(int), axis=0, return_index=True)
    return by_height[first]


def _width_m(support: Segment, below_m: float) -> float:
    """Narrower extent (m) of the points at most ``below_m`` below the top."""
    box = support.level_extents_at(support.top_m - below_m, np.inf)
    return 0.0 if box is None else float(box.size_m.min())


def falls_with(taken: Segment, others: Sequence[Segment]) -> bool:
    """Return whether an object that rests only on ``taken`` falls when it is removed."""
    return any(
        not (bases := _bases(body, taken, others)) or not _balanced(body, bases, taken, others)
        for body in supported_items(taken, others)
    )


def tips_without(taken: Segment, others: Sequence[Segment]) -> bool:
    """Return whether the support of ``taken`` loses its balance when ``taken`` is removed."""
    return any(
        bool(bases := _bases(board, taken, others)) and not _balanced(board, bases, taken, others)
        for board in others
        if _rests(taken, board)
    )


def _bases(body: Segment, taken: Segment, others: Sequence[Segment]) -> list[Segment]:
    """Supports of ``body`` other than ``taken``."""
    return [
        base
        for base in others
        if base is not body and base is not taken
        if base.top_m < body.top_m and _rests(body, base)
    ]


def _balanced(
    body: Segment, bases: Sequence[Segment], taken: Segment, others: Sequence[Segment]
) -> bool:
    """Whether the centre of mass of ``body`` and its remaining load is over its supports' hull.

    Along its length. Weights are volumes of upright boxes: things are taken to be equally dense.
    """
    apart = (taken, body, *bases)
    bodies = [body, *(load for load in supported_items(body, others) if load not in apart)]
    weights = np.array([one.extents_m.prod() for one in bodies])
    centers = np.array([one.box.center_xy for one in bodies])
    center = weights @ centers / weights.sum()
    feet = np.vstack([base.points[base.over(body, 1.02)][:, :2] for base in bases])
    along = body.box.axes[int(np.argmax(body.box.size_m))]
    reach = feet @ along
    return bool(reach.min() <= center @ along <= reach.max()) if len(reach) else False


def has_room(
    holder: Segment, contents: Sequence[Segment], thing: Segment, step_m: float = 0.004
) -> bool:
    """Return whether ``thing`` fits beside ``contents`` on or in ``holder``, along its axes.

    Parts of ``contents`` below the holder's top stand between its walls.
    """
    walled = any(content.low_m < holder.top_m - 0.006 for content in contents)
    inner = holder.box.size_m - (2 * _WALL_M if walled else 0.0)
    shape = np.maximum((inner / step_m).astype(int), 1)
    taken = np.zeros(shape, bool)
    for content in contents:
        cells = ((holder.box.local(_filled_xy(content, step_m)) + inner / 2) / step_m).astype(int)
        cells = cells[((cells >= 0) & (cells < shape)).all(axis=1)]
        taken[cells[:, 0], cells[:, 1]] = True
    sides = np.maximum(((thing.box.size_m - 0.004) / step_m).astype(int), 1)
    for window in {tuple(sides), tuple(sides[::-1])}:
        if all(window <= shape):
            filled = np.lib.stride_tricks.sliding_window_view(taken, window).any(axis=(2, 3))
            if not filled.all():
                return True
    return False


def _filled_xy(thing: Segment, step_m: float) -> np.ndarray:
    half = thing.box.size_m / 2
    a, b = (np.arange(-h, h + step_m / 2, step_m / 2) for h in half)
    return (
        np.stack(np.meshgrid(a, b), axis=-1).reshape(-1, 2) @ thing.box.axes + thing.box.center_xy
    )
