"""Confusion matrices: how often each true value was answered with each value."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pactwin.compare.scores import kind_of_rows
from pactwin.tasks import Row


@dataclass(frozen=True)
class ConfusionMatrix:
    """One model's answers in one group of questions, as a property.

    ``counts[i][j]`` is the number of answers ``names[j]`` when ``names[i]`` is true.
    """

    model: str
    group: str
    names: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def shares(self) -> tuple[tuple[float, ...], ...]:
        """The counts as shares of their rows, 0 in rows without answers."""
        return tuple(tuple(n / max(1, sum(row)) for n in row) for row in self.counts)


def confusions(rows: Sequence[Row]) -> list[ConfusionMatrix]:
    """One matrix per model and group of one kind's answers; empty if the kind declares none.

    Names are in the kind's order, then unknown ones.
    """
    declared = kind_of_rows(rows).scoring.confusion if rows else None
    if declared is None:
        return []
    counted: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for row in rows:
        cell = declared.cell(row)
        if cell is not None:
            counted.setdefault((row.model, cell[0]), Counter())[cell[1:]] += 1
    found = []
    for (model, group), counts in sorted(counted.items()):
        seen = {name for pair in counts for name in pair}
        known = tuple(n for n in declared.order(group) if declared.keep_all or n in seen)
        names = (*known, *sorted(seen - set(known)))
        matrix = tuple(tuple(counts[truth, said] for said in names) for truth in names)
        found.append(ConfusionMatrix(model, group, names, matrix))
    return found
