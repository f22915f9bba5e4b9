"""How runs looked around before they ended, where things and parts can be inspected.

Every run counts but those whose calls failed: who ran out of turns looked around, too, and chose
nothing right. What is like the meant part are parts judged to serve alike, and things that have
one. Whatever is counted is counted once however often it was looked at.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from pactwin.compare.intervals import Interval
from pactwin.compare.means import clustered_mean
from pactwin.tasks import UseRow

EXPLORING = (
    "parts_explored",
    "parts_repeated",
    "part_looked_first_right",
    "part_looked_first_wrong",
    "density_things",
    "density_parts",
    "progress_gold_thing",
    "progress_gold_part",
    "progress_similar_thing",
    "progress_similar_part",
)

Measured = tuple[float | None, Interval | None, int]
Looked = tuple[str, ...]
"""A thing, or a thing and its part."""


def measure_exploring(
    rows: Sequence[UseRow], resamples: int, seed: int
) -> Iterator[tuple[str, Measured]]:
    """Every metric of ``EXPLORING`` over runs that could inspect, if there are any."""
    traced = [row for row in rows if row.strategy.startswith("inspect-")]
    if not traced:
        return
    parts = [[one for one in row.trace if len(one) == 2] for row in traced]
    yield "parts_explored", (float(np.mean([len(set(p)) for p in parts])), None, len(parts))
    again = [
        (row.scene_id, float(len(set(p)) < len(p))) for row, p in zip(traced, parts, strict=True)
    ]
    yield "parts_repeated", clustered_mean(again, resamples, seed)
    for name, right in (("right", True), ("wrong", False)):
        first = [
            (row.scene_id, float((row.gold_entity, row.gold_part) in p))
            for row, p in zip(traced, parts, strict=True)
            if (row.relation == "gold") is right
        ]
        yield f"part_looked_first_{name}", clustered_mean(first, resamples, seed)
    for size, name in ((1, "things"), (2, "parts")):
        shares = []
        for row in traced:
            seen = {one for one in row.trace if len(one) == size}
            if seen:
                share = len(seen & (_gold(row, size) | _similar(row, size))) / len(seen)
                shares.append((row.scene_id, share))
        yield f"density_{name}", clustered_mean(shares, resamples, seed)
    for size, name in ((1, "thing"), (2, "part")):
        for what, wanted_of in (("gold", _gold), ("similar", _similar)):
            found = [share for row in traced for share in _progress(row, wanted_of(row, size))]
            mean = float(np.mean(found)) if found else None
            yield f"progress_{what}_{name}", (mean, None, len(found))


def _gold(row: UseRow, size: int) -> set[Looked]:
    return {(row.gold_entity, row.gold_part)[:size]}


def _similar(row: UseRow, size: int) -> set[Looked]:
    return {pair[:size] for pair in row.similar} - _gold(row, size)


def _progress(row: UseRow, wanted: set[Looked]) -> Iterator[float]:
    """For each that was found, the turn of it over all turns of the run."""
    for one in sorted(wanted & set(row.trace)):
        yield (row.trace.index(one) + 1) / row.calls
