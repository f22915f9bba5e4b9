"""Limits of a task, drawn so that a possible gold part meets them clearly, but not by far."""

import numpy as np

from pactwin.catalogue import BAND, MeasuredPart, Use

# By which factor the meant part keeps to what is asked for.
_SPARE = (1.15, 2.2)
_HARDEST = 1.5
"""Within this factor of the end of its range a limit is as hard as it gets."""
_BELOW = 0.8
"""A limit that is to be below another is at most this share of it."""


def limit_ranges(use: Use, part: MeasuredPart) -> dict[str, tuple[float, float]] | None:
    """For each limit the values that the part meets with a margin; None if one has none."""
    if any(not need.measure and not need.ratio(part, {}) for need in use.needs):
        return None
    found = {}
    for name, limit in use.limits.items():
        low, high = limit.least, limit.most
        for need in use.needs:
            value = part.measures.get(need.measure, 0.0)
            # What keeps to a limit by far keeps to the hardest that a task may ask for.
            if need.at_most == name:
                low = max(low, value * _SPARE[0])
                high = min(high, max(value * _SPARE[1], limit.least * _HARDEST))
            if need.at_least == name:
                low = max(low, min(value / _SPARE[1], limit.most / _HARDEST))
                high = min(high, value / _SPARE[0])
        if low > high:
            return None
        found[name] = (low, high)
    return found


def draw_limits(use: Use, part: MeasuredPart, rng: np.random.Generator) -> dict[str, float] | None:
    """Limits drawn for a possible gold part; None if it does not clearly serve at them."""
    found = {
        name: _plain(float(np.exp(rng.uniform(*np.log(ends)))))
        for name, ends in (limit_ranges(use, part) or {}).items()
    }
    apart = all(found[low] < _BELOW * found[high] for low, high in use.below.items() if found)
    return found if apart and min(use.ratios(part, found)) >= BAND else None


def _plain(value: float) -> float:
    """Two digits, as people say such numbers."""
    return float(f"{value:.2g}")
