"""The CI gate: do all models' scores reach a limit?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pactwin.compare.metrics import metric_names
from pactwin.compare.ranking import pooled
from pactwin.compare.scores import Score
from pactwin.suite import InvalidInputError, unknown_name


@dataclass(frozen=True, slots=True)
class Violation:
    """A model under the limit; ``value`` is None if the metric was not measured."""

    model: str
    metric: str
    value: float | None
    limit: float

    def __str__(self) -> str:
        found = "was not measured" if self.value is None else f"is {self.value:.3f}"
        return f"{self.model}: {self.metric} {found}, under the limit {self.limit:g}"


def gate(scores: Sequence[Score], condition: str) -> list[Violation]:
    """The models that violate ``METRIC=VALUE``; empty if all pass.

    Every model's pooled value must be at least VALUE; a metric that could not be measured fails.
    Raises InvalidInputError for an unknown metric or a value that is not a number.
    """
    metric, _, text = condition.partition("=")
    known = metric_names()
    if metric not in known:
        raise unknown_name("metric", metric, known)
    try:
        limit = float(text)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        raise InvalidInputError(f"{condition!r} is not METRIC=VALUE with a number, as {metric}=0.3")
    violations = []
    for model, found in pooled(s for s in scores if not s.published).items():
        value = found[metric].gated_value if metric in found else None
        if value is None or value < limit:
            violations.append(Violation(model, metric, value, limit))
    return violations
