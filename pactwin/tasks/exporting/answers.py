"""From a row of the flat configuration and a reply to a marked answer; from answers to scores.

The reader that travels with exports ends with this module. A row is a mapping with the columns of
``questions_flat``; what is not needed to mark a reply may be missing.
"""

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from pactwin.suite import Constraint
from pactwin.tasks.core.metrics import COMMON, Rate, SumOfRates
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.kinds.constraint.marking import (
    answer_counts,
    mark_reply,
    pair_units,
    set_units,
)
from pactwin.tasks.kinds.constraint.rates import RATES

NOT_CALLED = ("[LMMS_EVAL_REQUEST_FAILED", "[LMMS_EVAL_BUDGET_EXCEEDED]", "Failed to obtain answer")
"""How texts begin that harnesses put in the place of a reply where a call failed."""


def mark_row(row: Mapping[str, Any], reply: str | None) -> dict[str, Any]:
    """The outcome of a reply: ``state``, and ``reason``, ``predicted_feasible``,
    ``predicted_constraint`` and ``selected`` as far as there are any.

    A call that failed (None) is an error, never a wrong answer.
    """
    if reply is None or reply.startswith(NOT_CALLED):
        return {"state": AnswerState.ERROR, "reason": "the call failed"}
    return mark_reply(
        reply,
        row["form"],
        row["truth"],
        row["feasible"],
        row["constraint"],
        row["options"],
        row["accepted"],
        row["objects"],
        tuple(map(Constraint, row["equivalent_constraints"])),
    )


def read_answer(row: Mapping[str, Any], reply: str | None, epoch: int = 1) -> dict[str, Any]:
    """A marked answer with all that it counts, as :func:`scores` takes it.

    ``state`` is ``correct``, ``incorrect`` or why there is no answer; ``right`` and ``answered``
    are 0 or 1.
    """
    outcome = mark_row(row, reply)
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
    """Every score that the answers have, as ``pactwin compare`` gives it.

    The headline is ``informedness_strict``: 0 for whatever does not depend on the picture, and no
    answer counts as wrong. Of a form that asks for sets it is ``set_informedness_strict``.
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
