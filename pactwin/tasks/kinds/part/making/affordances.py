"""Uses of each part of each object, their distance from its purpose, and similar parts.

A level is the distance of a use from a part's purpose: 0 is its purpose; 1 to 5 are makeshift, by
the factor with which it meets the usual limits (5: it needs lower limits).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import numpy as np

from pactwin.catalogue import (
    BAND,
    PROPERTIES,
    Entity,
    MeasuredPart,
    Uses,
    load_catalogue,
)

# A use at the usual limits is at level k + 1 from this factor on.
_FACTORS = (3.5, 2.0, 1.3, 1.0)
_MOST_APART = 0.35

PartName = tuple[str, str]
"""Names of a kind and one of its parts."""


@dataclass(frozen=True)
class KnowledgeBase:
    """Measured objects by kind, and the table of uses."""

    entities: Mapping[str, Entity]
    table: Uses

    @cached_property
    def parts(self) -> tuple[PartName, ...]:
        """All parts of all objects, in order."""
        return tuple((kind, part) for kind in sorted(self.entities) for part in self.of(kind))

    def of(self, kind: str) -> Mapping[str, MeasuredPart]:
        """Parts of an object."""
        return self.entities[kind].parts

    def ratios(self, use: str, limits: Mapping[str, float], *, also: bool = False) -> np.ndarray:
        """Factor by which each of ``parts`` meets each need of a use, (parts, needs).

        With ``also``, the best over alternative measures counts.
        """
        needs = self.table.uses[use].needs
        values = self._values(use, also)
        found = np.empty(values.shape[:2])
        for k, need in enumerate(needs):
            if not need.measure or (also and need.meant):
                found[:, k] = self._without_limits(use, k, also)
                continue
            low, high = need.bounds(limits)
            ways = np.maximum(values[:, k], 1e-9)
            best = np.minimum(ways / low if low else np.inf, high / ways if high else np.inf)
            found[:, k] = np.fmax.reduce(best, axis=1)
        return np.where(np.isnan(found), 0.0, found)

    def _without_limits(self, use: str, k: int, also: bool) -> np.ndarray:
        """(parts): the factor of need ``k``, which does not depend on the limits."""
        if (use, k, also) not in self._known_factors:
            need = self.table.uses[use].needs[k]
            self._known_factors[use, k, also] = np.array(
                [need.ratio(part, {}, also=also) for part in self._measured]
            )
        return self._known_factors[use, k, also]

    def _values(self, use: str, also: bool) -> np.ndarray:
        """(parts, needs, ways): the measures of each part, NaN where there are fewer ways."""
        if (use, also) not in self._known_values:
            needs = self.table.uses[use].needs
            values = [[need.values(part, also=also) for need in needs] for part in self._measured]
            ways = max(1, *(len(some) for row in values for some in row))
            self._known_values[use, also] = np.array(
                [[[*some, *[np.nan] * (ways - len(some))] for some in row] for row in values]
            )
        return self._known_values[use, also]

    @cached_property
    def _measured(self) -> tuple[MeasuredPart, ...]:
        return tuple(self.of(kind)[part] for kind, part in self.parts)

    @cached_property
    def _known_factors(self) -> dict[tuple[str, int, bool], np.ndarray]:
        return {}

    @cached_property
    def _known_values(self) -> dict[tuple[str, bool], np.ndarray]:
        return {}

    def made_for(self, use: str) -> frozenset[str]:
        """Kinds made for a use according to the catalogue, independent of size."""
        return self._made_for[use]

    @cached_property
    def _made_for(self) -> dict[str, frozenset[str]]:
        kinds = [*map(load_catalogue().kind, self.entities)]
        return {
            name: frozenset(
                k.name for k in kinds if {a.name for a in k.affordances} & {*u.made_for}
            )
            for name, u in self.table.uses.items()
        }

    def level(self, kind: str, part: str, use: str) -> int:
        """Distance of a use from the part's purpose, 0 to 5, even if the part does not serve."""
        wanted = self.table.uses[use]
        # What a thing does as a whole, it does with its room, or with its only part.
        whole = "room_ml" in self.of(kind)[part].measures or len(self.of(kind)) == 1
        if any(
            a.name in wanted.made_for
            and (a.evidence == part or (a.evidence in PROPERTIES and whole))
            for a in load_catalogue().kind(kind).affordances
        ):
            return 0
        # What is asked for everywhere says nothing of how fit it is for this.
        own = len(wanted.needs) - len(self.table.everywhere.needs)
        ratios = wanted.ratios(self.of(kind)[part], wanted.usual)[:own]
        least = min((r for r in ratios if isfinite(r)), default=_FACTORS[0])
        return 1 + sum(least < factor for factor in _FACTORS)

    def affordances(self, kind: str, part: str) -> dict[str, int]:
        """Uses that a part clearly serves at the usual limits, with their levels."""
        measured = self.of(kind)[part]
        return {
            name: self.level(kind, part, name)
            for name, use in self.table.uses.items()
            if min(use.ratios(measured, use.usual)) >= BAND
        }

    @cached_property
    def _vectors(self) -> np.ndarray:
        """(parts, uses): the share of a use's needs that a part meets at the usual limits."""
        shares = [
            (self.ratios(name, use.usual) >= 1).mean(axis=1)
            for name, use in self.table.uses.items()
        ]
        return np.stack(shares, axis=1)

    @cached_property
    def clusters(self) -> dict[PartName, int]:
        """Cluster number of each part; parts of a cluster meet similar needs.

        Complete linkage of cosine distances, cut at their knee, or at 0.35 if that is beyond it.
        """
        from scipy.cluster.hierarchy import fcluster, linkage

        tree = linkage(self._vectors, method="complete", metric="cosine")
        cut = min(_knee(tree[:, 2]), _MOST_APART)
        found = fcluster(tree, cut, criterion="distance").tolist()
        return dict(zip(self.parts, found, strict=True))

    @cached_property
    def _sizes(self) -> Counter[int]:
        return Counter(self.clusters.values())

    def cluster_size(self, name: PartName) -> int:
        """Number of parts in the same cluster, this one included."""
        return self._sizes[self.clusters[name]]


def _knee(heights: np.ndarray) -> float:
    """The height of the merge that lies farthest below the line from the first to the last."""
    line = np.linspace(heights[0], heights[-1], len(heights))
    return float(heights[int(np.argmax(line - heights))])
