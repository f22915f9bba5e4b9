"""The end of a can is plain metal: two faces in one plane would show as specks."""

import numpy as np

from pactwin.sim.objects.everyday import can
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import CAN_M
from pactwin.sim.rendering.cameras import frame_cameras
from pactwin.sim.rendering.render import scene_renderer
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.scene.layout import Layout


def test_the_end_of_a_can_has_no_specks() -> None:
    item = standing_at(can("red", *CAN_M), 0.25, 0.0)
    layout = Layout((item,), "", (item.name,))
    rng = np.random.default_rng(4)
    rigs = frame_cameras((layout, layout), ("head",), (640, 480), rng, "g1")
    with scene_renderer([item], draw_appearance(rng, "study"), "g1", rigs) as renderer:
        picture = renderer.color(rigs[0]).astype(float)
        _, mask = renderer.surfaces(rigs[0])
    rows, columns = np.nonzero(mask)
    end = picture[rows, columns].mean(axis=1)[np.ptp(picture[rows, columns], axis=1) < 25]
    assert len(end) > 500
    assert np.mean(np.abs(end - np.median(end)) > 20) < 0.5  # with specks two thirds
