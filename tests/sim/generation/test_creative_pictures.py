"""Where the pictures of creative tasks are taken from: what they name is plainly there."""

import numpy as np

from pactwin.catalogue import part_camera
from pactwin.sim.generation.creative.measuring import specimen
from pactwin.sim.generation.creative.pictures import best_cameras
from pactwin.sim.generation.objects.settling import settled
from pactwin.sim.rendering.studio import Studio, studio_model
from pactwin.sim.scene.geometry import item_points

SIZE = (160, 120)


def test_a_long_part_is_not_looked_at_along_its_length() -> None:
    item = settled(specimen("bolster_chisel", 61))
    model = studio_model([item], Studio.drawn(np.random.default_rng(1)), SIZE)
    cameras = best_cameras(model, [item], [["body"]], SIZE)
    (camera,) = (camera for camera in cameras if camera.name == part_camera(1, "body"))
    points, _ = item_points(item)
    _, _, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    forward = np.array(camera.world_from_camera)[:3, 2]
    assert abs(forward @ axes[0]) < 0.75
