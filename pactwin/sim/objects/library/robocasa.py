"""RoboCasa's library of kitchen objects from its installed assets.

RoboCasa's loader (1.0.1, ``models/objects/kitchen_object_utils.py``) finds models at
``<registry>/<category>/<instance>/model.xml`` and scales each category by its own factor. Both are
repeated here without importing the package, which requires exact versions of others.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import yaml

from pactwin.catalogue import ObjectKind, load_catalogue
from pactwin.sim.objects.library.mjcf import item_of
from pactwin.sim.packages import package_folder
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import vec3
from pactwin.suite import EnvironmentFaultError

ASSETS_VARIABLE = "ROBOCASA_ASSETS"
_REGISTRIES = ("objaverse", "aigen_objs", "lightwheel")
_MODEL = "model.xml"


@dataclass(frozen=True)
class Model:
    """One model file; ``name`` is ``<registry>/<category>/<instance>``, for records."""

    path: Path
    registry: str
    category: str
    name: str


def find_robocasa() -> Path:
    """Folder of RoboCasa's objects: ``ROBOCASA_ASSETS``, or that of the installed package.

    Raises EnvironmentFaultError with instructions if there are none.
    """
    if told := os.environ.get(ASSETS_VARIABLE):
        folder, whose = Path(told), f"{ASSETS_VARIABLE}={told}"
    elif package := package_folder("robocasa"):
        folder, whose = package / "models" / "assets" / "objects", "the installed RoboCasa"
    else:
        raise EnvironmentFaultError(
            f"RoboCasa is not installed: install it from its repository and download its objects "
            f"(docs/robocasa.md), or set {ASSETS_VARIABLE} to their folder"
        )
    if not any(path for depth in ("*/*", "*/*/*") for path in folder.glob(f"{depth}/{_MODEL}")):
        raise EnvironmentFaultError(
            f"{whose} has no objects in {folder}: run RoboCasa's download_kitchen_assets "
            f"(docs/robocasa.md), or set {ASSETS_VARIABLE} to a folder that has them"
        )
    return folder


def robocasa_categories() -> dict[str, ObjectKind]:
    """Kinds of the catalogue by RoboCasa's name of the category."""
    kinds = load_catalogue().kinds.values()
    found = {kind.sources["robocasa"]: kind for kind in kinds if "robocasa" in kind.sources}
    return dict(sorted(found.items()))


def find_models(root: Path) -> list[Model]:
    """Models below ``root`` of the catalogue's categories, sorted by name.

    Folders are RoboCasa's (``<registry>/<category>/<instance>``) or start with the category.
    """
    known, models = robocasa_categories(), []
    for path in sorted(root.glob(f"**/{_MODEL}")):
        *above, category, instance, _ = path.relative_to(root).parts
        if category in known and len(above) <= 1:
            registry = above[0] if above else _REGISTRIES[0]
            if registry in _REGISTRIES:
                models.append(Model(path, registry, category, f"{registry}/{category}/{instance}"))
    return models


def robocasa_item(root: Path, model: Model) -> Item:
    """The object of a model file below ``root``, scaled as RoboCasa scales its category.

    Raises InvalidInputError that names a broken model.
    """
    factor = _scales().get(model.category, {}).get(model.registry, 1.0)
    scale = vec3(factor if isinstance(factor, list) else [factor] * 3)
    return item_of(
        model.path,
        robocasa_categories()[model.category],
        within=root,
        asset=f"robocasa/{model.name}",
        scale=scale,
    )


@lru_cache(maxsize=1)
def _scales() -> Mapping[str, Mapping[str, float | list[float]]]:
    """Factors other than 1, or one along each axis, by category and registry."""
    text = files(__package__).joinpath("robocasa_scales.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)
