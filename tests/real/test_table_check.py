"""What a capture may not show, drawn by a renderer that is not the simulator's, is refused."""

from dataclasses import replace

import numpy as np
import pytest
from raytraced import Light, RaytracedBench

from pactwin.hardware import RgbdFrame, StripPlace
from pactwin.real.table_check import TableCheck, check_table
from pactwin.sim import Item, Layout
from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.everyday import tin
from pactwin.sim.objects.vessels import cup
from pactwin.sim.scene.pose import Pose

pytestmark = pytest.mark.slow

Frames = dict[str, RgbdFrame]


def placed(item: Item, name: str, x_m: float, y_m: float, z_m: float = 0.0) -> Item:
    pose = Pose((x_m, y_m, z_m + item.size_m[2] / 2))
    return replace(item, name=name, world_from_object=pose)


CUP = placed(cup("white", 0.10, 0.08, 0.08), "cup", 0.30, 0.12)
PLANK = placed(block("yellow", (0.05, 0.16, 0.04), "wood"), "plank", 0.32, -0.10)
CAN = placed(cylinder("red", 0.06, 0.10, "plastic"), "can", 0.20, 0.0)
LAYOUT = Layout((CUP, PLANK, CAN), "", ("cup",))
TWIN = LAYOUT.replacing(placed(CAN, "can", 0.45, 0.0))


def stranger(size_m: tuple[float, float, float], x_m: float, y_m: float, z_m: float = 0.0) -> Item:
    return placed(block("blue", size_m, "wood"), "stranger", x_m, y_m, z_m)


@pytest.fixture(scope="module")
def bench() -> RaytracedBench:
    return RaytracedBench()


@pytest.fixture(scope="module")
def planned(bench: RaytracedBench) -> Frames:
    return bench.frames(LAYOUT.items, pairs=1)


@pytest.fixture(scope="module")
def of_the_twin(bench: RaytracedBench) -> Frames:
    return bench.frames(TWIN.items, pairs=1)


def check(bench: RaytracedBench, frames: Frames) -> TableCheck:
    return check_table(LAYOUT, TWIN, bench.rig, frames)


def kinds(found: TableCheck) -> set[str]:
    return {fault.kind for fault in found.faults}


def test_a_scene_as_planned_passes(bench: RaytracedBench, planned: Frames) -> None:
    found = check(bench, planned)
    assert found.ok, found.wrong
    for placement in found.placements:
        assert placement.position_mm is not None
        assert placement.position_mm < 4


def test_tins_that_differ_in_a_few_stripes_only_are_swapped_or_not(bench):
    pink, white = (
        placed(tin(color, 0.075, 0.07), f"{color} tin", 0.3, y)
        for color, y in (("pink", 0.1), ("white", -0.1))
    )
    layout = Layout((pink, white), "", ("pink tin",))
    twin = layout.replacing(placed(pink, "pink tin", 0.45, 0.0))
    swapped = placed(pink, "pink tin", 0.3, -0.1), placed(white, "white tin", 0.3, 0.1)
    for items, state in (((pink, white), "ok"), (swapped, "wrong thing")):
        found = check_table(layout, twin, bench.rig, bench.frames(items, pairs=1))
        assert [p.state for p in found.placements] == [state] * 2


IN_THE_CUP = (stranger((0.045, 0.045, 0.06), 0.30, 0.12, 0.006), (300, 120))
ON_THE_TABLE = (stranger((0.03, 0.03, 0.03), 0.42, 0.05), (420, 50))
ARM_OVER_THE_CUP = (stranger((0.40, 0.07, 0.06), 0.10, 0.12, 0.11), (130, 120))


@pytest.mark.parametrize("there", [[IN_THE_CUP, ON_THE_TABLE], [ARM_OVER_THE_CUP]])
def test_what_nobody_planned_is_refused_with_its_place(bench, there):
    strangers = [item for item, _ in there]
    found = check(bench, bench.frames([*LAYOUT.items, *strangers], pairs=1))
    assert not found.ok
    told = [fault.message for fault in found.faults if fault.kind == "unplanned"]
    places = [
        (float(m.split(", ")[1].split()[0]), float(m.split(", ")[2].split()[0])) for m in told
    ]
    for _, near_mm in there:
        assert min(np.linalg.norm(np.subtract(place, near_mm)) for place in places) < 60, told


def test_pictures_nobody_should_be_asked_about_are_refused(bench, planned):
    for light, said in (
        (Light(exposure=0.02), "too dark"),
        (Light(exposure=6.0), "over-exposed"),
        (Light(blur_px=4.0), "blurred"),
    ):
        pictures = bench.frames(LAYOUT.items, {"side": light}, pairs=0)
        frames = {**planned, "side": replace(planned["side"], color=pictures["side"].color)}
        found = check(bench, frames)
        assert [fault.camera for fault in found.faults] == ["side"]
        assert said in found.wrong[0]
        assert all(placement.ok for placement in found.placements)


def test_a_camera_that_still_shows_the_twin_is_noticed(bench, planned, of_the_twin):
    for frozen in planned:
        found = check(bench, {**planned, frozen: of_the_twin[frozen]})
        assert not found.ok
        assert "another scene" in kinds(found), found.wrong
    twin = check(bench, of_the_twin)
    assert not twin.ok
    assert any(wrong.startswith("can: ") for wrong in twin.wrong)


def test_a_camera_without_depth_is_named_and_nothing_breaks(bench, planned):
    dead = replace(planned["side"], depth_mm=np.zeros_like(planned["side"].depth_mm))
    found = check(bench, {**planned, "side": dead})
    assert ("no depth", "side") in {(fault.kind, fault.camera) for fault in found.faults}
    assert not check(
        bench, {name: replace(f, depth_mm=dead.depth_mm) for name, f in planned.items()}
    ).ok


def test_a_camera_that_shows_no_strips_is_named_and_things_are_not_blamed(bench, planned):
    assert bench.rig.calibration is not None
    strips = (StripPlace(strip=0, x_m=0.6, y_m=0.0, yaw_rad=1.57),)
    known = bench.rig.calibration.model_copy(update={"strips": strips})
    rig = bench.rig.model_copy(update={"calibration": known})
    found = check_table(LAYOUT, TWIN, rig, planned)
    assert {(fault.kind, fault.camera) for fault in found.faults} == {
        ("moved camera", "head"),
        ("moved camera", "side"),
    }
    assert all(placement.ok for placement in found.placements), found.wrong


def test_a_thing_that_was_moved_by_itself_is_not_blamed_on_a_camera(bench):
    found = check(bench, bench.frames([placed(CUP, "cup", 0.33, 0.13), PLANK, CAN], pairs=1))
    assert [p.name for p in found.placements if not p.ok] == ["cup"]
    assert "moved camera" not in kinds(found)
