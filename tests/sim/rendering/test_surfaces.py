"""Colour, depth and mask of one pixel belong to one surface."""

from dataclasses import replace

import cv2
import mujoco
import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.rendering.cameras import camera_at, looking_at
from pactwin.sim.rendering.draw import instance_ids, scene_model
from pactwin.sim.rendering.render import Frame, Renderer
from pactwin.sim.rendering.room import draw_appearance
from pactwin.suite import Camera

SIZE = (640, 480)
GREY = replace(
    draw_appearance(np.random.default_rng(5)),
    table="grey laminate",
    floor="grey tiles",
    wall="grey",
    warmth=0.0,
    furniture_back="none",
    furniture_far="none",
    furniture_left="none",
    furniture_right="none",
)
CAMERAS = [
    camera_at(name, looking_at(np.array(eye), np.array([0.25, 0.0, 0.05])), SIZE)
    for name, eye in (("front", (1.2, 0.1, 0.5)), ("side", (0.3, 1.1, 0.4)), ("top", (0.1, 0, 1)))
]


@pytest.fixture(scope="module")
def drawn() -> tuple[mujoco.MjModel, list[Frame]]:
    """Red things with flat faces, so that what is drawn is exactly what rays meet."""
    items = [
        replace(standing_at(thing, x, y, yaw_rad=turn), name=f"thing {x} {y}")
        for thing, x, y, turn in (
            (block("red", (0.06, 0.05, 0.12)), 0.20, 0.02, 0.4),
            (block("red", (0.05, 0.05, 0.05)), 0.30, 0.05, 1.0),
            (plank("red", (0.20, 0.03, 0.01)), 0.35, -0.08, 0.7),
        )
    ]
    model = scene_model(items, GREY, "g1", SIZE)
    with Renderer(model, instance_ids(model)) as renderer:
        return model, [renderer.render(camera) for camera in CAMERAS]


def met(
    model: mujoco.MjModel, data: mujoco.MjData, camera: Camera, v: int, u: int
) -> tuple[int, float]:
    """What the ray through a pixel's middle meets: instance id, and depth (mm)."""
    pose = np.array(camera.world_from_camera)
    ray = np.linalg.solve(np.array(camera.K), (u, v, 1.0))
    length = float(np.linalg.norm(ray))
    geom = np.zeros(1, np.int32)
    way = pose[:3, :3] @ ray / length
    distance = mujoco.mj_ray(model, data, pose[:3, 3], way, None, 1, -1, geom)
    return int(instance_ids(model)[geom[0]]), 1000 * distance / length


def edges(mask: np.ndarray) -> np.ndarray:
    """Pixels that touch one of another instance."""
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    return cv2.dilate(mask, cross) != cv2.erode(mask, cross)


def test_mask_and_depth_are_what_the_ray_through_a_pixel_meets(drawn):
    model, frames = drawn
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    pixels = wrong = 0
    for camera, frame in zip(CAMERAS, frames, strict=True):
        for v, u in np.argwhere(edges(frame.mask))[::2]:
            instance, depth_mm = met(model, data, camera, v, u)
            pixels += 1
            wrong += instance != frame.mask[v, u] or abs(depth_mm - frame.depth_mm[v, u]) > 4
    assert pixels > 500
    assert wrong <= 0.01 * pixels, f"{wrong} of {pixels} pixels at edges"


def test_colours_are_of_what_the_mask_says_but_for_edges_one_pixel_wide(drawn):
    _, frames = drawn
    for frame in frames:
        red, green, blue = np.moveaxis(frame.color.astype(int), 2, 0)
        is_red = red > 1.5 * np.maximum(green, blue)
        inside = frame.mask > 0
        assert inside.sum() > 4000
        assert not ((is_red != inside) & ~edges((frame.mask > 0).astype(np.uint8))).any()
