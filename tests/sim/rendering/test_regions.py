"""What has to be seen is seen: faces of equal grey have no edge, and a seam may be out of sight."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.generation.pairs.scenes import with_regions
from pactwin.sim.objects.blocks import block, cylinder, open_box
from pactwin.sim.objects.closures import box_lid
from pactwin.sim.objects.everyday import can
from pactwin.sim.objects.household import cube_puzzle
from pactwin.sim.objects.obstacles import fence, screen
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.objects.standard_sizes import PUZZLES_M, SMALL_CAN_M
from pactwin.sim.objects.stands import tapered_stand
from pactwin.sim.rendering.cameras import CAMERAS, camera_at, frame_cameras, looking_at
from pactwin.sim.rendering.regions import ARM, arm_visibility, region_visibility
from pactwin.sim.rendering.render import Frame, render_views
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.rendering.silhouette import is_edge_on, project
from pactwin.sim.scene.layout import Item, Layout, Region, object_record
from pactwin.suite import MIN_CONTRAST, MIN_LINE_PIXELS, Camera, RegionVisibility, Scene, View

SIZE = (640, 480)
LOOK = draw_appearance(np.random.default_rng(5))


def camera_from(*eye_m: float) -> Camera:
    return camera_at("any", looking_at(np.array(eye_m), np.array([0.25, 0.0, 0.04])), SIZE)


LOADS = [
    can("red", *SMALL_CAN_M),
    cube_puzzle("red", PUZZLES_M[0]),
    cylinder("red", 0.05, 0.04),
    block("red", (0.05, 0.05, 0.03)),
]
ABOVE, FRONT = camera_from(0.2499, 0.0, 0.9), camera_from(1.0, 0.0, 0.45)


def drawn(items: tuple[Item, ...], camera: Camera) -> Frame:
    return next(iter(render_views(items, LOOK, "g1", [camera])))


def shown(layout: Layout, region: Region, camera: Camera, frame: Frame) -> RegionVisibility:
    names = [item.name for item in layout.items]
    return region_visibility(layout, region, camera, frame, names.index(region.item) + 1)


def answers(found: RegionVisibility) -> bool:
    return found.pixels >= MIN_LINE_PIXELS and found.contrast >= MIN_CONTRAST


@pytest.fixture(scope="module")
def stands() -> Layout:
    pointed = standing_at(tapered_stand("green", 0.08, 0.1, (0.0, 0.0)), 0.25, 0.0)
    flat = standing_at(tapered_stand("blue", 0.08, 0.1, (0.045, 0.045)), 0.25, 0.25)
    return Layout((pointed, flat), "", (pointed.name, flat.name))


@pytest.mark.parametrize("load", LOADS, ids=[load.category for load in LOADS])
def test_where_any_load_meets_what_carries_it_is_seen(load: Item) -> None:
    """What stands in for a turned surface ends where that does: else no can would be a load."""
    low = standing_at(block("green", (0.06, 0.06, 0.05)), 0.3, 0.1)
    layout = Layout((low, standing_at(load, 0.3, 0.1, on_z=top_m(low))), "", (load.name, low.name))
    cameras = frame_cameras((layout,), CAMERAS, SIZE, np.random.default_rng(1), "g1")
    seen = [
        answers(shown(layout, Region(load.name, "base"), camera, frame))
        for camera, frame in zip(
            cameras, render_views(layout.items, LOOK, "g1", cameras), strict=True
        )
    ]
    assert sum(seen) >= 2


def test_an_edge_counts_its_pixels(stands: Layout) -> None:
    """The visible sides of a square top are as long as its corners are apart in the picture."""
    flat = stands.items[1]
    camera, half = FRONT, 0.0225
    corners = [(x, y, flat.size_m[2] / 2) for x, y in ((-half, -half), (half, -half),
               (half, half), (-half, half), (-half, -half))]  # fmt: skip
    region = Region(flat.name, lines_m=(tuple(corners),))
    world = np.array([(flat.world_from_object.matrix() @ (*corner, 1.0))[:3] for corner in corners])
    pixels, _ = project(camera, world)
    length = np.linalg.norm(np.diff(pixels, axis=0), axis=1).sum()
    found = shown(stands, region, camera, drawn(stands.items, camera))
    assert found.pixels == pytest.approx(length, rel=0.15)
    assert answers(found)


@pytest.mark.parametrize(("turn_deg", "seen"), [(0.0, True), (65.0, True), (85.0, False)])
def test_a_fence_seen_edge_on_is_not_seen(turn_deg: float, seen: bool) -> None:
    """Where it is a post of a few pixels, nobody can say what it keeps from what."""
    stood = standing_at(fence("green", 0.3, 0.28), 0.25, 0.0, yaw_rad=np.deg2rad(turn_deg))
    layout = Layout((stood,), "", (stood.name,))
    frame = drawn(layout.items, FRONT)
    assert np.count_nonzero(frame.mask == 1) > 600
    assert answers(shown(layout, Region(stood.name), FRONT, frame)) == seen


def test_cameras_stand_where_boards_are_not_seen_edge_on() -> None:
    """One of six positions over either shoulder shows the face, unless chance has it otherwise."""
    stood = standing_at(screen("green", 0.3, 0.28), 0.25, 0.0, yaw_rad=0.35)
    layout = Layout((stood,), "", (stood.name,))
    rng = np.random.default_rng(3)
    cameras = [frame_cameras([layout], ["agent"], SIZE, rng, "g1")[0] for _ in range(20)]
    assert sum(is_edge_on(stood, camera) for camera in cameras) <= 1


@pytest.mark.parametrize(("y", "seen"), [(0.30, True), (0.40, False)])
def test_what_the_border_cuts_is_not_seen(y: float, seen: bool) -> None:
    stood = standing_at(block("green", (0.1, 0.1, 0.1)), 0.25, y)
    layout = Layout((stood,), "", (stood.name,))
    frame = drawn(layout.items, FRONT)
    assert np.count_nonzero(frame.mask == 1) > 600
    assert answers(shown(layout, Region(stood.name), FRONT, frame)) == seen


def test_faces_of_equal_grey_show_no_profile(stands: Layout) -> None:
    """From above the contour of a pyramid is that of one cut off: only its creases could tell."""
    pointed, flat = stands.items
    region = Region(pointed.name, "top", unlike=flat.name)
    frame = drawn(stands.items, ABOVE)
    assert answers(shown(stands, region, ABOVE, frame))
    equal = frame.color.copy()
    equal[frame.mask == 1] = (30, 120, 40)
    planted = shown(stands, region, ABOVE, Frame(equal, frame.depth_mm, frame.mask))
    assert planted.pixels >= MIN_LINE_PIXELS
    assert planted.contrast < MIN_CONTRAST
    # Seen from the front the tip stands out against the table, whatever the grey of its faces.
    frame = drawn(stands.items, FRONT)
    equal = frame.color.copy()
    equal[frame.mask == 1] = (30, 120, 40)
    assert answers(shown(stands, region, FRONT, Frame(equal, frame.depth_mm, frame.mask)))


def test_a_seam_behind_something_is_not_seen() -> None:
    """The lid's seam shows to a camera at the side, not to one above, nor past a screen."""
    box = standing_at(open_box("blue", (0.08, 0.07, 0.06)), 0.25, 0.0)
    lid = standing_at(box_lid("red", box), 0.25, 0.0, on_z=top_m(box))
    screen = standing_at(block("yellow", (0.01, 0.2, 0.12)), 0.33, 0.0)
    seam = Region(lid.name, "base")
    open_view, screened = (Layout(items, "", (box.name, lid.name))
                           for items in ((box, lid), (box, lid, screen)))  # fmt: skip
    free = shown(open_view, seam, FRONT, drawn(open_view.items, FRONT))
    assert answers(free)
    hidden = shown(screened, seam, FRONT, drawn(screened.items, FRONT))
    assert hidden.pixels < free.pixels / 4
    assert not answers(hidden)


def test_what_is_before_the_border_or_behind_the_camera_is_not_seen(stands: Layout) -> None:
    away = camera_at("any", looking_at(np.array([1.0, 0, 0.4]), np.array([2.0, 0, 0.4])), SIZE)
    frame = drawn(stands.items, away)
    found = shown(stands, Region(stands.items[0].name), away, frame)
    assert (found.pixels, found.contrast) == (0, 0.0)


def test_a_scene_declares_the_outlines_of_what_decides(stands: Layout) -> None:
    extra = Region(stands.items[0].name, "top")
    layout = Layout(stands.items, "", stands.critical_objects, regions=(extra,))
    assert [region.name for region in layout.must_show] == [
        "outline of the green stand",
        "outline of the blue stand",
        "top of the green stand",
    ]


def test_where_reach_decides_cameras_show_an_arm() -> None:
    """The robot's own camera never does, nor one before which a wall hides the arms."""
    far = standing_at(block("red", (0.05, 0.05, 0.05)), 0.55, -0.2)
    layout = Layout((far,), "", (far.name,), by_reach=True)
    cameras = frame_cameras([layout], CAMERAS, SIZE, np.random.default_rng(0), "g1")
    near = replace(layout, by_reach=False)
    cameras += frame_cameras([near], ["agent"], SIZE, np.random.default_rng(0), "g1")
    frames = list(render_views(layout.items, LOOK, "g1", cameras))
    views = tuple(View.model_construct(camera=camera) for camera in cameras)
    scene = Scene.model_construct(robot="g1", objects=(object_record(far, 1),), views=views)
    drawn_views = with_regions(scene, layout, cameras, frames).views
    arms = [view.regions[ARM] for view in drawn_views]
    assert ARM not in with_regions(scene, near, cameras, frames).views[0].regions
    shown_by = [c.name for c, arm in zip(cameras, arms, strict=True) if answers(arm)]
    assert sorted(shown_by) == ["agent", "front", "side"]
    assert not answers(arms[-1])
    wall = standing_at(screen("blue", 0.9, 0.5), 0.1, 0.0)
    front = cameras[CAMERAS.index("front")]
    assert not answers(arm_visibility("g1", front, drawn((far, wall), front)))
