"""Distribution of decision margins by domain, as a table and as a picture."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np

from pactwin.suite.pictures import write_picture
from pactwin.suite.records import Scene

MARGIN_EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, np.inf)
"""Bins of a margin's size: 0 is the limit of a decision, labels have 0.5 at least, 1 is plain."""


def bin_of(margin: float) -> int:
    """Bin of ``MARGIN_EDGES`` of a signed margin."""
    return int(np.searchsorted(MARGIN_EDGES, abs(margin), side="right")) - 1


def bin_names() -> tuple[str, ...]:
    """Names of the bins."""
    pairs = pairwise(MARGIN_EDGES)
    return tuple(f"{low:g}-{high:g}" if np.isfinite(high) else f"{low:g}" for low, high in pairs)


def margin_counts(scenes: Iterable[Scene]) -> dict[str, np.ndarray]:
    """Number of scenes in each bin by domain: (2, bins), infeasible scenes in the first row."""
    counts: dict[str, np.ndarray] = {}
    for scene in scenes:
        if scene.verdict is not None:
            row = counts.setdefault(scene.domain, np.zeros((2, len(MARGIN_EDGES) - 1), int))
            row[int(scene.verdict.feasible), bin_of(scene.verdict.margin)] += 1
    return dict(sorted(counts.items()))


def draw_margins(scenes: Iterable[Scene], out: Path) -> Path:
    """Draw a histogram per domain: infeasible scenes left of 0, feasible scenes right.

    Bars are scenes; what earlier versions stored beyond 1 is drawn at 1.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    margins: dict[str, list[float]] = {}
    for scene in scenes:
        if scene.verdict is not None:
            margins.setdefault(scene.domain, []).append(scene.verdict.margin)
    rows = -(-len(margins) // 2)
    figure = Figure(figsize=(9.0, 1.6 * rows + 0.6), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    panels = figure.subplots(rows, 2, sharex=True, squeeze=False).ravel()
    edges = np.linspace(-1.0, 1.0, 21)
    for panel, (domain, found) in zip(panels, sorted(margins.items()), strict=False):
        values = np.clip(found, -1.0, 1.0)
        for chosen, color in ((values < 0, "#c42b26"), (values >= 0, "#168046")):
            panel.hist(values[chosen], bins=edges, color=color)
        panel.axvline(0.0, color="#202124", linewidth=0.8, linestyle="--")
        panel.set_title(f"{domain} ({len(found)})", fontsize=9, loc="left")
        panel.tick_params(labelsize=8)
    for panel in panels[len(margins) :]:
        panel.set_axis_off()
    figure.supxlabel("margin: 0 is the limit, 1 plain; red infeasible, green feasible")
    canvas.draw()
    write_picture(out, np.asarray(canvas.buffer_rgba())[..., :3].copy())
    return out
