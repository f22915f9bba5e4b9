"""One scene's things and how they stand, from the pictures, depth and cameras of some views."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from pactwin.perception.depth_sensor import DepthSensor, measured_depth, view_rng
from pactwin.perception.geometry.clouds import ViewCloud, table_height_m, view_cloud
from pactwin.perception.geometry.segments import (
    Segment,
    segments_by_clustering,
    segments_from_masks,
)
from pactwin.suite import Camera, Scene, Suite, load_depth, load_image, load_mask


@dataclass(frozen=True)
class SceneGeometry:
    """What stands on the table: ``segments``, and the height (m) of the table's plane."""

    segments: tuple[Segment, ...]
    table_m: float


def measure_scene(
    suite: Suite,
    scene: Scene,
    cameras: Collection[str],
    *,
    masks: bool = False,
    sensor: DepthSensor | None = None,
) -> SceneGeometry:
    """The geometry that ``cameras`` see together, in the table frame.

    ``masks`` takes the suite's own masks and names (privileged) where else colour and gaps tell
    things apart. ``sensor`` disturbs the depth as that camera would. Views without
    depth or with an unknown camera are left out. Raises SuiteError for broken pictures,
    EnvironmentFaultError without Open3D.
    """
    views: list[ViewCloud] = []
    for number, view in enumerate(scene.views):
        if view.camera.name not in cameras or view.depth is None:
            continue
        if not isinstance(view.camera, Camera):
            continue
        color, depth = load_image(suite, view), load_depth(suite, view)
        if sensor is not None:
            K = np.array(view.camera.K)
            depth = measured_depth(color, depth, K, sensor, view_rng(scene, number))
        mask = load_mask(suite, view) if masks else None
        views.append(view_cloud(color, depth, view.camera, mask))
    if not views:
        return SceneGeometry((), 0.0)
    table = table_height_m(np.concatenate([view.points for view in views]))
    if masks:
        names = {obj.instance_id: obj.name for obj in scene.objects}
        return SceneGeometry(segments_from_masks(views, names), table)
    return SceneGeometry(segments_by_clustering(views, table), table)
