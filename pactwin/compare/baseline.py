"""What changed since an older run: the same questions, answered then and now."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from pactwin.compare.counts import answer_frame
from pactwin.compare.paired import PairedTest, holm, paired_test
from pactwin.suite import InvalidInputError
from pactwin.tasks import AnswerRow

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Change:
    """One model now (``first`` of the test) against then; ``test`` is None if it is new or gone.

    A question without an answer counts as wrong, so that falling silent is a loss.
    """

    model: str
    then: float | None
    now: float | None
    test: PairedTest | None

    @property
    def is_loss(self) -> bool:
        """Whether it is significantly worse than it was, corrected for the number of models."""
        return self.test is not None and self.test.difference < 0 and self.test.p_holm < LEVEL


def changes(now: Sequence[AnswerRow], then: Sequence[AnswerRow]) -> list[Change]:
    """A change per model of either run, on the questions about constraints that both asked it.

    Raises InvalidInputError if there is no such question, as where the suite was made anew.
    """
    if not now or not then:
        raise InvalidInputError("a baseline is compared in answers about constraints: none found")
    frames = [_right(rows) for rows in (now, then)]
    both = pd.concat(frames, axis=1, keys=["now", "then"])
    shared = both.dropna()
    if shared.empty:
        raise InvalidInputError(
            "no question was asked of a model in both runs: a baseline must be about the same "
            f"suite (now {_suites(now)}, then {_suites(then)})"
        )
    tests = {}
    for model, mine in shared.groupby(level="model"):
        a, b = (mine[side].to_numpy() == 1 for side in ("now", "then"))
        pairs = mine.index.get_level_values("pair")
        tests[str(model)] = paired_test(str(model), "now", "then", a, b, pairs)
    corrected = dict(zip(tests, holm(list(tests.values())), strict=True))
    found = []
    for model in sorted(set(both.index.get_level_values("model"))):
        mine = shared if model in tests else both
        mine = mine[mine.index.get_level_values("model") == model]
        before, after = (
            None if mine[side].isna().all() else float(mine[side].mean())
            for side in ("then", "now")
        )
        found.append(Change(model, before, after, corrected.get(model)))
    return found


def _right(rows: Sequence[AnswerRow]) -> pd.Series:
    frame = answer_frame(rows)
    judged = frame.says_yes | frame.says_no
    frame["share"] = (judged & (frame.says_yes == frame.feasible)).astype(float)
    return frame.set_index(["model", "pair", "question", "view"]).share


def _suites(rows: Sequence[AnswerRow]) -> str:
    return ", ".join(sorted({row.suite_hash[:12] for row in rows}))
