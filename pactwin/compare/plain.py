"""Tables of words, as the page shows them."""

from collections.abc import Mapping
from dataclasses import dataclass

from pactwin.compare.metrics import Score

Cells = Mapping[tuple[str, str], Score]
"""Scores by model and metric."""


@dataclass(frozen=True)
class PlainTable:
    """A table of words: ``first`` heads the names of the rows, which come first in each."""

    title: str
    first: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def value_cell(score: Score | None, *, bounded: bool = False) -> str:
    """The value, its interval behind it if it is ``bounded``; a dash where there is none."""
    if score is None or score.value is None:
        return "-"
    if bounded and score.low is not None and score.high is not None:
        return f"{score.value:.2f} ({score.low:.2f} {score.high:.2f})"
    return f"{score.value:.2f}"


def models_by(cells: Cells, metric: str) -> list[str]:
    """All models by falling ``metric``, those without it last, ties by name."""

    def rank(model: str) -> tuple[float, str]:
        score = cells.get((model, metric))
        return -(score.value if score is not None and score.value is not None else -1.0), model

    return sorted({model for model, _ in cells}, key=rank)
