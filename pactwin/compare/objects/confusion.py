"""Confusion matrices of properties: how often each true category was answered with each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pactwin.tasks import ObjectRow


@dataclass(frozen=True)
class Confusion:
    """One model's answers to one property.

    ``counts[i][j]`` are the answers ``categories[j]`` where ``categories[i]`` is true. Categories
    that were neither true nor answered are there too if they were an option.
    """

    model: str
    topic: str
    categories: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def shares(self) -> tuple[tuple[float, ...], ...]:
        """The counts as shares of their rows, 0 in rows without answers."""
        return tuple(tuple(n / max(1, sum(row)) for n in row) for row in self.counts)


def confusions(
    rows: Sequence[ObjectRow], vocabulary: dict[str, tuple[str, ...]]
) -> list[Confusion]:
    """A matrix per model and property, categories in the order of ``vocabulary``."""
    counted: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for row in rows:
        if row.kind == "property" and row.state in ("correct", "incorrect"):
            truth = row.truth.partition(":")[0].strip()
            counted.setdefault((row.model, row.topic), Counter())[truth, row.said] += 1
    found = []
    for (model, topic), counts in sorted(counted.items()):
        known = vocabulary.get(topic, ())
        others = sorted({name for pair in counts for name in pair} - set(known))
        names = (*known, *others)
        found.append(
            Confusion(model, topic, names, tuple(tuple(counts[t, s] for s in names) for t in names))
        )
    return found
