"""Properties follow from measurements, and agree with what a person answers."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pactwin.catalogue import (
    PROPERTIES,
    ObjectFacts,
    load_catalogue,
    property_labels,
    typical_facts,
)
from pactwin.suite import InvalidInputError

CATALOGUE = load_catalogue()
ROOT = Path(__file__).parents[2]
ANSWERS = yaml.safe_load((ROOT / "tests/data/property_answers.yaml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "properties.md").read_text(encoding="utf-8")
BLOCK = ObjectFacts(
    mass_kg=0.1,
    size_m=(0.1, 0.06, 0.03),
    solid_volume_m3=1.8e-4,
    thickness_m=0.03,
    materials={"wood": 1.0},
)
RED, PINK, BLUE = (0.7, 0.1, 0.1), (0.75, 0.12, 0.14), (0.1, 0.2, 0.7)


def block(**measured: Any) -> ObjectFacts:
    """The block, with other measurements."""
    return replace(BLOCK, **measured)


def value(name: str, facts: ObjectFacts, kind: str = "plank") -> str | None:
    label = property_labels(CATALOGUE.kind(kind), facts).get(name)
    return label.value if label else None


@pytest.mark.parametrize(
    ("name", "field", "low", "high"),
    [
        ("WEIGHT", "mass_kg", 0.001, 100.0),
        ("DENSITY", "mass_kg", 0.001, 100.0),
        ("THICKNESS", "thickness_m", 1e-4, 1.0),
        ("COMPLEXITY", "pieces", 1, 20),
    ],
)
@given(data=st.data())
def test_more_never_falls_into_a_lesser_category(name, field, low, high, data):
    order = {
        "DENSITY": ("Low-density", "High-density"),
        "WEIGHT": ("Light", "Medium", "Heavy"),
    }.get(name, PROPERTIES[name])
    numbers = st.integers(int(low), int(high)) if isinstance(low, int) else st.floats(low, high)
    less, more = sorted(data.draw(st.tuples(numbers, numbers)))
    of_less = value(name, block(**{field: less}))
    of_more = value(name, block(**{field: more}))
    if of_less and of_more:
        assert order.index(of_less) <= order.index(of_more)


@pytest.mark.parametrize(
    ("limit", "name", "field"),
    [
        ("light_max", "WEIGHT", "mass_kg"),
        ("heavy_min", "WEIGHT", "mass_kg"),
        ("thin_max", "THICKNESS", "thickness_m"),
        ("thick_min", "THICKNESS", "thickness_m"),
    ],
)
def test_near_a_limit_nothing_is_decided(limit: str, name: str, field: str) -> None:
    at, band = CATALOGUE.limit(limit), CATALOGUE.limit("band")
    below, above = (
        value(name, block(**{field: at * (1 + side * band * 1.01)})) for side in (-1, 1)
    )
    assert below and above and below != above
    for part in (-0.99, 0.0, 0.99):
        assert value(name, block(**{field: at * (1 + part * band)})) is None


@given(st.permutations((0, 1, 2)), st.sampled_from((-1.0, 1.0)))
def test_naming_the_axes_otherwise_changes_nothing(axes: list[int], side: float) -> None:
    for up in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, 0.8)):
        facts = block(up=up)
        turned = block(
            size_m=tuple(facts.size_m[a] for a in axes), up=tuple(side * up[a] for a in axes)
        )
        assert property_labels(CATALOGUE.kind("plank"), turned) == property_labels(
            CATALOGUE.kind("plank"), facts
        )


def test_how_it_stands_decides_the_orientation() -> None:
    assert value("ORIENTATION", BLOCK) == "Horizontal"
    assert value("ORIENTATION", block(up=(1.0, 0.0, 0.0))) == "Vertical"
    assert value("ORIENTATION", block(up=(0.0, 1.0, 0.0))) is None  # on its edge
    assert value("ORIENTATION", block(up=(0.5, 0.0, 0.75**0.5))) is None  # leaning
    assert value("ORIENTATION", typical_facts(CATALOGUE.kind("ball")), "ball") == (
        "Multi-directional"
    )


@pytest.mark.parametrize("kind", ["teapot", "cereal", "bottle", "can", "jar", "water_bottle"])
def test_opening_it_shows_what_is_inside(kind: str) -> None:
    of = CATALOGUE.kind(kind)
    shut = typical_facts(of, state="upright, closed, filled")
    before = property_labels(of, shut)
    after = property_labels(of, replace(shut, closed=False))
    see_through = kind == "jar"
    assert before["CONTENTS"].observability == ("visible" if see_through else "hidden")
    assert after["CONTENTS"].observability == "visible"
    assert before["CONTENTS"].value == after["CONTENTS"].value == "Contains"
    assert after["SEALING"].value == "Unsealed"
    assert ("SEALING" in before) == (of.closure == "tight")
    for hidden in {"WEIGHT", "DENSITY"} & set(before):
        assert before[hidden].observability == ("inferable" if see_through else "hidden")


@given(st.sampled_from(sorted(CATALOGUE.kinds)), st.floats(0.5, 2.0))
def test_another_size_of_the_same_thing_is_as_dense(name: str, scale: float) -> None:
    kind = CATALOGUE.kind(name)
    x, y, z = kind.size_m
    usual, scaled = (
        typical_facts(kind),
        typical_facts(kind, size_m=(x * scale, y * scale, z * scale)),
    )
    assert scaled.mass_kg == pytest.approx(usual.mass_kg * scale**3)
    assert scaled.thickness_m == pytest.approx(usual.thickness_m * scale)
    assert value("DENSITY", scaled, name) == value("DENSITY", usual, name)
    for same in ("HARDNESS", "ORIENTATION", "SEALING", "CONSUMABILITY"):
        assert value(same, scaled, name) == value(same, usual, name)


def test_the_surface_decides_the_colour_class() -> None:
    one, other = {RED: 1.0}, {RED: 0.7, BLUE: 0.3}
    assert value("COLOR", block(colours=other)) == "Multicolored"
    assert value("COLOR", block(colours={RED: 0.9, BLUE: 0.1})) is None
    assert value("COLOR", block(colours=one, materials={"steel": 1.0})) == "Metallic"
    assert value("COLOR", block(colours=one, materials={"glass": 1.0})) is None
    assert value("COLOR", block(colours=one, materials={"paper": 1.0})) is None
    assert value("COLOR", block(colours=other, materials={"paper": 1.0})) == "Multicolored"
    assert value("COLOR", BLOCK) is None


def test_what_nobody_measured_is_absent() -> None:
    labels = property_labels(CATALOGUE.kind("plank"), block(materials={}))
    assert not {"HARDNESS", "STICKINESS", "COLOR", "CONTENTS", "SEALING"} & set(labels)
    unknown = replace(typical_facts(CATALOGUE.kind("tin")), contents=None)
    assert not {"CONTENTS", "DENSITY"} & set(property_labels(CATALOGUE.kind("tin"), unknown))


def test_what_fills_it_is_known_or_refused() -> None:
    with pytest.raises(InvalidInputError, match="nothing says what a tin is filled with"):
        typical_facts(CATALOGUE.kind("tin"), state="upright, closed, filled")
    mug = CATALOGUE.kind("mug")
    empty, filled = typical_facts(mug), typical_facts(mug, state="upright, open, filled")
    assert filled.mass_kg - empty.mass_kg == pytest.approx(0.9 * 1030 * 3.5e-4)
    assert (empty.contents, filled.contents) == ("", "drink")


def compared() -> tuple[int, int, list[tuple[str, str, str, str]]]:
    """(cells answered, cells decided, those that differ) of typical objects."""
    answered, decided, differ = 0, 0, []
    for name, answers in ANSWERS.items():
        kind = CATALOGUE.kind(name)
        labels = property_labels(kind, typical_facts(kind))
        answered += len(answers)
        for prop, answer in answers.items():
            if prop in labels:
                decided += 1
                if labels[prop].value != answer:
                    differ.append((name, prop, answer, labels[prop].value))
    return answered, decided, differ


def test_computed_properties_agree_with_a_persons_answers() -> None:
    answered, decided, differ = compared()
    assert len(ANSWERS) >= 40
    assert decided >= 0.8 * answered
    assert len(differ) <= 0.05 * decided, differ


def test_the_page_names_every_disagreement() -> None:
    answered, decided, differ = compared()
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| ([\w-]+) \| ([\w-]+) \| .+ \|$", PAGE, re.MULTILINE)
    assert set(differ) <= set(rows)
    text = " ".join(PAGE.split())
    assert f"decide {decided} of {answered} cells and agree on {decided - len(differ)}." in text


def test_the_page_shows_the_thresholds() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
    table = [
        (name, f"{limit.value:g} {limit.unit}", limit.reason)
        for name, limit in CATALOGUE.thresholds.items()
    ]
    assert rows == table


def test_the_page_explains_every_property() -> None:
    assert re.findall(r"^\| ([A-Z]+) \|", PAGE, re.MULTILINE) == list(PROPERTIES)
