"""Pictures obey the camera that is recorded with them, and masks say what is visible."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, open_box, plank
from pactwin.sim.objects.everyday import ball, book, bottle, can, mug
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.vessels import cup
from pactwin.sim.rendering.cameras import (
    CAMERAS,
    camera_at,
    fitted_camera,
    frame_cameras,
    head_camera,
    looking_at,
)
from pactwin.sim.rendering.draw import instance_ids, scene_model
from pactwin.sim.rendering.encoding import visibility
from pactwin.sim.rendering.render import Frame, look_alike, render_views, scene_renderer
from pactwin.sim.rendering.room import FLOORS, FURNITURE, TABLES, WALLS, draw_appearance
from pactwin.sim.rendering.silhouette import project, silhouette_px
from pactwin.sim.robots.registry import ROBOTS
from pactwin.sim.scene.layout import Item, Layout, Part
from pactwin.sim.scene.pose import Pose, vec3
from pactwin.suite import MIN_PIXELS, Camera, InvalidInputError, instance_boxes

SIZE = (640, 480)
LOOK = draw_appearance(np.random.default_rng(5))


def picture(items: Sequence[Item], camera: Camera, robot: str = "g1") -> Frame:
    return next(iter(render_views(items, LOOK, robot, [camera])))


def camera_with(fx: float, fy: float, cx: float, cy: float) -> Camera:
    straight = camera_at(
        "any", looking_at(np.array([1.2, 0.3, 0.6]), np.array([0.25, 0, 0.1])), SIZE
    )
    return straight.model_copy(update={"K": ((fx, 0.0, cx), (0.0, fy, cy), (0.0, 0.0, 1.0))})


def kinds() -> list[Item]:
    return [
        block("red", (0.05, 0.03, 0.07)),
        plank("blue", (0.18, 0.04, 0.012)),
        ball("green", 0.06),
        can("purple", 0.066, 0.12),
        cup("yellow", 0.07, 0.07, 0.08),
        mug("white", 0.07, 0.08),
        bottle("pink", 0.06, 0.17),
        open_box("orange", (0.10, 0.08, 0.05)),
        book("black", 0.12, 0.16, 0.03),
    ]


@pytest.mark.slow
def test_things_that_were_moved_look_as_if_they_had_been_drawn_there() -> None:
    small = head_camera("g1", (160, 120))
    beside = looking_at(np.array([0.3, 0.9, 0.5]), np.array([0.3, 0.0, 0.0]))
    cameras = [small, camera_at("beside", beside, (160, 120))]
    here = [standing_at(block("red", (0.05, 0.03, 0.07)), 0.25, -0.1),
            standing_at(cup("yellow", 0.07, 0.07, 0.08), 0.3, 0.1)]  # fmt: skip
    there = [standing_at(here[0], 0.32, 0.12, yaw_rad=0.7), standing_at(here[1], 0.2, -0.1)]
    assert look_alike(here, there)
    assert not look_alike(here, [standing_at(block("blue", (0.05, 0.03, 0.07)), 0.3, 0), here[1]])
    with scene_renderer(here, LOOK, "g1", cameras) as renderer:
        before = renderer.render(small)  # its shadows are where things were
        renderer.place(there)
        moved = [renderer.render(camera) for camera in cameras]
    for camera, frame in zip(cameras, moved, strict=True):
        drawn = picture(there, camera)
        for one, other in zip(vars(frame).values(), vars(drawn).values(), strict=True):
            assert np.array_equal(one, other)
    assert not np.array_equal(moved[0].mask, before.mask)


@pytest.mark.parametrize(
    "other",
    [
        standing_at(block("red", (0.05, 0.03, 0.07)), 0.36, 0.15, yaw_rad=0.7),
        standing_at(bottle("red", 0.06, 0.17), 0.25, -0.1),
        # Their shadows may fall beside the table.
        standing_at(block("red", (0.05, 0.03, 0.17)), 0.03, 0.0),
        standing_at(block("red", (0.05, 0.03, 0.17)), LOOK.table_depth_m - 0.03, 0.0),
        standing_at(block("red", (0.05, 0.03, 0.17)), 0.3, LOOK.table_width_m / 2 - 0.03),
        standing_at(block("red", (0.05, 0.03, 0.17)), 0.3, 0.03 - LOOK.table_width_m / 2),
    ],
    ids=["moved", "another", "near", "far", "left", "right"],
)
def test_a_twin_drawn_where_it_differs_looks_as_if_all_of_it_were_drawn(other: Item) -> None:
    size = (320, 240)
    beside = looking_at(np.array([0.3, 0.9, 0.5]), np.array([0.3, 0.0, 0.0]))
    above = looking_at(np.array([0.3, 0.01, 2.2]), np.array([0.3, -1.0, -0.7]))
    cameras = [camera_at("beside", beside, size), camera_at("above", above, size, 150.0)]
    rest = [standing_at(cup("yellow", 0.07, 0.07, 0.08), 0.3, 0.1)]
    one = standing_at(block("red", (0.05, 0.03, 0.07)), 0.25, -0.1)
    with (
        scene_renderer([one, *rest], LOOK, "g1", cameras) as first,
        scene_renderer([other, *rest], LOOK, "g1", cameras) as second,
    ):
        for camera in cameras:
            whole, like = second.color(camera), first.color(camera)
            assert not np.array_equal(whole, like)
            assert np.array_equal(second.color_like(camera, like, [one, other]), whole)


@pytest.mark.parametrize(
    "camera",
    [
        camera_with(606.7, 606.7, 319.5, 239.5),
        camera_with(700.0, 560.0, 290.0, 260.0),
        camera_with(1400.0, 1400.0, 250.0, 350.0),
    ],
    ids=["centred", "unequal focal lengths", "off centre"],
)
def test_points_appear_where_the_camera_matrix_puts_them(camera: Camera) -> None:
    rng = np.random.default_rng(1)
    places = rng.uniform((0.1, -0.2, 0.02), (0.45, 0.2, 0.25), (12, 3))
    radius = 0.006
    balls = [
        replace(ball("red", 2 * radius), name=f"ball {k}").at(Pose(tuple(place)))
        for k, place in enumerate(places)
    ]
    frame = picture(balls, camera)
    pixels, depth = project(camera, places)
    checked = 0
    for k, ((u, v), z) in enumerate(zip(pixels, depth, strict=True)):
        rows, columns = np.nonzero(frame.mask == k + 1)
        near_border = not (10 < u < SIZE[0] - 10 and 10 < v < SIZE[1] - 10)
        if near_border or rows.size < 20:
            continue
        assert np.hypot(columns.mean() - u, rows.mean() - v) < 0.5
        in_front = frame.depth_mm[round(v), round(u)] / 1000
        assert in_front == pytest.approx(z - radius, abs=0.002)
        checked += 1
    assert checked >= 6


@pytest.mark.slow
def test_silhouettes_are_what_a_thing_alone_covers() -> None:
    rng = np.random.default_rng(3)
    for item in kinds():
        x, y = rng.uniform((0.15, -0.12), (0.35, 0.12))
        stood = standing_at(item, x, y, yaw_rad=rng.uniform(-3, 3))
        cameras = frame_cameras(
            [Layout((stood,), "", (stood.name,))], ("front", "agent"), SIZE, rng, "g1"
        )
        for camera, frame in zip(cameras, render_views([stood], LOOK, "g1", cameras), strict=True):
            seen = np.count_nonzero(frame.mask)
            assert silhouette_px(stood, camera) == pytest.approx(seen, rel=0.05)
            assert visibility([stood], camera, frame.mask)[stood.name].fraction > 0.95
            eye = np.array(camera.world_from_camera)[:3, 3]
            behind = stood.at(Pose(vec3(2 * eye - (x, y, 0.0))))
            assert silhouette_px(behind, camera) == 0.0


def test_what_is_hidden_or_outside_the_picture_lowers_the_fraction() -> None:
    target = standing_at(block("red", (0.05, 0.05, 0.05)), 0.2, 0.0)
    screen = standing_at(block("blue", (0.02, 0.03, 0.10)), 0.26, 0.014)
    camera = camera_at("any", looking_at(np.array([1.2, 0, 0.3]), np.array([0.2, 0, 0.03])), SIZE)

    def fraction(items: list[Item], camera: Camera) -> float:
        return visibility(items, camera, picture(items, camera).mask)["red block"].fraction

    alone = fraction([target], camera)
    hidden = fraction([target, screen], camera)
    assert alone > 0.95
    assert 0.2 < hidden < 0.8
    # The left border goes through the middle of the block.
    (u, _), _ = project(camera, np.array([target.world_from_object.pos]))[0][0], None
    (fx, _, cx), *rest = camera.K
    cut = camera.model_copy(update={"K": ((fx, 0.0, cx - u - 0.5), *rest)})
    assert fraction([target], cut) == pytest.approx(0.5, abs=0.06)
    behind = camera_at("any", looking_at(np.array([1.2, 0, 0.3]), np.array([2.2, 0, 0.3])), SIZE)
    assert fraction([target], behind) == 0.0


def test_the_robot_hides_what_is_behind_it() -> None:
    item = standing_at(block("red", (0.05, 0.05, 0.05)), 0.1, 0.0)
    camera = camera_at("any", looking_at(np.array([-1.0, 0, 0.4]), np.array([0.1, 0, 0.02])), SIZE)
    assert visibility([item], camera, picture([item], camera).mask)["red block"].pixels == 0


def test_the_mask_matches_the_picture() -> None:
    """Taking one item away changes the colours inside its mask, and its shadow, but nothing far."""
    items = [
        standing_at(block("red", (0.05, 0.05, 0.05)), 0.2, 0.1),
        standing_at(block("blue", (0.05, 0.05, 0.05)), 0.2, -0.15),
    ]
    camera = head_camera("g1", SIZE)
    both, one = picture(items, camera), picture(items[1:], camera)
    changed = np.abs(both.color.astype(int) - one.color).max(axis=2) > 8
    red, blue = both.mask == 1, both.mask == 2
    assert changed[red].mean() > 0.9
    assert changed[blue].mean() < 0.02
    closer = (both.depth_mm < one.depth_mm) & (one.depth_mm > 0)
    assert closer[red].mean() > 0.97
    assert closer[~red].mean() < 0.002


def test_pictures_are_reproducible() -> None:
    items = [standing_at(cup("green", 0.07, 0.07, 0.08), 0.25, 0.0)]
    cameras = frame_cameras(
        [Layout(tuple(items), "", ("green cup",))], CAMERAS, SIZE, np.random.default_rng(0), "g1"
    )
    first, second = (list(render_views(items, LOOK, "g1", cameras)) for _ in range(2))
    for a, b in zip(first, second, strict=True):
        assert np.array_equal(a.color, b.color)
        assert np.array_equal(a.depth_mm, b.depth_mm)
        assert np.array_equal(a.mask, b.mask)


@pytest.mark.slow
@pytest.mark.parametrize("robot", sorted(ROBOTS))
def test_framing_shows_what_decides_in_both_twins(robot: str) -> None:
    from pactwin.sim.domains import load_domain
    from pactwin.sim.scene.placement import RejectedLayout

    domain = load_domain("support")
    framed = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        try:
            twins = domain.propose(rng, robot)
        except RejectedLayout:
            continue
        layouts = (twins.infeasible, twins.feasible)
        for camera in frame_cameras(layouts, ("front", "agent", "side"), SIZE, rng, robot):
            for layout in layouts:
                for name in layout.critical_objects:
                    item = layout.item(name)
                    assert silhouette_px(item, camera) >= MIN_PIXELS
                    (u, v), _ = (
                        r[0] for r in project(camera, np.array([item.world_from_object.pos]))
                    )
                    assert 0 < u < SIZE[0]
                    assert 0 < v < SIZE[1]
            framed += 1
    assert framed >= 9


def test_a_fitted_camera_is_as_near_as_its_margin_allows() -> None:
    points = np.random.default_rng(3).uniform(-0.2, 0.2, (40, 3))
    camera = fitted_camera("any", points, (0.4, 0.6), SIZE, f=700.0, margin=0.1)
    pixels, _ = project(camera, points)
    from_axis = np.abs(pixels - (np.array(SIZE) - 1) / 2) / (0.4 * np.array(SIZE))
    assert from_axis.max() == pytest.approx(1.0, abs=1e-3)


def test_cameras_are_seeded_and_unknown_names_refused() -> None:
    item = standing_at(ball("red", 0.05), 0.2, 0.0)
    layouts = [Layout((item,), "", ("red ball",))]

    def cameras(seed: int) -> list[Camera]:
        return frame_cameras(layouts, CAMERAS, SIZE, np.random.default_rng(seed), "g1")

    assert cameras(4) == cameras(4)
    assert cameras(4)[:3] != cameras(5)[:3]
    assert cameras(4)[3] == cameras(5)[3] == head_camera("g1", SIZE)
    with pytest.raises(InvalidInputError, match=r"'top'.*agent.*front.*head.*side"):
        frame_cameras(layouts, ("top",), SIZE, np.random.default_rng(0), "g1")


def test_the_head_keeps_its_vertical_field_of_view() -> None:
    wide, narrow = head_camera("g1", (1280, 720)), head_camera("g1", (640, 480))
    for camera in (wide, narrow):
        fov = 2 * np.arctan(camera.height_px / 2 / camera.K[1][1])
        assert np.rad2deg(fov) == pytest.approx(43.2, abs=0.3)
    assert wide.K[0][0] == pytest.approx(910.0)


@pytest.mark.parametrize("seed", range(4))
def test_rooms_are_well_lit(seed: int) -> None:
    look = draw_appearance(np.random.default_rng(seed))
    items = [standing_at(block("red", (0.05, 0.05, 0.05)), 0.2, 0.0)]
    for frame in render_views(items, look, "g1", [head_camera("g1", SIZE)]):
        assert 60 < frame.color.mean() < 235
        assert (frame.color == 255).all(axis=2).mean() < 0.2
        red = frame.color[frame.mask == 1].mean(axis=0)
        assert red[0] > 2 * red[1:].max()
        assert (frame.depth_mm > 0).all(), "the room is closed"


def test_every_surface_and_piece_of_furniture_can_be_drawn() -> None:
    looks = [replace(LOOK, table=name) for name in TABLES]
    looks += [replace(LOOK, floor=name) for name in FLOORS]
    looks += [replace(LOOK, wall=name) for name in WALLS]
    looks += [replace(LOOK, furniture_far=name, furniture_left=name) for name in FURNITURE]
    for look in looks:
        model = scene_model([], look, "g1", (64, 48))
        assert not instance_ids(model).any()


def test_a_mesh_is_drawn_with_its_own_picture(tmp_path: Path) -> None:
    """A slab from a mesh file, red on its left half and blue on its right."""
    corners = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
    faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"]
    lines = [f"v {x * 0.05} {y * 0.05} {z * 0.01}" for x, y, z in corners]
    lines += [f"vt {(x + 1) / 2} {(y + 1) / 2}" for x, y, _ in corners]
    lines += ["f " + " ".join(f"{k}/{k}" for k in face.split()) for face in faces]
    mesh, texture = tmp_path / "slab.obj", tmp_path / "halves.png"
    mesh.write_text("\n".join(lines), encoding="utf-8")
    halves = np.zeros((32, 32, 3), np.uint8)
    halves[:, :16, 2], halves[:, 16:, 0] = 255, 255
    cv2.imwrite(str(texture), halves)
    size = (0.1, 0.1, 0.02)
    part = Part("mesh", size, mesh_file=str(mesh), texture_file=str(texture))
    slab = replace(
        standing_at(block("white", size), 0.25, 0.0), parts=(part,), rgba=(1.0, 1.0, 1.0, 1.0)
    )
    camera = head_camera("g1", SIZE)
    frame = picture([slab], camera)
    assert visibility([slab], camera, frame.mask)[slab.name].fraction > 0.9
    near, far = (
        frame.color[round(v), round(u)].astype(int)
        for u, v in project(camera, np.array([(0.22, 0.0, 0.02), (0.28, 0.0, 0.02)]))[0]
    )
    assert near[0] > near[2] + 50
    assert far[2] > far[0] + 50


def test_edges_of_shadows_are_graded_within_a_pixel() -> None:
    """A place is compared with four cells of the shadow map: no stairs."""
    thing = standing_at(block("red", (0.05, 0.05, 0.1)), 0.3, 0.0)
    plain = replace(LOOK, table="white laminate")
    (frame,) = render_views([thing], plain, "none", [head_camera("g1", SIZE)])
    x0, y0, x1, y1 = instance_boxes(frame.mask)[1]
    near = np.s_[y0 - 60 : y1 + 60, x0 - 60 : x1 + 60]
    free = cv2.erode((frame.mask[near] == 0).astype(np.uint8), np.ones((7, 7))) > 0
    grey = frame.color[near].mean(axis=2)[free]
    dark, lit = grey.min(), np.median(grey)
    between = np.abs(grey - (dark + lit) / 2) < 0.25 * (lit - dark)
    assert lit - dark > 30
    assert between.sum() > 40
