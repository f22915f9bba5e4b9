"""Scores of probabilities that an action is feasible, from any source.

Sources are the reply (``stated``), the answer token (``token``), and the share of yes over epochs
(``epochs``). All have the same metrics. A kind adds :func:`measured_probability` to its
measurements, :func:`probability_units` to its additional units, and the metrics and tables.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pactwin.tasks.core.calibration import (
    calibration_error,
    discrimination,
    floor_of,
    generalized_risk_area,
    miscalibration,
    risk_coverage_area,
    selective_accuracy,
    uncertainty,
)
from pactwin.tasks.core.metrics import (
    Column,
    Estimator,
    Mean,
    Metric,
    Rate,
    ScoreTable,
    Tabled,
    columns,
)
from pactwin.tasks.core.results import AnswerState

if TYPE_CHECKING:
    import pandas as pd

SOURCES: Mapping[str, str] = {
    "stated": "stated",
    "token": "from tokens",
    "epochs": "share of yes over epochs",
}
"""Sources of probabilities, in words."""
_CLIP = 0.01
WRONG_COST = 3
"""Cost of a wrong answer where "unsure" costs nothing and a correct one gains 1."""


def measured_probability(row: Any, truth: bool | None) -> dict[str, Any]:
    """Counts of a row's probabilities; ``truth`` is None where the row has none."""
    says, unsure = row.predicted_feasible, row.state == AnswerState.UNSURE
    asked = row.confidence and row.form == "yes_no"
    replied = row.form == "yes_no" and (row.answered or unsure)
    told = asked and replied and truth is not None
    stated = row.probability
    both = told and row.answered and stated is not None and stated != 0.5
    return {
        "p_truth": np.nan if truth is None or row.form != "yes_no" else float(truth),
        "stated": np.nan if stated is None else stated,
        "token": np.nan if row.token_probability is None else row.token_probability,
        "p_says": np.nan if says is None else float(says),
        "stated_asked": int(asked),
        "stated_given": int(asked and stated is not None),
        "unsure": int(asked and unsure),
        "token_asked": int(row.logprobs and replied),
        "token_given": int(row.logprobs and replied and row.token_probability is not None),
        "token_outside": row.token_outside or 0.0,
        "staked": int(told),
        "points": (1 if says == truth else -WRONG_COST) if told and not unsure else 0,
        "consistent_asked": int(both),
        "contradicted": int(both and says != (stated > 0.5)),
    }


def probability_answers(frame: "pd.DataFrame") -> Iterator[tuple[str, "pd.DataFrame"]]:
    """Answers of each source, a frame with ``p`` and ``p_noise``.

    ``p_noise`` is the contribution of sampling noise of a share to its squared error. With epochs,
    each question and view is one answer.
    """
    known = frame[frame.p_truth.notna()]
    for source in ("stated", "token"):
        given = known[known[source].notna()]
        if len(given):
            yield source, given.assign(p=given[source], p_noise=0.0)
    if frame.epoch.nunique() < 2:
        return
    keys = ["model", "cluster", "domain", "view", "form", "question", "p_truth"]
    said = known[known.p_says.notna()].groupby(keys, as_index=False)
    shares = said.agg(p=("p_says", "mean"), k=("p_says", "size"))
    shares = shares[shares.k >= 2]
    if len(shares):
        noise = shares.p * (1 - shares.p) / (shares.k - 1)
        yield "epochs", shares.assign(p_noise=noise, epoch=1)


def twin_gaps(answers: "pd.DataFrame") -> "pd.DataFrame":
    """One unit per cluster, view, form and epoch with feasible and infeasible scenes.

    ``gap`` is the mean probability of feasible scenes minus that of infeasible ones; ``order`` is
    the share of couples in which the feasible scene has the larger probability; ties count half.
    """
    keys = ["model", "cluster", "domain", "view", "form", "epoch"]
    feasible, infeasible = (
        answers[answers.p_truth == truth].groupby(keys).p.agg(list).rename(name)
        for truth, name in ((1, "yes"), (0, "no"))
    )
    units = feasible.to_frame().join(infeasible, how="inner")
    couples = [np.subtract.outer(yes, no) for yes, no in zip(units.yes, units.no, strict=True)]
    units["gap"] = [np.mean(each) for each in couples]
    units["order"] = [np.sign(each).mean() / 2 + 0.5 for each in couples]
    return units.drop(columns=["yes", "no"]).reset_index()


def probability_units(frame: "pd.DataFrame") -> Iterator["pd.DataFrame"]:
    """Units that PROBABILITY_METRICS count."""
    for source, answers in probability_answers(frame):
        p, truth = answers.p.to_numpy(), answers.p_truth.to_numpy()
        likely = np.clip(np.where(truth == 1, p, 1 - p), _CLIP, 1 - _CLIP)
        yield answers[["model", "cluster", "domain", "view", "form"]].assign(
            **{
                f"{source}_p": p.round(3),
                f"{source}_ones": truth,
                f"{source}_n": 1,
                f"{source}_squared": (p - truth) ** 2 - answers.p_noise.to_numpy(),
                f"{source}_log": -np.log(likely),
                f"{source}_misled": np.abs(p - truth) >= 1 - _CLIP,
            }
        )
        gaps = twin_gaps(answers)
        yield gaps.drop(columns=["epoch", "gap", "order"]).assign(
            **{f"{source}_gap": gaps.gap, f"{source}_order": gaps.order, f"{source}_twins": 1}
        )


def _metrics(source: str) -> Iterator[Metric]:
    def count(name: str) -> str:
        return f"{source}_{name}"

    def over(estimator: Callable[..., Estimator], name: str, per: str, *words: str) -> Metric:
        top, asked = _COUNTED.get(name, name), count(per)
        return Metric(count(name), estimator(count(top), asked), (asked,), *words)

    def tabled(
        name: str, function: Any, *words: str, interval: Literal["", "plain", "fit"] = "plain"
    ) -> Metric:
        estimator = Tabled(count("p"), count("ones"), count("n"), function, interval)
        return Metric(count(name), estimator, (count("n"),), *words)

    yield over(
        partial(Rate, lowest=-1.0),
        "delta_p",
        "twins",
        "Twin gap",
        "Probability of the feasible twin minus that of the infeasible one, in one view: 0 for all "
        "that does not depend on the picture, 1 for a perfect observer.",
    )
    yield over(
        Rate,
        "within_pairs",
        "twins",
        "Within pairs",
        "How often the feasible twin has the larger probability, ties half: 0.5 is chance.",
    )
    yield over(
        Mean,
        "brier",
        "n",
        "Brier",
        "Mean squared error of the probability: 0.25 for one half always, 0 is best. Of shares "
        "over epochs, without what their sampling adds.",
    )
    yield tabled(
        "aurc",
        risk_coverage_area,
        "AURC",
        "Mean error of the most confident answers, over all shares answered. Of random confidence "
        "it is the error rate.",
    )
    yield tabled(
        "augrc",
        generalized_risk_area,
        "AUGRC",
        "Mean share of undetected errors, over all shares answered. Of random confidence it is "
        "half the error rate.",
    )
    for share in (50, 80):
        yield tabled(
            f"accuracy_{share}",
            selective_accuracy(share / 100),
            f"Accuracy at {share} %",
            f"Accuracy of the {share} % of answers with the highest confidence.",
        )
    if source == "epochs":
        return
    yield tabled(
        "miscalibration",
        miscalibration,
        "MCB",
        "What the Brier score loses because probabilities do not mean what they say. Brier = MCB - "
        "DSC + uncertainty.",
        interval="fit",
    )
    yield tabled(
        "discrimination",
        discrimination,
        "DSC",
        "What the Brier score gains because probabilities tell feasible from infeasible scenes.",
        interval="fit",
    )
    for name, function, *words in (
        ("uncertainty", uncertainty, "Uncertainty", "The Brier score of the base rate."),
        ("ece", calibration_error, "ECE", "Expected calibration error over ten bins."),
        ("ece_floor", floor_of(calibration_error), "ECE floor", f"The mean ECE {_FLOOR}"),
        ("miscalibration_floor", floor_of(miscalibration), "MCB floor", f"The mean MCB {_FLOOR}"),
    ):
        yield tabled(name, function, *words, interval="")
    yield over(
        Mean,
        "log_score",
        "n",
        "Log score",
        f"Mean of -log of the probability of what is true, clipped at {_CLIP:g}: 0.69 for one half "
        "always.",
    )
    yield over(
        Rate,
        "certain_wrong",
        "n",
        "Certain and wrong",
        "Share of answers that say at least 99 % of what is false.",
    )


_COUNTED = {
    "delta_p": "gap",
    "within_pairs": "order",
    "brier": "squared",
    "log_score": "log",
    "certain_wrong": "misled",
}
"""The count that a metric sums."""
_FLOOR = "of as many answers if every probability said were true."

PROBABILITY_METRICS = (
    *(metric for source in SOURCES for metric in _metrics(source)),
    Metric(
        "stated_given",
        Rate("stated_given", "stated_asked"),
        ("stated_asked",),
        "Gave a probability",
        "Share of questions whose reply says one number as asked; ranges, bounds and words are no "
        "numbers.",
    ),
    Metric(
        "unsure",
        Rate("unsure", "stated_asked"),
        ("stated_asked",),
        "Unsure",
        'Share of questions answered "unsure": neither right nor wrong, and not answered.',
    ),
    Metric(
        "points",
        Mean("points", "staked"),
        ("staked",),
        "Points",
        f"Mean of 1 for right, 0 for unsure and -{WRONG_COST} for wrong, as the question says: who "
        "is less than 75 % sure does better with unsure.",
    ),
    Metric(
        "contradicted",
        Rate("contradicted", "consistent_asked"),
        ("consistent_asked",),
        "Contradicts itself",
        "Share of answers whose yes or no is not what their probability says.",
    ),
    Metric(
        "token_given",
        Rate("token_given", "token_asked"),
        ("token_asked",),
        "Token values",
        "Share of answers for which the provider gave log probabilities of yes or no.",
    ),
    Metric(
        "token_outside",
        Mean("token_outside", "token_given"),
        ("token_given",),
        "Outside",
        "Mean probability of what is neither yes nor no, at the token that answers.",
    ),
)


def _tables(source: str) -> tuple[ScoreTable, ScoreTable]:
    """Tables of the probabilities of a ``source``, without the columns that it lacks."""

    def listed(names: str) -> tuple[Column, ...]:
        return tuple(
            column if column.metric in ("unsure", "points", "contradicted") else
            Column(f"{source}_{column.metric}", column.head)
            for column in columns(names)
        )  # fmt: skip

    own = " | unsure | points" if source == "stated" else ""
    return (
        ScoreTable(
            f"Probability, {SOURCES[source]}",
            listed(
                "delta_p: twin gap | within_pairs: in pairs | brier: Brier | miscalibration: MCB | "
                f"discrimination: DSC | certain_wrong: certain, wrong | given{own} | outside"
            ),
            "Twin gap: probability of the feasible twin minus that of the infeasible one. In "
            "pairs: how often the feasible twin has the larger. Brier: squared error, 0.25 for one "
            "half always; MCB is lost to miscalibration, DSC gained by telling scenes apart.",
            brief=True,
        ),
        ScoreTable(
            f"Probability, {SOURCES[source]}: errors by confidence",
            listed(
                "accuracy_50: at 50 % | accuracy_80: at 80 % | aurc: AURC | augrc: AUGRC | "
                "log_score: log score | miscalibration_floor: MCB floor | ece: ECE | "
                f"ece_floor: ECE floor{' | contradicted' if source == 'stated' else ''}"
            ),
            "At 50 and 80 %: accuracy of that share of answers with the highest confidence. AURC "
            "and AUGRC: lower is better. A floor is the mean of a calibrated observer.",
        ),
    )


PROBABILITY_TABLES = tuple(table for source in SOURCES for table in _tables(source))

PROBABILITY_FACTS: Mapping[str, Callable[[Any], Any]] = {
    name: attrgetter(name) for name in ("probability", "token_probability", "token_outside")
}
"""Columns of the table of answers."""
