"""Curves of the share of "yes" over a physical quantity, one for each model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pactwin.compare.frame import answer_frame
from pactwin.compare.index import ScoreIndex
from pactwin.compare.scores import Score
from pactwin.tasks import CurveFigure, Row

MAX_POINTS = 15
_SAMPLES = 60


@dataclass(frozen=True)
class CurvePoint:
    """Share of "yes" among ``n`` answers at ``x``, the mean if a point pools several values."""

    x: float
    share: float
    n: int


@dataclass(frozen=True)
class ModelCurve:
    """One model's points, its fitted curve as (x, share), its threshold (share 0.5) and width."""

    model: str
    points: tuple[CurvePoint, ...]
    line: tuple[tuple[float, float], ...]
    crossing: Score | None
    width: Score | None


@dataclass(frozen=True)
class CurvePanel:
    """The curves over one quantity from ``low`` to ``high``."""

    title: str
    low: float
    high: float
    curves: tuple[ModelCurve, ...]

    def place(self, x: float) -> float:
        """Horizontal position (0 to 1) of ``x``, clipped to the edges."""
        return (min(max(x, self.low), self.high) - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> tuple[float, ...]:
        """Both ends and the limit."""
        return tuple(sorted({self.low, 0.0, self.high})) if self.low < 0 < self.high else ()


def curve_panels(
    rows: Sequence[Row], figure: CurveFigure, scores: ScoreIndex
) -> tuple[CurvePanel, ...]:
    """A panel for each value of the figure's axis, models in the order of ``scores``."""
    frame = answer_frame(rows)
    frame = frame[frame[figure.n] > 0]
    panels = []
    for name, mine in frame.groupby(figure.axis):
        low, high = float(mine[figure.x].min()), float(mine[figure.x].max())
        if low == high:
            continue
        by_model = dict(list(mine.groupby("model")))
        cell = {figure.axis: str(name)} if frame[figure.axis].nunique() > 1 else {}
        curves = tuple(
            _curve(
                by_model[model],
                figure,
                *(scores.get(model, metric, **cell) for metric in (figure.metric, figure.width)),
            )
            for model in scores.models
            if model in by_model
        )
        panels.append(CurvePanel(str(name), low, high, curves))
    return tuple(panels)


def _curve(
    answers: pd.DataFrame, figure: CurveFigure, crossing: Score | None, width: Score | None
) -> ModelCurve:
    x = answers[figure.x].round(9)
    counts = answers.groupby(x)[[figure.yes, figure.n]].sum()
    grid, yes, n = counts.index.to_numpy(), *(counts[c].to_numpy(float) for c in counts)
    fitted = figure.fit(grid, yes, n, None)
    line: tuple[tuple[float, float], ...] = ()
    if fitted is not None:
        at = np.linspace(grid[0], grid[-1], _SAMPLES)
        line = tuple(zip(map(float, at), map(float, fitted.at(at)), strict=True))
    points = curve_points(grid, yes, n)
    return ModelCurve(str(answers.model.iloc[0]), points, line, crossing, width)


def curve_points(x: np.ndarray, top: np.ndarray, n: np.ndarray) -> tuple[CurvePoint, ...]:
    """The shares ``top`` / ``n`` over rising ``x``, pooled into MAX_POINTS of similar size."""
    place = np.arange(len(x))
    if len(x) > MAX_POINTS:
        place = np.minimum((np.cumsum(n) - n / 2) / n.sum() * MAX_POINTS, MAX_POINTS - 1e-9)
    groups = [place.astype(int) == group for group in np.unique(place.astype(int))]
    return tuple(
        CurvePoint(
            float(np.average(x[mine], weights=n[mine])),
            float(top[mine].sum() / n[mine].sum()),
            int(n[mine].sum()),
        )
        for mine in groups
    )
