"""Figures for papers: SVG and PDF of informedness by domain and by view, and of what it depends on.

The same scores give the same bytes: matplotlib's dates and random ids are fixed.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pactwin.compare.dependence import QUANTITIES, Curve
from pactwin.compare.index import ScoreIndex
from pactwin.compare.metrics import METRICS, Score
from pactwin.compare.table import ranked_constraints
from pactwin.suite import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".pdf")
FIGURES = ("domains", "views", *(f"by_{quantity}" for quantity in QUANTITIES))
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "pactwin",
    "svg.fonttype": "path",
    "font.size": 8,
    "pdf.fonttype": 42,
}


def figure_paths(folder: Path) -> list[Path]:
    """The files that may be written to ``folder``."""
    return [folder / f"{name}{suffix}" for name in FIGURES for suffix in SUFFIXES]


def write_figures(scores: Sequence[Score], curves: Sequence[Curve], folder: Path) -> list[Path]:
    """Write the figures that there is something for; returns the files."""
    import matplotlib as mpl

    chosen = [score for score in scores if score.metric in METRICS]
    index = ScoreIndex(chosen, [model for model, _ in ranked_constraints(scores)])
    with mpl.rc_context(_STYLE):
        figures = {
            "domains": _forest(index, "domain", index.domains),
            "views": _forest(index, "view", index.views),
        }
        for quantity, text in QUANTITIES.items():
            mine = [curve for curve in curves if curve.quantity == quantity]
            figures[f"by_{quantity}"] = _curves(mine, text)
        return [
            _save(figure, folder / f"{name}{suffix}")
            for name, figure in figures.items()
            if figure is not None
            for suffix in SUFFIXES
        ]


def _forest(index: ScoreIndex, axis: str, names: Sequence[str]) -> "Figure | None":
    """A panel per name: informedness of each model with its interval, best model on top."""
    if not names or not index.models:
        return None
    figure, panels = _panels(len(names), height=0.6 + 0.22 * len(index.models))
    for panel, name in zip(panels, names, strict=True):
        for place, model in enumerate(reversed(index.models)):
            score = index.get(model, "informedness", **{axis: name})
            if score is None or score.value is None:
                continue
            low = score.value if score.low is None else score.low
            high = score.value if score.high is None else score.high
            panel.plot([low, high], [place, place], color="0.35", linewidth=1.2)
            panel.plot([score.value], [place], "o", color="#0a5fa8", markersize=4)
        panel.axvline(0, color="0.6", linewidth=0.7, linestyle=":")
        panel.set(xlim=(-1.02, 1.02), xlabel="informedness", ylim=(-0.6, len(index.models) - 0.4))
        panel.set_title(_plain(name.replace("_", " ")), fontsize=8)
        panel.set_yticks(range(len(index.models)), map(_plain, reversed(index.models)))
    return figure


def _curves(curves: Sequence[Curve], text: str) -> "Figure | None":
    """A panel per model: the share of right answers in each bin."""
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
    """Text that matplotlib takes for no formula."""
    return text.replace("$", r"\$")


def _save(figure: "Figure", path: Path) -> Path:
    metadata = {"Date": None} if path.suffix == ".svg" else {"CreationDate": None}
    buffer = io.BytesIO()
    figure.savefig(buffer, format=path.suffix[1:], metadata=metadata)
    write_file(path, buffer.getvalue())
    return path
