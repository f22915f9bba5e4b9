"""Lookup of scores by cell."""

import re
from collections.abc import Sequence

from pactwin.compare.scores import Score
from pactwin.compare.warnings import warnings_of
from pactwin.tasks import JOINT, KINDS

_NUMBERS = re.compile(r"(\d+)")


class ScoreIndex:
    """The scores of one kind of question; ``models`` are in the order of the page.

    Metrics are named without the prefix of their kind.
    """

    def __init__(self, kind: str, scores: Sequence[Score], models: Sequence[str]) -> None:
        self.models = list(models)
        self._scoring = KINDS[kind].scoring
        self._by_cell = {(s.model, s.metric, frozenset(s.cell)): s for s in scores}
        self._found: dict[str, set[str]] = {axis: set() for axis in self._scoring.axes}
        for s in scores:
            for axis, name in s.cell:
                self._found[axis].add(name)

    def values(self, axis: str) -> list[str]:
        """Names that cells have on an axis, in order."""
        names = self._found.get(axis, set())
        if axis == "view":
            return sorted(names, key=view_order)
        known = [name for name in self._scoring.order.get(axis, ()) if name in names]
        return known + sorted(names - set(known))

    @property
    def domains(self) -> list[str]:
        """Domains of the questions."""
        return self.values("domain")

    @property
    def views(self) -> list[str]:
        """Views of the questions, single ones first."""
        return self.values("view")

    @property
    def forms(self) -> list[str]:
        """Forms of question."""
        return self.values("form")

    def get(self, model: str, metric: str, **cell: str) -> Score | None:
        """The score of a cell {axis: name}, pooled over other axes; None if not asked."""
        name = f"{self._scoring.prefix}{metric}"
        return self._by_cell.get((model, name, frozenset(cell.items())))

    def warnings(self, model: str, **cell: str) -> tuple[str, ...]:
        """Caveats of a model's scores in a cell."""
        coverage = self.get(model, "coverage", **cell)
        return warnings_of(coverage, self.get(model, "completeness"))

    def warned(self) -> dict[str, tuple[str, ...]]:
        """Caveats by model, for models that have any."""
        return {model: found for model in self.models if (found := self.warnings(model))}


def view_order(name: str) -> tuple[bool, bool, list[tuple[int, str]]]:
    """Sort key: single views first, all views together last; numbers in names by value."""
    parts = [(int(p), "") if p.isdigit() else (-1, p) for p in _NUMBERS.split(name)]
    return name == JOINT, "+" in name, parts
