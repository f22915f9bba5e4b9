"""Changes since an older run, on the questions that both runs asked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from pactwin.compare.paired import PairedTest, holm, paired_test, right_answers
from pactwin.compare.scores import by_kind
from pactwin.suite import InvalidInputError
from pactwin.tasks import Row

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one model's score for one kind, now (``first`` of the test) against the older run.

    ``test`` is None if the model is in one run only. A question without an answer counts as
    incorrect, because a lost answer is a loss.
    """

    model: str
    kind: str
    then: float | None
    now: float | None
    test: PairedTest | None

    @property
    def is_loss(self) -> bool:
        """Return whether it is significantly worse, corrected for all changes shown."""
        return self.test is not None and self.test.difference < 0 and self.test.p_holm < LEVEL


def changes(now: Sequence[Row], then: Sequence[Row]) -> list[Change]:
    """One change per kind and model, on the questions that both runs asked.

    Raises InvalidInputError if there is no such question, for instance of another suite.
    """
    newer, older = by_kind(now), by_kind(then)
    found = [
        change
        for kind in dict.fromkeys([*newer, *older])
        for change in _changes(kind, newer.get(kind, []), older.get(kind, []))
    ]
    tests = [change.test for change in found if change.test is not None]
    if not tests:
        raise InvalidInputError(
            "no question was asked of a model in both runs: a baseline must be about the same "
            f"suite (now {_suites(now)}, then {_suites(then)})"
        )
    corrected = iter(holm(tests))
    return [c if c.test is None else replace(c, test=next(corrected)) for c in found]


def _changes(kind: str, now: Sequence[Row], then: Sequence[Row]) -> list[Change]:
    """Changes of one kind; ``now`` or ``then`` is empty for a kind that one run did not ask."""
    sides = [right_answers(rows, strict=True) for rows in (now or then, then or now)]
    both = pd.concat(sides, axis=1, keys=["now", "then"])
    both.loc[:, [side for side, rows in (("now", now), ("then", then)) if not rows]] = math.nan
    found = []
    for model, mine in both.groupby(level="model"):
        shared = mine.dropna()
        test = None
        if len(shared):
            a, b = (shared[side].to_numpy() for side in ("now", "then"))
            clusters = shared.index.get_level_values("cluster")
            test = paired_test(str(model), "now", "then", a, b, clusters)
        shown = shared if len(shared) else mine
        before, after = (
            None if shown[side].isna().all() else float(shown[side].mean())
            for side in ("then", "now")
        )
        found.append(Change(str(model), kind, before, after, test))
    return found


def _suites(rows: Sequence[Row]) -> str:
    return ", ".join(sorted({row.suite_hash[:12] for row in rows})) or "none"
