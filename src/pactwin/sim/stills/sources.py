"""Where objects come from. A source names its kinds and builds one of them from a generator."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pactwin.sim.layout import Item
from pactwin.sim.objects.kinds import build_kind, kind_names


@dataclass(frozen=True)
class Source:
    """``names`` are those of kinds in the catalogue; ``build`` gives an item at rest."""

    names: Callable[[], tuple[str, ...]]
    build: Callable[[str, np.random.Generator], Item]


SOURCES: dict[str, Source] = {"builtin": Source(kind_names, build_kind)}
