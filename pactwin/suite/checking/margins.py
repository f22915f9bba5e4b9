"""Distribution of decision margins by domain, and of distances from limits by check."""

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


BINS = 10


def distances(scenes: Iterable[Scene]) -> dict[str, np.ndarray]:
    """Signed distances from their limits (n,), by check and unit, of what was near enough to one.

    Lengths are in mm. Checks are named without the things that they are about.
    """
    found: dict[str, list[float]] = {}
    for scene in scenes:
        for name, check in ({} if scene.verdict is None else scene.verdict.checks).items():
            if (left := check.distance) is not None:
                metres = left.unit == "m"
                kind = f"{name.partition(':')[0]}, {'mm' if metres else left.unit}"
                found.setdefault(kind, []).append(left.value * (1000.0 if metres else 1.0))
    return {kind: np.array(values) for kind, values in sorted(found.items())}


def fullest_bin(values: np.ndarray) -> float:
    """The share of distances (n,) in the fullest of ten bins as wide, from the 2nd percentile on.

    They end at the 98th: what lies beyond is counted in the outer ones.
    """
    low, high = np.percentile(values, (2, 98))
    counts, _ = np.histogram(np.clip(values, low, high), BINS, (low, high) if high > low else None)
    return float(counts.max() / len(values))


def draw_margins(scenes: Iterable[Scene], out: Path) -> Path:
    """A PNG with histograms: normalised margins by domain, then distances by check.

    Infeasible scenes, and what does not hold, are to the left of 0. Bars are scenes, or checks;
    what earlier versions stored beyond 1 is drawn at 1.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    scenes = list(scenes)
    margins: dict[str, list[float]] = {}
    for scene in scenes:
        if scene.verdict is not None:
            margins.setdefault(scene.domain, []).append(scene.verdict.margin)
    drawn = [
        (f"{domain} ({len(found)})", np.clip(found, -1.0, 1.0), (-1.0, 1.0))
        for domain, found in sorted(margins.items())
    ]
    drawn += [("", np.empty(0), (0.0, 1.0))] * (len(drawn) % 2)
    for kind, values in distances(scenes).items():
        title = f"{kind} ({len(values)}; fullest bin {fullest_bin(values):.0%})"
        low, high = np.percentile(values, (2, 98))
        drawn.append(
            (title, np.clip(values, low, high), (float(low), float(max(high, low + 1e-9))))
        )
    rows = -(-len(drawn) // 2)
    figure = Figure(figsize=(9.0, 1.6 * rows + 0.6), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    panels = figure.subplots(rows, 2, squeeze=False).ravel()
    for panel, (title, values, between) in zip(panels, drawn, strict=False):
        bins = 2 * BINS if between == (-1.0, 1.0) else BINS
        for chosen, color in ((values < 0, "#c42b26"), (values >= 0, "#168046")):
            panel.hist(values[chosen], bins=np.linspace(*between, bins + 1), color=color)
        if between[0] <= 0.0 <= between[1]:
            panel.axvline(0.0, color="#202124", linewidth=0.8, linestyle="--")
        panel.set_title(title, fontsize=9, loc="left")
        panel.tick_params(labelsize=8)
        panel.set_axis_on() if title else panel.set_axis_off()
    for panel in panels[len(drawn) :]:
        panel.set_axis_off()
    figure.supxlabel(
        "margins of domains (1 is plain), then distances of checks; 0 is the limit; "
        "red: infeasible, or does not hold; green: feasible, or holds",
        fontsize=9,
    )
    canvas.draw()
    write_picture(out, np.asarray(canvas.buffer_rgba())[..., :3].copy())
    return out
