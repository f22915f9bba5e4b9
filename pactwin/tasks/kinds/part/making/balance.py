"""What shows of the meant thing without any thought: whether it is the longest, the heaviest, ...,
and whether it is what is often meant for such a use.

Things beside it are chosen so that, over the tasks of a suite, it has the most of everything, or
the least, about as often as any other, and stands in the middle otherwise. Tasks whose use asks
for so much of a measure are balanced by themselves: others do not make up for them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from pactwin.tasks.kinds.part.making.affordances import KnowledgeBase

_COULD, _NEVER = 0.3, 0.01
"""How often a thing is taken for meant before it was there: one that could be, and another."""

PARTS = "parts"
"""The sign that is the number of parts, by which a description is long; others are measures."""


class Balance:
    """How often the meant things so far had the most and the least, and where they stood."""

    def __init__(self, known: KnowledgeBase, could: Iterable[tuple[str, str]] = ()) -> None:
        self._known = known
        self._could: dict[str, set[str]] = {}
        for use, kind in could:
            self._could.setdefault(use, set()).add(kind)
        told = [name for name, measure in known.table.measures.items() if measure.told]
        self.signs = (PARTS, *told)
        self._row = {kind: k for k, kind in enumerate(sorted(known.entities))}
        self._values = np.array([_shown(known, kind, told) for kind in self._row])
        self._sums = np.zeros((2, 3, len(self.signs)))
        self._meant: Counter[tuple[str, str]] = Counter()
        self._there: Counter[tuple[str, str]] = Counter()
        self._rates: dict[tuple[str, str], float] = {}

    def best(self, use: str, kind: str, choices: list[list[str]]) -> list[str]:
        """The one of ``choices`` of other things that leaves the sums of all signs least.

        Of those beside which who knows what is often meant finds ``kind`` least.
        """
        found = [self.found(use, kind, some) for some in choices]
        choices = [some for some, n in zip(choices, found, strict=True) if n == min(found)]
        off = self._off(kind, choices)
        sums = self._sums[self._group(use), :, range(len(self.signs))].T
        return choices[int(((sums + off) ** 2).sum(axis=(1, 2)).argmin())]

    def familiar(self, use: str, kind: str) -> float:
        """How often a thing is meant for a use, of how often it is there, as far as is known."""
        if (use, kind) not in self._rates:
            known = _COULD if kind in self._could.get(use, ()) else _NEVER
            rate = (self._meant[use, kind] + known) / (self._there[use, kind] + 1)
            self._rates[use, kind] = rate
        return self._rates[use, kind]

    def found(self, use: str, kind: str, others: Iterable[str]) -> float:
        """How often who takes the most familiar thing would take ``kind``, beside ``others``."""
        mine, theirs = self.familiar(use, kind), [self.familiar(use, other) for other in others]
        return float(mine >= max(theirs)) / (1 + theirs.count(mine))

    def add(self, use: str, kind: str, others: tuple[str, ...]) -> None:
        """Count a task that is taken."""
        self._rates.clear()
        self._meant[use, kind] += 1
        self._there.update((use, each) for each in (kind, *others))
        (off,) = self._off(kind, [list(others)])
        self._sums[self._group(use), :, range(len(self.signs))] += off.T

    def _group(self, use: str) -> np.ndarray:
        """(signs,): 1 where the use asks for so much of a measure, or so little."""
        asked = {need.measure for need in self._known.table.uses[use].needs}
        return np.array([int(sign in asked) for sign in self.signs])

    def _off(self, kind: str, choices: list[list[str]]) -> np.ndarray:
        """(choices, 3, signs): by how much it is the most, the least and above the middle.

        Each less what a thing taken at random is, so that the sums of a fair suite are about 0.
        """
        mine = self._values[self._row[kind]]
        theirs = self._values[[[self._row[other] for other in some] for some in choices]]
        more, less = (theirs > mine).sum(axis=1), (theirs < mine).sum(axis=1)
        others = theirs.shape[1]
        same = others - more - less
        top, bottom = ((n == 0) / (1 + same) - 1 / (1 + others) for n in (more, less))
        return np.stack((top, bottom, (less - more) / (2 * others)), axis=1)


def _shown(known: KnowledgeBase, kind: str, told: Sequence[str]) -> list[float]:
    """The number of a thing's parts, and of each measure the most that one of them has."""
    parts = known.of(kind).values()
    most = [max(part.measures.get(m, 0.0) for part in parts) for m in told]
    return [float(len(parts)), *most]
