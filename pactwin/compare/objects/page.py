"""What the report's sections about objects show: tables and figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from pactwin.catalogue import PROPERTIES
from pactwin.compare.counts import POOLED
from pactwin.compare.figures import Axis, Panel, shared_axis, strip
from pactwin.compare.index import ScoreIndex
from pactwin.compare.metrics import ObjectScore
from pactwin.compare.objects.confusion import Confusion, confusions
from pactwin.compare.objects.table import AFFORDANCE_COLUMNS, PROPERTY_COLUMNS, ranked_by
from pactwin.compare.paired import PairedTest, compare_object_models
from pactwin.tasks import ObjectRow

PROPERTY_LABELS = {
    "property_mean_accuracy": "Mean over properties",
    "property_accuracy": "Accuracy, pooled",
    "property_accuracy_strict": "strict",
    "property_chance": "Chance",
    "property_corrected": "Chance-corrected",
    "property_consistency": "View consistency",
    "property_coverage": "Coverage",
}
AFFORDANCE_LABELS = {
    "affordance_f1": "F1",
    "affordance_precision": "Precision",
    "affordance_recall": "Recall",
    "affordance_all": "All named",
    "affordance_any": "Any named",
    "affordance_coverage": "Coverage",
}


@dataclass(frozen=True)
class PropertySection:
    """``panels`` show the chance-corrected accuracy of each property, one mark a model."""

    scores: ScoreIndex
    axis: Axis
    panels: tuple[Panel, ...]
    confusions: dict[str, tuple[Confusion, ...]]
    labels: dict[str, str]
    warned: dict[str, tuple[str, ...]]
    tests: list[PairedTest]
    objects: int
    questions: int


@dataclass(frozen=True)
class AffordanceSection:
    """The scores of affordance answers, and how they were matched."""

    scores: ScoreIndex
    labels: dict[str, str]
    warned: dict[str, tuple[str, ...]]
    tests: list[PairedTest]
    objects: int
    questions: int
    judged: bool


def property_section(
    rows: Sequence[ObjectRow], scores: Sequence[ObjectScore]
) -> PropertySection | None:
    """What to show of properties, None if none were asked about."""
    mine = [row for row in rows if row.kind == "property"]
    if not mine:
        return None
    index = _index(scores, next(iter(PROPERTY_COLUMNS)))
    corrected = [s for s in scores if s.metric == "property_corrected" and s.view == POOLED]
    axis = shared_axis(corrected)
    panels = []
    for topic in index.topics:
        strips = []
        for model in index.models:
            score = index.get(model, "property_corrected", topic=topic)
            if score is not None:
                strips.append(strip(score, [], axis, index.warnings(model, topic=topic)))
        panels.append(Panel(topic.capitalize(), axis, tuple(strips)))
    matrices: dict[str, tuple[Confusion, ...]] = {}
    for matrix in confusions(mine, dict(PROPERTIES)):
        matrices[matrix.model] = (*matrices.get(matrix.model, ()), matrix)
    return PropertySection(
        scores=index,
        axis=axis,
        panels=tuple(panels),
        confusions={model: matrices[model] for model in index.models if model in matrices},
        labels=PROPERTY_LABELS,
        warned=index.warned(),
        tests=compare_object_models(mine),
        objects=len({(row.suite_hash, row.object_id) for row in mine}),
        questions=len({(row.suite_hash, row.question_id) for row in mine}),
    )


def affordance_section(
    rows: Sequence[ObjectRow], scores: Sequence[ObjectScore]
) -> AffordanceSection | None:
    """What to show of affordances, None if none were asked about."""
    mine = [row for row in rows if row.kind == "affordance"]
    if not mine:
        return None
    index = _index(scores, next(iter(AFFORDANCE_COLUMNS)))
    return AffordanceSection(
        scores=index,
        labels=AFFORDANCE_LABELS,
        warned=index.warned(),
        tests=compare_object_models(mine),
        objects=len({(row.suite_hash, row.object_id) for row in mine}),
        questions=len({(row.suite_hash, row.question_id) for row in mine}),
        judged=any(row.judged for row in mine),
    )


def _index(scores: Sequence[ObjectScore], headline: str) -> ScoreIndex:
    """The scores of the kind that ``headline`` is about, models by it."""
    prefix = headline.partition("_")[0] + "_"
    mine = [score for score in scores if score.metric.startswith(prefix)]
    return ScoreIndex(mine, [model for model, _ in ranked_by(scores, headline)], prefix)
