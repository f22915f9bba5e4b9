"""Perception's share of the gap: detection scores of the same scenes, simulated and captured.

Detection files lie in the suites (``pactwin detect``); AP and recall are those of
:func:`pactwin.perception.detection_gap`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pactwin.compare.intervals import Interval, mean_interval
from pactwin.compare.sim_to_real import CAPTURED
from pactwin.perception import FoundShare, detection_gap, read_detections
from pactwin.suite import InvalidInputError, Suite


@dataclass(frozen=True, slots=True)
class Perceived:
    """Scores of ``detector`` on the same objects seen by the same cameras.

    ``recall_gap`` is the mean over scenes of recall on the table minus in simulation, with its 95 %
    interval from the variance between ``pairs``; None for fewer than two.
    """

    detector: str
    scenes: int
    pairs: int
    sim: FoundShare
    captured: FoundShare
    recall_gap: float
    interval: Interval | None


def perceived(suites: Sequence[Suite], name: str) -> dict[str, Perceived]:
    """Scores by source, from the detection files ``name`` of captured suites and their originals.

    Raises InvalidInputError if there is no such couple among ``suites``, or two of one source.
    """
    suite_of = {scene.id: suite for suite in suites for scene in suite.scenes()}
    found: dict[str, Perceived] = {}
    for suite in suites:
        first = next(suite.scenes())
        source, original = first.source, suite_of.get(first.mirror_of or "")
        if source not in CAPTURED or original is None:
            continue
        if source in found:
            raise InvalidInputError(f"{suite.path}: detections of one {source} suite are compared")
        sides = [(side, read_detections(side, name)) for side in (original, suite)]
        gap = detection_gap(*sides)
        frame = pd.DataFrame(
            {
                "pair": [scene.pair for scene in gap.scenes],
                "gap": [scene.on_table.recall - scene.in_simulation.recall for scene in gap.scenes],
            }
        )
        by_pair = frame.groupby("pair").gap
        sums, sizes = by_pair.sum().to_numpy(), by_pair.size().to_numpy(dtype=float)
        found[source] = Perceived(
            detector=name,
            scenes=len(frame),
            pairs=len(sums),
            sim=gap.in_simulation,
            captured=gap.on_table,
            recall_gap=float(np.mean(frame.gap)),
            interval=mean_interval(sums, sizes) if len(sums) > 1 else None,
        )
    if not found:
        raise InvalidInputError(
            f"no captured suite with detections {name!r} is among those that the logs are about, "
            "together with the suite that it copies"
        )
    return found
