"""The second of twins is drawn only where it can differ from the first."""

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.tableware import cup
from pactwin.sim.rendering import changed
from pactwin.sim.rendering.cameras import camera_at, head_camera, looking_at
from pactwin.sim.rendering.changed import changed_boxes, color_beside
from pactwin.sim.rendering.render import scene_renderer
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera

LOOK = draw_appearance(np.random.default_rng(5))
SIZE = (160, 120)
CAMERAS = [
    head_camera("g1", SIZE),
    camera_at("beside", looking_at(np.array([0.3, 0.9, 0.5]), np.array([0.3, 0.0, 0.0])), SIZE),
]


def scene(x: float, y: float) -> list[Item]:
    tall = standing_at(block("red", (0.04, 0.04, 0.12)), x, y)
    return [tall, standing_at(cup("yellow", 0.07, 0.07, 0.08), 0.3, 0.1)]


@pytest.mark.parametrize("there", [(0.3, -0.1), (0.01, 0.05)], ids=["on the table", "at its edge"])
def test_outside_of_the_boxes_twins_are_alike_and_inside_they_are_drawn(
    there: tuple[float, float],
) -> None:
    one, other = scene(0.25, -0.2), scene(*there)
    with scene_renderer(one, LOOK, "g1", CAMERAS) as renderer:
        first = [renderer.color(camera) for camera in CAMERAS]
        renderer.place(other)
        whole = [renderer.color(camera) for camera in CAMERAS]
        boxes = [changed_boxes(other, one, LOOK, camera) for camera in CAMERAS]
        second = [
            color_beside(renderer, camera, box, color)
            for camera, box, color in zip(CAMERAS, boxes, first, strict=True)
        ]
    for before, drawn, found in zip(first, whole, second, strict=True):
        off = np.abs(found.astype(int) - drawn).max(axis=2)
        assert np.count_nonzero(off > 2) < 5
        assert not np.array_equal(before, drawn)


def test_a_box_that_leaves_out_the_shadow_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changed, "_down_to", lambda height_m, points, look: points)
    with pytest.raises(AssertionError):
        test_outside_of_the_boxes_twins_are_alike_and_inside_they_are_drawn((0.3, -0.1))


def test_what_reaches_behind_the_camera_is_drawn_anywhere() -> None:
    pose = looking_at(np.array([0.25, -0.2, 0.05]), np.array([0.3, 0.1, 0.05]))
    within: Camera = camera_at("within", pose, SIZE)
    assert changed_boxes(scene(0.3, -0.1), scene(0.25, -0.2), LOOK, within) is None
    assert changed_boxes(scene(0.3, 0.0), scene(0.3, 0.0), LOOK, within) == []
