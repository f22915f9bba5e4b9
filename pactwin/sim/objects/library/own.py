"""A user's own models: a folder with ``KIND/NAME/model.xml``.

KIND is a kind of the catalogue, or ``KIND/kind.yaml`` describes it.
"""

import hashlib
from pathlib import Path

import numpy as np

from pactwin.catalogue import add_kind, load_catalogue
from pactwin.sim.objects.library.mjcf import item_of, model_files
from pactwin.sim.scene.layout import Item
from pactwin.suite import InvalidInputError, sha256_of

_KIND = "kind.yaml"


def own_models(folder: Path) -> dict[str, list[Path]]:
    """Model files by the name of their kind, sorted.

    Adds the kinds of ``kind.yaml`` files to the catalogue. Raises InvalidInputError for a folder
    without models, for an unknown kind, and for a kind whose name is not that of its folder.
    """
    found: dict[str, list[Path]] = {}
    catalogue = load_catalogue()
    for described in sorted(folder.glob(f"*/{_KIND}")):
        if (kind := add_kind(described)).name != described.parent.name:
            raise InvalidInputError(f"{described}: {kind.name!r} is not the name of its folder")
    for model in sorted(folder.glob("*/*/model.xml")):
        name = model.parent.parent.name
        try:
            kind = catalogue.kind(name)
        except InvalidInputError as error:
            raise InvalidInputError(
                f"{error}; or describe it in {folder / name / _KIND}"
            ) from error
        found.setdefault(kind.name, []).append(model)
    if not found:
        raise InvalidInputError(f"{folder} has no models: put them at KIND/NAME/model.xml")
    return dict(sorted(found.items()))


def own_item(folder: Path, kind: str, rng: np.random.Generator) -> Item:
    """One of the models of ``kind``; InvalidInputError names a broken model."""
    models = own_models(folder)[kind]
    model = models[rng.integers(len(models))]
    asset = f"own/{model.parent.parent.name}/{model.parent.name}"
    catalogued = load_catalogue().kind(kind)
    return item_of(model, catalogued, within=folder, asset=asset, trust_mass=True)


def models_hash(folder: Path) -> str:
    """SHA-256 (hex) over all kinds, models, meshes and textures, and their paths in ``folder``."""
    total = hashlib.sha256()
    for path in sorted(folder.glob(f"*/{_KIND}")):
        total.update(f"{path.relative_to(folder)}\0{sha256_of(path)}\0".encode())
    for models in own_models(folder).values():
        for model in models:
            for path in sorted(model_files(model, str(model.relative_to(folder)), folder)):
                total.update(f"{path.relative_to(folder.resolve())}\0{sha256_of(path)}\0".encode())
    return total.hexdigest()
