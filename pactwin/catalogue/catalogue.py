"""Read the catalogue's files: materials, thresholds, affordances, and one file per kind."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from pactwin.catalogue.schema import AffordanceWords, AssetLibrary, Material, ObjectKind, Threshold
from pactwin.suite import InvalidInputError, first_fault, unknown_name

T = TypeVar("T")
_HERE = Path(__file__).parent
# Ten times as fast as yaml.safe_load, but brackets nested deeply crash it: for files of ours alone.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Catalogue:
    """The catalogue of kinds of objects. Every mapping is by name."""

    kinds: dict[str, ObjectKind]
    materials: Mapping[str, Material]
    thresholds: Mapping[str, Threshold]
    affordances: Mapping[str, AffordanceWords]

    def kind(self, name: str) -> ObjectKind:
        """The kind with this name or synonym; InvalidInputError if there is none."""
        words = " ".join(name.lower().replace("_", " ").split())
        if words not in self._by_words:
            raise unknown_name("kind of object", name, tuple(self.kinds))
        return self._by_words[words]

    def kind_of(self, source: AssetLibrary, name: str) -> ObjectKind:
        """The kind that ``source`` calls ``name``; InvalidInputError lists the known names."""
        names = {
            kind.sources[source]: kind for kind in self.kinds.values() if source in kind.sources
        }
        if name not in names:
            raise unknown_name(f"{source} object", name, tuple(names))
        return names[name]

    def knows(self, asset: str) -> bool:
        """Return whether ``asset`` (``library/name``) is one of the catalogue's kinds.

        Tools are built in, too.
        """
        return any(
            asset == f"{'builtin' if library == 'tools' else library}/{name}"
            for kind in self.kinds.values()
            for library, name in kind.sources.items()
        )

    def material(self, name: str) -> Material:
        """The material called ``name``; InvalidInputError if there is none."""
        if name not in self.materials:
            raise unknown_name("material", name, tuple(self.materials))
        return self.materials[name]

    def limit(self, name: str) -> float:
        """The value of one threshold."""
        return self.thresholds[name].value

    @cached_property
    def _by_words(self) -> dict[str, ObjectKind]:
        return {
            words: kind for kind in self.kinds.values() for words in (kind.title, *kind.synonyms)
        }


@lru_cache(maxsize=1)
def load_catalogue() -> Catalogue:
    """The catalogue of the package, with the kinds added in this process."""
    return read_catalogue(_HERE)


def add_kind(path: Path) -> ObjectKind:
    """Add the kind that a user's file describes to the catalogue of this process.

    InvalidInputError that names the file if it is broken or its kind is already known.
    """
    kind, catalogue = read_data(path, ObjectKind, yaml.SafeLoader), load_catalogue()
    if catalogue.kinds.get(kind.name) != kind:
        try:
            if kind.name in catalogue.kinds:
                raise InvalidInputError(f"{kind.name!r} is already a kind of the catalogue")
            _check_names(replace(catalogue, kinds={**catalogue.kinds, kind.name: kind}))
        except InvalidInputError as error:
            raise InvalidInputError(f"{path}: {error}") from error
        catalogue.kinds[kind.name] = kind
        vars(catalogue).pop("_by_words", None)
    return kind


def read_catalogue(folder: Path) -> Catalogue:
    """The catalogue in ``folder``; InvalidInputError names the file and its first fault."""
    kinds: dict[str, ObjectKind] = {}
    for path in sorted((folder / "kinds").glob("*.yaml")):
        kind = read_data(path, ObjectKind)
        if kind.name != path.stem:
            raise InvalidInputError(f"{path.name}: name: {kind.name!r} is not the file's name")
        kinds[kind.name] = kind
    catalogue = Catalogue(
        kinds=kinds,
        materials=read_data(folder / "materials.yaml", dict[str, Material]),
        thresholds=read_data(folder / "thresholds.yaml", dict[str, Threshold]),
        affordances=read_data(folder / "affordances.yaml", dict[str, AffordanceWords]),
    )
    _check_names(catalogue)
    return catalogue


def read_data(path: Path, shape: type[T], loader: Any = _LOADER) -> T:
    """A data file as ``shape``; InvalidInputError names it and its first fault."""
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506 - a safe loader
        return TypeAdapter(shape).validate_python(data)
    except OSError as error:
        raise InvalidInputError(f"{path.name}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{path.name}: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        raise InvalidInputError(f"{path.name}: {first_fault(error)}") from error


def _check_names(catalogue: Catalogue) -> None:
    """Check references between files and that no word has two meanings."""
    meant: dict[str, str] = {}
    sources: dict[tuple[str, str], str] = {}
    for kind in catalogue.kinds.values():
        for material in (*kind.parts.values(), kind.contents or next(iter(kind.parts.values()))):
            if material not in catalogue.materials:
                fault = unknown_name("material", material, (*catalogue.materials,))
                raise InvalidInputError(f"{kind.name}.yaml: {fault}")
        for affordance in kind.affordances:
            if affordance.name not in catalogue.affordances:
                fault = unknown_name("affordance", affordance.name, (*catalogue.affordances,))
                raise InvalidInputError(f"{kind.name}.yaml: {fault}")
        for words in (kind.title, *kind.synonyms):
            if meant.setdefault(words, kind.name) != kind.name:
                raise InvalidInputError(
                    f"{kind.name}.yaml: {words!r} already means {meant[words]!r}"
                )
        for key in kind.sources.items():
            if sources.setdefault(key, kind.name) != kind.name:
                raise InvalidInputError(
                    f"{kind.name}.yaml: {key[0]} {key[1]!r} is {sources[key]!r}"
                )
