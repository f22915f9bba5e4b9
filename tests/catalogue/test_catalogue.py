"""Every kind keeps the catalogue's promises, and a broken file is named on one line."""

import math
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

import pactwin.catalogue
from pactwin.catalogue import (
    PROPERTIES,
    ObjectKind,
    load_catalogue,
    property_labels,
    read_catalogue,
    typical_facts,
)
from pactwin.suite import InvalidInputError

CATALOGUE = load_catalogue()
FOLDER = Path(pactwin.catalogue.__file__).parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A catalogue of one kind that may be broken."""
    for name in ("materials.yaml", "thresholds.yaml", "affordances.yaml", "kinds/mug.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(FOLDER / name, tmp_path / name)
    return tmp_path


every_kind = pytest.mark.parametrize("kind", CATALOGUE.kinds.values(), ids=list(CATALOGUE.kinds))


@every_kind
def test_what_a_kind_is_made_of_gives_its_mass(kind: ObjectKind) -> None:
    densities = [CATALOGUE.material(name).density_kg_m3 for name in kind.parts.values()]
    assert 0.85 * min(densities) <= kind.mass_kg / kind.solid_m3 <= 1.15 * max(densities)


@every_kind
def test_a_kind_fits_into_its_size(kind: ObjectKind) -> None:
    inside = kind.cavity.volume_m3 if kind.cavity else 0.0
    assert 0.02 < (kind.solid_m3 + inside) / math.prod(kind.size_m) <= 1.001
    assert kind.thickness_m <= min(kind.size_m)
    if kind.cavity:
        assert kind.cavity.opening_m <= sorted(kind.size_m)[1]


@every_kind
def test_states_are_those_a_kind_can_have(kind: ObjectKind) -> None:
    known = {"upright", "inverted", "on_side", "open", "closed", "empty", "filled"}
    for state in kind.states:
        words = state.split(", ")
        assert set(words) <= known
        assert len({"upright", "inverted", "on_side"} & set(words)) == 1
        assert len({"open", "closed"} & set(words)) <= 1
        if kind.closure != "none":
            assert {"open", "closed"} & set(words)
        if {"empty", "filled"} & set(words):
            assert kind.cavity


@every_kind
def test_a_kind_has_labels_of_the_vocabulary_that_its_affordances_may_rest_on(kind):
    labels = property_labels(kind, typical_facts(kind))
    assert len(labels) >= 3
    assert list(labels) == [name for name in PROPERTIES if name in labels]
    assert all(label.value in PROPERTIES[name] for name, label in labels.items())
    assert not set(labels) & set(kind.undecided)
    assert 1 <= len(kind.affordances) <= 4


def test_robosuite_has_the_objects_that_the_catalogue_names() -> None:
    spec = find_spec("robosuite")  # not imported: it asks for packages that are not installed
    assert spec is not None and spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0]) / "models" / "objects"
    offered = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("__init__.py"))
    classes = [k.sources["robosuite"] for k in CATALOGUE.kinds.values() if "robosuite" in k.sources]
    assert [name for name in classes if not re.search(rf"\b{name}\b", offered)] == []


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("kinds/mug.yaml", "body: ceramic", "body: jade", "unknown material 'jade'"),
        ("kinds/mug.yaml", "evidence: handle", "evidence: lid", "neither a part nor a property"),
        ("kinds/mug.yaml", "mass_kg: 0.33", "mass_kg: -1", "mass_kg"),
        ("kinds/mug.yaml", "name: mug", "name: cup", "is not the file's name"),
        ("kinds/mug.yaml", "name: grasp", "name: levitate", "unknown affordance 'levitate'"),
        ("kinds/mug.yaml", "pieces: 1", "pieces: 1\nweight: 3", "weight"),
        ("kinds/mug.yaml", "parts: {", "parts: [", "mug.yaml"),
        ("materials.yaml", "7850", "heavy", "materials.yaml"),
        ("thresholds.yaml", "value: 0.25", "value: .nan", "light_max"),
    ],
)
def test_a_broken_file_is_named_on_one_line(copy, file, old, new, says):
    path = copy / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InvalidInputError) as caught:
        read_catalogue(copy)
    assert path.name in str(caught.value)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_word_means_one_kind(copy: Path) -> None:
    text = (copy / "kinds" / "mug.yaml").read_text(encoding="utf-8")
    beaker = text.replace("name: mug", "name: beaker").replace("[coffee mug, tea mug]", "[tea mug]")
    (copy / "kinds" / "beaker.yaml").write_text(beaker, encoding="utf-8")
    with pytest.raises(InvalidInputError, match="'tea mug' already means 'beaker'"):
        read_catalogue(copy)


def test_kinds_are_found_by_what_people_and_sources_call_them() -> None:
    assert CATALOGUE.kind("Coffee Mug").name == "mug"
    assert CATALOGUE.kind_of("robocasa", "mug").name == "mug"
    with pytest.raises(InvalidInputError, match="unknown kind of object 'flux'"):
        CATALOGUE.kind("flux")
    with pytest.raises(InvalidInputError, match="unknown robocasa object 'flux'"):
        CATALOGUE.kind_of("robocasa", "flux")
