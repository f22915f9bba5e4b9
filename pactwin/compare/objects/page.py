"""What the report's sections about objects show: tables and figures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pactwin.catalogue import PROPERTIES
from pactwin.compare.cautions import flags_of
from pactwin.compare.counts import POOLED, TOGETHER
from pactwin.compare.figures import Axis, Panel, shared_axis, strip
from pactwin.compare.metrics import ObjectScore
from pactwin.compare.objects.confusion import Confusion, confusions
from pactwin.compare.objects.table import AFFORDANCE_COLUMNS, PROPERTY_COLUMNS, ranked_by
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
_NUMBERS = re.compile(r"(\d+)")
SEEN = ("visible", "inferable", "hidden")


class ObjectIndex:
    """Scores by cell, as the templates ask for them."""

    def __init__(self, scores: Sequence[ObjectScore], headline: str) -> None:
        self._by_cell = {
            (s.model, s.domain, s.view, s.topic, s.observability, s.metric): s for s in scores
        }
        self._kind = headline.partition("_")[0]
        mine = [s for s in scores if s.metric.startswith(self._kind)]
        self.models = [model for model, _ in ranked_by(scores, headline)]
        self.topics = [t for t in PROPERTIES if t in {s.topic for s in mine}]
        self.topics += sorted({s.topic for s in mine} - {POOLED, *PROPERTIES})
        self.views = sorted({s.view for s in mine} - {POOLED}, key=_view_key)
        self.domains = sorted({s.domain for s in mine} - {POOLED})
        self.observability = [name for name in SEEN if name in {s.observability for s in mine}]

    def get(
        self,
        model: str,
        metric: str,
        domain: str = POOLED,
        view: str = POOLED,
        topic: str = POOLED,
        observability: str = POOLED,
    ) -> ObjectScore | None:
        """The score of a cell, None if nothing was asked there."""
        return self._by_cell.get((model, domain, view, topic, observability, metric))

    def flags(self, model: str, topic: str = POOLED) -> tuple[str, ...]:
        """Why to be careful with a model's scores."""
        return flags_of(
            self.get(model, f"{self._kind}_coverage", topic=topic),
            self.get(model, f"{self._kind}_completeness"),
        )

    def flagged(self) -> dict[str, tuple[str, ...]]:
        """The models whose scores are to be taken with care, with why."""
        return {model: found for model in self.models if (found := self.flags(model))}


@dataclass(frozen=True)
class PropertySection:
    """``panels`` show the chance-corrected accuracy of each property, one mark a model."""

    scores: ObjectIndex
    axis: Axis
    panels: tuple[Panel, ...]
    confusions: dict[str, tuple[Confusion, ...]]
    labels: dict[str, str]
    flagged: dict[str, tuple[str, ...]]
    objects: int
    questions: int


@dataclass(frozen=True)
class AffordanceSection:
    """The scores of affordance answers, and how they were matched."""

    scores: ObjectIndex
    labels: dict[str, str]
    flagged: dict[str, tuple[str, ...]]
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
    index = ObjectIndex(scores, next(iter(PROPERTY_COLUMNS)))
    corrected = [s for s in scores if s.metric == "property_corrected" and s.view == POOLED]
    axis = shared_axis(corrected)
    panels = []
    for topic in index.topics:
        strips = []
        for model in index.models:
            score = index.get(model, "property_corrected", topic=topic)
            if score is not None:
                strips.append(strip(score, [], axis, index.flags(model, topic=topic)))
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
        flagged=index.flagged(),
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
    index = ObjectIndex(scores, next(iter(AFFORDANCE_COLUMNS)))
    return AffordanceSection(
        scores=index,
        labels=AFFORDANCE_LABELS,
        flagged=index.flagged(),
        objects=len({(row.suite_hash, row.object_id) for row in mine}),
        questions=len({(row.suite_hash, row.question_id) for row in mine}),
        judged=any(row.judged for row in mine),
    )


def _view_key(name: str) -> tuple[bool, bool, list[tuple[int, str]]]:
    """Single views first, every picture in one prompt last; numbers in names by their value."""
    parts = [(int(p), "") if p.isdigit() else (-1, p) for p in _NUMBERS.split(name)]
    return name == TOGETHER, "+" in name, parts
