"""Every kind keeps the catalogue's promises, and a broken file is named on one line."""

import shutil
from pathlib import Path

import pytest

import pactwin.catalogue
from pactwin.catalogue import Kind, load_catalogue, read_catalogue
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


@pytest.mark.parametrize("kind", CATALOGUE.kinds.values(), ids=list(CATALOGUE.kinds))
def test_what_a_kind_is_made_of_gives_its_mass(kind: Kind) -> None:
    densities = [CATALOGUE.material(name).density_kg_m3 for name in kind.parts.values()]
    assert 0.85 * min(densities) <= kind.mass_kg / kind.solid_m3 <= 1.15 * max(densities)


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("kinds/mug.yaml", "body: ceramic", "body: jade", "unknown material 'jade'"),
        ("kinds/mug.yaml", "because: handle", "because: lid", "neither a part nor a property"),
        ("kinds/mug.yaml", "mass_kg: 0.33", "mass_kg: -1", "mass_kg"),
        ("kinds/mug.yaml", "name: mug", "name: cup", "is not the file's name"),
        ("kinds/mug.yaml", "name: grasp", "name: levitate", "unknown affordance 'levitate'"),
        ("kinds/mug.yaml", "pieces: 1", "pieces: 1\nweight: 3", "weight"),
        ("kinds/mug.yaml", "parts: {", "parts: [", "mug.yaml"),
        ("materials.yaml", "7850", "heavy", "materials.yaml"),
        ("thresholds.yaml", "value: 0.25", "value: .nan", "light_max"),
    ],
)
def test_a_broken_file_is_named_on_one_line(
    copy: Path, file: str, old: str, new: str, says: str
) -> None:
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
