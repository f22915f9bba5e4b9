"""Sources of objects. A source names its kinds and builds one of them from a generator.

Libraries of models load MuJoCo, so they are imported only on use.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.objects.building import build_thing, kind_names, tool_names
from pactwin.sim.scene.layout import Item
from pactwin.suite import InvalidInputError, unknown_name

if TYPE_CHECKING:
    from pactwin.sim.objects.library.robocasa import Model


@dataclass(frozen=True)
class ObjectSource:
    """``names`` are kinds in the catalogue; ``build`` returns an item to put down."""

    names: Callable[[], tuple[str, ...]]
    build: Callable[[str, np.random.Generator], Item]


SOURCES = ("builtin", "robosuite", "robocasa", "tools")


@lru_cache(maxsize=1)
def _robocasa_models() -> "dict[str, list[Model]]":
    """RoboCasa's models by the name of their kind; EnvironmentFaultError if there are none."""
    from pactwin.sim.objects.library.robocasa import find_models, find_robocasa, robocasa_categories

    kinds = robocasa_categories()
    found: dict[str, list[Model]] = {}
    for model in find_models(find_robocasa()):
        found.setdefault(kinds[model.category].name, []).append(model)
    return dict(sorted(found.items()))


def _robocasa_built(kind: str, rng: np.random.Generator) -> Item:
    from pactwin.sim.objects.library.robocasa import find_robocasa, robocasa_item

    models = _robocasa_models()[kind]
    return robocasa_item(find_robocasa(), models[rng.integers(len(models))])


@dataclass(frozen=True)
class OwnModels:
    """A user's folder of models; ``sha256`` over their files detects changes."""

    folder: Path
    sha256: str


def own_models_in(folder: Path) -> OwnModels:
    """The models in ``folder``; InvalidInputError for a broken model or unknown kind."""
    from pactwin.sim.objects.library.own import models_hash

    return OwnModels(folder.resolve(), models_hash(folder))


@lru_cache(maxsize=4)
def source_of(assets: str | OwnModels) -> ObjectSource:
    """The source of objects; InvalidInputError for an unknown name or changed models."""
    match assets:
        case "builtin":
            return ObjectSource(kind_names, build_thing)
        case "tools":
            return ObjectSource(tool_names, build_thing)
        case "robocasa":
            return ObjectSource(lambda: tuple(_robocasa_models()), _robocasa_built)
        case "robosuite":
            from pactwin.sim.objects.library.robosuite import robosuite_item, robosuite_kinds

            return ObjectSource(lambda: tuple(robosuite_kinds()), lambda k, _: robosuite_item(k))
        case OwnModels(folder):
            from pactwin.sim.objects.library.own import own_item, own_models

            if own_models_in(folder) != assets:
                raise InvalidInputError(f"{folder} has changed since the suite was begun")
            return ObjectSource(lambda: tuple(own_models(folder)), partial(own_item, folder))
    raise unknown_name("source of objects", assets, (*SOURCES, "a folder of models"))
