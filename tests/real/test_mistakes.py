"""Mistakes that are planted can be seen, and what cannot be seen is not planted."""

from dataclasses import replace

import numpy as np
import pytest
from measured import Measured

from pactwin.hardware import StripPlace
from pactwin.real.placement import alternative_states, check_placement
from pactwin.real.rehearsal.disturbance import Disturbance, disturbed_items, with_mistake
from pactwin.real.scene_depth import scene_depths
from pactwin.real.unplanned import strangers
from pactwin.sim import Item, Layout
from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.vessels import cup
from pactwin.sim.scene.pose import Pose


def placed(item: Item, name: str, y_m: float, z_m: float = 0.0) -> Item:
    at = Pose((0.3, y_m, z_m + item.size_m[2] / 2))
    return replace(item, name=name, world_from_object=at)


CUP = placed(cup("blue", 0.08, 0.06, 0.09), "cup", 0.15)
PLANK = placed(block("yellow", (0.05, 0.16, 0.04), "wood"), "plank", -0.1)
CAN = placed(cylinder("red", 0.05, 0.06, "plastic"), "can", -0.1, z_m=0.04)
LAYOUT = Layout((CUP, PLANK, CAN), "", ("cup",))


def test_a_cup_on_its_head_and_a_can_that_is_gone_are_noticed_and_the_rest_is_not_blamed() -> None:
    rng = np.random.default_rng(2)
    items = disturbed_items(LAYOUT, Disturbance(), rng)
    items = with_mistake(items, "cup", "upside_down", None, rng)
    items = with_mistake(items, "can", "missing", None, rng)
    measured = Measured(1)
    frames = measured.frames(list(items.values()))
    found = {p.name: p for p in check_placement(LAYOUT, LAYOUT, measured.rig, frames)}
    assert (found["cup"].state, found["cup"].detail) == ("wrong state", "upside down")
    assert found["can"].state == "missing"
    assert found["plank"].ok


def test_a_tall_thing_in_the_wrong_place_draws_no_neighbour_to_it() -> None:
    tall = placed(cylinder("red", 0.06, 0.14, "plastic"), "tall", -0.25)
    low = placed(block("blue", (0.05, 0.05, 0.05), "wood"), "low", 0.0)
    beside = placed(cylinder("purple", 0.05, 0.05, "plastic"), "beside", 0.085)
    layout = Layout((tall, low, beside), "", ("low",))
    rng = np.random.default_rng(4)
    items = disturbed_items(layout, Disturbance(), rng)
    items = with_mistake(items, "low", "swapped", items["tall"], rng)
    measured = Measured(2)
    frames = measured.frames(list(items.values()))
    found = {p.name: p for p in check_placement(layout, layout, measured.rig, frames)}
    assert not found["low"].ok
    assert not found["tall"].ok
    assert found["beside"].ok, found["beside"]


def test_a_block_of_22_mm_that_nobody_planned_is_noticed_at_80_cm() -> None:
    small = block("blue", (0.022, 0.022, 0.022), "wood")
    foreign = replace(small, name="foreign", world_from_object=Pose((0.45, -0.28, 0.011)))
    measured = Measured(2)
    seen = scene_depths(LAYOUT.items, measured.rig, measured.frames([*LAYOUT.items, foreign]))
    (found,) = strangers(seen, measured.rig)
    assert found.seen_by == ("head", "side")
    assert found.middle_m[:2] == pytest.approx([0.45, -0.28], abs=0.02)
    planned = scene_depths(LAYOUT.items, measured.rig, measured.frames(LAYOUT.items))
    assert strangers(planned, measured.rig) == []


def test_what_one_camera_sees_is_asked_of_the_other() -> None:
    """A shadow of stereo in one, and noise 60 mm beside it in the other, made an alarm."""
    measured = Measured(2)
    seen = scene_depths(LAYOUT.items, measured.rig, measured.frames(LAYOUT.items))
    for (name, view), y_m, wide in zip(seen.items(), (0.1, 0.16), (4, 2), strict=True):
        cells, _ = view.cells_of(np.array([[0.42, y_m, 0.02]]))
        (x, y), near = cells[0], view.measured.copy()
        near[y - 2 : y + 2, x : x + wide] -= 0.05
        seen[name] = replace(view, measured=near)
    assert strangers(seen, measured.rig) == []


def test_over_a_strip_only_what_is_higher_than_its_noise_is_unplanned() -> None:
    measured = Measured(2)
    known = measured.rig.calibration
    assert known is not None
    strips = (StripPlace(strip=0, x_m=0.5, y_m=0.25, yaw_rad=1.57),)
    taped = measured.rig.model_copy(
        update={"calibration": known.model_copy(update={"strips": strips})}
    )
    for high_m, alarms in ((0.025, False), (0.06, True)):
        low = block("blue", (0.05, 0.05, high_m), "wood")
        there = replace(low, name="low", world_from_object=Pose((0.5, 0.25, high_m / 2)))
        seen = scene_depths(LAYOUT.items, taped, measured.frames([*LAYOUT.items, there]))
        assert strangers(seen, measured.rig)
        assert bool(strangers(seen, taped)) is alarms


def test_what_leans_or_is_attached_is_not_taken_to_be_upside_down() -> None:
    leaning = replace(PLANK, world_from_object=Pose((0.3, 0.0, 0.05), (0.92, 0.0, 0.39, 0.0)))
    alone = Layout((), "", ("plank",))
    assert "upside down" in alternative_states(PLANK, alone)
    assert alternative_states(leaning, alone) == {}
    assert alternative_states(replace(PLANK, attached_to="cup"), alone) == {}
