"""Measurements of things whose sizes and places are known, from ray-cast depth."""

import numpy as np
import pytest
from stand_in_detector import disturbed_boxes
from table_scenes import (
    CAMERAS,
    Thing,
    ball,
    block,
    box_with_walls,
    pictures,
    ramp,
    seen,
)

from pactwin.perception import (
    Detection,
    Segment,
    falls_with,
    flat_top,
    has_room,
    opening_of,
    segments_from_boxes,
    supported_items,
    tips_without,
    view_cloud,
)


def of(name: str, segments: tuple[Segment, ...]) -> Segment:
    (found,) = [s for s in segments if name in (s.name, s.color)]
    return found


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.name)
def test_points_of_the_table_lie_on_it_and_pixels_see_their_own_points(camera) -> None:
    color, depth, mask = pictures([block("red block", 0.3, 0.1)], camera)
    cloud = view_cloud(color, depth, camera, mask)
    table = cloud.points[(cloud.ids == 0) & (cloud.points[:, 0] > 0.02)]  # not its edge
    assert np.abs(table[:, 2]).max() < 0.003
    camera_from_world = np.linalg.inv(np.array(camera.world_from_camera))
    local = cloud.points @ camera_from_world[:3, :3].T + camera_from_world[:3, 3]
    projected = local @ np.array(camera.K).T
    assert np.abs(projected[:, :2] / projected[:, 2:] - cloud.pixels).max() < 0.01


@pytest.mark.parametrize("masks", [True, False])
def test_a_block_is_where_and_as_large_as_it_is(masks: bool) -> None:
    things = [block("red block", 0.3, 0.1, (0.08, 0.05, 0.06)), ball("blue ball", 0.2, -0.15)]
    found = seen(things, masks=masks)
    red, blue = of("red", found.segments), of("blue", found.segments)
    assert found.table_m == pytest.approx(0.0, abs=0.002)
    assert np.sort(red.box.size_m) == pytest.approx([0.05, 0.08], abs=0.006)
    assert red.top_m == pytest.approx(0.06, abs=0.003)
    assert red.center[:2] == pytest.approx([0.3, 0.1], abs=0.004)
    assert blue.round and not red.round


@pytest.mark.parametrize("masks", [True, False])
def test_a_vessel_is_open_or_closed_by_what_closes_it(masks: bool) -> None:
    lid = block("white lid", 0.3, 0.1, (0.09, 0.09, 0.01), on_z=0.08)
    up = box_with_walls("red box", 0.3, 0.1, 0.07)
    down = box_with_walls("red box", 0.3, 0.1, 0.07, upside_down=True)
    for things, closer in (([up], None), ([down], "red"), ([up, lid], "white")):
        segments = seen(things, masks=masks).segments
        box = of("red", segments)
        opening = opening_of(box, [s for s in segments if s is not box])
        assert (opening.closed_by.color if opening.closed_by else None) == closer
        assert opening.inner_m == pytest.approx([0.07, 0.07], abs=0.006)


@pytest.mark.parametrize(("rise_m", "holds"), [(0.014, True), (0.04, False)])
def test_friction_holds_what_stands_on_a_gentle_slope(rise_m: float, holds: bool) -> None:
    (stand,) = seen([ramp("red stand", 0.3, 0.0, rise_m)], masks=True).segments
    assert flat_top(stand) is holds


def _boxed(things: list[Thing], said: dict[str, str]) -> list[list[Detection]]:
    """Boxes of masks, under the names that things are ``said`` to have."""
    names = {k: said[thing.name] for k, thing in enumerate(things, start=1) if thing.name in said}
    return [disturbed_boxes(pictures(things, camera)[2], names, 0.0) for camera in CAMERAS]


def test_boxes_tell_things_apart_and_name_them() -> None:
    things = [
        block("red block", 0.3, 0.1),
        block("yellow block", 0.3, 0.1, (0.05, 0.05, 0.05), on_z=0.06),
        block("green block", 0.3, -0.12),
    ]
    masked = {s.name: s for s in seen(things, masks=True).segments}
    views = [view_cloud(*pictures(things, camera)[:2], camera) for camera in CAMERAS]
    said = {"red block": "lower", "yellow block": "upper", "green block": "green block"}
    found = {s.name: s for s in segments_from_boxes(views, _boxed(things, said))}
    assert set(found) == {"lower", "upper", "green block"}
    for thing, name in said.items():
        assert found[name].center == pytest.approx(masked[thing].center, abs=0.012)
        assert found[name].top_m == pytest.approx(masked[thing].top_m, abs=0.006)
    assert supported_items(found["lower"], [found["upper"]]) == (found["upper"],)
    alone = segments_from_boxes(views, _boxed(things, {"green block": "a"}))
    assert [s.name for s in alone] == ["a"]
    assert segments_from_boxes(views, [[] for _ in CAMERAS]) == ()


def test_the_error_of_the_depth_is_seen_on_the_table() -> None:
    things = [block("red block", 0.3, 0.1, (0.08, 0.05, 0.06))]
    exact, measured = (seen(things, masks=True, sensor=sensor) for sensor in ("", "d435i"))
    assert exact.noise_m < 0.0005 < measured.noise_m < 0.01
    (red,) = measured.segments
    assert red.center[:2] == pytest.approx([0.3, 0.1], abs=0.01)
    assert red.top_m == pytest.approx(0.06, abs=0.012)


@pytest.mark.parametrize(("base_y", "tips"), [(-0.05, True), (0.03, False)])
def test_a_board_tips_when_what_balances_it_is_taken(base_y: float, tips: bool) -> None:
    # 0.3 m of board with its middle at y = 0, a block on either side; the base 0.05 m wide.
    things = [
        block("red block", 0.3, base_y, (0.05, 0.05, 0.06)),
        block("white plank", 0.3, 0.0, (0.06, 0.3, 0.012), on_z=0.06),
        block("blue block", 0.3, -0.11, (0.05, 0.05, 0.05), on_z=0.072),
        block("yellow block", 0.3, 0.06, (0.05, 0.05, 0.05), on_z=0.072),
    ]
    segments = seen(things, masks=True).segments
    blue = of("blue", segments)
    others = [s for s in segments if s is not blue]
    assert tips_without(blue, others) is tips


@pytest.mark.parametrize(("side", "room"), [(0.085, True), (0.12, False)])
def test_a_thing_has_room_beside_what_fills_half_a_tray(side: float, room: bool) -> None:
    tray = box_with_walls("red box", 0.3, 0.0, 0.2)
    filler = block("blue block", 0.3, 0.05, (0.2, 0.1, 0.05), on_z=0.005)
    thing = block("green block", 0.1, -0.25, (side, side, 0.03))
    segments = seen([tray, filler, thing], masks=True).segments
    red, blue, green = (of(name, segments) for name in ("red", "blue", "green"))
    assert has_room(red, [], green)
    assert has_room(red, [blue], green) is room


@pytest.mark.parametrize(("across_m", "room"), [(0.05, True), (0.09, False)])
def test_a_thing_has_room_beside_what_stands_at_the_end_of_a_flat_top(across_m, room):
    pad = block("red pad", 0.3, 0.0, (0.11, 0.07, 0.012))
    load = block("blue block", 0.335, 0.0, (0.04, 0.04, 0.03), on_z=0.012)
    thing = block("green block", 0.1, -0.25, (across_m, 0.05, 0.03))
    segments = seen([pad, load, thing], masks=True).segments
    red, blue, green = (of(name, segments) for name in ("red", "blue", "green"))
    assert has_room(red, [blue], green) is room


@pytest.mark.parametrize(("middle_y", "falls"), [(0.02, False), (-0.045, True)])
def test_what_other_things_keep_in_balance_does_not_fall_with_one(middle_y, falls):
    # Blocks under both ends of a plank, and one under its middle, or nearer to the end that stays.
    things = [
        block("red block", 0.3, 0.1, (0.05, 0.05, 0.06)),
        block("blue block", 0.3, -0.1, (0.05, 0.05, 0.06)),
        block("green block", 0.3, middle_y, (0.04, 0.04, 0.06)),
        block("white plank", 0.3, 0.0, (0.06, 0.3, 0.012), on_z=0.06),
    ]
    segments = seen(things, masks=True).segments
    red = of("red", segments)
    assert falls_with(red, [s for s in segments if s is not red]) is falls
