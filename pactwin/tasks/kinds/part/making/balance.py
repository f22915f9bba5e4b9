"""Balance superficial cues of gold objects, such as being the longest or the heaviest.

The other objects are chosen so that, over the tasks of a suite, the gold object has the most or the
least of a measure about as often as any other object, and a middle rank otherwise. Tasks whose use
requires much of a measure are balanced separately, so that others do not compensate for them.
"""

from collections.abc import Sequence

import numpy as np

from pactwin.tasks.kinds.part.making.affordances import KnowledgeBase

PARTS = "parts"
"""Name of the cue that counts a description's parts; other cues are measures."""


class Balance:
    """Counts of how often gold objects had the most and the least, and their mean ranks."""

    def __init__(self, known: KnowledgeBase) -> None:
        self._known = known
        told = [name for name, measure in known.table.measures.items() if measure.told]
        self.signs = (PARTS, *told)
        self._row = {kind: k for k, kind in enumerate(sorted(known.entities))}
        self._values = np.array([_shown(known, kind, told) for kind in self._row])
        self._sums = np.zeros((2, 3, len(self.signs)))

    def uneven(self, use: str, meant: Sequence[str], choices: list[list[str]]) -> np.ndarray:
        """(choices): absolute sums of all cues after tasks with the gold objects ``meant`` and one
        of the ``choices`` of other objects."""
        total = np.zeros(len(choices))
        for kind in meant:
            beside = [other for other in meant if other != kind]
            off = self._off(kind, [beside + some for some in choices])
            sums = self._sums[self._group(use), :, range(len(self.signs))].T
            total += ((sums + off) ** 2).sum(axis=(1, 2))
        return total

    def add(self, use: str, kind: str, others: tuple[str, ...]) -> None:
        """Count an accepted task."""
        (off,) = self._off(kind, [list(others)])
        self._sums[self._group(use), :, range(len(self.signs))] += off.T

    def _group(self, use: str) -> np.ndarray:
        """(signs,): 1 where the use has a need with this measure, else 0."""
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
