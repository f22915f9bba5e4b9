"""What a judge made of how parts would be used: marks of right choices, errors of wrong ones."""

from collections.abc import Iterator, Sequence

import numpy as np

from pactwin.compare.intervals import Interval
from pactwin.compare.means import clustered_mean
from pactwin.tasks import USE_ERRORS, UseRow

_MARKS = {
    "environment": "covers_environment",
    "use": "covers_use",
    "recipient": "covers_recipient",
    "grounding": "grounding",
    "feasibility": "feasibility",
}
"""The judge's marks, and what they are called among the metrics."""

ERROR_METRICS = tuple(f"error_{code}" for code in USE_ERRORS)
JUDGED = (*_MARKS.values(), "feasibility_strict", *ERROR_METRICS, "judged")

Measured = tuple[float | None, Interval | None, int]


def measure_judged(
    rows: Sequence[UseRow], resamples: int, seed: int
) -> Iterator[tuple[str, Measured]]:
    """Every metric of ``JUDGED``, if a judge marked any of the rows."""
    if not any(row.grades for row in rows):
        return
    for mark, metric in _MARKS.items():
        given = [
            row.grades[mark] / 2 for row in rows if row.relation == "gold" and mark in row.grades
        ]
        yield metric, (float(np.mean(given)) if given else None, None, len(given))
    reached = [row.grades.get("feasibility", 0) / 2 * (row.relation == "gold") for row in rows]
    yield "feasibility_strict", (float(np.mean(reached)), None, len(rows))
    for code, metric in zip(USE_ERRORS, ERROR_METRICS, strict=True):
        share = [(row.scene_id, float(row.error == code)) for row in rows]
        yield metric, clustered_mean(share, resamples, seed)
    judged = [(row.scene_id, float(bool(row.grades))) for row in rows]
    yield "judged", clustered_mean(judged, resamples, seed)
