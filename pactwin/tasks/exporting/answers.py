"""Mark replies to rows of the flat configuration, and score the answers.

This module is the last part of the reader that is included in exports. A row is a mapping with the
columns of ``questions_flat``; columns not needed for marking may be missing.
"""

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from pactwin.tasks.core.metrics import COMMON, Rate, SumOfRates
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.kinds.constraint.marking import (
    answer_counts,
    mark_row,
    pair_units,
    set_units,
)
from pactwin.tasks.kinds.constraint.rates import RATES


def read_answer(row: Mapping[str, Any], reply: str | None, epoch: int = 1) -> dict[str, Any]:
    """A marked answer with its counts for :func:`scores`: plain values for JSON.

    ``state`` is ``correct``, ``incorrect`` or the reason for a missing answer; ``right`` and
    ``answered`` are 0 or 1.
    """
    return count_outcome(row, mark_row(row, reply), epoch)


def count_outcome(
    row: Mapping[str, Any], outcome: Mapping[str, Any], epoch: int = 1
) -> dict[str, Any]:
    """Counts of an outcome of :func:`mark_row`."""
    answered = outcome["state"] in (AnswerState.CORRECT, AnswerState.INCORRECT)
    said = {"predicted_feasible": None, "predicted_constraint": None, "selected": (), **outcome}
    facts = {"truth_feasible": row["feasible"], "truth_constraint": row["constraint"]}
    asked = {"form": row["form"], "accepted": row["accepted"], "answered": answered}
    return {
        "model": "",
        "cluster": row["pair_id"],
        "scene": row["scene_id"],
        "domain": row["domain"],
        "view": row["view"],
        "form": row["form"],
        "epoch": epoch,
        "state": str(outcome["state"]),
        "reason": outcome.get("reason", ""),
        "asked": 1,
        "answered": int(answered),
        "right": int(outcome["state"] == AnswerState.CORRECT),
        **answer_counts(SimpleNamespace(**said, **facts, **asked)),
    }


def scores(answers: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Every score of the answers, as in ``pactwin compare``.

    The headline is ``informedness_strict``: it is 0 for answers independent of the picture, and
    missing answers count as incorrect. For forms that ask for sets it is
    ``set_informedness_strict``.
    """
    marked = list(answers)
    units = [*marked, *set_units(marked), *pair_units(marked)]
    found = {}
    for metric in (*RATES, *COMMON):
        names = {*metric.estimator.columns, *metric.asked}
        sums = {name: sum(unit.get(name, 0) for unit in units) for name in names}
        estimator = metric.estimator
        if isinstance(estimator, (Rate, SumOfRates)) and all(sums[name] for name in metric.asked):
            value = estimator.value(sums)
            if value is not None:
                found[metric.name] = value
    return found


def pair_reward(answers: Iterable[Mapping[str, Any]]) -> float:
    """1 if both twins were answered correctly, else 0: a constant answer earns nothing."""
    (unit,) = pair_units(answers)
    return float(unit["pairs_right"])
