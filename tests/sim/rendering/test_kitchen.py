"""Kitchens of RoboCasa around a scene, with a stand-in for its package."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
from drawn_scenes import drawn
from robocasa_stand_in import ISLAND_DEPTH_M, ISLAND_HEIGHT_M, write_stand_in

from pactwin.sim.rendering import kitchen
from pactwin.sim.rendering.cameras import frame_cameras
from pactwin.sim.rendering.draw import scene_model
from pactwin.sim.rendering.kitchen import check_kitchens, draw_kitchen, kitchen_model
from pactwin.sim.rendering.render import render_views
from pactwin.sim.rendering.room import Appearance, appearance_of, draw_appearance
from pactwin.suite import EnvironmentFaultError, SuiteError

LAYOUT = drawn("closure", 1)[0][1].infeasible
SIZE = (320, 240)
STUDY = draw_appearance(np.random.default_rng(5))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("robocasa")
    write_stand_in(found)
    return found


@pytest.fixture
def stand_in(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """RoboCasa and robosuite are the stand-in here and in processes begun here."""
    monkeypatch.syspath_prepend(folder)
    here = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), here]))
    monkeypatch.setattr(kitchen, "cache_folder", lambda: tmp_path)
    kitchen_model.cache_clear()
    yield
    kitchen_model.cache_clear()


def in_kitchen(layout: int = 4) -> Appearance:
    return replace(STUDY, kitchen=(layout, 1))


@pytest.mark.usefixtures("stand_in")
def test_the_counter_takes_the_place_of_the_table_and_leaves_room_for_robot_and_cameras() -> None:
    model = scene_model(LAYOUT.items, in_kitchen(), "g1", SIZE)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    seen = {model.geom(k).name.removeprefix("kitchen/"): k for k in range(model.ngeom)}
    # Nothing hidden, nothing that moves or is let in by chance; the cupboard is too near cameras.
    drawn_of_kitchen = {name for name in seen if name.endswith(("_vis", "_g0", "_reg"))}
    assert drawn_of_kitchen == {
        "island_vis",
        "sink_island_vis",
        "counter_main_vis",
        "floor_vis",
        "wall_vis",
        "cupboard_vis",
    }
    island = seen["island_vis"]
    half = np.abs(data.geom_xmat[island].reshape(3, 3) @ model.geom_size[island])
    low, high = data.geom_xpos[island] - half, data.geom_xpos[island] + half
    assert low == pytest.approx([0.0, -1.0, -ISLAND_HEIGHT_M], abs=1e-5)
    assert high == pytest.approx([ISLAND_DEPTH_M, 1.0, 0.0], abs=1e-5)
    # What stands about hides no item, the counter may.
    assert model.geom_group[seen["floor_vis"]] == 2 != model.geom_group[island]
    assert model.njnt == scene_model(LAYOUT.items, STUDY, "g1", SIZE).njnt
    # The robot's feet are on a step as high as the counter is higher than our table.
    step = seen["step"]
    assert data.geom_xpos[step][2] - model.geom_size[step][2] == pytest.approx(-ISLAND_HEIGHT_M)


@pytest.mark.usefixtures("stand_in")
def test_a_room_changes_what_is_behind_the_items_and_nothing_of_them() -> None:
    cameras = frame_cameras([LAYOUT], ["head", "front"], SIZE, np.random.default_rng(1), "g1")
    ours = list(render_views(LAYOUT.items, STUDY, "g1", cameras))
    theirs = list(render_views(LAYOUT.items, in_kitchen(), "g1", cameras))
    for plain, other in zip(ours, theirs, strict=True):
        assert np.array_equal(plain.mask, other.mask)
        item = plain.mask > 0
        assert item.any() and np.array_equal(plain.depth_mm[item], other.depth_mm[item])
        assert not np.array_equal(plain.color, other.color)


@pytest.mark.usefixtures("stand_in")
def test_a_kitchen_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = kitchen_model(4, 1)
    kitchen_model.cache_clear()
    monkeypatch.setattr(kitchen, "_built", lambda *_: pytest.fail("built again"))
    assert kitchen_model(4, 1) == text


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("layout", [12, 13])
def test_a_layout_without_a_free_counter_or_without_its_file_is_an_error(layout: int) -> None:
    said = {12: "kitchen 12, style 3: no counter stands free", 13: "download_kitchen_assets"}
    with pytest.raises(EnvironmentFaultError, match=said[layout]):
        kitchen_model(layout, 3)


@pytest.mark.usefixtures("stand_in")
def test_assets_that_are_gone_are_named(folder: Path) -> None:
    kitchen_model(4, 2)
    kitchen_model.cache_clear()
    stone = folder / "robosuite/models/stone.png"
    kept = stone.read_bytes()
    stone.unlink()
    try:
        with pytest.raises(EnvironmentFaultError, match=r"stone\.png is missing.*download"):
            kitchen_model(4, 2)
    finally:
        stone.write_bytes(kept)


def test_without_robocasa_the_way_to_it_is_told() -> None:
    with pytest.raises(EnvironmentFaultError, match=r"RoboCasa is not installed.*robocasa\.md"):
        check_kitchens()


def test_a_record_says_what_is_seen_and_which_room_to_draw_again() -> None:
    look = draw_appearance(np.random.default_rng(5), "kitchen")
    assert look.kitchen == draw_kitchen_after(5)
    record = look.record()
    assert appearance_of(STUDY.record()) == STUDY
    assert appearance_of(record).record() == record
    assert appearance_of(record).kitchen == look.kitchen
    with pytest.raises(SuiteError, match="not that of a simulated scene"):
        appearance_of({"table": "oak"})
    assert (record["layout"], record["style"]) == look.kitchen
    assert "table" not in record and record["warmth"] == STUDY.warmth
    assert replace(look, kitchen=None) == STUDY


def draw_kitchen_after(seed: int) -> tuple[int, int]:
    rng = np.random.default_rng(seed)
    draw_appearance(rng)
    return draw_kitchen(rng)
