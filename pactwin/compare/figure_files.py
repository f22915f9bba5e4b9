"""Figures for papers, SVG and PDF: each kind's headline by domain and view, and dependences.

The same scores give the same bytes: matplotlib's dates and random ids are fixed.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pactwin.compare.dependence import QUANTITIES, Curve
from pactwin.compare.index import ScoreIndex
from pactwin.compare.ranking import headline
from pactwin.compare.scores import Score
from pactwin.suite import write_file
from pactwin.tasks import KINDS, Column

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".pdf")
_AXES = ("domain", "view")
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "pactwin",
    "svg.fonttype": "path",
    "font.size": 8,
    "pdf.fonttype": 42,
}


def figure_paths(folder: Path) -> list[Path]:
    """Paths of the files that :func:`write_figures` may write to ``folder``."""
    prefixes = dict.fromkeys(kind.scoring.prefix for kind in KINDS.values())
    names = [f"{prefix}{axis}s" for prefix in prefixes for axis in _AXES]
    names += [f"by_{quantity}" for quantity in QUANTITIES]
    return [folder / f"{name}{suffix}" for name in names for suffix in SUFFIXES]


def write_figures(scores: Sequence[Score], curves: Sequence[Curve], folder: Path) -> list[Path]:
    """Write the figures that have data; returns their paths."""
    import matplotlib as mpl

    figures: dict[str, Figure | None] = {}
    with mpl.rc_context(_STYLE):
        for kind in dict.fromkeys(score.kind for score in scores):
            first = headline(kind, scores)
            mine = [score for score in scores if score.kind == kind]
            index = ScoreIndex(kind, mine, [model for model, _ in first.rows])
            for axis in _AXES if first.columns else ():
                name = f"{KINDS[kind].scoring.prefix}{axis}s"
                figures[name] = _forest(index, axis, first.columns[0])
        for quantity, text in QUANTITIES.items():
            bins = [curve for curve in curves if curve.quantity == quantity]
            figures[f"by_{quantity}"] = _curves(bins, text)
        return [
            _save(figure, folder / f"{name}{suffix}")
            for name, figure in figures.items()
            if figure is not None
            for suffix in SUFFIXES
        ]


def _forest(index: ScoreIndex, axis: str, column: Column) -> "Figure | None":
    """A panel per name: a metric of each model with its interval, best model on top."""
    cells = {
        name: {m: s for m in index.models if (s := index.get(m, column.metric, **{axis: name}))}
        for name in index.values(axis)
    }
    found = [s for scores in cells.values() for s in scores.values()]
    values = [x for s in found for x in (s.value, s.low) if x is not None]
    if not values:
        return None
    least = -1.02 if min(values) < 0 else -0.02
    figure, panels = _panels(len(cells), height=0.6 + 0.22 * len(index.models))
    for panel, (name, scores) in zip(panels, cells.items(), strict=True):
        for place, model in enumerate(reversed(index.models)):
            score = scores.get(model)
            if score is None or score.value is None:
                continue
            low = score.value if score.low is None else score.low
            high = score.value if score.high is None else score.high
            panel.plot([low, high], [place, place], color="0.35", linewidth=1.2)
            panel.plot([score.value], [place], "o", color="#0a5fa8", markersize=4)
        panel.axvline(0, color="0.6", linewidth=0.7, linestyle=":")
        panel.set(xlim=(least, 1.02), xlabel=column.head, ylim=(-0.6, len(index.models) - 0.4))
        panel.set_title(_plain(name.replace("_", " ")), fontsize=8)
        panel.set_yticks(range(len(index.models)), map(_plain, reversed(index.models)))
    return figure


def _curves(curves: Sequence[Curve], text: str) -> "Figure | None":
    """A panel per model: the share of correct answers in each bin."""
    if not curves:
        return None
    figure, panels = _panels(len(curves), height=1.9)
    for panel, curve in zip(panels, curves, strict=True):
        places = range(len(curve.points))
        values = [point.value for point in curve.points]
        arms = [
            [point.value - point.low for point in curve.points],
            [point.high - point.value for point in curve.points],
        ]
        panel.errorbar(places, values, arms, fmt="o-", color="#0a5fa8", markersize=4, linewidth=1)
        panel.axhline(0.5, color="0.6", linewidth=0.7, linestyle=":")
        panel.set(ylim=(-0.03, 1.03), ylabel="right", xlabel=f"{text}, from")
        panel.set_xticks(places, [f"{point.least:.3g}" for point in curve.points])
        panel.set_title(_plain(curve.model), fontsize=8)
    return figure


def _panels(count: int, height: float) -> "tuple[Figure, list[Axes]]":
    """``count`` panels in rows of three; a size in inches."""
    from matplotlib.figure import Figure

    columns = min(3, count)
    rows = -(-count // columns)
    figure = Figure(figsize=(2.6 * columns, height * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
    panels = [panel for row in axes for panel in row]
    for panel in panels[count:]:
        panel.remove()
    return figure, panels[:count]


def _plain(text: str) -> str:
    """Escape text so that matplotlib reads no formula in it."""
    return text.replace("$", r"\$")


def _save(figure: "Figure", path: Path) -> Path:
    metadata = {"Date": None} if path.suffix == ".svg" else {"CreationDate": None}
    buffer = io.BytesIO()
    figure.savefig(buffer, format=path.suffix[1:], metadata=metadata)
    write_file(path, buffer.getvalue())
    return path
