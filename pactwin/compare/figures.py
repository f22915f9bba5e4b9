"""Layout of the report's figures: informedness with intervals, one panel per domain or view.

A panel is a stack of strips, one per model. Horizontal positions are percentages of the strip's
width and vertical ones are px, so a strip stretches with the page while its marks and text keep
their size. All panels of a report share one axis.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pactwin.compare.scores import Score

EDGE = 4.0  # percent kept free on both sides, so that tick labels are not cut
POOLED_PX = 14
DETAIL_PX = 9
FOOT_PX = 5


@dataclass(frozen=True)
class Axis:
    """Horizontal axis of informedness from ``low`` to ``high``."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Horizontal position of a value, in percent of the width."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(EDGE + share * (100 - 2 * EDGE), 2)

    @property
    def ticks(self) -> list[float]:
        """The multiples of one half within the axis."""
        steps = range(math.ceil(self.low * 2), math.floor(self.high * 2) + 1)
        return [step / 2 for step in steps]


@dataclass(frozen=True)
class Mark:
    """An estimate with its interval: percentages ``x``, ``x_low``, ``x_high`` at height ``y`` px.

    ``series`` is 0 for the pooled estimate and counts the views from 1.
    """

    score: Score
    series: int
    x: float
    x_low: float
    x_high: float
    y: float


@dataclass(frozen=True)
class Strip:
    """One model's marks; ``height`` in px. ``warnings`` are caveats about the marks."""

    pooled: Score
    marks: tuple[Mark, ...]
    height: int
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Panel:
    """One small figure."""

    title: str
    axis: Axis
    strips: tuple[Strip, ...]


def shared_axis(scores: Iterable[Score]) -> Axis:
    """Axis up to 1 that contains chance (0) and every interval, in steps of a quarter."""
    lows = [s.low for s in scores if s.low is not None]
    lowest = min([-0.25, *lows])
    return Axis(low=max(-1.0, math.floor(lowest * 4) / 4), high=1.0)


def strip(
    pooled: Score, details: Sequence[Score | None], axis: Axis, warnings: tuple[str, ...]
) -> Strip:
    """Lay out the pooled estimate and, below it, one line per view; None leaves its line empty."""
    marks = []
    y = 0.0
    for series, score in enumerate((pooled, *details)):
        line = POOLED_PX if series == 0 else DETAIL_PX
        if score is not None and None not in (score.value, score.low, score.high):
            value, low, high = (axis.x(x or 0.0) for x in (score.value, score.low, score.high))
            marks.append(Mark(score, series, value, low, high, y + line / 2))
        y += line
    return Strip(pooled, tuple(marks), int(y) + FOOT_PX, warnings)
