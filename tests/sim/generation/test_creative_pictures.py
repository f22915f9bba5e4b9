"""Where the pictures of creative tasks are taken from: what they name is plainly there."""

import numpy as np

from pactwin.catalogue import part_camera
from pactwin.sim.generation.creative.measuring import specimen
from pactwin.sim.generation.creative.pictures import _part_points, photographed
from pactwin.sim.generation.objects.settling import settled
from pactwin.sim.rendering.studio import Studio
from pactwin.suite import Camera

SIZE = (160, 120)


def test_a_long_part_is_not_looked_at_along_its_length() -> None:
    item = settled(specimen("bolster_chisel", 61))
    studio = Studio.drawn(np.random.default_rng(1))
    views, _ = photographed([item], [["body"]], studio, SIZE, "s", SIZE[0] * SIZE[1] // 100)
    (camera,) = (v.camera for v in views if v.camera.name == part_camera(1, "body"))
    assert isinstance(camera, Camera)
    points = _part_points(item, "body")
    _, _, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    forward = np.array(camera.world_from_camera)[:3, 2]
    assert abs(forward @ axes[0]) < 0.75
