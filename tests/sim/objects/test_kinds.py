"""Built-in kinds: what the catalogue says of them holds, and they rest as they were built."""

import numpy as np
import pytest

from pactwin.catalogue import load_catalogue
from pactwin.sim.generation.objects.settling import settled
from pactwin.sim.objects.building import build_thing, kind_names
from pactwin.sim.objects.posing import extents_m
from pactwin.sim.scene.layout import CONTENTS, ENVELOPE, Item


def built(name: str, seed: int = 0) -> Item:
    return build_thing(name, np.random.default_rng(seed))


def test_there_are_forty_kinds_and_the_catalogue_knows_them_all() -> None:
    listed = {k.name for k in load_catalogue().kinds.values() if "builtin" in k.sources}
    assert set(kind_names()) == listed
    assert len(listed) >= 40


@pytest.mark.parametrize("name", kind_names())
def test_a_kind_is_what_the_catalogue_says(name: str) -> None:
    kind = load_catalogue().kinds[name]
    for seed in range(2):
        item = built(name, seed)
        assert item.category == name
        assert item.state in kind.states
        for part in item.parts:
            assert part.role in {*kind.parts, CONTENTS, ENVELOPE, "print"}, (
                part.role,
                part.material,
            )
            if part.role in kind.parts:
                assert part.material == kind.parts[part.role], part.role
        solid = [part for part in item.parts if part.collides or part.is_matter]
        low, high = extents_m(solid)
        assert -low == pytest.approx(np.array(item.size_m) / 2, abs=1e-9)
        assert high == pytest.approx(np.array(item.size_m) / 2, abs=1e-9)
        if item.state == kind.states[0]:  # an open lid makes it larger
            # Sorted: kinds that lie may be measured along other axes.
            ratio = np.sort(item.size_m) / np.sort(kind.size_m)
            assert (ratio > 0.6).all() and (ratio < 1.7).all(), (item.size_m, kind.size_m)


@pytest.mark.parametrize("name", kind_names())
def test_a_kind_weighs_about_what_the_catalogue_says(name: str) -> None:
    kind = load_catalogue().kinds[name]
    for seed in range(20):
        item = built(name, seed)
        if "filled" not in item.state and item.state == kind.states[0]:
            scale = np.prod(item.size_m) / np.prod(kind.size_m)
            assert 0.4 < item.mass_kg / (kind.mass_kg * scale) < 2.5
            return
    assert kind.contents  # always filled


@pytest.mark.parametrize("name", kind_names())
def test_a_kind_rests_as_it_is_said_to(name: str) -> None:
    item = built(name, 1)
    rest = settled(item)
    up, now = (i.world_from_object.matrix()[2, :3] for i in (item, rest))
    assert np.degrees(np.arccos(np.clip(up @ now, -1, 1))) < 15
    again = settled(rest)
    assert abs(again.world_from_object.pos[2] - rest.world_from_object.pos[2]) < 1e-3


def test_the_same_seed_builds_the_same_object() -> None:
    assert built("teapot", 5) == built("teapot", 5)
    assert built("teapot", 5) != built("teapot", 6)
