"""Scores of choices which part of which thing could serve, per system and domain.

The plain value is over answers; ``_strict`` is over all that was asked, no answer being wrong:

============================ ======================================================================
creative_gold                share of answers that choose what is meant, thing and part
creative_entity              share that choose the thing that is meant
creative_exact               share that write both names to the letter
creative_hallucination       share that choose what is not there
creative_similar             share that choose another part judged to serve alike
creative_turns               mean number of replies until the end (with ``explore``)
creative_explored            mean number of different things looked at before it
creative_repeated            share of runs that look at a thing again
creative_looked_first_right  share of runs that chose the right thing that looked at it before
creative_looked_first_wrong  share of all other runs that had looked at the right one
creative_parts_explored      mean number of different parts inspected (with ``inspect-...``)
creative_parts_repeated      share of runs that inspect a part again
creative_part_looked_first_* as above, of the right part, where thing and part are right or not
creative_density_*           of the things and parts inspected, the share that is meant or like it
creative_progress_*          turn over all turns at which what is meant, or like it, is found
creative_covers_*            of right choices, how far the use covers the condition of the
                             environment, the use, the recipient, where there is one: 0 to 1
creative_grounding           of right choices, how far it rests on what is known of the part
creative_feasibility         of right choices, how far the use could be carried out
creative_feasibility_strict  of all that was asked, anything but a right choice being 0
creative_error_*             share of all that was asked that mainly errs this way (A1 to D2)
creative_judged              share of all that was asked that the judge marked
creative_failed              share of all that was asked whose calls failed
creative_coverage            answered / asked
creative_completeness        asked / planned, over all runs
============================ ======================================================================

How runs looked around is told of all whose calls did not fail. The judge's marks, where there was
one, are halved to 0 to 1; published tables have them from 1 to 5. Intervals: Wilson for shares, as
every situation is asked once.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from pactwin.compare.counts import POOLED
from pactwin.compare.creative.exploring import EXPLORING, measure_exploring
from pactwin.compare.creative.judged import JUDGED, measure_judged
from pactwin.compare.intervals import RESAMPLES, Interval
from pactwin.compare.means import clustered_mean
from pactwin.compare.metrics import Score, completeness, planned_questions
from pactwin.tasks import AnswerState, UseRow

_ANSWERED = (AnswerState.CORRECT, AnswerState.INCORRECT)
_SHARES = ("gold", "entity", "exact", "hallucination", "similar")
_MEANS = ("turns", "explored")
_LOOKED = ("repeated", "looked_first_right", "looked_first_wrong")
USE_METRICS = tuple(
    f"creative_{name}"
    for name in (
        *(f"{share}{suffix}" for share in _SHARES for suffix in ("", "_strict")),
        *_MEANS,
        *_LOOKED,
        *EXPLORING,
        *JUDGED,
        "failed",
        "coverage",
        "completeness",
    )
)

Measured = tuple[float | None, Interval | None, int]


def score_uses(rows: Sequence[UseRow], *, resamples: int = RESAMPLES, seed: int = 0) -> list[Score]:
    """Every metric of every system, pooled and by domain."""
    scores: list[Score] = []
    planned = planned_questions(rows)
    systems: dict[str, list[UseRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda r: (r.model, r.suite_hash, r.question_id)):
        systems[row.model].append(row)
    for model, mine in systems.items():
        for domain in (POOLED, *sorted({row.domain for row in mine})):
            cell = [row for row in mine if domain in (row.domain, POOLED)]
            for metric, (value, bounds, n) in _measure(cell, resamples, seed):
                low, high = bounds or (None, None)
                name = f"creative_{metric}"
                scores.append(Score(model, domain, POOLED, POOLED, name, value, low, high, n))
        whole = completeness(model, "creative_completeness", len(mine), planned)
        scores.append(Score(*whole))
    return scores


def _measure(rows: Sequence[UseRow], resamples: int, seed: int) -> Iterator[tuple[str, Measured]]:
    answered = [row for row in rows if row.state in _ANSWERED]
    for suffix, some in (("", answered), ("_strict", list(rows))):
        for metric in _SHARES:
            values = [(row.scene_id, float(_counts(row, metric))) for row in some]
            yield metric + suffix, clustered_mean(values, resamples, seed)
    reached = [row for row in rows if row.state is not AnswerState.ERROR]
    looked = [row for row in reached if row.strategy.startswith(("explore", "inspect-"))]
    if looked:
        turns = [row.calls for row in looked]
        different = [len(set(row.explored)) for row in looked]
        yield "turns", (float(np.mean(turns)), None, len(looked))
        yield "explored", (float(np.mean(different)), None, len(looked))
        again = [(r.scene_id, float(len(set(r.explored)) < len(r.explored))) for r in looked]
        yield "repeated", clustered_mean(again, resamples, seed)
        for name, right in (("right", True), ("wrong", False)):
            first = [
                (row.scene_id, float(row.gold_entity in row.explored))
                for row in looked
                if (row.found_entity == row.gold_entity) is right
            ]
            yield f"looked_first_{name}", clustered_mean(first, resamples, seed)
    yield from measure_exploring(reached, resamples, seed)
    yield from measure_judged(rows, resamples, seed)
    failed = [(row.scene_id, float(row.state is AnswerState.ERROR)) for row in rows]
    yield "failed", clustered_mean(failed, resamples, seed)
    covered = [(row.scene_id, float(row.state in _ANSWERED)) for row in rows]
    yield "coverage", clustered_mean(covered, resamples, seed)


def _counts(row: UseRow, metric: str) -> bool:
    if row.state not in _ANSWERED:
        return False
    match metric:
        case "gold":
            return row.relation == "gold"
        case "entity":
            return row.found_entity == row.gold_entity
        case "exact":
            return (row.entity, row.part) == (row.gold_entity, row.gold_part)
        case "hallucination":
            return row.relation == "hallucination"
    return row.relation.startswith("similar")
