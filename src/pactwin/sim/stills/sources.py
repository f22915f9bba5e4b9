"""Where objects come from. A source names its kinds and builds one of them from a generator."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pactwin.sim.layout import Item
from pactwin.sim.objects.kinds import build_kind, kind_names
from pactwin.sim.objects.library import (
    Model,
    find_models,
    find_robocasa,
    robocasa_categories,
    robocasa_item,
    robosuite_item,
    robosuite_kinds,
)


@dataclass(frozen=True)
class Source:
    """``names`` are those of kinds in the catalogue; ``build`` gives an item to be put down."""

    names: Callable[[], tuple[str, ...]]
    build: Callable[[str, np.random.Generator], Item]


@lru_cache(maxsize=1)
def _robocasa_models() -> dict[str, list[Model]]:
    """RoboCasa's models by the name of their kind; EnvironmentFaultError if there are none."""
    kinds = robocasa_categories()
    found: dict[str, list[Model]] = {}
    for model in find_models(find_robocasa()):
        found.setdefault(kinds[model.category].name, []).append(model)
    return dict(sorted(found.items()))


def _one_of_robocasa(kind: str, rng: np.random.Generator) -> Item:
    models = _robocasa_models()[kind]
    return robocasa_item(find_robocasa(), models[rng.integers(len(models))])


SOURCES: dict[str, Source] = {
    "builtin": Source(kind_names, build_kind),
    "robosuite": Source(lambda: tuple(robosuite_kinds()), lambda name, rng: robosuite_item(name)),
    "robocasa": Source(lambda: tuple(_robocasa_models()), _one_of_robocasa),
}
