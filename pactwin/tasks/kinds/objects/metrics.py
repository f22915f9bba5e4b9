"""Scores of answers about objects: properties and affordances."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from pactwin.catalogue import PROPERTIES
from pactwin.suite import Observability
from pactwin.tasks.core.metrics import (
    POOLED,
    Confusion,
    Constant,
    MeanOfRates,
    Metric,
    Rate,
    ScoreTable,
    Scoring,
    Smooth,
    columns,
    strictly,
)
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.views import is_one_camera
from pactwin.tasks.kinds.objects.records import ObjectRow

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_AXES = ("domain", "view", "topic", "observability")


def _property(row: ObjectRow) -> Mapping[str, Any]:
    """Counts of one answer; ``gain`` is 1 if correct and 0 on average if guessed."""
    answered = row.answered
    chance = 1 / row.n_options if row.n_options else 0.0
    scale = 1 - chance if row.n_options > 1 else 1.0
    gain = ((row.state == AnswerState.CORRECT) - chance) / scale
    return {
        "topic": row.topic,
        "observability": row.observability or "",
        "chance": chance,
        "gain": gain if answered else 0.0,
        "gain_strict": gain,
    }


def _across_views(frame: "pd.DataFrame", rows: Sequence[Any]) -> Iterator["pd.DataFrame"]:
    """One unit per question and epoch asked in at least two single views."""
    single = frame[frame.view.map(is_one_camera).astype(bool)]
    keys = ["model", "cluster", "question", "epoch", "domain", "topic", "observability"]
    units = single.groupby(keys, as_index=False).agg(
        views=("answered", "size"), answered=("answered", "sum"), different=("said", "nunique")
    )
    units = units[units.views >= 2]
    compared = units.answered == units.views
    yield units[["model", "cluster", "domain", "topic", "observability"]].assign(
        view=POOLED,
        compared_asked=1,
        compared=compared.astype(int),
        same=(compared & (units.different == 1)).astype(int),
    )


def _affordance(row: ObjectRow) -> Mapping[str, Any]:
    answered = row.answered
    return {
        "any": int(bool(row.covered)),
        "items": len(row.items),
        "items_right": len(row.right),
        "accepted": len(row.accepted) if answered else 0,
        "covered": len(row.covered),
    }


def f1(sums: "np.ndarray") -> "np.ndarray":
    """F1 from counts (..., 4): correct items, named items, accepted items named, accepted items."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = sums[..., 0] / sums[..., 1], sums[..., 2] / sums[..., 3]
        return np.nan_to_num(2 * precision * recall / (precision + recall))


def _category(row: ObjectRow) -> tuple[str, str, str] | None:
    """The category of an answer that is confused with the true one, or equal to it."""
    if not row.answered:
        return None
    return row.topic, row.truth.partition(":")[0].strip(), row.said


PROPERTY_SCORING = Scoring(
    title="Properties",
    prefix="property_",
    metrics=(
        Metric(
            "mean_accuracy",
            MeanOfRates("right", "answered", "topic"),
            label="Mean over properties",
            explanation="Plain mean of the properties' accuracies, as published tables average.",
        ),
        *strictly(
            "accuracy",
            "Accuracy, pooled",
            "Share of answers that are the true category, over all answers together: "
            "properties with more labels weigh more.",
            top="right",
        ),
        Metric(
            "chance",
            Constant("chance", "asked"),
            label="Chance",
            explanation="What guessing evenly among the options would get on these questions.",
        ),
        Metric(
            "corrected",
            Rate("gain", "answered", lowest=-1.0),
            label="Chance-corrected",
            explanation="(Accuracy - chance) / (1 - chance), question by question: 0 is guessing, "
            "1 is perfect, below 0 is worse than guessing.",
        ),
        Metric("corrected_strict", Rate("gain_strict", "asked", lowest=-1.0)),
        Metric(
            "consistency",
            Rate("same", "compared"),
            ("compared_asked",),
            "View consistency",
            "Share of questions, asked in several single views and answered in all of them, that "
            "got the same category in every view, right or wrong.",
        ),
    ),
    tables=(
        ScoreTable(
            "Properties",
            columns(
                "mean_accuracy: mean of types | accuracy | chance | corrected | "
                "accuracy_strict: strict | consistency: views | coverage: cover"
            ),
            brief=True,
        ),
    ),
    truth=lambda row: row.truth,
    said=lambda row: row.said,
    measured=_property,
    further=_across_views,
    axes=_AXES,
    splits=(
        (),
        ("topic",),
        ("view",),
        ("observability",),
        ("domain",),
        ("topic", "view"),
        ("topic", "observability"),
        ("domain", "topic"),
        ("domain", "view"),
    ),
    right="the category is right",
    clusters="objects",
    lead="Which category is true of an object, among the two to four of each property. Mean over "
    "properties weighs each property the same. Chance-corrected accuracy is 0 for guessing evenly "
    "among the options, whatever their number.",
    order={"topic": tuple(PROPERTIES), "observability": get_args(Observability)},
    panels=("corrected", "topic"),
    facts={"topic": lambda row: row.topic, "object": lambda row: row.object_id},
    confusion=Confusion(_category, lambda topic: PROPERTIES.get(topic, ())),
)

AFFORDANCE_SCORING = Scoring(
    title="Affordances",
    prefix="affordance_",
    metrics=(
        *strictly(
            "all",
            "All named",
            "Share of answers that name every accepted affordance (PAC Bench).",
            top="right",
        ),
        *strictly(
            "any", "Any named", "Share of answers that name any accepted affordance (PAC Bench)."
        ),
        Metric(
            "precision",
            Rate("items_right", "items"),
            label="Precision",
            explanation="Share of the different affordances named that are accepted ones; a lower "
            "bound, since what is known of an object is not all that can be done with it.",
        ),
        Metric(
            "recall",
            Rate("covered", "accepted"),
            label="Recall",
            explanation="Share of the accepted affordances that are named.",
        ),
        Metric(
            "f1",
            Smooth(("items_right", "items", "covered", "accepted"), f1),
            label="F1",
            explanation="Harmonic mean of precision and recall, over all answers together.",
        ),
    ),
    tables=(
        ScoreTable(
            "Affordances",
            columns(
                "f1: F1 | precision | recall | all: all named | any: any named | coverage: cover"
            ),
            brief=True,
        ),
    ),
    truth=lambda row: row.truth,
    said=lambda row: "; ".join(row.items),
    measured=_affordance,
    axes=("domain", "view"),
    splits=((), ("view",), ("domain",), ("domain", "view")),
    right="all accepted affordances are named",
    clusters="objects",
    lead="What an object can be used for, as a free list, against what is known of it. Items are "
    "compared by the catalogue's synonyms, then, where the run asked for it, by sentence "
    "embeddings and a judge.",
    facts={"object": lambda row: row.object_id},
)
