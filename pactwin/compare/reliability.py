"""Figures of stated probabilities: calibration, and differences between twins."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pactwin.compare.curves import CurvePoint, curve_points
from pactwin.compare.frame import answer_frame
from pactwin.compare.plain import PlainTable, plain_table
from pactwin.compare.ranking import rankings
from pactwin.compare.scores import Score
from pactwin.tasks import (
    KINDS,
    PROBABILITY_TABLES,
    SOURCES,
    Row,
    probability_answers,
    recalibrated,
    twin_gaps,
)

GAP_BINS = 21


@dataclass(frozen=True)
class Reliability:
    """One model's probabilities from one source.

    ``points`` are shares of feasible scenes at each stated probability. ``line`` is the isotonic
    fit, as (p, share). ``gaps`` are counts of pairs by the feasible twin's probability minus the
    other's, in even bins from -1 to 1; ``mean_gap`` is None without twins.
    """

    model: str
    source: str
    points: tuple[CurvePoint, ...]
    line: tuple[tuple[float, float], ...]
    gaps: tuple[int, ...]
    mean_gap: float | None


@dataclass(frozen=True)
class ConfidenceSection:
    """Tables and figures of one kind, with definitions of the columns."""

    tables: tuple[PlainTable, ...]
    terms: tuple[tuple[str, str], ...]
    figures: tuple[Reliability, ...]


def confidence_section(
    rows: Sequence[Row], scores: Sequence[Score], models: Sequence[str]
) -> ConfidenceSection | None:
    """Build the section from the rows of one kind; None without probabilities."""
    frame = answer_frame(rows) if rows and KINDS[rows[0].kind].asks_probability else None
    sources = [] if frame is None else list(probability_answers(frame))
    found = [one for one in rankings(scores) if one.table in PROBABILITY_TABLES]
    if not sources or not found:
        return None
    declared = {m.name: m for m in KINDS[rows[0].kind].scoring.metrics}
    shown = dict.fromkeys(declared[c.metric] for one in found for c in one.columns)
    figures = [
        _reliability(model, source, mine)
        for source, answers in sources
        for model in models
        if len(mine := answers[answers.model == model])
    ]
    return ConfidenceSection(
        tables=tuple(map(plain_table, found)),
        terms=tuple({m.label: m.explanation for m in shown if m.label}.items()),
        figures=tuple(figures),
    )


def _reliability(model: str, source: str, answers: pd.DataFrame) -> Reliability:
    counts = answers.groupby(answers.p.round(3)).p_truth.agg(["sum", "size"])
    p = counts.index.to_numpy(float)
    ones, n = counts["sum"].to_numpy(float), counts["size"].to_numpy(float)
    gaps = twin_gaps(answers).gap.to_numpy(float)
    line = zip(map(float, p), map(float, recalibrated(p, ones, n)), strict=True)
    return Reliability(
        model=model,
        source=SOURCES[source],
        points=curve_points(p, ones, n),
        line=tuple(line),
        gaps=tuple(map(int, np.histogram(gaps, GAP_BINS, (-1 - 1e-9, 1 + 1e-9))[0])),
        mean_gap=float(gaps.mean()) if len(gaps) else None,
    )
