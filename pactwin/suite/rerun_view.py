"""A scene in 3D in the Rerun viewer (optional package)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pactwin.suite.drawing import OTHER, TARGET
from pactwin.suite.errors import EnvironmentFaultError, SuiteError, needs
from pactwin.suite.pictures import load_depth, load_image, load_mask
from pactwin.suite.reader import Suite
from pactwin.suite.records import Camera, ObjectRecord, Scene, View

_MM_PER_M = 1000.0
_DISTRACTOR = (150, 150, 150)

LabelledBoxes = Mapping[str, Sequence[tuple[Sequence[float], str]]]
"""Boxes x0 y0 x1 y1 (px) by camera, each with a text."""


def show_in_rerun(
    suite: Suite,
    scene_id: str,
    save_to: Path | str | None = None,
    *,
    detected: LabelledBoxes | None = None,
) -> None:
    """Open a scene's cameras, pictures and boxes in Rerun, or write them to ``save_to`` (.rrd).

    ``detected`` boxes are drawn over the pictures. Raises InvalidInputError for an unknown scene,
    EnvironmentFaultError if Rerun is not installed or cannot start, show or write.
    """
    scene = suite.scene(scene_id)
    with needs("the 3-D view needs Rerun", "view"):
        import rerun as rr
    recording = rr.RecordingStream("pactwin")
    try:
        if save_to is None:
            recording.spawn()
        else:
            recording.save(str(save_to))
    except (OSError, RuntimeError) as error:
        raise EnvironmentFaultError(f"Rerun cannot start: {error}") from error
    recording.log("table", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    for obj in scene.objects:
        _log_object(recording, scene, obj)
    for view in scene.views:
        _log_view(recording, suite, view)
        _log_boxes(recording, view, (detected or {}).get(view.camera.name, ()))
    try:
        recording.flush()
    except RuntimeError as error:
        raise EnvironmentFaultError(f"Rerun's viewer cannot be reached: {error}") from error


def _log_object(recording, scene: Scene, obj: ObjectRecord) -> None:
    import rerun as rr

    color = _DISTRACTOR
    decides = scene.verdict.objects if scene.verdict is not None else ()
    if obj.name in decides:
        color = TARGET if obj.name == decides[0] else OTHER
    path = ["table", "objects", obj.name]
    recording.log(path, _transform(obj.world_from_object), static=True)
    box = rr.Boxes3D(half_sizes=[np.array(obj.size_m) / 2], colors=[color], labels=[obj.name])
    recording.log(path, box, static=True)


def _log_view(recording, suite: Suite, view: View) -> None:
    import rerun as rr

    camera = view.camera
    if not isinstance(camera, Camera):
        raise SuiteError(f"{view.image} was taken by an unknown camera: it has no place in 3-D")
    path = ["table", "cameras", camera.name]
    recording.log(path, _transform(camera.world_from_camera), static=True)
    pinhole = rr.Pinhole(
        image_from_camera=camera.K,
        resolution=[camera.width_px, camera.height_px],
        camera_xyz=rr.ViewCoordinates.RDF,
        image_plane_distance=0.3,
    )
    recording.log(path, pinhole, static=True)
    recording.log([*path, "image"], rr.Image(load_image(suite, view)), static=True)
    if view.depth is not None:
        depth = rr.DepthImage(load_depth(suite, view), meter=_MM_PER_M)
        recording.log([*path, "depth"], depth, static=True)
    if view.mask is not None:
        mask = rr.SegmentationImage(load_mask(suite, view))
        recording.log([*path, "mask"], mask, static=True)


def _log_boxes(recording, view: View, boxes: Sequence[tuple[Sequence[float], str]]) -> None:
    import rerun as rr

    if boxes:
        drawn = rr.Boxes2D(
            array=[box for box, _ in boxes],
            array_format=rr.Box2DFormat.XYXY,
            labels=[text for _, text in boxes],
        )
        path = ["table", "cameras", view.camera.name, "detections"]
        recording.log(path, drawn, static=True)


def _transform(a_from_b):
    import rerun as rr

    matrix = np.array(a_from_b)
    return rr.Transform3D(translation=matrix[:3, 3], mat3x3=matrix[:3, :3])
