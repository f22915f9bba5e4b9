"""Scores by cell, as the page asks for them."""

import re
from collections.abc import Sequence
from typing import get_args

from pactwin.catalogue import PROPERTIES
from pactwin.compare.counts import POOLED
from pactwin.compare.metrics import Score
from pactwin.compare.warnings import warnings_of
from pactwin.suite import SET_FORMS, Observability
from pactwin.tasks import FORMS, TOGETHER

_AXES = ("domain", "view", "form", "topic", "observability")
_NUMBERS = re.compile(r"(\d+)")


class ScoreIndex:
    """The scores of one kind of question: ``prefix`` is what the names of their metrics begin with.

    ``models`` are in the order of the page; attributes are the names that cells have on each axis.
    """

    def __init__(self, scores: Sequence[Score], models: Sequence[str], prefix: str = "") -> None:
        self.models = list(models)
        self._prefix = prefix
        self._by_cell = {(s.model, s.metric, *_cell_of(s)): s for s in scores}
        found = {
            axis: set(names) - {POOLED}
            for axis, *names in zip(_AXES, *map(_cell_of, scores), strict=True)
        }
        self.domains = sorted(found["domain"])
        self.views = sorted(found["view"], key=view_order)
        self.forms = [name for name in (*FORMS, *SET_FORMS) if name in found["form"]]
        self.topics = [name for name in PROPERTIES if name in found["topic"]]
        self.topics += sorted(found["topic"] - set(PROPERTIES))
        self.observability = [n for n in get_args(Observability) if n in found["observability"]]

    def get(self, model: str, metric: str, **cell: str) -> Score | None:
        """The score of a cell {axis: name}, pooled over other axes; None if not asked."""
        return self._by_cell.get((model, metric, *(cell.get(axis, POOLED) for axis in _AXES)))

    def warnings(self, model: str, **cell: str) -> tuple[str, ...]:
        """Why to be careful with a model's scores in a cell."""
        coverage = self.get(model, f"{self._prefix}coverage", **cell)
        return warnings_of(coverage, self.get(model, f"{self._prefix}completeness"))

    def warned(self) -> dict[str, tuple[str, ...]]:
        """The models whose scores are to be taken with care, with why."""
        return {model: found for model in self.models if (found := self.warnings(model))}


def view_order(name: str) -> tuple[bool, bool, list[tuple[int, str]]]:
    """Single views first, every picture in one prompt last; numbers in names by their value."""
    parts = [(int(p), "") if p.isdigit() else (-1, p) for p in _NUMBERS.split(name)]
    return name == TOGETHER, "+" in name, parts


def _cell_of(score: Score) -> tuple[str, ...]:
    return tuple(getattr(score, axis, POOLED) for axis in _AXES)
