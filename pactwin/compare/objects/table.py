"""Scores of answers about objects in the terminal: a table for each of the two kinds."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pactwin.compare.metrics import Score
from pactwin.compare.ranking import Ranked, ranked, ranking_table

if TYPE_CHECKING:
    from rich.table import Table

PROPERTY_COLUMNS = {
    "property_mean_accuracy": "mean of types (95 %)",
    "property_accuracy": "accuracy",
    "property_chance": "chance",
    "property_corrected": "corrected",
    "property_accuracy_strict": "strict",
    "property_consistency": "views",
    "property_coverage": "cover",
}
AFFORDANCE_COLUMNS = {
    "affordance_f1": "F1 (95 %)",
    "affordance_precision": "precision",
    "affordance_recall": "recall",
    "affordance_all": "all named",
    "affordance_any": "any named",
    "affordance_coverage": "cover",
}


def object_tables(scores: Sequence[Score]) -> list["Table"]:
    """The pooled scores, a row per model, best first; no table for what was not asked."""
    tables = []
    for title, columns in (("properties", PROPERTY_COLUMNS), ("affordances", AFFORDANCE_COLUMNS)):
        headline = next(iter(columns))
        rows = ranked_by(scores, headline)
        if rows:
            tables.append(ranking_table(title, columns, rows, _kind_of(headline)))
    return tables


def ranked_by(scores: Sequence[Score], headline: str) -> Ranked:
    """Pooled scores {metric: score} of each model of which ``headline``'s kind was asked.

    By falling ``headline``, or where there is none (one property alone) by falling accuracy.
    """
    mine = (score for score in scores if score.metric.startswith(_kind_of(headline)))
    return ranked(mine, headline, "property_accuracy")


def _kind_of(metric: str) -> str:
    """What names of metrics of its kind start with."""
    return metric.partition("_")[0] + "_"
