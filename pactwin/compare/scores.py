"""A score: one metric of one model in one cell, for any kind of question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from pactwin.tasks import KINDS, POOLED, AnswerRow, QuestionKind, Row


@dataclass(frozen=True, slots=True)
class Score:
    """One metric of one model in one cell, from its answers to questions of ``kind``.

    ``cell`` names the axes that do not pool, with their values. ``value`` is None without answers;
    ``low`` and ``high`` bound the 95 % interval, None if there is none; ``n`` is the number of
    units in the denominator. ``published`` scores are of released answers. ``caution`` says why the
    score does not suffice for conclusions, empty if it does.
    """

    model: str
    kind: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    cell: tuple[tuple[str, str], ...] = ()
    published: bool = False
    caution: str = ""

    @property
    def is_pooled(self) -> bool:
        """Return whether it pools all answers of its model."""
        return not self.cell

    @property
    def gated_value(self) -> float | None:
        """The value that a gate compares; None if it does not suffice for conclusions."""
        return None if self.caution else self.value

    def at(self, axis: str) -> str:
        """Value on an axis; POOLED if the score pools that axis."""
        return dict(self.cell).get(axis, POOLED)

    @property
    def domain(self) -> str:
        """The domain; POOLED if the score pools domains."""
        return self.at("domain")

    @property
    def view(self) -> str:
        """The view condition; POOLED if the score pools views."""
        return self.at("view")

    @property
    def form(self) -> str:
        """The form of question; POOLED if the score pools forms."""
        return self.at("form")

    def record(self) -> dict[str, Any]:
        """A flat record with a key for every axis of the kind."""
        return {
            "model": self.model,
            "kind": self.kind,
            **{axis: self.at(axis) for axis in KINDS[self.kind].scoring.axes},
            "metric": self.metric,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "published": self.published,
            "caution": self.caution,
        }


def by_kind(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each kind that was asked, in the order of the registry."""
    found: dict[str, list[Row]] = {name: [] for name in KINDS}
    for row in rows:
        found[row.kind].append(row)
    return {name: mine for name, mine in found.items() if mine}


def decisions_of(rows: Sequence[Row]) -> list[AnswerRow]:
    """Rows of kinds whose answers are about feasibility."""
    return [cast(AnswerRow, row) for row in rows if KINDS[row.kind].scoring.feasibility]


def kind_of_rows(rows: Sequence[Row]) -> QuestionKind:
    """The single kind of ``rows``, which are not empty."""
    (name,) = {row.kind for row in rows}
    return KINDS[name]


def planned_questions(rows: Sequence[Row]) -> dict[str, int]:
    """Planned questions per model over all its runs, epochs included."""
    runs = {(row.model, row.run_id): row.planned for row in rows}
    planned: dict[str, int] = {}
    for (model, _), questions in runs.items():
        planned[model] = planned.get(model, 0) + questions
    return planned
