"""Geometry of one scene from pictures, depth and cameras of some views."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.perception.depth_sensor import DepthSensor, measured_depth, view_rng
from pactwin.perception.detectors.base import Detection
from pactwin.perception.geometry.boxes import segments_from_boxes
from pactwin.perception.geometry.clouds import ViewCloud, table_plane, view_cloud
from pactwin.perception.geometry.segments import (
    Segment,
    segments_by_clustering,
    segments_from_masks,
)
from pactwin.suite import Camera, Scene, Suite, load_depth, load_image, load_mask


@dataclass(frozen=True)
class SceneGeometry:
    """Objects on the table as ``segments``, and the height (m) of the table's plane.

    ``noise_m`` is the additional spread of the table's points about the plane beyond that of exact
    depth (standard deviation).
    """

    segments: tuple[Segment, ...]
    table_m: float
    noise_m: float = 0.0


def measure_scene(
    suite: Suite,
    scene: Scene,
    cameras: Collection[str],
    *,
    masks: bool = False,
    boxes: Mapping[str, Sequence[Detection]] | None = None,
    sensor: DepthSensor | None = None,
) -> SceneGeometry:
    """Measure the geometry seen by all ``cameras`` together, in the table frame.

    ``masks`` uses the suite's own masks and names (privileged), ``boxes`` detections in each
    camera's picture; otherwise colour and gaps separate objects. ``sensor`` perturbs the depth like
    that camera. Views without depth or with an unknown camera are left out. Raises SuiteError for
    broken pictures, EnvironmentFaultError without Open3D.
    """
    views: list[ViewCloud] = []
    seen_by: list[str] = []
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
        seen_by.append(view.camera.name)
    if not views:
        return SceneGeometry((), 0.0)
    table, noise = table_plane(np.concatenate([view.points for view in views]))
    if masks:
        names = {obj.instance_id: obj.name for obj in scene.objects}
        segments = segments_from_masks(views, names, noise)
    elif boxes is not None:
        segments = segments_from_boxes(views, [boxes.get(n, ()) for n in seen_by], table, noise)
    else:
        segments = segments_by_clustering(views, table, noise)
    return SceneGeometry(segments, table, noise)
