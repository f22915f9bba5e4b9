"""Parts that are convex hulls: their volume, their height and their picture agree."""

import mujoco
import numpy as np
import pytest

from pactwin.sim.objects.household import cube_puzzle, dumbbell
from pactwin.sim.objects.posing import heights_m, standing_at
from pactwin.sim.objects.stands import ramp_stand, tapered_stand, unlike_stands
from pactwin.sim.rendering.cameras import CAMERAS, frame_cameras
from pactwin.sim.rendering.render import render_views
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.rendering.silhouette import silhouette_px
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import Item, Layout, Part, Shape
from pactwin.sim.scene.spec import add_part

LOOK = draw_appearance(np.random.default_rng(5))


@pytest.mark.parametrize("shape", ["box", "cylinder", "sphere", "ellipsoid", "capsule"])
def test_volumes_are_those_of_mujoco(shape: Shape) -> None:
    size = {"sphere": (0.03, 0.03, 0.03), "cylinder": (0.03, 0.03, 0.07)}
    size["capsule"] = size["cylinder"]
    part = Part(shape, size.get(shape, (0.03, 0.05, 0.07)))
    spec = mujoco.MjSpec()
    add_part(spec, spec.worldbody.add_body(name="one"), part, "one")
    assert spec.compile().body("one").mass[0] == pytest.approx(1000 * part_volume_m3(part))


@pytest.mark.parametrize("top", [(0.0, 0.0), (0.0, 0.06), (0.03, 0.03), (0.03, 0.06), (0.06, 0.06)])
def test_volume_is_that_of_a_prismatoid(top: tuple[float, float]) -> None:
    """h/6 (A0 + 4 Am + A1), exact for bodies between two parallel faces."""
    base, height = 0.06, 0.05
    foot, body = tapered_stand("red", base, height, top).parts
    middle = (base + top[0]) / 2 * (base + top[1]) / 2
    expected = (height - foot.size_m[2]) / 6 * (base**2 + 4 * middle + top[0] * top[1])
    assert part_volume_m3(body) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("top", ["tip", "ridge", "slope", "ball"])
def test_unlike_stands_differ_in_their_top_alone(top: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        bad, flat = unlike_stands(rng, top, ("red", "blue"), 0.05)
        assert (bad.category, bad.material) == (flat.category, flat.material)
        assert bad.parts != flat.parts and bad.size_m[:2] == flat.size_m[:2]
        assert top == "slope" or bad.size_m == flat.size_m


@pytest.mark.parametrize(
    "item",
    [
        tapered_stand("red", 0.08, 0.06, (0.0, 0.0)),
        tapered_stand("red", 0.08, 0.06, (0.0, 0.08)),
        ramp_stand("red", 0.07, 0.02, 0.09),
        cube_puzzle("red", 0.05),
        dumbbell("red", 1.5),
    ],
    ids=["pyramid", "roof", "ramp", "cube puzzle", "dumbbell"],
)
def test_hulls_fill_their_size_and_are_drawn_where_they_are(item: Item) -> None:
    item = standing_at(item, 0.25, 0.05, yaw_rad=0.5)
    low, high = heights_m(item)
    assert (low, high) == pytest.approx((0.0, item.size_m[2]), abs=2e-4)
    layout = Layout((item,), "", (item.name,))
    cameras = frame_cameras([layout], CAMERAS, (640, 480), np.random.default_rng(0), "g1")
    for camera, frame in zip(cameras, render_views([item], LOOK, "g1", cameras), strict=True):
        shown = int(np.count_nonzero(frame.mask == 1))
        assert shown == pytest.approx(silhouette_px(item, camera), rel=0.03)
