"""Scores of answers about constraints.

``yes_no``, ``choice`` and ``open`` predict feasibility: ``yes_no`` says it, in ``choice`` it is
whether "nothing prevents it" was chosen, and an ``open`` answer is read by the scorer of its task.
An answer that was understood but says nothing about feasibility is left out of the feasibility
scores and, strictly, wrong; an open reply that says no, but not clearly why, counts in them and in
view consistency although it is no answer. The other forms ask for sets and count in none of these.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pactwin.suite import NONE_OF_THEM, SET_FORMS, Constraint
from pactwin.tasks.core.metrics import (
    POOLED,
    Column,
    Confusion,
    Metric,
    Rate,
    ScoreTable,
    Scoring,
    SumOfRates,
    columns,
    crossed,
    strictly,
)
from pactwin.tasks.core.views import is_one_camera
from pactwin.tasks.kinds.constraint.evidence import EVIDENCE, EVIDENCE_TABLE, evidence_units
from pactwin.tasks.kinds.constraint.questions import FORMS
from pactwin.tasks.kinds.constraint.records import AnswerRow

if TYPE_CHECKING:
    import pandas as pd

FORMS_WITH_REASON = ("choice", "open")
"""Forms that ask which constraint decides."""


def _measured(row: AnswerRow) -> Mapping[str, Any]:
    """What one answer counts; ``judged`` says whether it speaks of feasibility."""
    answered = row.answered
    feasible, asks_set = row.truth_feasible, row.form in SET_FORMS
    yes, no = row.predicted_feasible is True, row.predicted_feasible is False
    judged = yes or no
    reason = not feasible and row.truth_constraint is not None and row.form in FORMS_WITH_REASON
    named = reason and answered and str(row.predicted_constraint) == str(row.truth_constraint)
    return {
        "feasible": feasible,
        "says_yes": yes,
        "judged": int(judged),
        "says_right": int(judged and yes == feasible),
        "asks_set": asks_set,
        "accepted": frozenset(row.accepted),
        "selected": frozenset(row.selected),
        "feasible_asked": int(feasible and not asks_set),
        "feasible_judged": int(feasible and judged),
        "feasible_yes": int(feasible and yes),
        "infeasible_asked": int(not feasible and not asks_set),
        "infeasible_judged": int(not feasible and judged),
        "infeasible_no": int(not feasible and no),
        "reasons_asked": int(reason),
        "reasons": int(reason and answered),
        "reasons_right": int(named),
    }


def _further(frame: "pd.DataFrame", rows: Sequence[Any]) -> Iterator["pd.DataFrame"]:
    yield _of_sets(frame)
    yield _of_pairs(frame)
    yield _of_questions(frame)
    yield evidence_units(frame)


def _of_sets(frame: "pd.DataFrame") -> "pd.DataFrame":
    """One unit per question for all true options, over those that are true in one twin alone.

    An answer that does not depend on the picture names such an option for both twins or for none.
    """
    asked = frame[frame.asks_set.astype(bool)]
    both: dict[tuple[str, str], dict[str, frozenset[str]]] = {}
    for row in asked.itertuples():
        both.setdefault((row.pair, row.form), {})[row.scene] = row.accepted
    counts = []
    for row in asked.itertuples():
        sets = list(both[row.pair, row.form].values())
        contested = sets[0] ^ sets[1] if len(sets) == 2 else frozenset()
        true, false = contested & row.accepted, contested - row.accepted
        counts.append(
            {
                "contested_true_asked": len(true),
                "contested_true": len(true) * row.answered,
                "contested_named": len(true & row.selected) * row.answered,
                "contested_false_asked": len(false),
                "contested_false": len(false) * row.answered,
                "contested_left": len(false - row.selected) * row.answered,
            }
        )
    keys = asked[["model", "cluster", "domain", "view", "form"]]
    names = counts[0] if counts else {}
    return keys.assign(**{name: [c[name] for c in counts] for name in names})


def _of_pairs(frame: "pd.DataFrame") -> "pd.DataFrame":
    """One unit per pair, view, form and epoch in which both twins were asked."""
    keys = ["model", "cluster", "domain", "view", "form", "epoch"]
    units = frame.groupby(keys, as_index=False).agg(
        twins=("feasible", "nunique"), pairs=("answered", "min"), pairs_right=("right", "min")
    )
    return units[units.twins == 2].drop(columns=["twins", "epoch"]).assign(pairs_asked=1)


def _of_questions(frame: "pd.DataFrame") -> "pd.DataFrame":
    """One unit per question and epoch asked in at least two single views."""
    single = frame[~frame.asks_set.astype(bool) & frame.view.map(is_one_camera).astype(bool)]
    keys = ["model", "cluster", "domain", "form", "question", "epoch"]
    units = single.groupby(keys, as_index=False).agg(
        views=("judged", "size"), judged=("judged", "sum"), yes=("says_yes", "sum")
    )
    units = units[units.views >= 2]
    judged = units.judged == units.views
    same = judged & ((units.yes == 0) | (units.yes == units.judged))
    return units[["model", "cluster", "domain", "form"]].assign(
        view=POOLED, scenes_asked=1, scenes=judged.astype(int), scenes_same=same.astype(int)
    )


_SENSITIVITY = Rate("feasible_yes", "feasible_judged")
_SPECIFICITY = Rate("infeasible_no", "infeasible_judged")
_SENSITIVITY_STRICT = Rate("feasible_yes", "feasible_asked")
_SPECIFICITY_STRICT = Rate("infeasible_no", "infeasible_asked")
_SET_SENSITIVITY = Rate("contested_named", "contested_true")
_SET_SPECIFICITY = Rate("contested_left", "contested_false")
_SET_SENSITIVITY_STRICT = Rate("contested_named", "contested_true_asked")
_SET_SPECIFICITY_STRICT = Rate("contested_left", "contested_false_asked")

_BOTH = ("feasible_asked", "infeasible_asked")
_BOTH_SETS = ("contested_true_asked", "contested_false_asked")

METRICS = (
    Metric(
        "informedness",
        SumOfRates(_SENSITIVITY, _SPECIFICITY),
        _BOTH,
        "Informedness",
        "Sensitivity + specificity - 1 (Youden, Cancer 3, 1950): 0 for any answer that does not "
        "depend on the picture, 1 for a perfect one.",
    ),
    Metric("informedness_strict", SumOfRates(_SENSITIVITY_STRICT, _SPECIFICITY_STRICT), _BOTH),
    Metric(
        "set_informedness",
        SumOfRates(_SET_SENSITIVITY, _SET_SPECIFICITY),
        _BOTH_SETS,
        "Set informedness",
        "Of options that are true of one twin alone: share named where true + share left out where "
        "false - 1.",
    ),
    Metric(
        "set_informedness_strict",
        SumOfRates(_SET_SENSITIVITY_STRICT, _SET_SPECIFICITY_STRICT),
        _BOTH_SETS,
    ),
    Metric(
        "balanced_accuracy",
        SumOfRates(_SENSITIVITY, _SPECIFICITY, 0.5, 0.0),
        _BOTH,
        "Balanced accuracy",
        "(Sensitivity + specificity) / 2.",
    ),
    Metric(
        "balanced_accuracy_strict",
        SumOfRates(_SENSITIVITY_STRICT, _SPECIFICITY_STRICT, 0.5, 0.0),
        _BOTH,
    ),
    *strictly(
        "sensitivity",
        "Sensitivity",
        'Share of feasible scenes answered "feasible".',
        top="feasible_yes",
        bottom="feasible_judged",
        asked="feasible_asked",
    ),
    *strictly(
        "specificity",
        "Specificity",
        'Share of infeasible scenes answered "not feasible".',
        top="infeasible_no",
        bottom="infeasible_judged",
        asked="infeasible_asked",
    ),
    *strictly(
        "pair_accuracy",
        "Pair accuracy",
        "Share of pairs, view by view and form by form, in which both twins were "
        "answered correctly.",
        top="pairs_right",
        bottom="pairs",
        asked="pairs_asked",
    ),
    *strictly(
        "reason_accuracy",
        "Reason accuracy",
        "Share of infeasible scenes whose deciding constraint was named, over the "
        'forms that ask for it; "feasible" names none and counts as wrong.',
        top="reasons_right",
        bottom="reasons",
        asked="reasons_asked",
    ),
    *strictly(
        "view_consistency",
        "View consistency",
        "Share of questions, asked in two or more single views and answered in all of "
        "them, whose feasibility answer is the same throughout, right or wrong.",
        top="scenes_same",
        bottom="scenes",
        asked="scenes_asked",
    ),
    *strictly(
        "accuracy",
        "Accuracy",
        "Share of answers that are correct as their form asks: in choice and open an "
        "infeasible scene also needs the right constraint.",
        top="right",
    ),
    *EVIDENCE,
    *strictly(
        "set_sensitivity",
        top="contested_named",
        bottom="contested_true",
        asked="contested_true_asked",
    ),
    *strictly(
        "set_specificity",
        top="contested_left",
        bottom="contested_false",
        asked="contested_false_asked",
    ),
)

_HEADLINE = (
    "informedness | informedness_strict: strict | sensitivity: sens. | specificity: spec. | "
    "pair_accuracy: pairs | reason_accuracy: reason | view_consistency: views | coverage: cover"
)


def _sets() -> tuple[Column, ...]:
    """Of each form that asks for sets: set informedness, and the share of the very set."""
    return tuple(
        Column(metric, head, (("form", form),))
        for form in SET_FORMS
        for metric, head in (("set_informedness", form), ("accuracy", f"{form}, exact"))
    )


def said_of(row: AnswerRow) -> str:
    """The answer in a word or two; the state where there is none."""
    if row.state == "unparsed" and row.predicted_feasible is False:
        return "no, unclear why"
    if not row.answered:
        return str(row.state)
    if row.form in SET_FORMS:
        return ", ".join(row.selected) or NONE_OF_THEM
    if row.form == "yes_no" and row.predicted_feasible is not None:
        return "yes" if row.predicted_feasible else "no"
    if row.predicted_constraint is not None and row.predicted_constraint != Constraint.NONE:
        return str(row.predicted_constraint).replace("_", " ")
    if row.predicted_feasible is not None:
        return "feasible" if row.predicted_feasible else "not feasible"
    return str(row.state)


def _constraint_said(row: AnswerRow) -> str | None:
    """The constraint or the options named, None where there are none."""
    if row.form in SET_FORMS:
        return "; ".join(row.selected)
    return None if row.predicted_constraint is None else str(row.predicted_constraint)


def _truth_of(row: AnswerRow) -> str:
    if row.form in SET_FORMS:
        return "; ".join(row.accepted)
    return "" if row.truth_constraint is None else str(row.truth_constraint)


def _confused(row: AnswerRow) -> tuple[str, str, str] | None:
    """The cause named of an infeasible scene, over the forms that ask for one."""
    if row.form not in FORMS_WITH_REASON or row.predicted_constraint is None:
        return None
    if row.truth_constraint in (None, Constraint.NONE):
        return None
    return POOLED, str(row.truth_constraint), str(row.predicted_constraint)


SCORING = Scoring(
    title="Constraints",
    prefix="",
    tables=(
        ScoreTable("Constraints", columns(_HEADLINE), brief=True),
        EVIDENCE_TABLE,
        ScoreTable("Sets of options: set informedness", _sets(), brief=True),
    ),
    metrics=METRICS,
    truth=_truth_of,
    said=said_of,
    measured=_measured,
    further=_further,
    splits=crossed("domain", "view", "form"),
    stratum="domain",
    compared=("says_right", "judged"),
    right="the feasibility answer is right",
    feasibility=True,
    confusion=Confusion(_confused, lambda group: tuple(map(str, Constraint)), keep_all=False),
    order={"form": (*FORMS, *SET_FORMS)},
    facts={
        "said": _constraint_said,
        "feasible": lambda row: row.truth_feasible,
        "says_feasible": lambda row: row.predicted_feasible,
    },
)
