"""One model of each kind, whoever draws it, weighed by one table of materials."""

from collections import defaultdict

import numpy as np
import pytest

from pactwin.catalogue import load_catalogue
from pactwin.sim.domains import domain_names, load_domain
from pactwin.sim.objects.assembly import assembled
from pactwin.sim.objects.kinds.building import build_kind, kind_names
from pactwin.sim.objects.primitives import box, envelope, made_of, painted, unseen
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import CONTENTS, Item
from pactwin.sim.scene.placement import RejectedLayout

# Sizes that domains need of their own, as a parameter of the one builder: what has to fit or not,
# what is sawn, and what covers an opening.
OWN_SIZES = {"ball", "book", "cup", "plank", "tray"}


def shown_by_domains() -> dict[str, list[Item]]:
    """Items of a few layouts of every domain, by their asset."""
    found = defaultdict(list)
    for name in domain_names():
        for seed in range(8):
            try:
                twins = load_domain(name).propose(np.random.default_rng(seed), "g1")
            except RejectedLayout:
                continue
            for item in (*twins.infeasible.items, *twins.feasible.items):
                found[item.asset].append(item)
    return found


SHOWN = shown_by_domains()
DRAWN = {
    asset: [build_kind(name, np.random.default_rng(seed)) for seed in range(24)]
    for name in kind_names()
    if (asset := f"builtin/{name}") in SHOWN
}


def matter(item: Item) -> set[tuple[str, str]]:
    return {(part.role, part.material) for part in item.parts if part.is_matter}


def weighed(item: Item) -> float:
    return sum(
        part_volume_m3(part) * load_catalogue().material(part.material).density_kg_m3
        for part in item.parts
        if part.is_matter or (part.role == CONTENTS and part.shape != "surface")
    )


def test_the_suites_share_many_kinds() -> None:
    assert len(DRAWN) >= 14


@pytest.mark.parametrize("asset", sorted(DRAWN))
def test_a_thing_is_the_same_in_suites_of_pairs_and_of_objects(asset: str) -> None:
    shown, drawn = SHOWN[asset], DRAWN[asset]
    assert {item.category for item in shown} == {drawn[0].category}
    assert {item.material for item in shown} <= {item.material for item in drawn}
    # A closed marker is a marker with its cap, and a stand is a stand, whatever is in it.
    assert min(map(matter, drawn), key=len) <= matter(shown[0]) <= set().union(*map(matter, drawn))
    if asset.removeprefix("builtin/") not in OWN_SIZES:
        sizes = {(tuple(np.round(item.size_m, 4)), round(item.mass_kg, 3)) for item in drawn}
        for item in shown:
            if "laid" in item.state or item.state == "on_side":
                continue  # laid down, its axes are others
            assert (tuple(np.round(item.size_m, 4)), round(item.mass_kg, 3)) in sizes


@pytest.mark.parametrize("asset", sorted(SHOWN))
def test_every_mass_and_friction_is_from_the_table_of_materials(asset: str) -> None:
    for item in SHOWN[asset]:
        assert item.mass_kg == pytest.approx(weighed(item), abs=6e-5)
        assert item.friction == load_catalogue().material(item.material).friction


@pytest.mark.parametrize("name", kind_names())
def test_kinds_of_object_suites_are_weighed_so_too(name: str) -> None:
    item = build_kind(name, np.random.default_rng(2))
    assert item.mass_kg == pytest.approx(weighed(item), abs=6e-5)


def test_the_main_material_is_that_of_most_volume() -> None:
    parts = (
        *made_of("tip", "brass", 1.0, box((0.01, 0.01, 0.01))),
        *made_of("barrel", "plastic", 1.0, box((0.01, 0.01, 0.08))),
        *made_of("print", "print", 1.0, *painted(box((0.5, 0.5, 0.5)))),
        *made_of("contents", "water", 1.0, *unseen(box((0.4, 0.4, 0.4)))),
        *envelope(box((0.3, 0.3, 0.3))),
    )
    item = assembled("thing", "red", parts)
    assert item.material == "plastic"
    assert build_kind("pen", np.random.default_rng(0)).material == "hollow_plastic"
    assert item.mass_kg == pytest.approx(1e-6 * 8500 + 8e-6 * 1000 + 0.064 * 1000, abs=1e-4)


def test_names_are_words_and_categories_are_ids() -> None:
    for items in SHOWN.values():
        for item in items:
            assert " " not in item.category
            assert "_" not in item.name
            assert item.asset == f"builtin/{item.category}"
