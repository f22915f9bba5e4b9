"""Dependence of correctness on picture content and on the verdict's margin.

Quantities come from the suites' records: the visible pixels of the least visible object of the
question (in several views: in the view that shows it best), the number of objects on the table, and
the distance of the measurement from the decision limit, normalised, and in mm if it is a length.
Both twins of a pair get the smaller distance of the two. Otherwise a model that always says no
would seem to depend on it, because feasible and infeasible scenes differ in distance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pactwin.compare.frame import answer_frame
from pactwin.compare.intervals import clustered_rate
from pactwin.suite import Scene, Suite, load_suite
from pactwin.tasks import JOINT, AnswerRow

SceneKey = tuple[str, str]
"""Key of a scene: content hash of its suite, and its id."""

QUANTITIES = {
    "pixels": "visible pixels of what decides",
    "objects": "objects on the table",
    "margin": "distance to the limit that decides (1: plain)",
    "distance_mm": "distance to the limit that decides, mm",
}
BINS = 5


@dataclass(frozen=True, slots=True)
class Point:
    """Share of correct feasibility answers for quantities from ``least`` to ``most``."""

    least: float
    most: float
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Curve:
    """One model's correctness over one of QUANTITIES, in bins of about equal size."""

    model: str
    quantity: str
    points: tuple[Point, ...]


def scenes_of(suites: Sequence[Suite]) -> dict[SceneKey, Scene]:
    """The scenes of all ``suites``."""
    return {
        (suite.info.content_hash, scene.id): scene
        for suite in suites
        for scene in load_suite(suite.path).scenes.values()
    }


def dependence(rows: Sequence[AnswerRow], scenes: Mapping[SceneKey, Scene]) -> list[Curve]:
    """Curves of each model over answers whose scene is known; empty with fewer than two bins."""
    if not rows or not scenes:
        return []
    frame = answer_frame(rows)
    frame = frame[frame.judged == 1]
    frame = frame.assign(right=frame.says_right)
    places = frame[["suite", "scene", "view"]].drop_duplicates()
    values = [_quantities(scenes, (suite, scene), view) for suite, scene, view in places.values]
    places = places.assign(**{name: [each[name] for each in values] for name in QUANTITIES})
    frame = frame.merge(places, on=["suite", "scene", "view"])
    curves = []
    for quantity in QUANTITIES:
        known = frame[frame[quantity].notna()]
        edges = _edges(known[quantity].to_numpy())
        if len(edges) < 3:
            continue
        bins = np.clip(np.searchsorted(edges, known[quantity], side="right") - 1, 0, len(edges) - 2)
        for model, mine in known.assign(bin=bins).groupby("model"):
            points = tuple(_point(part, quantity) for _, part in mine.groupby("bin"))
            curves.append(Curve(str(model), quantity, points))
    return sorted(curves, key=lambda curve: (list(QUANTITIES).index(curve.quantity), curve.model))


def _quantities(
    scenes: Mapping[SceneKey, Scene], key: SceneKey, view: str
) -> dict[str, float | None]:
    scene = scenes.get(key)
    if scene is None or scene.verdict is None:
        return dict.fromkeys(QUANTITIES)
    twin = scenes.get((key[0], scene.twin_id or ""), scene)
    verdicts = [one.verdict for one in (scene, twin) if one.verdict is not None]
    lengths = [verdict.distance_mm for verdict in verdicts]
    cameras = None if view == JOINT else view.split("+")
    shown = [v for v in scene.views if cameras is None or v.camera.name in cameras]
    seen = [
        min(v.visibility[name].pixels for name in scene.verdict.objects)
        for v in shown
        if v.visibility
    ]
    return {
        "pixels": max(seen, default=None),
        "objects": len(scene.objects),
        "margin": min(abs(verdict.margin) for verdict in verdicts),
        "distance_mm": None if None in lengths else min(filter(None, lengths), default=0.0),
    }


def _edges(values: np.ndarray) -> np.ndarray:
    """Edges of at most BINS bins; a quantity with few values has a bin for each."""
    different = np.unique(values)
    if len(different) <= BINS:
        return np.append(different, np.inf) if len(different) else different
    return np.unique(np.quantile(values, np.linspace(0, 1, BINS + 1)))


def _point(part: pd.DataFrame, quantity: str) -> Point:
    pair = pd.factorize(part.pair)[0]
    right, size = np.bincount(pair, weights=part.right), np.bincount(pair)
    low, high = clustered_rate(right, size)
    values = part[quantity]
    return Point(
        float(values.min()), float(values.max()), float(part.right.mean()), low, high, len(part)
    )
