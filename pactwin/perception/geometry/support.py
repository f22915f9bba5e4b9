"""What rests on what, what tips, and where there is room."""

from collections.abc import Sequence

import numpy as np

from pactwin.perception.geometry.segments import Segment

_CONTACT_M = 0.012
_BELOW_TOP_M = (0.002, 0.005)
_AS_WIDE, _LEAST_TOP_M = 0.8, 0.012


def carried_by(support: Segment, others: Sequence[Segment]) -> tuple[Segment, ...]:
    """The ``others`` that rest on or in ``support``: over it, and not on the table themselves.

    A thing counts if it starts where the support ends under it, or stands inside its outline
    above its foot.
    """
    return tuple(other for other in others if _rests(other, support))


def _rests(thing: Segment, support: Segment) -> bool:
    if thing.low_m < support.low_m + 0.003:
        return False
    foot = thing.points[thing.points[:, 2] < thing.low_m + 0.025]
    over = support.box.holds(foot[:, :2], 1.0)
    under = support.points[thing.box.holds(support.points[:, :2], 1.0)]
    if over.sum() < 5 or len(under) < 5:
        return False
    surface = np.percentile(under[:, 2], 95)
    touches = abs(thing.low_m - surface) < _CONTACT_M
    sunk = over.mean() > 0.6 and thing.low_m < surface
    return bool(touches or sunk)


def flat_top(support: Segment, noise_m: float = 0.0) -> bool:
    """Whether the top is flat and level, or a rim, and neither a tip, a ridge, a slope nor a curve.

    On a flat top what is within 2 mm of the highest points is as wide as what is within 5 mm; both
    heights grow with the error of the depth, ``noise_m``.
    """
    high, lower = (_width_m(support, below + 2 * noise_m) for below in _BELOW_TOP_M)
    return high > _AS_WIDE * lower and high > _LEAST_TOP_M


def _width_m(support: Segment, below_m: float) -> float:
    """The narrower extent of what is at most ``below_m`` lower than the top."""
    box = support.level_extents_at(support.top_m - below_m, np.inf)
    return 0.0 if box is None else float(box.size_m.min())


def tips_without(taken: Segment, others: Sequence[Segment], margin_m: float = 0.0) -> bool:
    """Whether what ``taken`` rests on loses its balance once ``taken`` is gone.

    Whatever carries ``taken`` and itself stands on something keeps standing while the centre of
    mass of it and of what stays on it is over the hull of its supports. Weights are volumes of
    upright boxes: things are taken to be equally dense.
    """
    for board in others:
        if taken not in carried_by(board, [taken]):
            continue
        bases = [base for base in others if base is not board and _rests(board, base)]
        bases = [base for base in bases if base.top_m < board.top_m]
        if not bases:
            continue
        loads = [o for o in carried_by(board, others) if o is not taken and o not in bases]
        bodies = [board, *loads]
        weights = np.array([body.extents_m.prod() for body in bodies])
        centers = np.array([body.box.center_xy for body in bodies])
        center = weights @ centers / weights.sum()
        feet = np.vstack(
            [base.points[board.box.holds(base.points[:, :2], 1.02)][:, :2] for base in bases]
        )
        along = board.box.axes[int(np.argmax(board.box.size_m))]
        reach = feet @ along
        if not reach.min() + margin_m <= center @ along <= reach.max() - margin_m:
            return True
    return False


def free_side_m(holder: Segment, contents: Sequence[Segment], step_m: float = 0.005) -> float:
    """Side (m) of the largest square, along the holder's axes, of its floor that is free."""
    inner = holder.box.size_m - 0.012
    shape = np.maximum((inner / step_m).astype(int), 1)
    taken = np.zeros(shape, bool)
    for thing in contents:
        cells = ((holder.box.local(_filled_xy(thing, step_m)) + inner / 2) / step_m).astype(int)
        cells = cells[((cells >= 0) & (cells < shape)).all(axis=1)]
        taken[cells[:, 0], cells[:, 1]] = True
    side = np.zeros(shape, int)  # of the largest free square that ends in a cell
    for i in range(shape[0]):
        for j in range(shape[1]):
            if not taken[i, j]:
                before = min(side[i - 1, j], side[i, j - 1], side[i - 1, j - 1]) if i and j else 0
                side[i, j] = before + 1
    return float(side.max() * step_m)


def _filled_xy(thing: Segment, step_m: float) -> np.ndarray:
    half = thing.box.size_m / 2
    a, b = (np.arange(-h, h + step_m / 2, step_m / 2) for h in half)
    return (
        np.stack(np.meshgrid(a, b), axis=-1).reshape(-1, 2) @ thing.box.axes + thing.box.center_xy
    )
