"""Scores of answers about ladders: bias and noise of the psychometric curve, and accuracy.

Quantities have different units, so bias and noise are given per quantity. Over all quantities they
are in steps of the ladder.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pactwin.tasks.core.metrics import (
    CurveFigure,
    Fitted,
    Metric,
    Rate,
    ScoreTable,
    Scoring,
    SumOfRates,
    columns,
    crossed,
)
from pactwin.tasks.core.probabilities import (
    PROBABILITY_FACTS,
    PROBABILITY_METRICS,
    PROBABILITY_TABLES,
    measured_probability,
    probability_units,
)
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.kinds.ladder.curve import fit_curve
from pactwin.tasks.kinds.ladder.records import LadderRow

if TYPE_CHECKING:
    import pandas as pd


Interval = Literal["", "plain", "log"]


def quantity(row: LadderRow) -> str:
    """The quantity with its unit."""
    return f"{row.domain} ({row.unit})" if row.unit else row.domain


def _measured(row: LadderRow) -> Mapping[str, Any]:
    answered = row.state in (AnswerState.CORRECT, AnswerState.INCORRECT)
    yes = answered and row.predicted_feasible is True
    feasible = row.decided and row.truth_feasible
    infeasible = row.decided and not row.truth_feasible
    return {
        "domain": quantity(row),
        "x": row.x,
        "yes": int(yes),
        "graded": int(row.decided),
        "decided": int(row.decided and answered),
        "decided_right": int(row.decided and row.state == AnswerState.CORRECT),
        "feasible": int(feasible and answered),
        "feasible_yes": int(feasible and yes),
        "infeasible": int(infeasible and answered),
        "infeasible_no": int(infeasible and answered and not yes),
        **measured_probability(row, row.truth_feasible if row.decided else None),
    }


def _further(frame: "pd.DataFrame", rows: Sequence[Any]) -> Iterator["pd.DataFrame"]:
    """One unit per answer, with ``x`` in steps of its ladder, which all quantities share."""
    answers = frame[frame.answered == 1]
    widths = {cluster: _step(mine) for cluster, mine in answers.groupby("cluster").x}
    yield answers[["model", "cluster", "domain", "view"]].assign(
        x_steps=[x / widths[one] for x, one in zip(answers.x, answers.cluster, strict=True)],
        yes_steps=answers.yes,
        in_steps=1,
    )
    yield from probability_units(frame)


def _step(x: "pd.Series") -> float:
    """The width of a ladder's steps; 1 if only one step was answered."""
    steps = x.nunique() - 1
    return float(x.max() - x.min()) / steps if steps else 1.0


def _curve(
    name: str, parameter: str, label: str, explanation: str, interval: Interval = ""
) -> Metric:
    fitted = Fitted("x", "yes", "answered", fit_curve, parameter, interval, within="domain")
    return Metric(name, fitted, ("answered",), label, explanation)


def _in_steps(
    name: str, parameter: str, label: str, explanation: str, interval: Interval
) -> Metric:
    fitted = Fitted("x_steps", "yes_steps", "in_steps", fit_curve, parameter, interval)
    return Metric(name, fitted, ("in_steps",), label, explanation)


_SENSITIVITY = Rate("feasible_yes", "feasible")
_SPECIFICITY = Rate("infeasible_no", "infeasible")
METRICS = (
    Metric(
        "informedness",
        SumOfRates(_SENSITIVITY, _SPECIFICITY),
        ("feasible", "infeasible"),
        "Informedness",
        "Over steps that the trial decided: share of feasible steps answered yes plus share of "
        "infeasible steps answered no, minus 1.",
    ),
    _in_steps(
        "bias_steps",
        "bias",
        "Bias, steps",
        "Where half of the answers are yes, in steps of the ladder from the limit, over all "
        "quantities; above 0 is too cautious, below 0 too bold. None where the answers do not "
        "follow the quantity.",
        "plain",
    ),
    _in_steps(
        "jnd_steps",
        "jnd",
        "JND, steps",
        "Just noticeable difference, in steps of the ladder, over all quantities: from 50 to 75 % "
        "yes. It holds the noise of the answers and how thresholds differ between scenes.",
        "log",
    ),
    _curve("bias", "bias", "Bias", "The same in the unit of the quantity.", "plain"),
    _curve("jnd", "jnd", "JND", "The same in the unit of the quantity.", "log"),
    _curve(
        "false_yes",
        "guess",
        "Yes far below",
        "Share of yes far below the limit: answers that nothing in the quantity explains.",
    ),
    _curve(
        "false_no",
        "lapse",
        "No far above",
        "Share of no far above the limit.",
    ),
    _curve(
        "fit_p",
        "fit_p",
        "Fit, p",
        "How probable so bad a fit is if the curve is right. Below 0.05 the answers do not rise as "
        "a curve does.",
    ),
    Metric("yes_share", Rate("yes", "answered"), label="Yes", explanation="Share of yes."),
    Metric(
        "accuracy",
        Rate("decided_right", "decided"),
        ("decided",),
        "Accuracy",
        "Share of right answers about steps that the trial decided.",
    ),
    *PROBABILITY_METRICS,
)


SCORING = Scoring(
    title="Ladders",
    prefix="ladder_",
    tables=(
        ScoreTable(
            "Ladders",
            columns(
                "informedness | bias_steps: bias, steps | jnd_steps: JND, steps | yes_share: yes | "
                "unsure | coverage: cover"
            ),
            brief=True,
        ),
        ScoreTable(
            "Bias and JND",
            columns(
                "bias | jnd: JND | false_yes: yes far below | false_no: no far above | fit_p: fit"
            ),
            "In the unit of the quantity.",
            by=("domain", "view"),
        ),
        *PROBABILITY_TABLES,
    ),
    metrics=METRICS,
    truth=lambda row: ("yes" if row.truth_feasible else "no") if row.decided else "undecided",
    said=lambda row: (
        str(row.state)
        if row.predicted_feasible is None
        else "yes"
        if row.predicted_feasible
        else "no"
    ),
    measured=_measured,
    further=_further,
    axes=("domain", "view"),
    splits=crossed("domain", "view"),
    compared=("decided_right", "decided"),
    right="the answer is right, of steps that the trial decided",
    clusters="ladders",
    lead="Each ladder is one scene with one physical quantity stepped through its limit. x is the "
    "signed distance to the limit; the action works above 0.",
    curves=CurveFigure("domain", "x", "yes", "answered", fit_curve, "bias", "jnd"),
    facts={"x": lambda row: row.x, "unit": lambda row: row.unit, **PROBABILITY_FACTS},
)
