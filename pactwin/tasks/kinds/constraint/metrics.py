"""Scores of answers about constraints.

``yes_no``, ``choice`` and ``open`` predict feasibility: ``yes_no`` states it, ``choice`` implies it
by whether "nothing prevents it" was chosen, and ``open`` answers are read by the task's scorer. An
answer that says nothing about feasibility is left out of the feasibility scores and counts as
incorrect in strict ones. An open reply that says no without a clear reason counts in the
feasibility scores and in view consistency, although it is no answer. The other forms ask for sets
and count in none of these.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pactwin.suite import NONE_OF_THEM, SET_FORMS, Constraint
from pactwin.tasks.core.metrics import (
    POOLED,
    Column,
    Confusion,
    ScoreTable,
    Scoring,
    columns,
    crossed,
    strictly,
)
from pactwin.tasks.core.probabilities import (
    PROBABILITY_FACTS,
    PROBABILITY_METRICS,
    PROBABILITY_TABLES,
    measured_probability,
    probability_units,
)
from pactwin.tasks.core.views import is_one_camera
from pactwin.tasks.kinds.constraint.evidence import EVIDENCE, EVIDENCE_TABLE, evidence_units
from pactwin.tasks.kinds.constraint.marking import (
    FORMS_WITH_REASON,
    PAIR_KEYS,
    answer_counts,
    pair_units,
    set_units,
)
from pactwin.tasks.kinds.constraint.questions import FORMS
from pactwin.tasks.kinds.constraint.rates import RATES
from pactwin.tasks.kinds.constraint.records import AnswerRow

if TYPE_CHECKING:
    import pandas as pd


def _measured(row: AnswerRow) -> Mapping[str, Any]:
    truth = None if row.form in SET_FORMS else row.truth_feasible
    return {**answer_counts(row), **measured_probability(row, truth)}


def _further(frame: "pd.DataFrame", rows: Sequence[Any]) -> Iterator["pd.DataFrame"]:
    import pandas as pd

    marks = ["scene", "asks_set", "feasible", "accepted", "selected", "answered", "right"]
    answers = frame[[*PAIR_KEYS, *marks]].to_dict("records")
    yield pd.DataFrame(set_units(answers))
    yield pd.DataFrame(pair_units(answers))
    yield _of_questions(frame)
    yield evidence_units(frame)
    yield from probability_units(frame)


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


METRICS = (
    *RATES,
    *strictly(
        "view_consistency",
        "View consistency",
        "Share of questions, asked in two or more single views and answered in all of "
        "them, whose feasibility answer is the same throughout, right or wrong.",
        top="scenes_same",
        bottom="scenes",
        asked="scenes_asked",
    ),
    *EVIDENCE,
    *PROBABILITY_METRICS,
)

_HEADLINE = (
    "informedness | informedness_strict: strict | sensitivity: sens. | specificity: spec. | "
    "pair_accuracy: pairs | reason_accuracy: reason | view_consistency: views | unsure | "
    "coverage: cover"
)


def _sets() -> tuple[Column, ...]:
    """For each form that asks for sets: set informedness, and the share of exact sets."""
    return tuple(
        Column(metric, head, (("form", form),))
        for form in SET_FORMS
        for metric, head in (("set_informedness", form), ("accuracy", f"{form}, exact"))
    )


def said_of(row: AnswerRow) -> str:
    """The answer in a word or two; its state if there is no answer."""
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
        *PROBABILITY_TABLES,
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
        **PROBABILITY_FACTS,
    },
)
