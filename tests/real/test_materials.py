"""Bills of materials: everything a scene needs, once, with a mass that it can have."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from drawn_scenes import drawn, scenes_of

from pactwin.real import (
    MASS_TOLERANCE,
    PRINT_WALL_M,
    BillItem,
    bill_of_materials,
    write_bill,
    write_prints,
)
from pactwin.real.materials import PLASTIC_KG_M3
from pactwin.sim import Item, domain_names
from pactwin.sim.scene.solids import surface_of
from pactwin.suite import InvalidInputError, Scene

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=domain_names())
def suite(request: pytest.FixtureRequest) -> list[Scene]:
    return [
        scene
        for seed, twins in drawn(request.param, 2)
        for scene in scenes_of(request.param, seed, twins)
    ]


@pytest.fixture(scope="module")
def bill(suite: list[Scene]) -> list[BillItem]:
    return bill_of_materials(suite)


def test_each_scene_finds_all_its_things_in_the_bill_and_they_can_be_had(suite, bill):
    assert all(not m.doubt and (m.get or m.infill) for m in bill)
    for scene in suite:
        owned: Counter[str] = Counter()
        for material in bill:
            if scene.id in material.scenes:
                owned[material.item.name] += material.count
        assert Counter(record.name for record in scene.objects) <= owned


def test_prints_are_closed_and_weigh_what_they_should_with_their_infill(bill):
    for material in (m for m in bill if m.infill):
        surface = surface_of(material.item)
        shell = min(surface.area_m2 * PRINT_WALL_M, surface.volume_m3)
        least, most = (
            PLASTIC_KG_M3 * (shell + share * (surface.volume_m3 - shell))
            for share in material.infill
        )
        mass = material.item.mass_kg
        assert least <= mass * (1 + MASS_TOLERANCE) * 1.001
        assert most >= mass * (1 - MASS_TOLERANCE) * 0.999
        assert 0 <= material.infill[0] < material.infill[1] <= 1
        item = replace(material.item, parts=tuple(p for p in material.item.parts if p.collides))
        assert enclosed_m3(item) == pytest.approx(surface_of(item).volume_m3, rel=0.02)


def test_scenes_that_were_not_simulated_are_refused() -> None:
    ((seed, twins),) = drawn("support", 1)
    scene = scenes_of("support", seed, twins)[0].model_copy(update={"source": "real"})
    with pytest.raises(InvalidInputError, match="real"):
        bill_of_materials([scene])


def enclosed_m3(item: Item) -> float:
    """What the triangles enclose, by the divergence theorem: negative if they face inwards."""
    a, b, c = np.moveaxis(surface_of(item).triangles_m, 1, 0)
    return float(np.sum(a * np.cross(b, c)) / 6)


def test_the_same_bill_in_every_format(bill: list[BillItem], tmp_path: Path) -> None:
    for ending in ("csv", "json", "html"):
        write_bill(bill, tmp_path / f"bill.{ending}")
    csv = pd.read_csv(tmp_path / "bill.csv")
    rows = json.loads((tmp_path / "bill.json").read_text())
    assert list(csv["name"]) == [row["name"] for row in rows]
    assert list(csv["name"]) == [material.item.name for material in bill]
    page = (tmp_path / "bill.html").read_text()
    assert all(material.item.name in page for material in bill)
    assert ">None<" not in page
    for row, material in zip(rows, bill, strict=True):
        assert row["longest_mm"] >= row["middle_mm"] >= row["shortest_mm"] > 0
        assert row["mass_g"] == pytest.approx(1e3 * material.item.mass_kg, abs=0.1)
        assert row["scenes"].split() == list(material.scenes)


def test_prints_stand_on_the_bed_in_millimetres(bill: list[BillItem], tmp_path: Path) -> None:
    printed = {material.shape: material for material in bill if material.infill}
    assert write_prints(bill, tmp_path) == len(printed)
    assert {path.stem for path in tmp_path.iterdir()} == set(printed)
    triangle = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")])
    for path in tmp_path.iterdir():
        data = path.read_bytes()
        (count,) = np.frombuffer(data, "<u4", 1, offset=80)
        corners = np.frombuffer(data, triangle, offset=84)["corners"].reshape(-1, 3)
        assert len(corners) == 3 * count
        extents = np.ptp(corners, axis=0)
        assert corners[:, 2].min() == pytest.approx(0.0, abs=1e-3)
        sizes = 1e3 * np.array(printed[path.stem].item.size_m)
        assert extents == pytest.approx(sizes, abs=0.6)
