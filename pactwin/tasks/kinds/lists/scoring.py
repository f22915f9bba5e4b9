"""Score a list of tools, for a task with steps or for all visible tools.

A plan's tools belong to steps, numbered from 1. Tools of one step may come in any order; without an
order, all belong to one step. ``items`` are the named items in order, with repetitions: a tool
named twice is an extra. ``found`` gives for each item the index of the true name it means.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

K_VALUES = (1, 2, 3)
"""Lengths of a plan's scored prefixes: one, two and three tools."""


class Failure(StrEnum):
    """Failure classes of a plan; every plan has exactly one."""

    EXACT = "exact match"
    EXTRA = "extra only"
    ORDER = "out of order"
    MISSING = "missing only"
    SUBSTITUTE = "substitute"


@dataclass(frozen=True)
class Named:
    """Counts of a list: ``hits`` among ``true`` true names and ``said`` listed items."""

    hits: int
    said: int
    true: int

    @property
    def precision(self) -> float:
        """Share of the items that are true; 0 for an empty list."""
        return self.hits / self.said if self.said else 0.0

    @property
    def recall(self) -> float:
        """Share of the true names that were named."""
        return self.hits / self.true if self.true else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 if both are 0."""
        return 2 * self.hits / (self.said + self.true) if self.said + self.true else 0.0

    @property
    def exact(self) -> bool:
        """Return whether it names all true names and nothing else."""
        return self.hits == self.said == self.true


def named(found: Sequence[int | None], n_true: int) -> Named:
    """Counts of a list whose items match ``found``."""
    return Named(sum(index is not None for index in found), len(found), n_true)


@dataclass(frozen=True)
class Plan:
    """A list of tools as a plan: ``steps`` are those of the true names, in order."""

    found: tuple[int | None, ...]
    steps: tuple[int, ...]

    @property
    def counts(self) -> Named:
        """Counts of the list, ignoring order."""
        return named(self.found, len(self.steps))

    @property
    def is_ordered(self) -> bool:
        """Return whether the task has any order."""
        return len(set(self.steps)) > 1

    @property
    def reached(self) -> list[int]:
        """Steps of the true tools, in the order named."""
        return [self.steps[index] for index in self.found if index is not None]

    @property
    def completes(self) -> bool:
        """Return whether it has all tools in an allowed order; extra tools are ignored."""
        return self.counts.recall == 1.0 and self.reached == sorted(self.reached)

    @property
    def is_exact(self) -> bool:
        """Return whether it completes the task without extra tools."""
        return self.completes and None not in self.found

    def succeeds_for(self, k: int) -> bool:
        """Return whether its first ``k`` tools are true and in order, without skipped steps."""
        first = self.found[:k]
        if len(first) < k or None in first:
            return False
        steps = [self.steps[index] for index in first if index is not None]
        before = {at for at, step in enumerate(self.steps) if step < max(steps)}
        return steps == sorted(steps) and before <= set(first)

    @property
    def failure(self) -> Failure:
        """Failure class of the plan."""
        extra = None in self.found
        if self.counts.recall == 1.0:
            if not self.completes:
                return Failure.ORDER
            return Failure.EXTRA if extra else Failure.EXACT
        return Failure.SUBSTITUTE if extra else Failure.MISSING

    @property
    def ordered_pairs(self) -> tuple[int, int, int]:
        """Counts of tool pairs from different steps: in correct order, named, and total."""
        right = sum(a < b for a, b in combinations(self.reached, 2))
        named = sum(a != b for a, b in combinations(self.reached, 2))
        return right, named, sum(a != b for a, b in combinations(self.steps, 2))
