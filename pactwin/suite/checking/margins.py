"""Distribution of distances from limits, by check."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np

from pactwin.suite.errors import InvalidInputError
from pactwin.suite.pictures import write_picture
from pactwin.suite.records import Scene
from pactwin.suite.verdicts import Verdict

DISTANCES_MM = (0.0, 5.0, 10.0, 20.0, 40.0, np.inf)
"""Bin edges of the distance that decides a label."""


def bin_of(verdict: Verdict) -> str:
    """Name of the bin in ``DISTANCES_MM`` of the distance that decides a label."""
    left = verdict.distance_mm
    if left is None:
        return "decided by no length"
    low, high = next(pair for pair in pairwise(DISTANCES_MM) if left < pair[1])
    return f"{low:g} to {high:g} mm" if np.isfinite(high) else f"{low:g} mm and more"


BINS = 10


def distances(scenes: Iterable[Scene]) -> dict[str, np.ndarray]:
    """Signed distances from limits (n,) by check and unit, where measured.

    Lengths are in mm. Names of checks omit their objects.
    """
    found: dict[str, list[float]] = {}
    for scene in scenes:
        for name, check in ({} if scene.verdict is None else scene.verdict.checks).items():
            if (left := check.distance) is not None:
                metres = left.unit == "m"
                kind = f"{name.partition(':')[0]}, {'mm' if metres else left.unit}"
                found.setdefault(kind, []).append(left.value * (1000.0 if metres else 1.0))
    return {kind: np.array(values) for kind, values in sorted(found.items())}


def repetitions(scenes: Iterable[Scene]) -> dict[str, tuple[int, int]]:
    """Smallest and largest number of perturbed repetitions of each check, by its name alone."""
    found: dict[str, list[int]] = {}
    for scene in scenes:
        for name, check in ({} if scene.verdict is None else scene.verdict.checks).items():
            if check.perturbations is not None:
                found.setdefault(name.partition(":")[0], []).append(check.perturbations.run)
    return {name: (min(runs), max(runs)) for name, runs in found.items()}


def fullest_bin(values: np.ndarray) -> float:
    """Share of distances (n,) in the fullest of ten equal bins from the 2nd percentile on.

    The bins end at the 98th percentile; values beyond count in the outer ones.
    """
    low, high = np.percentile(values, (2, 98))
    counts, _ = np.histogram(np.clip(values, low, high), BINS, (low, high) if high > low else None)
    return float(counts.max() / len(values))


def draw_margins(scenes: Iterable[Scene], out: Path) -> Path:
    """PNG with histograms of distances by check; failed checks are left of 0.

    Bars count checks of scenes. Raises InvalidInputError if no check stores a distance.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawn = distances(scenes)
    if not drawn:
        raise InvalidInputError(f"{out}: there are no distances to draw: no check stores one")
    rows = -(-len(drawn) // 2)
    figure = Figure(figsize=(9.0, 1.6 * rows + 0.6), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    panels = figure.subplots(rows, 2, squeeze=False).ravel()
    for panel, (kind, values) in zip(panels, drawn.items(), strict=False):
        low, high = np.percentile(values, (2, 98))
        half = 0.0 if high > low else 0.5  # one value has an axis, too
        edges = np.linspace(low - half, high + half, BINS + 1)
        within = np.clip(values, edges[0], edges[-1])
        for chosen, color in ((values < 0, "#c42b26"), (values >= 0, "#168046")):
            panel.hist(within[chosen], bins=edges, color=color)
        if low <= 0.0 <= high:
            panel.axvline(0.0, color="#202124", linewidth=0.8, linestyle="--")
        title = f"{kind} ({len(values)}; fullest bin {fullest_bin(values):.0%})"
        panel.set_title(title, fontsize=9, loc="left")
        panel.tick_params(labelsize=8)
    for panel in panels[len(drawn) :]:
        panel.set_axis_off()
    figure.supxlabel(
        "distances from the limits of checks, 0 is the limit; red: does not hold, green: holds",
        fontsize=9,
    )
    canvas.draw()
    write_picture(out, np.asarray(canvas.buffer_rgba())[..., :3].copy())
    return out
